// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_DSA_OPS_TD
#define TRITONRT_DSA_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/dialect/dsa/DsaDialect.td"

class Dsa_Op<string mnemonic, list<Trait> traits = []> : Op<Dsa_Dialect, mnemonic, traits>;

def Dsa_AllocOp : Dsa_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a local buffer: each program has its own, from the start of the launch";
  let arguments = (ins DenseI64ArrayAttr:$shape);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$shape attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Dsa_CopyOp : Dsa_Op<"copy", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copies a whole buffer";
  let arguments = (ins AnyMemRef:$src, AnyMemRef:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

class Dsa_ArithOp<string mnemonic> : Dsa_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins AnyMemRef:$lhs, AnyMemRef:$rhs, AnyMemRef:$out);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $out attr-dict `:` type($lhs) `,` type($rhs) `,` type($out)
  }];
  let hasVerifier = 1;
}
def Dsa_AddOp : Dsa_ArithOp<"add"> { let summary = "out = lhs + rhs, floats"; }
def Dsa_SubOp : Dsa_ArithOp<"sub"> { let summary = "out = lhs - rhs, floats"; }
def Dsa_MulOp : Dsa_ArithOp<"mul"> { let summary = "out = lhs * rhs, floats"; }
def Dsa_DivOp : Dsa_ArithOp<"div"> { let summary = "out = lhs / rhs, floats"; }
def Dsa_MaximumOp : Dsa_ArithOp<"maximum"> { let summary = "out = the larger one; NaN wins"; }
def Dsa_MinimumOp : Dsa_ArithOp<"minimum"> { let summary = "out = the smaller one; NaN wins"; }

def Dsa_LocalPointersOp : Dsa_Op<"local_pointers", [Pure]> {
  let summary = "pointers to elements of a buffer";
  let arguments = (ins AnyType:$src, Variadic<AnyType>:$indices);
  let results = (outs AnyType:$result);
  let hasVerifier = 1;
}

def Dsa_RemotePointersOp : Dsa_Op<"remote_pointers", [Pure]> {
  let summary = "the same elements in program `shard` of the mesh";
  let description = [{
    The shard id is a program number already: `mesh_physical_ids` changes no address. It tells who
    exchanges data in a ring.
  }];
  let arguments = (ins AnyType:$src, AnyType:$shard,
                       OptionalAttr<DenseI32ArrayAttr>:$mesh_physical_ids,
                       OptionalAttr<DenseI32ArrayAttr>:$mesh_shape);
  let results = (outs AnyType:$result);
  let hasVerifier = 1;
}

def Dsa_DistributedBarrierOp : Dsa_Op<"distributed_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the programs of a group meet; what they stored before is seen by all of it after";
  let arguments = (ins OptionalAttr<StrAttr>:$group_kind, OptionalAttr<I32Attr>:$group_rank,
                       OptionalAttr<DenseI32ArrayAttr>:$group_shape,
                       OptionalAttr<DenseI32ArrayAttr>:$group_axes,
                       OptionalAttr<DenseI32ArrayAttr>:$group_mask,
                       OptionalAttr<DenseI32ArrayAttr>:$group_domain_shape);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Dsa_ToTensorOp : Dsa_Op<"to_tensor", [MemoryEffects<[MemRead]>]> {
  let summary = "what a buffer holds";
  let arguments = (ins AnyMemRef:$src, OptionalAttr<AnyAttrOf<[BoolAttr, UnitAttr]>>:$writable);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def Dsa_ToBufferOp : Dsa_Op<"to_buffer", [MemoryEffects<[MemWrite]>]> {
  let summary = "fills a buffer";
  let arguments = (ins AnyType:$src, AnyMemRef:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

def Dsa_CumsumOp : Dsa_Op<"cumsum", [Pure]> {
  let summary = "exclusive sums along the last dimension, and the totals";
  let description = [{`shape` and `pad` describe scratch memory of the chip and change nothing.}];
  let arguments = (ins AnyType:$src, I32Attr:$axis, DefaultValuedAttr<BoolAttr, "false">:$reverse,
                       OptionalAttr<DenseI64ArrayAttr>:$shape, OptionalAttr<I64Attr>:$pad);
  let results = (outs AnyType:$exclusive, AnyType:$total);
  let hasVerifier = 1;
}

def Dsa_BitcastOp : Dsa_Op<"bitcast", [Pure]> {
  let summary = "the same bytes as elements of another width";
  let arguments = (ins AnyType:$src);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

// Offsets: a static one a dimension, or the next operand where that is kDynamic.
def Dsa_ExtractSliceOp : Dsa_Op<"extract_slice", [Pure]> {
  let summary = "every stride-th element from an offset on, in each dimension";
  let arguments = (ins AnyType:$src, Variadic<AnySignlessInteger>:$offsets,
                       DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$sizes,
                       DenseI64ArrayAttr:$strides);
  let results = (outs AnyType:$result);
  let hasVerifier = 1;
}
def Dsa_InsertSliceOp : Dsa_Op<"insert_slice", [Pure]> {
  let summary = "the tensor with other elements there";
  let arguments = (ins AnyType:$src, AnyType:$slice, Variadic<AnySignlessInteger>:$offsets,
                       DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$sizes,
                       DenseI64ArrayAttr:$strides);
  let results = (outs AnyType:$result);
  let hasVerifier = 1;
}

#endif // TRITONRT_DSA_OPS_TD
