// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TLE_OPS_TD
#define TRITONRT_TLE_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/dialect/tle/TleDialect.td"

class Tle_Op<string mnemonic, list<Trait> traits = []> : Op<Tle_Dialect, mnemonic, traits>;

def Tle_LocalPointersOp : Tle_Op<"local_pointers", [Pure]> {
  let summary = "pointers to elements of a buffer; without indices to all of them, row by row";
  let arguments = (ins AnyType:$src, Variadic<AnyType>:$indices);
  let results = (outs AnyType:$result);
  let hasVerifier = 1;
}

def Tle_RemotePointersOp : Tle_Op<"remote_pointers", [Pure]> {
  let summary = "the same elements in the program of rank `shard`";
  let description = [{
    Three operand lists are in use: (src, shard); (src?, shard, offset?) with three segments;
    (src?, comm?, shard, offset?) with four. Only what a mesh needs is supported: a source, a shard
    and no other memory than the mesh's.
  }];
  let arguments = (ins Variadic<AnyType>:$operands,
                       OptionalAttr<DenseI32ArrayAttr>:$operandSegmentSizes,
                       OptionalAttr<StrAttr>:$space);
  let results = (outs AnyType:$result);
  let extraClassDeclaration = [{
    ::mlir::Value getSrc() { return getOperand(0); }
    /// Behind the source and, in the longest list, the communicator.
    ::mlir::Value getShard();
  }];
  let hasVerifier = 1;
}

def Tle_DistributedBarrierOp : Tle_Op<"distributed_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the programs of a group meet; what they stored before is seen by all of it after";
  let arguments = (ins Variadic<AnyType>:$src, OptionalAttr<StrAttr>:$group_kind,
                       OptionalAttr<I32Attr>:$group_rank,
                       OptionalAttr<DenseI32ArrayAttr>:$group_shape,
                       OptionalAttr<DenseI32ArrayAttr>:$group_axes,
                       OptionalAttr<DenseI32ArrayAttr>:$group_mask,
                       OptionalAttr<DenseI32ArrayAttr>:$group_domain_shape);
  let assemblyFormat = "(`of` $src^ `:` type($src))? attr-dict";
  let hasVerifier = 1;
}

def Tle_ExtractTileOp : Tle_Op<"extract_tile", [Pure]> {
  let summary = "tile number `index`, row-major, of a tensor cut into tiles of the result's shape";
  let arguments = (ins AnyType:$src, AnyType:$index, OptionalAttr<DenseI64ArrayAttr>:$tile_shape);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $src `[` $index `]` attr-dict `:` type($src) `,` type($index) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tle_InsertTileOp : Tle_Op<"insert_tile", [Pure]> {
  let summary = "the tensor with another tile number `index`";
  let arguments = (ins AnyType:$src, AnyType:$tile, AnyType:$index,
                       OptionalAttr<DenseI64ArrayAttr>:$tile_shape);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $src `[` $index `]` `=` $tile attr-dict
    `:` type($src) `,` type($index) `,` type($tile) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tle_ExclusiveCumsumOp : Tle_Op<"exclusive_cumsum", [Pure]> {
  let summary = "the sum of what comes before each element (reverse: after it), and the total";
  let arguments = (ins AnyType:$src, DefaultValuedAttr<I32Attr, "0">:$axis,
                       DefaultValuedAttr<BoolAttr, "false">:$reverse);
  let results = (outs AnyType:$exclusive, AnyType:$total);
  let assemblyFormat = [{
    $src attr-dict `:` type($src) `->` type($exclusive) `,` type($total)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// TLE-Raw: parts of a kernel in another language
//===----------------------------------------------------------------------===//

def Tle_DslRegionOp : Tle_Op<"dsl_region", [IsolatedFromAbove, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "code of another dialect, which may change its operands' memory";
  let description = [{
    Supported is the LLVM dialect. `output_operand_indices` names, for each result that is a tensor
    or a buffer, the operand whose memory holds it.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, OptionalAttr<StrAttr>:$region_dialect,
                       OptionalAttr<StrAttr>:$arg_dialect,
                       OptionalAttr<DenseI32ArrayAttr>:$output_operand_indices,
                       OptionalAttr<AnyAttr>:$hint);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region AnyRegion:$body);
  let hasVerifier = 1;
}

def Tle_YieldOp : Tle_Op<"yield", [Pure, Terminator, HasParent<"DslRegionOp">]> {
  let arguments = (ins Variadic<AnyType>:$inputs);
  let assemblyFormat = "attr-dict ($inputs^ `:` type($inputs))?";
}

class Tle_ExtractOp<string mnemonic> : Tle_Op<mnemonic, [Pure]> {
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
}
def Tle_ExtractPtrOp : Tle_ExtractOp<"extract_ptr"> { let summary = "a pointer as LLVM's"; }
def Tle_ExtractAllocatedPtrOp : Tle_ExtractOp<"extract_allocated_ptr"> {
  let summary = "where an argument's memory begins";
}
def Tle_ExtractAlignedPtrOp : Tle_ExtractOp<"extract_aligned_ptr"> {
  let summary = "where an argument's elements begin";
}
def Tle_ExtractOffsetOp : Tle_ExtractOp<"extract_offset"> {
  let summary = "elements between the aligned pointer and the first element";
}

class Tle_ExtractListOp<string mnemonic> : Tle_Op<mnemonic, [Pure]> {
  let arguments = (ins AnyType:$input);
  let results = (outs Variadic<AnyType>:$numbers);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($numbers)";
}
def Tle_ExtractSizesOp : Tle_ExtractListOp<"extract_sizes"> { let summary = "a size a dimension"; }
def Tle_ExtractStridesOp : Tle_ExtractListOp<"extract_strides"> {
  let summary = "a stride a dimension, in elements";
}

def Tle_PackOp : Tle_Op<"pack", [Pure]> {
  let summary = "a tensor or buffer from its descriptor";
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($output)";
}

#endif // TRITONRT_TLE_OPS_TD
