// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics. OpenCL C 1.2 has them for 32-bit integers, extensions for 64 bits; everything else is a
// compare-and-swap loop on the word that holds the element.
#include "compiler/Fault.h"
#include "compiler/backends/opencl/Access.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {
namespace {

/// What an atomic works on: the bits of one element and how they are read.
struct Element {
  Type type;
  unsigned bits;
  bool isFloat;
  /// "uint", "ushort", ...: the bits.
  std::string word;
  /// "float", "ushort", ...: the value.
  std::string name;
};

FailureOr<Element> elementOf(Emitter &e, Operation *op, Type type) {
  if (isVector(type) || isa<mem::PtrType>(type) || isBool(type))
    return emitFault(op, "OpenCL C has no atomics on this type");
  Element element{type, bitsOf(type), isa<FloatType>(type), "", e.typeName(type)};
  element.word = intName(element.bits, /*isSigned=*/false);
  if (element.bits == 64) {
    if (!e.features.int64Atomics)
      return op->emitError() << "an atomic on " << type
                             << " needs cl_khr_int64_base_atomics and "
                                "cl_khr_int64_extended_atomics, which the device does not "
                                "have; use 32 bits, or the device cpu";
    e.requireExtension("cl_khr_int64_base_atomics");
    e.requireExtension("cl_khr_int64_extended_atomics");
  }
  return element;
}

bool releases(mem::Order order) {
  return order == mem::Order::Release || order == mem::Order::AcqRel;
}
bool acquires(mem::Order order) {
  return order == mem::Order::Acquire || order == mem::Order::AcqRel;
}

void fence(Emitter &e, bool wanted) {
  if (wanted)
    e.line(e.vendor.fence());
}

/// The element's address as a pointer to `pointee`.
template <typename Op>
std::string addressOf(Emitter &e, Op op, Type type, llvm::StringRef pointee) {
  int64_t unit = op.getUnit().value_or(mem::elementBytes(type));
  return "(volatile " + e.spaceName(op.getBase().getType()) + " " + pointee.str() + " *)" +
         byteAddress(e, op.getBase(), e.expr(op.getIndex()), unit);
}

std::string reinterpret(llvm::StringRef to, llvm::StringRef from, const std::string &text) {
  return to == from ? text : "as_" + to.str() + "(" + text + ")";
}

std::string swapName(const Element &element) {
  return element.bits == 64 ? "atom_cmpxchg" : "atomic_cmpxchg";
}

/// A function NAME(address, value) that replaces `current` by `next`, both of the element's type,
/// and gives the old value. `next` may be wrapped up with conditions on `current`. The first round
/// guesses: a plain load would race with others' atomics.
void requireLoop(Emitter &e, const Element &element, const std::string &helper,
                 const std::string &space, const std::string &parameters, const std::string &next) {
  std::string wide = element.bits == 64 ? "ulong" : "uint";
  bool isPart = element.bits < 32;
  std::string text = "static inline " + element.name + " " + helper + "(volatile " + space +
                     " char *address" + parameters + ") {\n";
  std::string current, stored = reinterpret(element.word, element.name, "next");
  if (isPart) {
    std::string ones = element.bits == 8 ? "0xffu" : "0xffffu";
    text += "  const uint shift = (uint)((ulong)address & 3) * 8;\n"
            "  volatile " +
            space + " uint *word = (volatile " + space +
            " uint *)(address - ((ulong)address & 3));\n";
    current = reinterpret(element.name, element.word, "(" + element.word + ")(old >> shift)");
    stored = "(old & ~(" + ones + " << shift)) | ((uint)" + stored + " << shift)";
  } else {
    text += "  volatile " + space + " " + wide + " *word = (volatile " + space + " " + wide +
            " *)address;\n";
    current = reinterpret(element.name, element.word, "old");
  }
  text += "  " + wide +
          " old = 0;\n"
          "  while (true) {\n"
          "    const " +
          element.name + " current = " + current +
          ";\n"
          "    const " +
          element.name + " next = " + next +
          ";\n"
          "    const " +
          wide + " seen = " + swapName(element) + "(word, old, " + stored +
          ");\n"
          "    if (seen == old)\n"
          "      return current;\n"
          "    old = seen;\n"
          "  }\n"
          "}";
  e.require(helper, text);
}

/// What a loop stores, of `current` and `value`.
std::string nextValue(mem::AtomicKind kind, const Element &element) {
  std::string isSigned = "(" + intName(element.bits, true) + ")";
  std::string cast = element.isFloat ? "" : "(" + element.word + ")";
  switch (kind) {
  case mem::AtomicKind::And:
    return cast + "(current & value)";
  case mem::AtomicKind::Or:
    return cast + "(current | value)";
  case mem::AtomicKind::Xor:
    return cast + "(current ^ value)";
  case mem::AtomicKind::Add:
  case mem::AtomicKind::FAdd:
    return cast + "(current + value)";
  case mem::AtomicKind::Exch:
    return "value";
  case mem::AtomicKind::Inc:
    return cast + "(current >= value ? 0 : current + 1)";
  case mem::AtomicKind::Dec:
    return cast + "(current == 0 || current > value ? value : current - 1)";
  case mem::AtomicKind::UMax:
    return "current < value ? value : current";
  case mem::AtomicKind::UMin:
    return "current > value ? value : current";
  case mem::AtomicKind::Max:
    return element.isFloat ? "current < value || current != current ? value : current"
                           : isSigned + "current < " + isSigned + "value ? value : current";
  case mem::AtomicKind::Min:
    return element.isFloat ? "current > value || current != current ? value : current"
                           : isSigned + "current > " + isSigned + "value ? value : current";
  }
  llvm_unreachable("unknown kind");
}

/// The built-in of an integer kind, without its prefix, or "".
llvm::StringRef builtin(mem::AtomicKind kind) {
  switch (kind) {
  case mem::AtomicKind::And:
    return "and";
  case mem::AtomicKind::Or:
    return "or";
  case mem::AtomicKind::Xor:
    return "xor";
  case mem::AtomicKind::Add:
    return "add";
  case mem::AtomicKind::Max:
  case mem::AtomicKind::UMax:
    return "max";
  case mem::AtomicKind::Min:
  case mem::AtomicKind::UMin:
    return "min";
  case mem::AtomicKind::Exch:
    return "xchg";
  case mem::AtomicKind::FAdd:
  case mem::AtomicKind::Inc:
  case mem::AtomicKind::Dec:
    return "";
  }
  llvm_unreachable("unknown kind");
}

bool isBitwise(mem::AtomicKind kind) {
  return kind == mem::AtomicKind::And || kind == mem::AtomicKind::Or ||
         kind == mem::AtomicKind::Xor;
}

/// The text of `value`'s read-modify-write on the element that `op` addresses.
template <typename Op>
std::string rmw(Emitter &e, Op op, mem::AtomicKind kind, const Element &element,
                const std::string &value) {
  bool isOwn = element.bits >= 32 && !builtin(kind).empty() &&
               (!element.isFloat || kind == mem::AtomicKind::Exch);
  if (isOwn) {
    bool isSigned = kind == mem::AtomicKind::Max || kind == mem::AtomicKind::Min;
    std::string type = intName(element.bits, isSigned);
    std::string prefix = element.bits == 64 ? "atom_" : "atomic_";
    std::string bits =
        isSigned ? "(" + type + ")" + value : reinterpret(element.word, element.name, value);
    std::string text = prefix + builtin(kind).str() + "(" + addressOf(e, op, element.type, type) +
                       ", " + bits + ")";
    return isSigned ? "(" + element.word + ")" + text
                    : reinterpret(element.name, element.word, text);
  }
  std::string space = e.spaceName(op.getBase().getType());
  std::string helper = (mem::stringifyAtomicKind(kind) + "_" + element.name + "_" +
                        llvm::StringRef(space).drop_front(2))
                           .str();
  requireLoop(e, element, helper, space, ", " + element.name + " value", nextValue(kind, element));
  return helper + "(" + addressOf(e, op, element.type, "char") + ", " + value + ")";
}

LogicalResult emitRMW(Emitter &e, Operation *raw) {
  auto op = cast<mem::AtomicRMWOp>(raw);
  FailureOr<Element> element = elementOf(e, op, op.getValue().getType());
  if (failed(element))
    return failure();
  if (element->isFloat && (isBitwise(op.getKind()) || op.getKind() == mem::AtomicKind::UMax ||
                           op.getKind() == mem::AtomicKind::UMin))
    return emitFault(op, "an atomic " + mem::stringifyAtomicKind(op.getKind()) + " on a float");
  std::string value = e.expr(op.getValue());
  fence(e, releases(op.getOrder()));
  e.defineHere(op.getResult(), rmw(e, op, op.getKind(), *element, value));
  fence(e, acquires(op.getOrder()));
  return success();
}

/// Compares bits, as hardware does.
LogicalResult emitCAS(Emitter &e, Operation *raw) {
  auto op = cast<mem::AtomicCASOp>(raw);
  FailureOr<Element> element = elementOf(e, op, op.getValue().getType());
  if (failed(element))
    return failure();
  std::string compare = reinterpret(element->word, element->name, e.expr(op.getCompare()));
  std::string value = reinterpret(element->word, element->name, e.expr(op.getValue()));
  fence(e, releases(op.getOrder()));
  std::string text;
  if (element->bits >= 32) {
    text = swapName(*element) + "(" + addressOf(e, op, element->type, element->word) + ", " +
           compare + ", " + value + ")";
  } else {
    std::string space = e.spaceName(op.getBase().getType());
    Element bits = *element;
    bits.name = bits.word;
    std::string helper = ("cas_" + bits.word + "_" + llvm::StringRef(space).drop_front(2)).str();
    requireLoop(e, bits, helper, space, ", " + bits.word + " compare, " + bits.word + " value",
                "current == compare ? value : current");
    text = helper + "(" + addressOf(e, op, element->type, "char") + ", " + compare + ", " + value +
           ")";
  }
  e.defineHere(op.getResult(), reinterpret(element->name, element->word, text));
  fence(e, acquires(op.getOrder()));
  return success();
}

/// OpenCL C 1.2 has no atomic load: adding nothing reads the newest value.
LogicalResult emitAtomicLoad(Emitter &e, Operation *raw) {
  auto op = cast<mem::AtomicLoadOp>(raw);
  FailureOr<Element> element = elementOf(e, op, op.getResult().getType());
  if (failed(element))
    return failure();
  Element bits = *element;
  bits.name = bits.word;
  bits.isFloat = false;
  std::string text = rmw(e, op, mem::AtomicKind::Add, bits, "(" + bits.word + ")0");
  e.defineHere(op.getResult(), reinterpret(element->name, element->word, text));
  fence(e, acquires(op.getOrder()));
  return success();
}

LogicalResult emitAtomicStore(Emitter &e, Operation *raw) {
  auto op = cast<mem::AtomicStoreOp>(raw);
  FailureOr<Element> element = elementOf(e, op, op.getValue().getType());
  if (failed(element))
    return failure();
  std::string value = e.expr(op.getValue());
  fence(e, releases(op.getOrder()));
  e.line("(void)" + rmw(e, op, mem::AtomicKind::Exch, *element, value) + ";");
  return success();
}

} // namespace

void addAtomicHandlers(HandlerTable &table) {
  table["mem.atomic_rmw"] = emitRMW;
  table["mem.atomic_cas"] = emitCAS;
  table["mem.atomic_load"] = emitAtomicLoad;
  table["mem.atomic_store"] = emitAtomicStore;
}

} // namespace tritonrt::compiler::opencl
