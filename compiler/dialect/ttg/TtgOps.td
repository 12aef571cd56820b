// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TTG_OPS_TD
#define TRITONRT_TTG_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/dialect/ttg/TtgDialect.td"
include "compiler/dialect/ttg/TtgTypes.td"

def Ttg_BarrierOp : Op<Ttg_Dialect, "barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "orders the accesses of a program's threads";
  let description = [{
    `ttg.barrier all`, or several of local, global_read, global_write, tensor_read, tensor_write
    joined by `|`. `gpu.barrier` of older texts becomes `ttg.barrier all`.
  }];
  let arguments = (ins DefaultValuedAttr<I32Attr, "31">:$addrSpace);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Ttg_ConvertLayoutOp : Op<Ttg_Dialect, "convert_layout", [Pure]> {
  let summary = "the same tensor elsewhere on the GPU; `upgradeModule` drops it";
  let arguments = (ins AnyType:$src);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

//===----------------------------------------------------------------------===//
// Local buffers
//===----------------------------------------------------------------------===//

class Ttg_LocalOp<string mnemonic, list<Trait> traits> : Op<Ttg_Dialect, mnemonic, traits>;

def Ttg_LocalAllocOp : Ttg_LocalOp<"local_alloc", [MemoryEffects<[MemAlloc, MemWrite]>]> {
  let summary = "a local buffer, filled with `src` if there is one";
  let arguments = (ins Optional<AnyType>:$src);
  let results = (outs Ttg_MemDescType:$result);
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Ttg_LocalDeallocOp : Ttg_LocalOp<"local_dealloc", [MemoryEffects<[MemFree]>]> {
  let summary = "nobody uses the buffer any more";
  let arguments = (ins Ttg_MemDescType:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}
def Ttg_LocalLoadOp : Ttg_LocalOp<"local_load", [MemoryEffects<[MemRead]>]> {
  let summary = "what a buffer holds";
  let arguments = (ins Ttg_MemDescType:$src, Optional<Ttg_AsyncTokenType>:$token);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)
  }];
  let hasVerifier = 1;
}
def Ttg_LocalStoreOp : Ttg_LocalOp<"local_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "fills a buffer";
  let arguments = (ins AnyType:$src, Ttg_MemDescType:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))";
  let hasVerifier = 1;
}
def Ttg_MemDescIndexOp : Ttg_LocalOp<"memdesc_index", [Pure]> {
  let summary = "part number `index` along the first dimension";
  let arguments = (ins Ttg_MemDescType:$src, I32:$index);
  let results = (outs Ttg_MemDescType:$result);
  let assemblyFormat = [{
    $src `[` $index `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}
def Ttg_MemDescSubsliceOp : Ttg_LocalOp<"memdesc_subslice", [Pure]> {
  let summary = "a part from `offsets` on";
  let arguments = (ins Ttg_MemDescType:$src, DenseI32ArrayAttr:$offsets);
  let results = (outs Ttg_MemDescType:$result);
  let assemblyFormat = [{
    $src $offsets attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}
def Ttg_MemDescSubviewOp : Ttg_LocalOp<"memdesc_subview", [Pure]> {
  let summary = "a part from `offsets` on, without the first dimensions that the result lacks";
  let arguments = (ins Ttg_MemDescType:$src, Variadic<I32>:$offsets);
  let results = (outs Ttg_MemDescType:$result);
  let assemblyFormat = [{
    $src `[` $offsets `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}
def Ttg_MemDescTransOp : Ttg_LocalOp<"memdesc_trans", [Pure]> {
  let summary = "the buffer with its dimensions in another order";
  let arguments = (ins Ttg_MemDescType:$src, DenseI32ArrayAttr:$order);
  let results = (outs Ttg_MemDescType:$result);
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Copies that the program does not wait for: here they are done at once
//===----------------------------------------------------------------------===//

class Ttg_Derived<string to, string function, int before>
    : TypesMatchWith<"type of '" # to # "' follows from the pointers", "src", to,
                     "::tritonrt::tt::" # function # "($_self)",
                     "$_op.getNumOperands() <= " # before # " || std::equal_to<>()">;

def Ttg_AsyncCopyOp : Ttg_LocalOp<"async_copy_global_to_local", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>,
    Ttg_Derived<"mask", "boolLike", 2>, Ttg_Derived<"other", "pointeeLike", 3>]> {
  let summary = "fills a buffer with what pointers lead to";
  let arguments = (ins AnyType:$src, Ttg_MemDescType:$result, Optional<AnyType>:$mask,
                       Optional<AnyType>:$other);
  let results = (outs Ttg_AsyncTokenType:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^)? (`other` $other^)? attr-dict
    `:` type($src) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}
def Ttg_AsyncCommitGroupOp : Ttg_LocalOp<"async_commit_group",
                                         [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the copies so far are a group";
  let arguments = (ins Variadic<Ttg_AsyncTokenType>:$inputTokens);
  let results = (outs Ttg_AsyncTokenType:$token);
  let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
}
def Ttg_AsyncWaitOp : Ttg_LocalOp<"async_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all but the last `num` groups have arrived";
  let arguments = (ins Variadic<Ttg_AsyncTokenType>:$tokens, I32Attr:$num);
  let results = (outs Ttg_AsyncTokenType:$token);
  let assemblyFormat = "($tokens^)? attr-dict";
}

#endif // TRITONRT_TTG_OPS_TD
