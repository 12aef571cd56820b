// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DIALECT_MEM_ENUMS_TD
#define TRITONRT_DIALECT_MEM_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def Mem_SpaceAttr : I32EnumAttr<"Space", "where a pointer points", [
    I32EnumAttrCase<"Global", 0, "global">,
    // Belongs to one work-item alone; its content is undefined at first.
    I32EnumAttrCase<"Scratch", 1, "scratch">,
    // Shared by the work-items of a program; its content is undefined at first.
    I32EnumAttrCase<"Local", 2, "local">]> {
  let cppNamespace = "::tritonrt::mem";
}

def Mem_AtomicKindAttr : I32EnumAttr<"AtomicKind", "read-modify-write operation", [
    I32EnumAttrCase<"And", 1, "and">, I32EnumAttrCase<"Or", 2, "or">,
    I32EnumAttrCase<"Xor", 3, "xor">, I32EnumAttrCase<"Add", 4, "add">,
    I32EnumAttrCase<"FAdd", 5, "fadd">, I32EnumAttrCase<"Max", 6, "max">,
    I32EnumAttrCase<"Min", 7, "min">, I32EnumAttrCase<"UMax", 8, "umax">,
    I32EnumAttrCase<"UMin", 9, "umin">, I32EnumAttrCase<"Exch", 10, "exch">,
    // One more, or 0 from the value on; one less, or the value where that is 0 or above the value.
    I32EnumAttrCase<"Inc", 11, "inc">, I32EnumAttrCase<"Dec", 12, "dec">]> {
  let cppNamespace = "::tritonrt::mem";
}

def Mem_OrderAttr : I32EnumAttr<"Order", "memory order of an atomic", [
    I32EnumAttrCase<"Relaxed", 1, "relaxed">, I32EnumAttrCase<"Acquire", 2, "acquire">,
    I32EnumAttrCase<"Release", 3, "release">, I32EnumAttrCase<"AcqRel", 4, "acq_rel">]> {
  let cppNamespace = "::tritonrt::mem";
}

def Mem_ScopeAttr : I32EnumAttr<"Scope", "who must observe an atomic or a barrier", [
    I32EnumAttrCase<"Device", 1, "device">, I32EnumAttrCase<"Group", 2, "group">,
    I32EnumAttrCase<"System", 3, "system">, I32EnumAttrCase<"Subgroup", 4, "subgroup">]> {
  let cppNamespace = "::tritonrt::mem";
}

#endif
