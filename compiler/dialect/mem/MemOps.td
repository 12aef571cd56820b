// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DIALECT_MEM_OPS_TD
#define TRITONRT_DIALECT_MEM_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "MemTypes.td"

class Mem_Op<string mnemonic, list<Trait> traits = []> : Op<Mem_Dialect, mnemonic, traits>;

def Mem_Bool : AnyTypeOf<[I1, VectorOfAnyRankOf<[I1]>]>;

def Mem_ProgramIdOp : Mem_Op<"program_id", [Pure]> {
  let summary = "Index of this program along an axis (0 x, 1 y, 2 z)";
  let arguments = (ins I32Attr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Mem_NumProgramsOp : Mem_Op<"num_programs", [Pure]> {
  let summary = "Number of programs along an axis";
  let arguments = (ins I32Attr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Mem_ItemIdOp : Mem_Op<"item_id", [Pure]> {
  let summary = "Index of this work-item in its program, 0 with one work-item a program";
  let description = [{
    Functions of several work-items a program say how many in the attribute `tritonrt.work_items`.
    Scratch memory belongs to a work-item, local memory to its program.
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Mem_NullOp : Mem_Op<"null", [Pure]> {
  let summary = "The pointer of address 0: base of absolute addresses";
  let results = (outs Mem_PtrType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Mem_OffsetOp : Mem_Op<"offset", [Pure, AllTypesMatch<["base", "result"]>]> {
  let summary = "base + bytes";
  let arguments = (ins Mem_PtrType:$base, I64:$bytes);
  let results = (outs Mem_PtrType:$result);
  let assemblyFormat = "$base `,` $bytes attr-dict `:` type($base)";
}

def Mem_ToIntOp : Mem_Op<"to_int", [Pure]> {
  let arguments = (ins Mem_PtrType:$ptr);
  let results = (outs I64:$result);
  let assemblyFormat = "$ptr attr-dict `:` type($ptr)";
}

def Mem_FromIntOp : Mem_Op<"from_int", [Pure]> {
  let arguments = (ins I64:$address);
  let results = (outs Mem_PtrType:$result);
  let assemblyFormat = "$address attr-dict `:` type($result)";
}

def Mem_AllocOp : Mem_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Memory of this program (scratch) or group (local), aligned to 64 bytes";
  let description = [{
    Lives in the entry block of the function. `offset` is its place in the program's one block of
    that space once storage has been packed; -1 before. `own` memory is small, shares its bytes with
    nothing and is meant to become registers: it stays out of the block. With `keeps` its content
    outlives an iteration of the loops that use it.
  }];
  let arguments = (ins I64Attr:$bytes, DefaultValuedAttr<I64Attr, "-1">:$offset, UnitAttr:$own,
                       UnitAttr:$keeps);
  let results = (outs Mem_PtrType:$result);
  let assemblyFormat = "$bytes attr-dict `:` type($result)";
}

// Address of element k of an access: base + unit * index (+ k * sizeof(T) for a contiguous vector).
// `unit` is in bytes and defaults to the size of the element in memory. An i1 takes a byte (0 or 1;
// any other byte read is true). `align` is in bytes, of the address of lane 0; 0 = the element's.

def Mem_LoadOp : Mem_Op<"load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "A scalar, or W contiguous elements";
  let description = [{
    A disabled lane touches no memory and gives `other`, or 0 without it.
  }];
  let arguments = (ins Mem_PtrType:$base, I64:$index, Optional<Mem_Bool>:$mask,
                       Optional<AnyType>:$other, DefaultValuedAttr<I64Attr, "0">:$align,
                       OptionalAttr<I64Attr>:$unit, UnitAttr:$isVolatile);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $base `[` $index `]` (`mask` `(` $mask^ `:` type($mask) `)`)?
    (`other` `(` $other^ `:` type($other) `)`)? attr-dict `:` type($base) `->` type($result)
  }];
}

def Mem_StoreOp : Mem_Op<"store", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "A scalar, or W contiguous elements; a disabled lane touches no memory";
  let arguments = (ins AnyType:$value, Mem_PtrType:$base, I64:$index, Optional<Mem_Bool>:$mask,
                       DefaultValuedAttr<I64Attr, "0">:$align, OptionalAttr<I64Attr>:$unit,
                       UnitAttr:$isVolatile);
  let assemblyFormat = [{
    $value `,` $base `[` $index `]` (`mask` `(` $mask^ `:` type($mask) `)`)?
    attr-dict `:` type($value) `,` type($base)
  }];
}

def Mem_GatherOp : Mem_Op<"gather", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Lane l reads base + unit * (index + lanes[l])";
  let arguments = (ins Mem_PtrType:$base, I64:$index, VectorOfAnyRankOf<[I32, I64]>:$lanes,
                       Optional<Mem_Bool>:$mask, Optional<AnyType>:$other,
                       OptionalAttr<I64Attr>:$unit, UnitAttr:$isVolatile);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $base `[` $index `,` $lanes `:` type($lanes) `]` (`mask` `(` $mask^ `:` type($mask) `)`)?
    (`other` `(` $other^ `:` type($other) `)`)? attr-dict `:` type($base) `->` type($result)
  }];
}

def Mem_ScatterOp : Mem_Op<"scatter", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Lane l writes base + unit * (index + lanes[l]), in the order of lanes";
  let arguments = (ins AnyType:$value, Mem_PtrType:$base, I64:$index,
                       VectorOfAnyRankOf<[I32, I64]>:$lanes, Optional<Mem_Bool>:$mask,
                       OptionalAttr<I64Attr>:$unit, UnitAttr:$isVolatile);
  let assemblyFormat = [{
    $value `,` $base `[` $index `,` $lanes `:` type($lanes) `]`
    (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict `:` type($value) `,` type($base)
  }];
}

def Mem_AtomicRMWOp : Mem_Op<"atomic_rmw", [AllTypesMatch<["value", "result"]>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Scalar read-modify-write; gives the old value";
  let arguments = (ins Mem_AtomicKindAttr:$kind, Mem_OrderAttr:$order, Mem_ScopeAttr:$scope,
                       Mem_PtrType:$base, I64:$index, AnyType:$value, OptionalAttr<I64Attr>:$unit);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $kind `,` $order `,` $scope `,` $base `[` $index `]` `,` $value attr-dict `:` type($base) `,`
    type($value)
  }];
}

def Mem_AtomicCASOp : Mem_Op<"atomic_cas", [AllTypesMatch<["compare", "value", "result"]>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Scalar compare and swap; gives the old value";
  let arguments = (ins Mem_OrderAttr:$order, Mem_ScopeAttr:$scope, Mem_PtrType:$base, I64:$index,
                       AnyType:$compare, AnyType:$value, OptionalAttr<I64Attr>:$unit);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $order `,` $scope `,` $base `[` $index `]` `,` $compare `,` $value attr-dict `:` type($base)
    `,` type($value)
  }];
}

def Mem_AtomicLoadOp : Mem_Op<"atomic_load", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins Mem_OrderAttr:$order, Mem_ScopeAttr:$scope, Mem_PtrType:$base, I64:$index,
                       OptionalAttr<I64Attr>:$unit);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $order `,` $scope `,` $base `[` $index `]` attr-dict `:` type($base) `->` type($result)
  }];
}

def Mem_AtomicStoreOp : Mem_Op<"atomic_store", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins Mem_OrderAttr:$order, Mem_ScopeAttr:$scope, Mem_PtrType:$base, I64:$index,
                       AnyType:$value, OptionalAttr<I64Attr>:$unit);
  let assemblyFormat = [{
    $order `,` $scope `,` $base `[` $index `]` `,` $value attr-dict `:` type($base) `,`
    type($value)
  }];
}

def Mem_BarrierOp : Mem_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "All work-items of `scope` meet; their accesses before are seen after";
  let description = [{With one work-item a program it only keeps the order of memory accesses.}];
  let arguments = (ins Mem_ScopeAttr:$scope, UnitAttr:$local, UnitAttr:$global);
  let assemblyFormat = "$scope attr-dict";
}

def Mem_ClockOp : Mem_Op<"clock", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Nanoseconds of a clock that does not go back";
  let description = [{
    Where a target has no clock it is one of its own that moves on by 100 each time it is read.
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Mem_ReserveOp : Mem_Op<"reserve", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Takes `units` of a report buffer: the number of the first, or -1";
  let description = [{
    `report` points to a trt_report_header; what finds no place is counted in its word at byte
    `lost`.
  }];
  let arguments = (ins Mem_PtrType:$report, I32Attr:$units, I32Attr:$lost);
  let results = (outs I32:$result);
  let assemblyFormat = "$report `,` $units $lost attr-dict `:` type($report)";
}

def Mem_ExitOp : Mem_Op<"exit", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Ends the program, and whatever its thread would run after it";
  let description = [{
    All work-items of a program must reach it together, as they must a barrier.
  }];
  let assemblyFormat = "attr-dict";
}

def Mem_SyncPointOp : Mem_Op<"sync_point", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "A place where all work-items of a program may meet";
  let description = [{
    What items do between two of these may happen in any order. `place-barriers` makes barriers of
    the points that are needed and removes the others. `accesses` says what is done to global memory
    from here to the next point: three numbers an access, the kernel's parameter (-1 = any), whether
    it writes, and whether no access may cross it.
  }];
  let arguments = (ins DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$accesses);
  let assemblyFormat = "$accesses attr-dict";
}

def Mem_PairProductOp : Mem_Op<"pair_product", [Pure] # ElementwiseMappable.traits> {
  let summary = "a.low * b.low + a.high * b.high";
  let description = [{
    Operands are words of two halves: of f32 the halves are bf16, of i32 they are signed i16. Sums
    of i32 wrap around. Those of f32 may be rounded once or twice, and numbers below the normal ones
    of bf16 and f32 may count as 0. Stands where a target has an instruction for it.
  }];
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
}

def Mem_ShuffleOp : Mem_Op<"shuffle", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "The value of the work-item whose index is (own & keep) ^ flip";
  let description = [{
    Both work-items belong to one warp, and all items of the warp are here.
  }];
  let arguments = (ins AnyType:$value, I64Attr:$keep, I64Attr:$flip);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value `keep` $keep `flip` $flip attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Meshes: programs that run together and reach each other's memory
//===----------------------------------------------------------------------===//

def Mem_BufferOp : Mem_Op<"buffer", [Pure]> {
  let summary = "A buffer of this program, there from the start of the launch; content undefined";
  let description = [{
    What the source allocates. `place-buffers` makes an alloc of it, or a part of the memory that
    the program's mesh reaches. No two buffers have one number. `temporary`: its content is of no
    use past the accesses that follow it in its block.
  }];
  let arguments = (ins I64Attr:$number, I64Attr:$bytes, UnitAttr:$temporary);
  let results = (outs Mem_PtrType:$result);
  let assemblyFormat = "$number `,` $bytes attr-dict `:` type($result)";
}

def Mem_MeshMemoryOp : Mem_Op<"mesh_memory", [Pure]> {
  let summary = "Start of the memory of this program that its mesh reaches";
  let results = (outs Mem_PtrType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Mem_RemoteOp : Mem_Op<"remote", [Pure, AllTypesMatch<["base", "result"]>]> {
  let summary = "The same place in the mesh memory of the program of that rank";
  let description = [{
    `base` points into this program's mesh memory, or is null: then the result is what must be added
    to such addresses. All programs of a mesh have their memory laid out alike. A rank that the mesh
    does not have gives the place in some program of the mesh.
  }];
  let arguments = (ins Mem_PtrType:$base, I32:$rank);
  let results = (outs Mem_PtrType:$result);
  let assemblyFormat = "$base `,` $rank attr-dict `:` type($base)";
}

def Mem_MeshBarrierOp : Mem_Op<"mesh_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The programs of `group` (kernel_abi.h) meet; their accesses before are seen after";
  let description = [{`number` is that of the waiting op in the artifact's metadata.}];
  let arguments = (ins DenseI32ArrayAttr:$group, I32Attr:$number, StrAttr:$source);
  let assemblyFormat = "$group `,` $number `,` $source attr-dict";
}

// A kernel that is split at its barriers: it is started again and again, each time its programs run
// up to their next barrier, and it is done when all of them have ended.

def Mem_PhaseOp : Mem_Op<"phase", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Where this program goes on: 0 at first, else what `mem.suspend` said";
  let description = [{
    -1 where the program waits for others, or has ended. `offset` is that of 16 bytes in its mesh
    memory, in which it keeps its place.
  }];
  let arguments = (ins I64Attr:$offset);
  let results = (outs I32:$result);
  let assemblyFormat = "$offset attr-dict";
}

def Mem_SuspendOp : Mem_Op<"suspend", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The program has come to where `group` meets; once it has met, it goes on at `resume`";
  let arguments = (ins DenseI32ArrayAttr:$group, I32Attr:$number, StrAttr:$source, I32Attr:$resume);
  let assemblyFormat = "$group `,` $number `,` $source `,` $resume attr-dict";
}

def Mem_EndOp : Mem_Op<"end", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The program has ended";
  let assemblyFormat = "attr-dict";
}

def Mem_CallOp : Mem_Op<"call", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Calls a function of the module that is written in the LLVM dialect";
  let arguments = (ins StrAttr:$callee, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)
  }];
}

def Mem_PollStopOp : Mem_Op<"poll_stop", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Ends the launch if its stop word is set";
  let description = [{
    Stands in loops that wait for another program. `wait` is the number of the waiting op in the
    artifact's metadata. An end without stop words drops it. With a result it ends nothing but says
    whether the word is set, or was when it was last looked at.
  }];
  let arguments = (ins I32Attr:$wait);
  let results = (outs Optional<I1>:$stopped);
  let assemblyFormat = "$wait attr-dict (`:` type($stopped)^)?";
}

#endif
