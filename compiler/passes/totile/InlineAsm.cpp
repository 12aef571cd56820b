// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tt.elementwise_inline_asm: a subset of PTX as arithmetic, so that kernels with a few lines of it
// run anywhere. Registers hold bits, as integers of their width; an instruction says how it reads
// them. What is not known is an error that names the instruction.
#include "compiler/passes/totile/Ptx.h"
#include "compiler/passes/totile/Translator.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

bool isOutput(StringRef constraint) { return constraint.trim().starts_with("="); }

/// Bits of a register of that constraint, 0 for one that is none.
unsigned registerBits(StringRef constraint) {
  StringRef letter = constraint.trim();
  while (letter.consume_front("=") || letter.consume_front("&") || letter.consume_front("+"))
    ;
  if (letter == "h" || letter == "c")
    return 16;
  if (letter == "r" || letter == "f")
    return 32;
  return letter == "l" || letter == "d" ? 64 : 0;
}

/// How the elements of one value of a call lie in registers.
struct Packing {
  unsigned elementBits = 0, eachRegister = 1, registers = 1;
};

Packing packingOf(Type type, unsigned pack) {
  Type element = tt::elementTypeOf(type);
  Packing packing;
  packing.elementBits =
      isa<tt::PointerType>(element) ? 64 : std::max(element.getIntOrFloatBitWidth(), 8u);
  packing.eachRegister = std::min(std::max(32 / packing.elementBits, 1u), pack);
  packing.registers = std::max(pack / packing.eachRegister, 1u);
  return packing;
}

} // namespace

LogicalResult Translator::translateAsm(tt::ElementwiseInlineAsmOp op) {
  Location loc = op.getLoc();
  unsigned pack = op.getPackedElement();
  SmallVector<StringRef> constraints;
  op.getConstraints().split(constraints, ',', -1, /*KeepEmpty=*/false);
  ArrayRef<int64_t> shape;
  for (Type type : llvm::concat<Type>(llvm::to_vector(op.getOperandTypes()),
                                      llvm::to_vector(op.getResultTypes())))
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      shape = tensor.getShape();
  bool onTensors = !shape.empty();
  for (Type type : op.getResultTypes())
    if (isa<RankedTensorType>(convertType(type)) != onTensors)
      return op.emitOpError("gives scalars and tensors, or scalars of tensors; either all or none "
                            "of operands and results are tensors expected");
  for (Type type : llvm::concat<Type>(llvm::to_vector(op.getOperandTypes()),
                                      llvm::to_vector(op.getResultTypes())))
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getShape() != shape)
      return op.emitOpError() << "has a tensor " << type
                              << " among others of another shape, expected one shape";
  int64_t elements = onTensors ? ShapedType::getNumElements(shape) : 1;
  if (!llvm::isPowerOf2_32(pack) || elements % pack != 0)
    return op.emitOpError() << "packs " << pack << " of " << elements
                            << " elements, expected a power of two that divides them";
  int64_t calls = elements / pack;
  PtxCode code(builder, loc, onTensors ? ArrayRef<int64_t>(calls) : ArrayRef<int64_t>());

  auto unknown = [&](StringRef constraint) {
    return op.emitOpError() << "has the constraint '" << constraint
                            << "', which is not supported; h, r, l, f and d are";
  };
  // Registers are numbered: those of the results, then those of the operands.
  unsigned next = 0;
  SmallVector<std::pair<unsigned, unsigned>> outputs; // first register, its bits
  for (Type type : op.getResultTypes()) {
    Packing packing = packingOf(type, pack);
    if (next + packing.registers > constraints.size() || !isOutput(constraints[next]))
      return op.emitOpError() << "has too few constraints for its results: '" << op.getConstraints()
                              << "'; one '=' with a letter for each register expected";
    outputs.emplace_back(next, registerBits(constraints[next]));
    if (outputs.back().second == 0)
      return unknown(constraints[next]);
    next += packing.registers;
  }
  for (Value operand : op.getArgs()) {
    Packing packing = packingOf(operand.getType(), pack);
    if (next + packing.registers > constraints.size())
      return op.emitOpError() << "has too few constraints for its operands: '"
                              << op.getConstraints() << "'; a letter for each register expected";
    Value value = tt::isPtrLike(operand.getType())
                      ? forms.materializeFull(absolute(pointer(operand)))
                      : data(operand);
    SmallVector<Value> elements;
    code.split(value, llvm::Log2_32(pack), elements);
    for (unsigned r = 0; r < packing.registers; ++r) {
      unsigned bits = registerBits(constraints[next]);
      if (bits == 0)
        return unknown(constraints[next]);
      ArrayRef<Value> parts =
          ArrayRef(elements).slice(r * packing.eachRegister, packing.eachRegister);
      code.define("$" + std::to_string(next++), code.pack(parts, packing.elementBits, bits));
    }
  }
  std::string problem;
  if (!code.run(op.getAsmString(), problem))
    return op.emitOpError() << problem << "; the assembly is '" << op.getAsmString() << "'";
  for (auto [result, output] : llvm::zip_equal(op.getResults(), outputs)) {
    Packing packing = packingOf(result.getType(), pack);
    SmallVector<Value> elements;
    for (unsigned r = 0; r < packing.registers; ++r) {
      Value bits = code.value("$" + std::to_string(output.first + r), output.second);
      // Instructions without a result are given one that nobody reads.
      if (!bits && result.use_empty())
        bits = code.value("0", output.second);
      if (!bits)
        return op.emitOpError() << "never writes $" << output.first + r << "; the assembly is '"
                                << op.getAsmString() << "'";
      code.unpack(bits, packing.elementBits, packing.eachRegister, elements);
    }
    Value whole = code.join(elements, convertType(result.getType()));
    if (tt::isPtrLike(result.getType()))
      pointers[result] = {Value(), -1, forms.leaf(whole)};
    else
      define(result, whole);
  }
  return success();
}

} // namespace tritonrt::compiler
