// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DIALECT_TILE_OPS_TD
#define TRITONRT_DIALECT_TILE_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "MemTypes.td"
include "TileDialect.td"
include "TileInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

def Tile_BoolLike : AnyTypeOf<[I1, TensorOf<[I1]>]>;

class Tile_Access<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat([AttrSizedOperandSegments,
                                     DeclareOpInterfaceMethods<Tile_AddressInterface,
                                                               ["getAccessType"]>,
                                     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>],
                                    traits)> {
  // strides: one operand for each kDynamic in staticStrides (one entry a dim; empty for scalars).
  // lo, hi: one each for every dim in boxDims (increasing).
  // root: the kernel parameter that the address derives from, -2 - number for a buffer (in this
  // program or another one of the mesh), -1 = unknown.
  // align: bytes, of the address of the first enabled element; 0 = the element's own.
  dag address = (ins Mem_PtrType:$base, Variadic<I64>:$strides, Variadic<I64>:$lo,
                     Variadic<I64>:$hi, Optional<I64>:$wrapStart, Optional<I64>:$wrapSize,
                     Optional<TensorOf<[I64]>>:$offsets, Optional<Tile_BoolLike>:$mask);
  dag addressAttrs = (ins DenseI64ArrayAttr:$staticStrides, DenseI64ArrayAttr:$boxDims,
                          DefaultValuedAttr<I64Attr, "-1">:$wrapDim, I64Attr:$unit,
                          DefaultValuedAttr<I64Attr, "-1">:$root,
                          DefaultValuedAttr<I64Attr, "0">:$align);
  string addressFormat = [{
    $base (`strides` `(` $strides^ `)`)? (`box` `(` $lo^ `to` $hi `)`)?
    (`wrap` `(` $wrapStart^ `mod` $wrapSize `)`)?
    (`offsets` `(` $offsets^ `:` type($offsets) `)`)? (`mask` `(` $mask^ `:` type($mask) `)`)?
  }];
  let hasVerifier = 1;
}

def Tile_LoadOp : Tile_Access<"load"> {
  let arguments = !con(address, (ins Optional<AnyType>:$other), addressAttrs,
                       (ins UnitAttr:$isVolatile));
  let results = (outs AnyType:$result);
  let assemblyFormat = addressFormat # [{
    (`other` `(` $other^ `:` type($other) `)`)? attr-dict `:` type($base) `->` type($result)
  }];
}

def Tile_StoreOp : Tile_Access<"store"> {
  let arguments = !con((ins AnyType:$value), address, addressAttrs, (ins UnitAttr:$isVolatile));
  let assemblyFormat = "$value `,`" # addressFormat # [{
    attr-dict `:` type($value) `,` type($base)
  }];
}

// Atomics act element by element in index order; the result holds the old values (undefined where
// disabled).
def Tile_AtomicRMWOp : Tile_Access<"atomic_rmw"> {
  let arguments = !con((ins Mem_AtomicKindAttr:$kind, Mem_OrderAttr:$order, Mem_ScopeAttr:$scope,
                            AnyType:$value), address, addressAttrs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$kind `,` $order `,` $scope `,` $value `,`" # addressFormat # [{
    attr-dict `:` type($value) `,` type($base) `->` type($result)
  }];
}

def Tile_AtomicCASOp : Tile_Access<"atomic_cas"> {
  let arguments = !con((ins Mem_OrderAttr:$order, Mem_ScopeAttr:$scope, AnyType:$compare,
                            AnyType:$value), address, addressAttrs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$order `,` $scope `,` $compare `,` $value `,`" # addressFormat # [{
    attr-dict `:` type($compare) `,` type($value) `,` type($base) `->` type($result)
  }];
}

def Tile_AtomicLoadOp : Tile_Access<"atomic_load"> {
  let arguments = !con((ins Mem_OrderAttr:$order, Mem_ScopeAttr:$scope), address, addressAttrs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$order `,` $scope `,`" # addressFormat # [{
    attr-dict `:` type($base) `->` type($result)
  }];
}

def Tile_AtomicStoreOp : Tile_Access<"atomic_store"> {
  let arguments = !con((ins Mem_OrderAttr:$order, Mem_ScopeAttr:$scope, AnyType:$value), address,
                       addressAttrs);
  let assemblyFormat = "$order `,` $scope `,` $value `,`" # addressFormat # [{
    attr-dict `:` type($value) `,` type($base)
  }];
}

#endif
