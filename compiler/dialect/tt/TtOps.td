// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TT_OPS_TD
#define TRITONRT_TT_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/dialect/tt/TtDialect.td"
include "compiler/dialect/tt/TtEnums.td"
include "compiler/dialect/tt/TtAttrs.td"
include "compiler/dialect/tt/TtTypes.td"

class Tt_Op<string mnemonic, list<Trait> traits = []> : Op<Tt_Dialect, mnemonic, traits>;

// Effects that depend on attributes (volatile) or on the address space are answered in C++.
def Tt_MemoryEffects : DeclareOpInterfaceMethods<MemoryEffectsOpInterface>;

// What orders other accesses or is seen from outside: never removed, never moved.
def Tt_Ordering : MemoryEffects<[MemRead, MemWrite]>;

// The second type is derived from the first; the functions answer for any type, since texts of any
// kind reach them before the verifier does.
class Tt_Derived<string from, string to, string function>
    : TypesMatchWith<"type of '" # to # "' follows from the type of '" # from # "'", from, to,
                     "::tritonrt::tt::" # function # "($_self)">;
// The same for an operand that is there only if the op has more than `before` operands.
class Tt_OptionalDerived<string from, string to, string function, int before>
    : TypesMatchWith<"type of '" # to # "' follows from the type of '" # from # "'", from, to,
                     "::tritonrt::tt::" # function # "($_self)",
                     "$_op.getNumOperands() <= " # before # " || std::equal_to<>()">;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Tt_FuncOp : Tt_Op<"func", [AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove,
                               OpAsmOpInterface]> {
  let summary = "a kernel or a function that kernels call";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    bool isDeclaration() { return isExternal(); }
  }];
  let hasCustomAssemblyFormat = 1;
}

def Tt_ReturnOp : Tt_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "leaves a function";
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}

def Tt_CallOp : Tt_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a function of the same module";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let extraClassDeclaration = [{
    operand_range getArgOperands() { return getArgs(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getArgsMutable(); }
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
  }];
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` functional-type($args, results)";
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

class Tt_ProgramOp<string mnemonic> : Tt_Op<mnemonic, [Pure]> {
  let arguments = (ins Tt_ProgramDim:$axis);
  let results = (outs I32:$result);
  let hasCustomAssemblyFormat = 1;
}
def Tt_GetProgramIdOp : Tt_ProgramOp<"get_program_id"> {
  let summary = "the program's own index in the grid";
}
def Tt_GetNumProgramsOp : Tt_ProgramOp<"get_num_programs"> {
  let summary = "the size of the grid";
}

def Tt_GridDependencyWaitOp : Tt_Op<"grid_dependency_wait", [Tt_Ordering]> {
  let summary = "waits for the launches before this one";
  let assemblyFormat = "attr-dict";
}
def Tt_GridDependencyLaunchDependentsOp
    : Tt_Op<"grid_dependency_launch_dependents", [Tt_Ordering]> {
  let summary = "lets the next launch begin";
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def Tt_MakeRangeOp : Tt_Op<"make_range", [Pure]> {
  let summary = "start, start + 1, ... end - 1";
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs Tt_IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

// `T -> U`, or `(T) -> U` as 2.1 wrote it.
class Tt_ShapeOp<string mnemonic, list<Trait> traits = []> : Tt_Op<mnemonic, [Pure] # traits> {
  let results = (outs Tt_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` custom<Signature>(type($src), type($result))";
  let hasVerifier = 1;
}

def Tt_SplatOp : Tt_ShapeOp<"splat"> {
  let summary = "a tensor of one value";
  let arguments = (ins Tt_AnyLike:$src);
  let hasFolder = 1;
}
def Tt_ExpandDimsOp : Tt_ShapeOp<"expand_dims"> {
  let summary = "adds a dimension of size one";
  let arguments = (ins Tt_Tensor:$src, I32Attr:$axis);
  let hasFolder = 1;
}
def Tt_BroadcastOp : Tt_ShapeOp<"broadcast"> {
  let summary = "repeats along dimensions of size one";
  let arguments = (ins Tt_Tensor:$src);
  let hasFolder = 1;
}
def Tt_TransOp : Tt_ShapeOp<"trans"> {
  let summary = "result dimension i is source dimension order[i]";
  let arguments = (ins Tt_Tensor:$src, DenseI32ArrayAttr:$order);
  let hasFolder = 1;
}
def Tt_ReshapeOp : Tt_Op<"reshape", [Pure]> {
  let summary = "the same elements in another shape";
  let description = [{
    The two attributes are units; the older boolean spelling is turned into units by
    `upgradeModule`, so that presence is the value.
  }];
  let arguments = (ins Tt_Tensor:$src, OptionalAttr<AnyAttrOf<[UnitAttr, BoolAttr]>>:$allow_reorder,
                       OptionalAttr<AnyAttrOf<[UnitAttr, BoolAttr]>>:$efficient_layout);
  let results = (outs Tt_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
    build($_builder, $_state, result, src, ::mlir::Attribute(), ::mlir::Attribute());
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Tt_ViewOp : Tt_ShapeOp<"view"> {
  let summary = "2.1's name for a reshape that may reorder; `upgradeModule` replaces it";
  let arguments = (ins Tt_Tensor:$src);
}

def Tt_UnsplatOp : Tt_Op<"unsplat", [Pure, Tt_Derived<"src", "result", "elementTypeOf">]> {
  let summary = "the element of a tensor of one element";
  let arguments = (ins Tt_Tensor:$src);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
}
def Tt_JoinOp : Tt_Op<"join", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "pairs up two tensors along a new last dimension";
  let arguments = (ins Tt_Tensor:$lhs, Tt_Tensor:$rhs);
  let results = (outs Tt_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}
def Tt_SplitOp : Tt_Op<"split", [Pure, AllTypesMatch<["outLHS", "outRHS"]>]> {
  let summary = "the two halves of a last dimension of size two";
  let arguments = (ins Tt_Tensor:$src);
  let results = (outs Tt_Tensor:$outLHS, Tt_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
  let hasVerifier = 1;
}
def Tt_CatOp : Tt_Op<"cat", [NoMemoryEffect, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "both tensors' elements, in an order that is not promised";
  let arguments = (ins Tt_Tensor:$lhs, Tt_Tensor:$rhs);
  let results = (outs Tt_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}
def Tt_GatherOp : Tt_Op<"gather", [Pure]> {
  let summary = "result[.., i, ..] = src[.., indices[.., i, ..], ..] along one axis";
  let arguments = (ins Tt_Tensor:$src, Tt_IntTensor:$indices, I32Attr:$axis,
                       UnitAttr:$efficient_layout);
  let results = (outs Tt_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}
def Tt_HistogramOp : Tt_Op<"histogram", [Pure, Tt_OptionalDerived<"src", "mask", "boolLike", 1>]> {
  let summary = "counts how often each bin's number occurs";
  let arguments = (ins Tt_IntTensor:$src, Optional<Tt_BoolTensor>:$mask);
  let results = (outs Tt_IntTensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Pointers and casts
//===----------------------------------------------------------------------===//

def Tt_AddPtrOp : Tt_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "moves a pointer by a number of elements";
  let arguments = (ins Tt_PtrLike:$ptr, Tt_IntLike:$offset);
  let results = (outs Tt_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasVerifier = 1;
}

class Tt_CastOp<string mnemonic, Type from, Type to> : Tt_Op<mnemonic, [Pure]> {
  let arguments = (ins from:$src);
  let results = (outs to:$result);
  let assemblyFormat = "$src attr-dict `:` custom<Signature>(type($src), type($result))";
  let hasVerifier = 1;
}
def Tt_IntToPtrOp : Tt_CastOp<"int_to_ptr", Tt_I64Like, Tt_PtrLike> {
  let summary = "an address as a pointer";
}
def Tt_PtrToIntOp : Tt_CastOp<"ptr_to_int", Tt_PtrLike, Tt_I64Like> {
  let summary = "a pointer's address";
}
def Tt_BitcastOp : Tt_CastOp<"bitcast", Tt_AnyLike, Tt_AnyLike> {
  let summary = "the same bits as another type of equal width";
}
def Tt_FpToFpOp : Tt_Op<"fp_to_fp", [Pure]> {
  let summary = "converts between float types, with a stated rounding where it narrows";
  let arguments = (ins Tt_FloatLike:$src, OptionalAttr<Tt_RoundingMode>:$rounding);
  let results = (outs Tt_FloatLike:$result);
  let assemblyFormat = [{
    $src (`,` `rounding` `=` $rounding^)? attr-dict
    `:` custom<Signature>(type($src), type($result))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

defvar Tt_Cache = DefaultValuedAttr<Tt_CacheModifier, "CacheModifier::None">;
defvar Tt_Evict = DefaultValuedAttr<Tt_EvictionPolicy, "EvictionPolicy::Normal">;
defvar Tt_Boundary = DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">;

def Tt_LoadOp : Tt_Op<"load", [AttrSizedOperandSegments, Tt_MemoryEffects]> {
  let summary = "reads memory where the mask is set";
  let description = [{
    A lane whose mask is off touches no memory and gives `other`, or 0. With a block pointer
    (`!tt.ptr<tensor<..>>`) there is no mask; `boundaryCheck` names the dimensions that are checked
    and `padding` what an element outside reads (absent: 0).
  }];
  let arguments = (ins Tt_PtrLike:$ptr, Optional<Tt_BoolLike>:$mask, Optional<AnyType>:$other,
                       Tt_Boundary:$boundaryCheck, OptionalAttr<Tt_PaddingOption>:$padding,
                       Tt_Cache:$cache, Tt_Evict:$evict,
                       DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs AnyType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, CArg<"::mlir::Value", "{}">:$mask,
                                 CArg<"::mlir::Value", "{}">:$other)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tt_StoreOp : Tt_Op<"store", [Tt_MemoryEffects]> {
  let summary = "writes memory where the mask is set";
  let arguments = (ins Tt_PtrLike:$ptr, AnyType:$value, Optional<Tt_BoolLike>:$mask,
                       Tt_Boundary:$boundaryCheck, Tt_Cache:$cache, Tt_Evict:$evict);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

defvar Tt_Sem = DefaultValuedAttr<Tt_MemSemantic, "MemSemantic::AcqRel">;
defvar Tt_Scope = DefaultValuedAttr<Tt_MemSyncScope, "MemSyncScope::Gpu">;

def Tt_AtomicRMWOp : Tt_Op<"atomic_rmw", [Tt_MemoryEffects]> {
  let summary = "atomic read-modify-write; gives the old value";
  let arguments = (ins Tt_RMWOp:$atomic_rmw_op, Tt_PtrLike:$ptr, AnyType:$val,
                       Optional<Tt_BoolLike>:$mask, Tt_Sem:$sem, Tt_Scope:$scope);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict
    `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}
def Tt_AtomicCASOp : Tt_Op<"atomic_cas", [Tt_MemoryEffects]> {
  let summary = "atomic compare-and-swap; gives the old value";
  let arguments = (ins Tt_PtrLike:$ptr, AnyType:$cmp, AnyType:$val, Tt_Sem:$sem, Tt_Scope:$scope);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}
def Tt_AtomicLoadOp : Tt_Op<"atomic_load", [Tt_MemoryEffects]> {
  let summary = "atomic read";
  let arguments = (ins Tt_PtrLike:$ptr, Optional<Tt_BoolLike>:$mask, Tt_Sem:$sem, Tt_Scope:$scope);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}
def Tt_AtomicStoreOp : Tt_Op<"atomic_store", [
    Tt_MemoryEffects, Tt_Derived<"ptr", "value", "pointeeLike">,
    Tt_OptionalDerived<"ptr", "mask", "boolLike", 2>]> {
  let summary = "atomic write";
  let arguments = (ins Tt_PtrLike:$ptr, AnyType:$value, Optional<Tt_BoolLike>:$mask,
                       Tt_Sem:$sem, Tt_Scope:$scope);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)
  }];
  let hasVerifier = 1;
}
def Tt_AtomicPollOp : Tt_Op<"atomic_poll", [Tt_MemoryEffects]> {
  let summary = "waits until memory holds a value; false when the time is over";
  let arguments = (ins Tt_PtrLike:$ptr, Tt_IntLike:$expected, Optional<I64>:$timeout,
                       Tt_Sem:$sem, Tt_Scope:$scope);
  let results = (outs Tt_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict
    `:` type($ptr) `,` type($expected) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tt_MakeTensorPtrOp : Tt_Op<"make_tensor_ptr", [
    Pure, SameVariadicOperandSize, Tt_Derived<"result", "base", "blockBaseType">]> {
  let summary = "a block pointer: where a block of a strided tensor lies";
  let arguments = (ins Tt_Ptr:$base, Variadic<I64>:$shape, Variadic<I64>:$strides,
                       Variadic<I32>:$offsets, DenseI32ArrayAttr:$order);
  let results = (outs Tt_Ptr:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}
def Tt_AdvanceOp : Tt_Op<"advance", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "moves a block pointer by offsets along its dimensions";
  let arguments = (ins Tt_Ptr:$ptr, Variadic<I32>:$offsets);
  let results = (outs Tt_Ptr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tt_MakeTensorDescOp : Tt_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let summary = "describes a strided tensor and the block that is moved at once";
  let arguments = (ins Tt_Ptr:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
                       DefaultValuedAttr<Tt_PaddingOption, "PaddingOption::Zero">:$padding);
  let results = (outs Tt_TensorDescType:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)
  }];
  let hasVerifier = 1;
}
def Tt_DescriptorLoadOp : Tt_Op<"descriptor_load", [Tt_MemoryEffects]> {
  let summary = "reads a block; elements outside of the tensor read the padding";
  let arguments = (ins Tt_TensorDescType:$desc, Variadic<I32>:$indices, Tt_Cache:$cache,
                       Tt_Evict:$evict);
  let results = (outs Tt_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Tt_DescriptorStoreOp : Tt_Op<"descriptor_store", [Tt_MemoryEffects]> {
  let summary = "writes a block; elements outside of the tensor are dropped";
  let arguments = (ins Tt_TensorDescType:$desc, Tt_Tensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}
def Tt_DescriptorReduceOp : Tt_Op<"descriptor_reduce", [Tt_MemoryEffects]> {
  let summary = "combines a block into memory, element by element atomically";
  let arguments = (ins Tt_DescriptorReduceKind:$kind, Tt_TensorDescType:$desc, Tt_Tensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = [{
    $kind `,` $desc `[` $indices `]` `,` $src attr-dict
    `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}
def Tt_DescriptorGatherOp : Tt_Op<"descriptor_gather", [Tt_MemoryEffects]> {
  let summary = "reads rows of a tensor, one for each offset";
  let arguments = (ins Tt_TensorDescType:$desc, Tt_IntTensor:$x_offsets, I32:$y_offset);
  let results = (outs Tt_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}
def Tt_DescriptorScatterOp : Tt_Op<"descriptor_scatter", [Tt_MemoryEffects]> {
  let summary = "writes rows of a tensor, one for each offset";
  let arguments = (ins Tt_TensorDescType:$desc, Tt_IntTensor:$x_offsets, I32:$y_offset,
                       Tt_Tensor:$src);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` qualified(type($desc)) `,`
    type($x_offsets) `,` type($y_offset) `,` type($src)
  }];
  let hasVerifier = 1;
}

// Up to 3.3 a host-made descriptor was an opaque pointer. They parse, and nothing runs them.
def Tt_ExperimentalDescriptorLoadOp
    : Tt_Op<"experimental_descriptor_load", [Tt_MemoryEffects]> {
  let summary = "reads a block through an opaque descriptor (3.0 to 3.2)";
  let arguments = (ins Tt_Ptr:$desc, Variadic<I32>:$indices);
  let results = (outs Tt_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
}
def Tt_ExperimentalDescriptorStoreOp
    : Tt_Op<"experimental_descriptor_store", [Tt_MemoryEffects]> {
  let summary = "writes a block through an opaque descriptor (3.0 to 3.2)";
  let arguments = (ins Tt_Ptr:$desc, Tt_Tensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)
  }];
}
def Tt_ReinterpretTensorDescOp : Tt_Op<"reinterpret_tensor_descriptor", [Pure]> {
  let summary = "an opaque descriptor as a typed one (3.3)";
  let arguments = (ins Tt_Ptr:$rawDesc);
  let results = (outs Tt_TensorDescType:$result);
  let assemblyFormat = [{
    $rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Tt_DotOp : Tt_Op<"dot", [Pure, AllTypesMatch<["c", "result"]>]> {
  let summary = "a x b + c for matrices, or batches of them";
  let arguments = (ins Tt_Tensor:$a, Tt_Tensor:$b, Tt_Tensor:$c,
                       DefaultValuedAttr<Tt_InputPrecision, "InputPrecision::IEEE">:$inputPrecision,
                       DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs Tt_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Tt_DotScaledOp : Tt_Op<"dot_scaled", [Pure, AttrSizedOperandSegments,
                                          AllTypesMatch<["c", "result"]>]> {
  let summary = "dot of block-scaled operands: one scale for 32 elements along K";
  let arguments = (ins Tt_Tensor:$a, Tt_Tensor:$b, Tt_Tensor:$c, Optional<Tt_Tensor>:$a_scale,
                       Optional<Tt_Tensor>:$b_scale, Tt_ScaleDotElemType:$a_elem_type,
                       Tt_ScaleDotElemType:$b_elem_type, BoolAttr:$fastMath,
                       DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
                       DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs Tt_Tensor:$result);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c
    `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict `:`
    type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

class Tt_ElementwiseOp<string mnemonic, Type type, dag args> : Tt_Op<mnemonic, [
    Pure, SameOperandsAndResultType]> {
  let arguments = args;
  let results = (outs type:$result);
}
class Tt_UnaryOp<string mnemonic, Type type>
    : Tt_ElementwiseOp<mnemonic, type, (ins type:$x)> {
  let assemblyFormat = "$x attr-dict `:` type($result)";
}
class Tt_BinaryOp<string mnemonic, Type type>
    : Tt_ElementwiseOp<mnemonic, type, (ins type:$x, type:$y)> {
  let assemblyFormat = "$x `,` $y attr-dict `:` type($result)";
}
def Tt_PreciseSqrtOp : Tt_UnaryOp<"precise_sqrt", Tt_FloatLike> {
  let summary = "square root, correctly rounded";
}
def Tt_PreciseDivFOp : Tt_BinaryOp<"precise_divf", Tt_FloatLike> {
  let summary = "quotient, correctly rounded";
}
def Tt_ApproxDivFOp : Tt_BinaryOp<"approx_divf", Tt_F32Like> {
  let summary = "quotient, within a few units in the last place";
}
def Tt_MulhiUIOp : Tt_BinaryOp<"mulhiui", Tt_IntLike> {
  let summary = "the upper half of the unsigned product";
}
def Tt_ClampFOp : Tt_Op<"clampf", [Pure, SameOperandsAndResultType]> {
  let summary = "x held between min and max";
  let arguments = (ins Tt_FloatLike:$x, Tt_FloatLike:$min, Tt_FloatLike:$max,
                       Tt_PropagateNan:$propagateNan);
  let results = (outs Tt_FloatLike:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)
  }];
}

def Tt_ExternElementwiseOp : Tt_Op<"extern_elementwise", [
    Tt_MemoryEffects, ConditionallySpeculatable]> {
  let summary = "a function of a math library, element by element";
  let arguments = (ins Variadic<Tt_AnyLike>:$srcs, StrAttr:$libname, StrAttr:$libpath,
                       StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs Tt_AnyLike:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
  let extraClassDeclaration = [{
    ::mlir::Speculation::Speculatability getSpeculatability();
  }];
  let hasVerifier = 1;
}
def Tt_ElementwiseInlineAsmOp : Tt_Op<"elementwise_inline_asm", [
    Tt_MemoryEffects, ConditionallySpeculatable]> {
  let summary = "instructions of one machine, element by element";
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure,
                       I32Attr:$packed_element, Variadic<AnyType>:$args);
  let results = (outs Variadic<AnyType>:$result);
  let assemblyFormat = [{
    $asm_string attr-dict ($args^ `:` type($args))? `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::Speculation::Speculatability getSpeculatability();
  }];
}

//===----------------------------------------------------------------------===//
// Ops with a region
//===----------------------------------------------------------------------===//

class Tt_RegionReturnOp<string mnemonic, string parent>
    : Tt_Op<mnemonic, [Pure, HasParent<parent>, ReturnLike, Terminator]> {
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "attr-dict ($result^ `:` type($result))?";
}

// `combineOp` is called with (new, accumulated) by reduce and (earlier, later) by scan; with several
// operands its arguments are all firsts, then all seconds.
def Tt_ReduceOp : Tt_Op<"reduce", [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "combines the elements along an axis";
  let arguments = (ins Variadic<Tt_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<AnyType>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}
def Tt_ReduceReturnOp : Tt_RegionReturnOp<"reduce.return", "ReduceOp"> {
  let summary = "what the combination of two elements is";
}
def Tt_ScanOp : Tt_Op<"scan", [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "inclusive prefix combination along an axis";
  let arguments = (ins Variadic<Tt_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<Tt_Tensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}
def Tt_ScanReturnOp : Tt_RegionReturnOp<"scan.return", "ScanOp"> {
  let summary = "what the combination of two elements is";
}
def Tt_MapElementwiseOp : Tt_Op<"map_elementwise", [
    RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "scalar code over the elements of tensors, `pack` of them at a time";
  let arguments = (ins Variadic<Tt_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<Tt_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}
def Tt_MapElementwiseReturnOp
    : Tt_RegionReturnOp<"map_elementwise.return", "MapElementwiseOp"> {
  let summary = "the results for these elements";
}

//===----------------------------------------------------------------------===//
// Debugging
//===----------------------------------------------------------------------===//

def Tt_PrintOp : Tt_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "prints values, each element with its program and index";
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<Tt_AnyLike>:$args,
                       OptionalAttr<DenseI32ArrayAttr>:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
  let hasVerifier = 1;
}
def Tt_AssertOp : Tt_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "fails the launch where the condition does not hold";
  let arguments = (ins Tt_BoolLike:$condition, StrAttr:$message);
  let hasCustomAssemblyFormat = 1;
}

#endif // TRITONRT_TT_OPS_TD
