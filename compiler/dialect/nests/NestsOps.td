// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DIALECT_NESTS_OPS_TD
#define TRITONRT_DIALECT_NESTS_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "MemTypes.td"
include "NestsAttrs.td"
include "NestsTypes.td"

class Nests_Op<string mnemonic, list<Trait> traits = []> : Op<Nests_Dialect, mnemonic, traits>;

def Nests_ViewOp : Nests_Op<"view", [Pure, AttrSizedOperandSegments]> {
  let summary = "Address function of `tile` accesses without offsets and mask (see TileDialect.td)";
  let arguments = (ins Mem_PtrType:$base, Variadic<I64>:$strides, Variadic<I64>:$lo,
                       Variadic<I64>:$hi, Optional<I64>:$wrapStart, Optional<I64>:$wrapSize,
                       DenseI64ArrayAttr:$staticStrides, DenseI64ArrayAttr:$boxDims,
                       DefaultValuedAttr<I64Attr, "-1">:$wrapDim, I64Attr:$unit,
                       DefaultValuedAttr<I64Attr, "-1">:$root,
                       DefaultValuedAttr<I64Attr, "0">:$align);
  let results = (outs Nests_ViewType:$result);
  let assemblyFormat = [{
    $base (`strides` `(` $strides^ `)`)? (`box` `(` $lo^ `to` $hi `)`)?
    (`wrap` `(` $wrapStart^ `mod` $wrapSize `)`)? attr-dict `:` type($base) `->` type($result)
  }];
}

def Nests_NestOp : Nests_Op<"nest", [AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "Runs its body at each point of the live box of its domain";
  let description = [{
    * `domain`: sizes, powers of two; empty = one point. Live box: `lo <= i_d < hi` for the dims in
      `boxDims` (increasing; bounds are within [0, size]), the whole dim elsewhere. Bodies run at
      live points only; a tile result is undefined elsewhere.
    * One attribute of `kinds` a result, one operand of the body's yield a result. tile and scan
      results are tensors of the domain's shape (scalars for an empty domain); a reduce result is the
      domain without `dims`, a scalar where nothing is left.
    * One region of `combines` a group, one block each: arguments (news..., accs...) for reduce,
      (earlier..., later...) for scan, ended by nests.yield.
    * `dead`: one a combine group; `deadValues`: for the groups that are not `none`, the values of
      their operands at dead points, in order of results.
    * `layout`: where the bits of a point's index live, once that is chosen (SIMT mapping).
    * Points have no order, except along the dim of a scan. Within one point the body's accesses
      happen as written.
  }];
  let arguments = (ins Variadic<I64>:$lo, Variadic<I64>:$hi, Variadic<AnyType>:$deadValues,
                       DenseI64ArrayAttr:$domain, DenseI64ArrayAttr:$boxDims,
                       TypedArrayAttrBase<Nests_ResultAttr, "result kinds">:$kinds,
                       DenseI32ArrayAttr:$dead, OptionalAttr<Nests_LayoutAttr>:$layout);
  let regions = (region SizedRegion<1>:$body, VariadicRegion<SizedRegion<1>>:$combines);
  let results = (outs Variadic<AnyType>:$results);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBodyBlock() { return getBody().front(); }
    ResultAttr getKind(unsigned i) { return ::mlir::cast<ResultAttr>(getKinds()[i]); }
    Dead getDeadKind(unsigned group) { return static_cast<Dead>(getDead()[group]); }
    /// The bounds of dim `d`, or nullptr where the whole dim is live.
    ::mlir::Value getLoOf(int64_t d);
    ::mlir::Value getHiOf(int64_t d);
  }];
}

def Nests_IndexOp : Nests_Op<"index", [Pure]> {
  let summary = "The number whose bit k is bit bits[k] of the point";
  let arguments = (ins DenseI64ArrayAttr:$bits);
  let results = (outs I32:$result);
  let assemblyFormat = "$bits attr-dict";
}

def Nests_ElemOp : Nests_Op<"elem", [Pure]> {
  let summary = "An element of a tile made earlier";
  let arguments = (ins AnyRankedTensor:$tile, DenseI64ArrayAttr:$bits);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$tile $bits attr-dict `:` type($tile) `->` type($result)";
}

def Nests_PickOp : Nests_Op<"pick", [Pure]> {
  let summary = "The element of a tile at a computed index along `axis` (tt.gather)";
  let description = [{
    `bits` name the other dims; its entries for the bits of `axis` are not looked at. An index
    outside the axis is clamped to it.
  }];
  let arguments = (ins AnyRankedTensor:$tile, AnyInteger:$at, I64Attr:$axis,
                       DenseI64ArrayAttr:$bits);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$tile `[` $at `:` type($at) `]` $axis $bits attr-dict `:` type($tile) `->` type($result)";
}

def Nests_ReadOp : Nests_Op<"read", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Reads one element; disabled (outside the view's box, mask 0) it gives `other` or 0";
  let arguments = (ins Nests_ViewType:$view, Optional<I64>:$offset, Optional<I1>:$mask,
                       Optional<AnyType>:$other, DenseI64ArrayAttr:$bits, UnitAttr:$isVolatile);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $view (`offset` `(` $offset^ `)`)? (`mask` `(` $mask^ `)`)?
    (`other` `(` $other^ `:` type($other) `)`)? $bits attr-dict `:` type($view) `->` type($result)
  }];
}

def Nests_WriteOp : Nests_Op<"write", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Writes one element where enabled";
  let arguments = (ins Nests_ViewType:$view, AnyType:$value, Optional<I64>:$offset,
                       Optional<I1>:$mask, DenseI64ArrayAttr:$bits, UnitAttr:$isVolatile);
  let assemblyFormat = [{
    $view `,` $value (`offset` `(` $offset^ `)`)? (`mask` `(` $mask^ `)`)? $bits attr-dict
    `:` type($view) `,` type($value)
  }];
}

def Nests_AtomicRMWOp : Nests_Op<"atomic_rmw", [AttrSizedOperandSegments,
    AllTypesMatch<["value", "result"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Points in index order; the old value (undefined where disabled)";
  let arguments = (ins Mem_AtomicKindAttr:$kind, Mem_OrderAttr:$order, Mem_ScopeAttr:$scope,
                       Nests_ViewType:$view, AnyType:$value, Optional<I64>:$offset,
                       Optional<I1>:$mask, DenseI64ArrayAttr:$bits);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $kind `,` $order `,` $scope `,` $view `,` $value (`offset` `(` $offset^ `)`)?
    (`mask` `(` $mask^ `)`)? $bits attr-dict `:` type($view) `,` type($value)
  }];
}

def Nests_AtomicCASOp : Nests_Op<"atomic_cas", [AttrSizedOperandSegments,
    AllTypesMatch<["compare", "value", "result"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Points in index order; the old value (undefined where disabled)";
  let arguments = (ins Mem_OrderAttr:$order, Mem_ScopeAttr:$scope, Nests_ViewType:$view,
                       AnyType:$compare, AnyType:$value, Optional<I64>:$offset,
                       Optional<I1>:$mask, DenseI64ArrayAttr:$bits);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $order `,` $scope `,` $view `,` $compare `,` $value (`offset` `(` $offset^ `)`)?
    (`mask` `(` $mask^ `)`)? $bits attr-dict `:` type($view) `,` type($value)
  }];
}

def Nests_StartOp : Nests_Op<"start", [RecursiveMemoryEffects]> {
  let summary = "What the sums of the nest around it start from";
  let description = [{
    Stands in the body of a nest that makes one sum. The region runs once a point of the dims that
    the sum keeps and yields what is added to it there; it uses no other values of the body.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def Nests_YieldOp : Nests_Op<"yield", [Pure, Terminator]> {
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
