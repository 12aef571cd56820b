// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mem: program ids, pointers, loads and stores.
//
// Scratch bytes serve tiles of several types one after the other, and a kernel may read memory as
// another type than it wrote: every access goes through a type that may alias all others.
#include "compiler/Fault.h"
#include "compiler/backends/opencl/Access.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {

Type memoryElement(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isInteger(1) ? IntegerType::get(type.getContext(), 8) : element;
}

/// `float4_a16`: four floats at a multiple of 16 bytes.
std::string accessType(Emitter &e, Type type, int64_t align) {
  Type element = memoryElement(type);
  int64_t lanes = lanesOf(type), bytes = mem::elementBytes(element);
  std::string base = isa<mem::PtrType>(element) ? "ulong" : e.typeName(element);
  if (lanes > 1)
    base += std::to_string(lanes);
  // What a type is aligned to by itself is the most that helps.
  align = std::clamp(align, bytes, bytes * lanes);
  std::string name = base + "_a" + std::to_string(align);
  e.require(name, "typedef " + base + " " + name + " __attribute__((aligned(" + llvm::Twine(align) +
                      "), may_alias));");
  return name;
}

static bool isNull(Value base) { return base.getDefiningOp<mem::NullOp>() != nullptr; }

std::string byteAddress(Emitter &e, Value base, const std::string &index, int64_t unit) {
  std::string bytes = unit == 1 ? index : index + " * " + std::to_string(unit);
  if (isNull(base)) // an absolute address: no arithmetic on a null pointer
    return "(" + e.typeName(base.getType()) + ")(" + bytes + ")";
  return index == "0ul" ? e.expr(base) : "(" + e.expr(base) + " + " + bytes + ")";
}

static std::string pointerTo(Emitter &e, Value base, llvm::StringRef type, bool isVolatile) {
  return "(" + std::string(isVolatile ? "volatile " : "") + e.spaceName(base.getType()) + " " +
         type.str() + " *)";
}

std::string place(Emitter &e, const Access &access, Type type, const std::string &index) {
  std::string name = accessType(e, type, access.align);
  std::string pointer = pointerTo(e, access.base, name, access.isVolatile);
  bool typed = lanesOf(type) == 1 && access.unit == mem::elementBytes(memoryElement(type)) &&
               !isNull(access.base);
  if (typed)
    return "(" + pointer + e.expr(access.base) + ")[" + index + "]";
  return "*" + pointer + byteAddress(e, access.base, index, access.unit);
}

namespace {

template <typename Op> Access accessOf(Emitter &e, Op op, Type type) {
  Access access;
  access.base = op.getBase();
  access.unit = op.getUnit().value_or(mem::elementBytes(type));
  access.isVolatile = op.getIsVolatile();
  return access;
}

/// A value read as its memory type: an i1 is a byte, and any byte but 0 is true.
std::string fromMemory(Type type, const std::string &text) {
  if (isBool(type))
    return isVector(type) ? text + " != (uchar)0" : text + " != 0";
  if (isa<mem::PtrType>(type))
    return "(__global char *)" + text;
  return text;
}

std::string toMemory(Emitter &e, Value value) {
  Type type = value.getType();
  if (isa<mem::PtrType>(type))
    return "(ulong)" + e.expr(value);
  if (!isBool(type))
    return e.whole(value);
  if (!isVector(type))
    return "(uchar)" + e.expr(value);
  return "as_" + intName(8, false, lanesOf(type)) + "(" + e.mask(value, 8) + ") & (uchar)1";
}

/// The memory type of a value as a variable of it is declared.
std::string memoryName(Emitter &e, Type type) {
  Type element = memoryElement(type);
  std::string base = isa<mem::PtrType>(element) ? "ulong" : e.typeName(element);
  return lanesOf(type) > 1 ? base + std::to_string(lanesOf(type)) : base;
}

std::string laneIndex(const std::string &index, int64_t lane) {
  if (lane == 0)
    return index;
  return (index == "0ul" ? "" : index + " + ") + std::to_string(lane);
}

/// Opens the branch for lanes that are not all enabled, behind `statement` for those that are. An
/// empty `statement` stands for an access that cannot be made at once.
void openSomeLanes(Emitter &e, const std::string &mask, const std::string &statement) {
  if (statement.empty())
    return;
  e.line("if (all(" + mask + ")) " + statement);
  e.open("else");
}

/// Loads lane by lane, with `element(l)` the place of lane l; at once from `whole`, where that is
/// not empty, if all lanes are enabled. Disabled lanes keep `other`, or 0.
template <typename Place>
void loadLanes(Emitter &e, Value result, Value maskValue, Value other, Place element,
               const std::string &whole = "") {
  Type type = result.getType();
  std::string mask = maskValue ? e.atom(maskValue) : "";
  std::string name = memoryName(e, type), variable = e.freshName("loaded");
  std::string first = other ? toMemory(e, other) : "(" + name + ")(0)";
  // Read before the first scope opens: its text must be known to all of them.
  e.line(name + " " + variable + " = " + first + ";");
  openSomeLanes(e, mask, whole.empty() ? "" : variable + " = " + whole + ";");
  for (int64_t l = 0; l < lanesOf(type); ++l) {
    std::string statement = lane(type, variable, l) + " = " + element(l) + ";";
    e.line(maskValue ? "if (" + lane(maskValue.getType(), mask, l) + ") " + statement : statement);
  }
  if (!whole.empty())
    e.close();
  if (isBool(type) || isa<mem::PtrType>(type))
    e.defineHere(result, fromMemory(type, variable), 8);
  else
    e.alias(result, variable);
}

template <typename Place>
void storeLanes(Emitter &e, Value value, Value maskValue, Place element,
                const std::string &whole = "") {
  Type type = value.getType();
  std::string mask = maskValue ? e.atom(maskValue) : "";
  std::string stored = isBool(type) || isa<mem::PtrType>(type) ? toMemory(e, value) : e.atom(value);
  if (isBool(type) && isVector(type)) {
    std::string variable = e.freshName("stored");
    e.line("const " + memoryName(e, type) + " " + variable + " = " + stored + ";");
    stored = variable;
  }
  openSomeLanes(e, mask, whole.empty() ? "" : whole + " = " + stored + ";");
  for (int64_t l = 0; l < lanesOf(type); ++l) {
    std::string statement = element(l) + " = " + lane(type, stored, l) + ";";
    e.line(maskValue ? "if (" + lane(maskValue.getType(), mask, l) + ") " + statement : statement);
  }
  if (!whole.empty())
    e.close();
}

/// The place of a whole vector whose lanes have a mask each, where one access can reach it; else
/// empty.
std::string wholeIfEnabled(Emitter &e, Value mask, Access access, Type type,
                           const std::string &index) {
  bool plain = mask && isVector(mask.getType()) && isVector(type) && !isBool(type) &&
               !access.isVolatile && access.unit == mem::elementBytes(type);
  return plain ? place(e, access, type, index) : "";
}

LogicalResult emitLoad(Emitter &e, Operation *raw) {
  auto op = cast<mem::LoadOp>(raw);
  Type type = op.getResult().getType();
  Access access = accessOf(e, op, type);
  access.align = op.getAlign();
  // A volatile vector is read element by element, so that each is one access.
  bool whole = !op.getMask() && !(access.isVolatile && isVector(type)) &&
               (!isVector(type) || access.unit == mem::elementBytes(type));
  if (whole) {
    e.defineHere(op.getResult(), fromMemory(type, place(e, access, type, e.expr(op.getIndex()))),
                 8);
    return success();
  }
  std::string index = e.atom(op.getIndex());
  e.atom(op.getBase());
  if (op.getMask() && !isVector(type) && !isVector(op.getMask().getType())) {
    loadLanes(e, op.getResult(), op.getMask(), op.getOther(),
              [&](int64_t) { return place(e, access, type, index); });
    return success();
  }
  std::string atOnce = wholeIfEnabled(e, op.getMask(), access, type, index);
  access.align = 0;
  // Lanes follow each other whatever the unit of the index is.
  loadLanes(
      e, op.getResult(), op.getMask(), op.getOther(),
      [&](int64_t l) { return laneOfVector(e, access, type, index, l); }, atOnce);
  return success();
}

LogicalResult emitStore(Emitter &e, Operation *raw) {
  auto op = cast<mem::StoreOp>(raw);
  Type type = op.getValue().getType();
  Access access = accessOf(e, op, type);
  access.align = op.getAlign();
  bool whole = !op.getMask() && !(access.isVolatile && isVector(type)) &&
               (!isVector(type) || access.unit == mem::elementBytes(type));
  if (whole && e.streaming) {
    // What a thread writes so is seen by others once it has taken or left a lock, as drivers do
    // between a kernel's groups and its end.
    e.require("stream", "#ifdef __has_builtin\n#if __has_builtin(__builtin_nontemporal_store)\n"
                        "#define STREAM(to, value) __builtin_nontemporal_store((value), (to))\n"
                        "#endif\n#endif\n#ifndef STREAM\n"
                        "#define STREAM(to, value) (*(to) = (value))\n#endif\n");
    std::string address = byteAddress(e, access.base, e.expr(op.getIndex()), access.unit);
    e.line("STREAM((__global " + e.typeName(type) + " *)" + address + ", " +
           toMemory(e, op.getValue()) + ");");
    return success();
  }
  if (whole) {
    std::string target = place(e, access, type, e.expr(op.getIndex()));
    e.line(target + " = " + toMemory(e, op.getValue()) + ";");
    return success();
  }
  std::string index = e.atom(op.getIndex());
  e.atom(op.getBase());
  std::string atOnce = wholeIfEnabled(e, op.getMask(), access, type, index);
  access.align = 0;
  storeLanes(
      e, op.getValue(), op.getMask(),
      [&](int64_t l) { return laneOfVector(e, access, type, index, l); }, atOnce);
  return success();
}

/// The index of a gather's lane: lanes are signed and added in 64 bits.
std::string gatherIndex(Value lanes, const std::string &names, const std::string &index,
                        int64_t l) {
  std::string one = lane(lanes.getType(), names, l);
  if (bitsOf(lanes.getType()) < 64)
    one = "(int)" + one;
  return index == "0ul" ? "(long)" + one : index + " + " + one;
}

LogicalResult emitGather(Emitter &e, Operation *raw) {
  auto op = cast<mem::GatherOp>(raw);
  Type type = op.getResult().getType();
  Access access = accessOf(e, op, type);
  e.atom(op.getBase());
  std::string index = e.atom(op.getIndex()), lanes = e.atom(op.getLanes());
  loadLanes(e, op.getResult(), op.getMask(), op.getOther(), [&](int64_t l) {
    return place(e, access, getElementTypeOrSelf(type),
                 scaled(access, gatherIndex(op.getLanes(), lanes, index, l)));
  });
  return success();
}

LogicalResult emitScatter(Emitter &e, Operation *raw) {
  auto op = cast<mem::ScatterOp>(raw);
  Type type = op.getValue().getType();
  Access access = accessOf(e, op, type);
  e.atom(op.getBase());
  std::string index = e.atom(op.getIndex()), lanes = e.atom(op.getLanes());
  storeLanes(e, op.getValue(), op.getMask(), [&](int64_t l) {
    return place(e, access, getElementTypeOrSelf(type),
                 scaled(access, gatherIndex(op.getLanes(), lanes, index, l)));
  });
  return success();
}

template <typename Op> LogicalResult emitProgram(Emitter &e, Operation *raw) {
  auto op = cast<Op>(raw);
  constexpr bool isId = std::is_same_v<Op, mem::ProgramIdOp>;
  if (e.programItems()) {
    constexpr llvm::StringLiteral ids[] = {"mesh_program % mesh_grid_x",
                                           "mesh_program / mesh_grid_x % mesh_grid_y",
                                           "mesh_program / mesh_grid_x / mesh_grid_y"};
    constexpr llvm::StringLiteral sizes[] = {"mesh_grid_x", "mesh_grid_y", "mesh_grid_z"};
    e.define(op.getResult(), (isId ? ids : sizes)[op.getAxis()].str());
    return success();
  }
  std::string name = isId ? "get_group_id" : "get_num_groups";
  e.define(op.getResult(), "(uint)" + name + "(" + std::to_string(op.getAxis()) + ")");
  return success();
}

LogicalResult emitItemId(Emitter &e, Operation *op) {
  std::string items = e.programItems() ? " % " + std::to_string(e.programItems()) + "u" : "";
  e.define(op->getResult(0), "(uint)get_local_id(0)" + items);
  return success();
}

LogicalResult emitNull(Emitter &e, Operation *op) {
  e.alias(op->getResult(0), "((" + e.typeName(op->getResult(0).getType()) + ")0)");
  return success();
}

LogicalResult emitOffset(Emitter &e, Operation *raw) {
  auto op = cast<mem::OffsetOp>(raw);
  e.define(op.getResult(), byteAddress(e, op.getBase(), e.expr(op.getBytes()), 1));
  return success();
}

LogicalResult emitToInt(Emitter &e, Operation *op) {
  e.define(op->getResult(0), "(ulong)" + e.expr(op->getOperand(0)));
  return success();
}

LogicalResult emitFromInt(Emitter &e, Operation *op) {
  e.define(op->getResult(0),
           "(" + e.typeName(op->getResult(0).getType()) + ")" + e.expr(op->getOperand(0)));
  return success();
}

LogicalResult emitAlloc(Emitter &e, Operation *raw) {
  auto op = cast<mem::AllocOp>(raw);
  if (op.getOwn()) {
    // An array of its own: compilers make registers of it.
    std::string name = e.freshName("own");
    if (op.getType().getSpace() == mem::Space::Global) {
      e.line("__global char *const " + name + " = mesh_own + " + llvm::Twine(op.getOffset()) +
             " + get_local_id(0) % " + llvm::Twine(e.programItems()) + "u * " +
             llvm::Twine(op.getBytes()) + "ul;");
      e.alias(op.getResult(), name);
      return success();
    }
    e.line(e.spaceName(op.getResult().getType()) + " char " + name + "[" +
           std::to_string(op.getBytes()) + "] __attribute__((aligned(16)));");
    e.alias(op.getResult(), name);
    return success();
  }
  if (op.getOffset() == static_cast<uint64_t>(-1))
    return emitFault(op, "the OpenCL backend needs memory with a place");
  mem::Space space = op.getType().getSpace();
  std::string name = space == mem::Space::Local    ? "shared"
                     : space == mem::Space::Global ? "mesh_own"
                                                   : "scratch";
  e.define(op.getResult(),
           op.getOffset() ? name + " + " + std::to_string(op.getOffset()) : name + " + 0");
  return success();
}

/// With one work-item a program there is nobody to meet: only the order of its accesses is kept.
LogicalResult emitBarrier(Emitter &e, Operation *raw) {
  auto op = cast<mem::BarrierOp>(raw);
  auto func = op->getParentOfType<func::FuncOp>();
  auto items = func->getAttrOfType<IntegerAttr>("tritonrt.work_items");
  bool alone = !items || items.getInt() == 1;
  std::string flags = op.getLocal() && op.getGlobal() ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"
                      : op.getLocal()                 ? "CLK_LOCAL_MEM_FENCE"
                                                      : "CLK_GLOBAL_MEM_FENCE";
  e.line((alone ? "mem_fence(" : "barrier(") + flags + ");");
  return success();
}

/// Bits of `text`, a value of `type`, exchanged in words of 32 bits.
std::string shuffled(Emitter &e, const std::string &text, Type type, int64_t keep, int64_t flip) {
  auto word = [&](const std::string &bits) { return e.vendor.shuffle(e, bits, keep, flip); };
  if (type.isInteger(1))
    return word("(uint)" + text) + " != 0u";
  std::string name = e.typeName(type);
  unsigned bits = bitsOf(type);
  if (bits == 64) {
    std::string both = "as_uint2(" + text + ")";
    return "as_" + name + "((uint2)(" + word(both + ".x") + ", " + word(both + ".y") + "))";
  }
  if (bits < 32) {
    std::string small = intName(bits, /*isSigned=*/false);
    bool isInt = isa<IntegerType>(type);
    std::string cut =
        "(" + small + ")" + word("(uint)" + (isInt ? text : "as_" + small + "(" + text + ")"));
    return isInt ? cut : "as_" + name + "(" + cut + ")";
  }
  return isa<IntegerType>(type) ? word(text)
                                : "as_" + name + "(" + word("as_uint(" + text + ")") + ")";
}

LogicalResult emitShuffle(Emitter &e, Operation *raw) {
  auto op = cast<mem::ShuffleOp>(raw);
  Type type = op.getType(), element = getElementTypeOrSelf(type);
  int64_t keep = op.getKeep(), flip = op.getFlip();
  e.noteShuffle();
  std::string value = e.atom(op.getValue());
  if (!isVector(type)) {
    e.defineHere(op.getResult(), shuffled(e, value, element, keep, flip));
    return success();
  }
  std::string list;
  bool isMask = isBool(type);
  for (int64_t l = 0; l < lanesOf(type); ++l) {
    std::string one = lane(type, value, l);
    one = isMask ? "-(int)(" + shuffled(e, "(" + one + " != 0)", element, keep, flip) + ")"
                 : shuffled(e, one, element, keep, flip);
    list += (l ? ", " : "") + one;
  }
  e.defineHere(op.getResult(),
               splat(isMask ? maskType(32, lanesOf(type)) : e.typeName(type), list));
  return success();
}

/// An OpenCL launch has no stop word.
LogicalResult emitReserve(Emitter &e, Operation *op) {
  auto reserve = cast<mem::ReserveOp>(op);
  // A full buffer is not added to any more, so the sum cannot wrap.
  e.require("reserve", "uint reserve_units(volatile __global int *header, int units, int lost) {\n"
                       "  const int last = header[1] - units;\n"
                       "  if (atomic_add(header, 0) <= last) {\n"
                       "    const int place = atomic_add(header, units);\n"
                       "    if (place <= last)\n"
                       "      return (uint)place;\n"
                       "  }\n"
                       "  atomic_inc(header + lost);\n"
                       "  return (uint)-1;\n"
                       "}");
  e.defineHere(reserve.getResult(), "reserve_units((volatile __global int *)" +
                                        e.expr(reserve.getReport()) + ", " +
                                        std::to_string(reserve.getUnits()) + ", " +
                                        std::to_string(reserve.getLost() / 4) + ")");
  return success();
}

/// OpenCL C has no clock; one vendor's compiler takes the instruction that reads its own.
LogicalResult emitClock(Emitter &e, Operation *op) {
  e.usesClock = true;
  e.require("clock", "#ifdef __NVPTX__\n"
                     "ulong clock_ns(ulong *ticks) {\n"
                     "  ulong now;\n"
                     "  asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));\n"
                     "  return now;\n"
                     "}\n"
                     "#else\n"
                     "ulong clock_ns(ulong *ticks) { return *ticks += 100; }\n"
                     "#endif");
  e.defineHere(op->getResult(0), "clock_ns(&clock_ticks)");
  return success();
}

LogicalResult emitCall(Emitter &, Operation *op) {
  return op->emitError("a tle.dsl_region of the LLVM dialect has no form in OpenCL C; run the "
                       "kernel on the device cpu");
}

LogicalResult emitExit(Emitter &e, Operation *) { return e.line("return;"), success(); }

} // namespace

std::string scaled(const Access &access, std::string index) {
  bool isSum = llvm::StringRef(index).contains(' ') || llvm::StringRef(index).starts_with("(");
  return access.unit != 1 && isSum ? "(" + index + ")" : index;
}

std::string laneOfVector(Emitter &e, const Access &access, Type type, const std::string &index,
                         int64_t lane) {
  Type element = getElementTypeOrSelf(type);
  int64_t bytes = mem::elementBytes(element);
  if (access.unit == bytes)
    return place(e, access, element, scaled(access, laneIndex(index, lane)));
  Access byte = access;
  byte.unit = 1;
  std::string start = index + " * " + std::to_string(access.unit);
  return place(e, byte, element, lane ? start + " + " + std::to_string(lane * bytes) : start);
}

void addMemHandlers(HandlerTable &table) {
  table["mem.program_id"] = emitProgram<mem::ProgramIdOp>;
  table["mem.num_programs"] = emitProgram<mem::NumProgramsOp>;
  table["mem.item_id"] = emitItemId;
  table["mem.null"] = emitNull;
  table["mem.offset"] = emitOffset;
  table["mem.to_int"] = emitToInt;
  table["mem.from_int"] = emitFromInt;
  table["mem.alloc"] = emitAlloc;
  table["mem.load"] = emitLoad;
  table["mem.store"] = emitStore;
  table["mem.gather"] = emitGather;
  table["mem.scatter"] = emitScatter;
  table["mem.shuffle"] = emitShuffle;
  table["mem.barrier"] = emitBarrier;
  table["mem.call"] = emitCall;
  table["mem.reserve"] = emitReserve;
  table["mem.clock"] = emitClock;
  table["mem.exit"] = emitExit;
}

} // namespace tritonrt::compiler::opencl
