// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TT_TYPES_TD
#define TRITONRT_TT_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonTypeConstraints.td"
include "compiler/dialect/tt/TtDialect.td"

class Tt_TypeDef<string name, string typeMnemonic> : TypeDef<Tt_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tt_PointerType : Tt_TypeDef<"Pointer", "ptr"> {
  let summary = "pointer to a scalar, a pointer or (block pointers) a tensor";
  let description = [{
    `!tt.ptr<f32>`, `!tt.ptr<f32, 3>`, `!tt.ptr<f32, "constant">`. Global memory is space 1, the
    default; "descriptor" is 0, "constant" is 4. Other spaces are numbers.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType, "int":$addressSpace);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType,
                                        CArg<"int", "1">:$addressSpace), [{
      return $_get(pointeeType.getContext(), pointeeType, addressSpace);
    }]>
  ];
  let skipDefaultBuilders = 1;
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
}

def Tt_TensorDescType : Tt_TypeDef<"TensorDesc", "tensordesc"> {
  let summary = "describes a tensor in memory from which blocks of one shape are moved";
  let description = [{
    `!tt.tensordesc<16x32xf32>`, with a layout `!tt.tensordesc<16x32xf32, #layout>`; before 3.8
    `!tt.tensordesc<tensor<16x32xf32>>`. Integers may be stated as signed (`si32`) or unsigned
    (`ui32`), which tells what a minimum or maximum is; blocks hold signless ones.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$statedType,
                        "::mlir::Attribute":$layout);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                        "::mlir::Type":$elementType,
                                        CArg<"::mlir::Attribute", "{}">:$layout), [{
      return $_get(elementType.getContext(), shape, elementType, layout);
    }]>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// The type of the elements of blocks.
    ::mlir::Type getElementType() const;
    /// The type of one block.
    ::mlir::RankedTensorType getBlockType() const {
      return ::mlir::RankedTensorType::get(getShape(), getElementType());
    }
  }];
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
}

// Constraints. The predicates stand in TtTypes.h.
class Tt_Constraint<string predicate, string text>
    : Type<CPred<"::tritonrt::tt::" # predicate # "($_self)">, text, "::mlir::Type">;

def Tt_Tensor : Type<CPred<"::tritonrt::tt::isTensor($_self)">,
                     "tensor of static shape of integers, floats or pointers",
                     "::mlir::RankedTensorType">;
def Tt_IntTensor : Type<CPred<"::tritonrt::tt::isTensor($_self) && "
                              "::tritonrt::tt::isIntLike($_self)">,
                        "tensor of integers", "::mlir::RankedTensorType">;
def Tt_BoolTensor : Type<CPred<"::tritonrt::tt::isTensor($_self) && "
                               "::tritonrt::tt::isBoolLike($_self)">,
                         "tensor of i1", "::mlir::RankedTensorType">;
def Tt_FloatLike : Tt_Constraint<"isFloatLike", "float or tensor of floats">;
def Tt_F32Like : Tt_Constraint<"isF32Like", "f32 or tensor of f32">;
def Tt_IntLike : Tt_Constraint<"isIntLike", "integer or tensor of integers">;
def Tt_BoolLike : Tt_Constraint<"isBoolLike", "i1 or tensor of i1">;
def Tt_I64Like : Tt_Constraint<"isI64Like", "i64 or tensor of i64">;
def Tt_PtrLike : Tt_Constraint<"isPtrLike", "pointer or tensor of pointers">;
def Tt_AnyLike : Tt_Constraint<"isAnyLike", "integer, float, pointer or a tensor of these">;
def Tt_Ptr : DialectType<Tt_Dialect, CPred<"::llvm::isa<::tritonrt::tt::PointerType>($_self)">,
                         "pointer", "::tritonrt::tt::PointerType">;

#endif // TRITONRT_TT_TYPES_TD
