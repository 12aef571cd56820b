// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/opencl/Emitter.h"
#include "compiler/Fault.h"

#include "compiler/api/kernel_abi.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <utility>

using namespace mlir;

namespace tritonrt::compiler::opencl {

namespace {

/// Longer texts become a variable even where they have one use: lines stay readable.
constexpr size_t kLongestInline = 72;
/// Of the largest num_warps that may be asked for.
constexpr int64_t kMostItems = 64 * kWarp;
constexpr size_t kLongestName = 24;

bool isName(llvm::StringRef text) {
  return llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Does `text` mention the identifier `name`?
bool mentions(llvm::StringRef text, llvm::StringRef name) {
  for (size_t at = text.find(name); at != llvm::StringRef::npos; at = text.find(name, at + 1)) {
    bool startsWord = at == 0 || !isName(text.substr(at - 1, 1));
    bool endsWord = at + name.size() == text.size() || !isName(text.substr(at + name.size(), 1));
    if (startsWord && endsWord)
      return true;
  }
  return false;
}

/// The name that the source gave a value, or "".
llvm::StringRef sourceName(Location loc) {
  auto named = dyn_cast<NameLoc>(loc);
  return named ? named.getName().getValue() : "";
}

unsigned lineOf(Location loc) {
  auto found = loc->findInstanceOf<FileLineColLoc>();
  return found ? found.getLine() : 0;
}

/// A name that starts like one: digits and underscores in front are for the language.
std::string stemOf(llvm::StringRef name) {
  return identifier(name.ltrim("_0123456789"), kLongestName);
}

} // namespace

//===----------------------------------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------------------------------===//

std::string Emitter::spaceName(Type pointer) const {
  switch (cast<mem::PtrType>(pointer).getSpace()) {
  case mem::Space::Global:
    return "__global";
  case mem::Space::Local:
    return "__local";
  case mem::Space::Scratch:
    return scratchIsGlobal  ? "__global"
           : scratchIsLocal ? "__local"
           : ownIsVolatile  ? "volatile __private"
                            : "__private";
  }
  llvm_unreachable("unknown space");
}

std::string Emitter::typeName(Type type) const {
  if (isa<mem::PtrType>(type))
    return spaceName(type) + " char *";
  int64_t lanes = lanesOf(type);
  if (lanes != 1 && lanes != 2 && lanes != 4 && lanes != 8 && lanes != 16)
    return "";
  Type element = getElementTypeOrSelf(type);
  if (element.isInteger(1))
    return maskType(32, lanes);
  std::string base = element.isF32()                    ? "float"
                     : element.isF64() && features.fp64 ? "double"
                     : element.isF16() && features.fp16 ? "half"
                     : isa<IndexType>(element)          ? "ulong"
                     : element.isInteger(8) || element.isInteger(16) || element.isInteger(32) ||
                             element.isInteger(64)
                         ? intName(bitsOf(element), /*isSigned=*/false)
                         : "";
  return base.empty() || lanes == 1 ? base : base + std::to_string(lanes);
}

std::string Emitter::typeName(Value value) const {
  if (isBool(value.getType()))
    return maskType(maskBits(value), lanesOf(value.getType()));
  return typeName(value.getType());
}

static std::string whyNot(Type type, const Features &features) {
  Type element = getElementTypeOrSelf(type);
  std::string name;
  llvm::raw_string_ostream(name) << type;
  if (element.isF64() && !features.fp64)
    return name + " needs cl_khr_fp64, which the device does not have; use f32, or the device cpu";
  if (element.isF16() && !features.fp16)
    return name + " needs cl_khr_fp16, which the device does not have";
  return "OpenCL C has no type for " + name;
}

/// Every type is known to be writable before any text is made.
LogicalResult Emitter::checkTypes(func::FuncOp func) {
  auto check = [&](Location loc, llvm::StringRef where, Type type) -> LogicalResult {
    if (!typeName(type).empty())
      return success();
    return emitError(loc) << where << ": " << whyNot(type, features);
  };
  for (BlockArgument arg : func.getArguments())
    if (failed(
            check(arg.getLoc(), "parameter " + std::to_string(arg.getArgNumber()), arg.getType())))
      return failure();
  WalkResult walked = func.getBody().walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (failed(check(op->getLoc(), op->getName().getStringRef(), type)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

//===----------------------------------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------------------------------===//

std::string Emitter::freshName(llvm::StringRef stem) {
  std::string name = stemOf(stem);
  if (name.empty())
    return "v" + std::to_string(counter++);
  return name + "_" + std::to_string(counter++);
}

unsigned Emitter::maskBits(Value value) const {
  auto it = values.find(value);
  return it == values.end() ? 32 : it->second.bits;
}

std::string Emitter::expr(Value value) {
  auto it = values.find(value);
  assert(it != values.end() && "a value is used before it is emitted");
  const Text &text = it->second;
  return text.computed ? bracketed(text.text) : text.text;
}

std::string Emitter::whole(Value value) { return values.find(value)->second.text; }

std::string Emitter::atom(Value value) {
  Text &text = values.find(value)->second;
  if (text.computed) {
    std::string init = std::move(text.text);
    unsigned bits = text.bits;
    defineHere(value, init, bits);
  }
  return values.find(value)->second.text;
}

std::string Emitter::asSigned(Value value) {
  Type type = value.getType();
  llvm::APInt constant;
  if (!isVector(type) && matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 32 && !constant.isMinSignedValue())
    return "(" + intName(bitsOf(type), /*isSigned=*/true) + ")" +
           std::to_string(constant.getSExtValue());
  const Text &text = values.find(value)->second;
  if (text.computed && !text.asSigned.empty())
    return bracketed(text.asSigned);
  std::string name = intName(bitsOf(type), /*isSigned=*/true, lanesOf(type));
  return isVector(type) ? "as_" + name + "(" + whole(value) + ")" : "(" + name + ")" + expr(value);
}

std::string Emitter::mask(Value value, unsigned bits) {
  if (!isVector(value.getType()) || maskBits(value) == bits)
    return expr(value);
  return "convert_" + maskType(bits, lanesOf(value.getType())) + "(" + whole(value) + ")";
}

/// May the text of `value` move into its only user? Only within a block: nothing that it reads is
/// assigned in between, since loop variables change at the end of their block alone.
bool Emitter::inlines(Value value, llvm::StringRef text) const {
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || !isMemoryEffectFree(op))
    return false;
  Operation *user = *value.user_begin();
  if (user->getBlock() != op->getBlock())
    return false;
  // Compilers make one fma of a product and a sum that stand in one expression.
  return text.size() <= kLongestInline ||
         (isa<arith::MulFOp>(op) && isa<arith::AddFOp, arith::SubFOp>(user));
}

void Emitter::define(Value value, std::string text, unsigned bits) {
  if (value.use_empty() && value.getDefiningOp() && isMemoryEffectFree(value.getDefiningOp())) {
    values[value] = {std::move(text), "", /*computed=*/true, bits};
    return;
  }
  if (inlines(value, text))
    values[value] = {std::move(text), "", /*computed=*/true, bits};
  else
    defineHere(value, std::move(text), bits);
}

void Emitter::defineSigned(Value value, const std::string &text) {
  define(value, fromSigned(value.getType(), text));
  Text &made = values.find(value)->second;
  // Short integers are ints in an expression until they are cut back.
  if (made.computed && bitsOf(value.getType()) >= 32)
    made.asSigned = text;
}

void Emitter::defineHere(Value value, std::string text, unsigned bits) {
  values[value] = {"", "", /*computed=*/false, bits};
  std::string name = freshName(sourceName(value.getLoc()));
  values[value].text = name;
  std::string type = typeName(value);
  line((llvm::StringRef(type).ends_with("*") ? type + "const " : "const " + type + " ") + name +
       " = " + text + ";");
}

void Emitter::alias(Value value, std::string text, unsigned bits) {
  values[value] = {std::move(text), "", /*computed=*/false, bits};
}

std::string Emitter::declare(Value value, llvm::StringRef init) {
  std::string name = freshName(sourceName(value.getLoc()));
  values[value] = {name, "", /*computed=*/false, 32};
  std::string type = typeName(value);
  std::string gap = llvm::StringRef(type).ends_with("*") ? "" : " ";
  line(type + gap + name + (init.empty() ? "" : " = " + init.str()) + ";");
  return name;
}

void Emitter::assign(llvm::ArrayRef<std::string> targets, ValueRange sources) {
  llvm::SmallVector<std::string> texts;
  for (Value source : sources)
    texts.push_back(isBool(source.getType()) ? mask(source, 32) : whole(source));
  for (auto [i, text] : llvm::enumerate(texts)) {
    bool overwritten = llvm::any_of(targets.take_front(i), [&, &text = text](const std::string &t) {
      return mentions(text, t);
    });
    if (!overwritten)
      continue;
    std::string type = typeName(sources[i].getType());
    std::string name = freshName("next");
    line(type + (llvm::StringRef(type).ends_with("*") ? "" : " ") + name + " = " + text + ";");
    text = name;
  }
  for (auto [target, text] : llvm::zip(targets, texts))
    if (target != text)
      line(target + " = " + text + ";");
}

//===----------------------------------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------------------------------===//

void Emitter::line(const llvm::Twine &text) {
  body.append(2 * indent, ' ');
  body += text.str();
  if (sourceLine && sourceLine != notedLine) {
    body += "  // line " + std::to_string(sourceLine);
    notedLine = sourceLine;
  }
  body += '\n';
}

void Emitter::open(const llvm::Twine &head) {
  line(head + " {");
  ++indent;
}

void Emitter::close(const llvm::Twine &tail) {
  --indent;
  body.append(2 * indent, ' ');
  body += "}" + tail.str() + "\n";
}

void Emitter::require(llvm::StringRef key, const llvm::Twine &text) {
  if (helperKeys.insert(key).second)
    helpers += text.str() + "\n";
}

LogicalResult Emitter::emitOp(Operation *op) {
  auto it = handlers.find(op->getName().getStringRef());
  if (it == handlers.end())
    return emitFault(op, "the OpenCL backend cannot write " + op->getName().getStringRef());
  sourceLine = lineOf(op->getLoc());
  return it->second(*this, op);
}

LogicalResult Emitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emitOp(&op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------------------------------===//

/// Reads the parameter `name` from its slot of eight bytes.
void Emitter::takeSlot(Type type, const std::string &name) {
  std::string slot = "arguments." + name;
  if (isa<mem::PtrType>(type)) {
    line("__global char *const " + name + " = (__global char *)" + slot + ";");
    return;
  }
  if (type.isInteger(1))
    line("const bool " + name + " = " + slot + " & 1;");
  else if (type.isF16())
    line("const half " + name + " = as_half((ushort)" + slot + ");");
  else if (type.isF32())
    line("const float " + name + " = as_float((uint)" + slot + ");");
  else if (type.isF64())
    line("const double " + name + " = as_double(" + slot + ");");
  else
    line("const " + typeName(type) + " " + name + " = (" + typeName(type) + ")" + slot + ";");
}

LogicalResult Emitter::emitArguments(func::FuncOp func, std::string &parameters) {
  std::string fields;
  for (BlockArgument arg : func.getArguments()) {
    Type type = arg.getType();
    std::string name =
        freshName(sourceName(arg.getLoc()).empty() ? "arg" : sourceName(arg.getLoc()));
    if (isVector(type))
      return emitFault(func, "parameter " + llvm::Twine(arg.getArgNumber()) + " is a vector");
    alias(arg, name);
    if (features.packsArguments) {
      fields += "  ulong " + name + ";\n";
      takeSlot(type, name);
      continue;
    }
    parameters += parameters.empty() ? "" : ",\n    ";
    if (isa<mem::PtrType>(type)) {
      parameters += "__global char *" + name + "_base, ulong " + name + "_offset";
      line("__global char *const " + name + " = " + name + "_base + " + name + "_offset;");
    } else if (type.isInteger(1)) {
      parameters += "uchar " + name + "_byte";
      line("const bool " + name + " = " + name + "_byte & 1;");
    } else if (type.isF16()) {
      parameters += "ushort " + name + "_bits";
      line("const half " + name + " = as_half(" + name + "_bits);");
    } else {
      parameters += typeName(type) + " " + name;
    }
  }
  if (stopItems)
    takeStopWord(parameters, fields);
  if (fields.empty())
    return success();
  require("kernel_arguments", "typedef struct {\n" + fields + "} kernel_arguments;");
  parameters = "const kernel_arguments arguments";
  return success();
}

static int64_t bytesAttr(func::FuncOp func, llvm::StringRef name) {
  auto attr = func->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

/// An error at the largest buffer of those that `counts` picks, which has the line of a tile.
static InFlightDiagnostic tooMuch(func::FuncOp func,
                                  llvm::function_ref<bool(mem::AllocOp)> counts) {
  mem::AllocOp largest;
  for (auto alloc : func.getOps<mem::AllocOp>())
    if (counts(alloc) && (!largest || alloc.getBytes() > largest.getBytes()))
      largest = alloc;
  return largest && lineOf(largest.getLoc()) ? largest.emitError() : func.emitError();
}

/// What would fit: buffers grow with tiles.
static std::string smallerTiles(int64_t needed, int64_t room) {
  if (room <= 0)
    return "none would fit";
  return "tiles of 1/" +
         std::to_string(llvm::PowerOf2Ceil(llvm::divideCeil(needed, std::max<int64_t>(room, 1)))) +
         " of the elements would fit";
}

/// Arrays of the work-items' own: devices take them from registers, and what does not fit there
/// from memory, up to a limit.
LogicalResult Emitter::checkOwnStorage(func::FuncOp func) const {
  int64_t bytes = 0, items = std::max<int64_t>(bytesAttr(func, "tritonrt.work_items"), 1);
  for (auto alloc : func.getOps<mem::AllocOp>())
    bytes += alloc.getOwn() ? int64_t(alloc.getBytes()) : 0;
  int64_t most = features.isCpu ? kLargestGroupBytes / items : kPrivateBytes;
  if (bytes <= most)
    return success();
  // More items have less each to keep; where they share one stack, that does not help.
  int64_t more = items * llvm::PowerOf2Ceil(llvm::divideCeil(bytes, most));
  std::string warps = !features.isCpu && more <= std::min(features.mostItems, kMostItems)
                          ? "num_warps=" + std::to_string(more / kWarp) + " or "
                          : "";
  return tooMuch(func, [](mem::AllocOp alloc) { return alloc.getOwn(); })
         << "the kernel keeps " << bytes << " bytes in each of " << items
         << " work-items; the device has room for " << most << ", which " << warps
         << smallerTiles(bytes, most);
}

/// How many programs a group of a mesh may hold besides is checked at the launch.
LogicalResult Emitter::checkGroup(func::FuncOp func) const {
  int64_t items = std::max<int64_t>(bytesAttr(func, "tritonrt.work_items"), 1);
  if (items <= features.mostItems)
    return success();
  int64_t warps = features.mostItems / kWarp;
  return func.emitError() << "the kernel needs work-groups of " << items
                          << " work-items (num_warps=" << items / kWarp
                          << "); the device has at most " << features.mostItems << ", which "
                          << (warps
                                  ? "num_warps=" + std::to_string(llvm::bit_floor(uint64_t(warps)))
                                  : std::string("the vector mapping"))
                          << " would fit";
}

/// Scratch that fits a thread's stack is private; more goes to local memory, which a program with
/// one work-item has for itself.
LogicalResult Emitter::declareStorage(func::FuncOp func) {
  int64_t scratch = bytesAttr(func, "tritonrt.scratch_bytes");
  int64_t local = bytesAttr(func, "tritonrt.local_bytes");
  if (failed(checkGroup(func)))
    return failure();
  if (isMeshKernel(func)) {
    declareMeshStorage(func, scratch, local);
    localSize = local;
    return success();
  }
  auto isIn = [](mem::Space space) {
    return [space](mem::AllocOp alloc) {
      return !alloc.getOwn() && alloc.getType().getSpace() == space;
    };
  };
  scratchIsLocal = scratch > kPrivateBytes && scratch + local <= features.localBytes;
  if (scratch > kLargestStackBytes && !scratchIsLocal)
    return tooMuch(func, isIn(mem::Space::Scratch))
           << "the kernel needs " << scratch << " bytes of memory a program; the device has "
           << kLargestStackBytes << " of private and " << features.localBytes
           << " of local memory, which "
           << smallerTiles(scratch, std::max<int64_t>(kLargestStackBytes, features.localBytes));
  localSize = local + (scratchIsLocal ? scratch : 0);
  if (localSize > features.localBytes)
    return tooMuch(func, isIn(mem::Space::Local))
           << "the kernel needs " << localSize << " bytes of local memory; the device has "
           << features.localBytes << ", which " << smallerTiles(localSize, features.localBytes);
  if (failed(checkOwnStorage(func)))
    return failure();
  if (scratch)
    line((scratchIsLocal ? "__local" : "__private") + llvm::Twine(" char scratch[") +
         llvm::Twine(scratch) + "] __attribute__((aligned(64)));");
  if (local)
    line("__local char shared[" + llvm::Twine(local) + "] __attribute__((aligned(64)));");
  return success();
}

std::string Emitter::header() const {
  std::string text = "// OpenCL C 1.2, written by libtritonrt.\n#pragma OPENCL FP_CONTRACT ON\n";
  llvm::SmallVector<llvm::StringRef> names(extensions.keys());
  llvm::sort(names);
  for (llvm::StringRef name : names)
    text += ("#pragma OPENCL EXTENSION " + name + " : enable\n").str();
  return text + "\n";
}

FailureOr<std::string> Emitter::emitFunction(func::FuncOp func, llvm::StringRef entry) {
  if (!func.getBody().hasOneBlock())
    return emitFault(func, "the loops and branches around this have no structure");
  if (failed(checkTypes(func)))
    return failure();
  std::string parameters;
  indent = 1;
  bool isMesh = isMeshKernel(func);
  ownIsVolatile = features.keepsOwnInMemory && bytesAttr(func, "tritonrt.work_items") > 1;
  if (failed(emitArguments(func, parameters)))
    return failure();
  if (features.isCpu && !isMesh && bytesAttr(func, "tritonrt.work_items") <= 1)
    streamedStores = std::make_unique<Streaming>(func);
  if (isMesh)
    beginMesh(func, parameters);
  if (failed(declareStorage(func)) || failed(emitBlock(func.getBody().front())))
    return failure();
  if (isMesh)
    endMesh(func);
  func.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      if (getElementTypeOrSelf(type).isF64())
        requireExtension("cl_khr_fp64");
      if (getElementTypeOrSelf(type).isF16())
        requireExtension("cl_khr_fp16");
    }
  });
  for (Type type : func.getArgumentTypes()) {
    if (type.isF64())
      requireExtension("cl_khr_fp64");
    if (type.isF16())
      requireExtension("cl_khr_fp16");
  }
  // How many programs share a group of a mesh is the launch's choice.
  std::string size = std::to_string(std::max<int64_t>(bytesAttr(func, "tritonrt.work_items"), 1));
  return "\n__kernel" +
         (isMesh && !splits && !func->hasAttr(kSpillsAttr)
              ? ""
              : " __attribute__((reqd_work_group_size(" + size + ", 1, 1)))") +
         (shuffles ? vendor.kernelAttributes(features) : "") + "\nvoid " + entry.str() + "(\n    " +
         parameters + ") {\n" + (usesClock ? "  ulong clock_ticks = 0;\n" : "") +
         std::exchange(body, {}) + "}\n";
}

StreamedLoop Emitter::streamed(scf::ForOp loop) const {
  return streamedStores && !streaming ? streamedStores->analyze(loop) : StreamedLoop();
}

FailureOr<std::string> Emitter::emitForm(func::FuncOp func, llvm::StringRef entry) {
  notedLine = 0;
  values.clear();
  counter = 0;
  return emitFunction(func, entry);
}

FailureOr<std::string> Emitter::emitKernel(func::FuncOp func, const MeshForms &forms,
                                           llvm::StringRef entry) {
  // All forms take the same arguments.
  stopItems = itemsThatStop(func);
  FailureOr<std::string> kernel = emitFunction(func, entry);
  if (failed(kernel))
    return failure();
  std::string others;
  int64_t local = localSize;
  if (forms.local) {
    meshLocalBytes = meshBytes(forms.local);
    FailureOr<std::string> text = emitForm(forms.local, entry);
    if (failed(text))
      return failure();
    others += "#elif defined(" TRITONRT_MESH_LOCAL ")" + *text;
    meshLocalBytes = 0;
  }
  if (forms.split) {
    splits = true;
    FailureOr<std::string> text = emitForm(forms.split, entry);
    if (failed(text))
      return failure();
    others += "#else" + *text;
  }
  localSize = local;
  if (others.empty())
    return header() + helpers + *kernel;
  return header() + helpers +
         "\n#if !defined(" TRITONRT_MESH_SPLIT ") && !defined(" TRITONRT_MESH_LOCAL ")" + *kernel +
         others + "#endif\n";
}

} // namespace tritonrt::compiler::opencl
