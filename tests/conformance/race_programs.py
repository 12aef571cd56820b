# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""race_programs.py TRITONRT TOOLS: small programs that talk, each with the pair of accesses that nothing orders, or none.

A body is the middle of a kernel of two meshes of three programs, each with a buffer %buf of 16 zeros: %all points to its own, %there to the next program's, %of_first to
that of rank 0. The lines of the pair end with `// 1` and `// 2`.
"""
import re
import subprocess
import sys
import tempfile

MESH, PROGRAMS = 3, 6
KIND, POINTERS, BUFFER = "tensor<16xi32>", "tensor<16x!tt.ptr<i32>>", "memref<16xi32>"
HEAD = f"""module {{
  tt.func public @k(%x: !tt.ptr<i32>) {{
    %n0 = arith.constant 0 : i32
    %n1 = arith.constant 1 : i32
    %n2 = arith.constant 2 : i32
    %n3 = arith.constant 3 : i32
    %members = arith.constant {MESH} : i32
    %no = arith.constant false
    %zeros = arith.constant dense<0> : {KIND}
    %ones = arith.constant dense<1> : {KIND}
    %twos = arith.constant dense<2> : {KIND}
    %fours = arith.constant dense<4> : {KIND}
    %program = tt.get_program_id x : i32
    %id = arith.remsi %program, %members : i32
    %next0 = arith.addi %id, %n1 : i32
    %next = arith.remsi %next0, %members : i32
    %first = arith.cmpi eq, %id, %n0 : i32
    %lanes = tt.make_range {{end = 16 : i32, start = 0 : i32}} : {KIND}
    %odd0 = arith.remsi %lanes, %twos : {KIND}
    %odd = arith.cmpi ne, %odd0, %zeros : {KIND}
    %even = arith.cmpi eq, %odd0, %zeros : {KIND}
    %low = arith.cmpi slt, %lanes, %fours : {KIND}
    %high = arith.cmpi sge, %lanes, %fours : {KIND}
    %buf = dsa.alloc [16] : {BUFFER}
    %all = "dsa.local_pointers"(%buf) : ({BUFFER}) -> {POINTERS}
    %one = "dsa.local_pointers"(%buf, %n0) : ({BUFFER}, i32) -> !tt.ptr<i32>
    %there = "dsa.remote_pointers"(%all, %next) : ({POINTERS}, i32) -> {POINTERS}
    %one_there = "dsa.remote_pointers"(%one, %next) : (!tt.ptr<i32>, i32) -> !tt.ptr<i32>
    %one_of_first = "dsa.remote_pointers"(%one, %n0) : (!tt.ptr<i32>, i32) -> !tt.ptr<i32>
    %of_first = "dsa.remote_pointers"(%all, %n0) : ({POINTERS}, i32) -> {POINTERS}
    %out0 = tt.splat %x : !tt.ptr<i32> -> {POINTERS}
    %out = tt.addptr %out0, %lanes : {POINTERS}, {KIND}
    tt.store %all, %zeros : {POINTERS}
    dsa.distributed_barrier
"""
LOAD, STORE = "tt.load", "tt.store"
# Name, the ops of the pair, lines.
CASES = [
    ("a load that nobody uses", (LOAD, STORE), ["%v = tt.load %there : P // 1", "tt.store %all, %ones : P // 2"]),
    ("what is computed of a load that nobody uses", (LOAD, STORE), ["%v = tt.load %there : P // 1", "%w = arith.addi %v, %v : T", "tt.store %all, %ones : P // 2"]),
    ("a loop carries a load that nobody uses", (LOAD, STORE), [
        "%r = scf.for %i = %n0 to %n3 step %n1 iter_args(%c = %zeros) -> (T) : i32 {", "%v = tt.load %there : P // 1", "%w = arith.addi %v, %c : T", "scf.yield %w : T", "}",
        "tt.store %all, %ones : P // 2"]),
    ("a tensor of a buffer that nobody uses", ("dsa.to_tensor", STORE), ["%v = dsa.to_tensor %buf {writable = true} : B -> T // 1", "tt.store %there, %ones : P // 2"]),
    ("a copy reads", ("dsa.copy", STORE), ["%b = dsa.alloc [16] : B", "dsa.copy %buf, %b : B, B // 1", "tt.store %there, %ones : P // 2"]),
    ("arithmetic writes", (LOAD, "dsa.add"), [
        "%f = dsa.alloc [16] : memref<16xf32>", '%fp = "dsa.local_pointers"(%f) : (memref<16xf32>) -> tensor<16x!tt.ptr<f32>>',
        '%fr = "dsa.remote_pointers"(%fp, %next) : (tensor<16x!tt.ptr<f32>>, i32) -> tensor<16x!tt.ptr<f32>>', "%v = tt.load %fr : tensor<16x!tt.ptr<f32>> // 1",
        "dsa.add %f, %f, %f : memref<16xf32>, memref<16xf32>, memref<16xf32> // 2"]),
    ("of a load only a part is used", (STORE, LOAD), [
        "tt.store %there, %ones, %high : P // 1", "%v = tt.load %all : P // 2", "%t = tle.extract_tile %v[%n0] {tile_shape = array<i64: 4>} : T, i32 -> tensor<4xi32>",
        '%s = "tt.reduce"(%t) <{axis = 0 : i32}> ({', "^bb0(%a: i32, %b: i32):", "%c = arith.addi %a, %b : i32", "tt.reduce.return %c : i32", "}) : (tensor<4xi32>) -> i32",
        "%own = tt.addptr %x, %program : !tt.ptr<i32>, i32", "tt.store %own, %s : !tt.ptr<i32>"]),
    ("the same load once more behind a barrier", (LOAD, STORE), [
        "%v = tt.load %there : P", "dsa.distributed_barrier", "%w = tt.load %there : P // 1", "tt.store %all, %ones : P // 2"]),
    ("masks that leave each other alone", None, ["tt.store %all, %ones, %odd : P", "tt.store %there, %twos, %even : P"]),
    ("masks that meet", (STORE, STORE), ["tt.store %all, %ones, %odd : P // 1", "tt.store %there, %twos, %high : P // 2"]),
    ("a mask that is false", None, ["%m = tt.splat %no : i1 -> tensor<16xi1>", "%v = tt.load %there, %m : P", "tt.store %all, %v : P"]),
    ("a branch not taken", None, ["scf.if %no {", "%v = tt.load %there : P", "tt.store %all, %v : P", "}", "tt.store %all, %ones : P"]),
    ("a loop without turns", None, ["scf.for %i = %n3 to %n0 step %n1 : i32 {", "%v = tt.load %there : P", "tt.store %all, %v : P", "}", "tt.store %all, %ones : P"]),
    ("one number of a whole buffer", (STORE, STORE), ["tt.store %one_there, %n1 : !tt.ptr<i32> // 1", "tt.store %all, %ones, %low : P // 2"]),
    ("a number beside the others", None, ["tt.store %one_there, %n1 : !tt.ptr<i32>", "tt.store %all, %ones, %high : P"]),
    ("all read", None, ["%v = tt.load %of_first : P", "%w = tt.load %there : P"]),
    ("all write one", (STORE, STORE), ["tt.store %of_first, %ones : P // 12"]),
    ("an atomic and a load", ("tt.atomic_rmw", LOAD), ["%m = arith.constant true", "%o = tt.atomic_rmw add, acq_rel, gpu, %one_there, %n1, %m : (!tt.ptr<i32>, i32, i1) -> i32 // 1", "%v = tt.load %one : !tt.ptr<i32> // 2"]),
    ("a load and an atomic of 16", (LOAD, "tt.atomic_rmw"), ["%v = tt.load %all : P // 1", "%o = tt.atomic_rmw max, relaxed, gpu, %there, %ones, %odd : (P, T, tensor<16xi1>) -> T // 2"]),
    ("atomics that mask what others load", None, ["%v = tt.load %all, %even : P", "%o = tt.atomic_rmw max, relaxed, gpu, %there, %ones, %odd : (P, T, tensor<16xi1>) -> T"]),
    ("a compare and swap, and a store", ("tt.atomic_cas", STORE), ["%o = tt.atomic_cas acq_rel, gpu, %one_there, %n0, %n1 : (!tt.ptr<i32>, i32, i32) -> i32 // 1", "tt.store %all, %ones : P // 2"]),
    ("atomics among each other", None, ["%m = arith.constant true", "%o = tt.atomic_rmw add, relaxed, gpu, %one_of_first, %n1, %m : (!tt.ptr<i32>, i32, i1) -> i32", "%c = tt.atomic_cas relaxed, gpu, %one_of_first, %n0, %n1 : (!tt.ptr<i32>, i32, i32) -> i32"]),
    *[(f"what an atomic tells, {order}", pair, [
        "%m = arith.constant true", "scf.if %first {", f"tt.store %of_first, %ones, %high : P{one}", f"%o = tt.atomic_rmw add, {order}, gpu, %one_of_first, %n1, %m : (!tt.ptr<i32>, i32, i1) -> i32", "} else {",
        f"%o = tt.atomic_rmw add, {order}, gpu, %one_of_first, %n0, %m : (!tt.ptr<i32>, i32, i1) -> i32", "%told = arith.cmpi eq, %o, %n1 : i32", "scf.if %told {", f"%v = tt.load %of_first, %high : P{two}", "}", "}"])
      for order, pair, one, two in (("acq_rel", None, "", ""), ("relaxed", (STORE, LOAD), " // 1", " // 2"))],
    ("a barrier of others", (STORE, LOAD), [
        "scf.if %first {", "tt.store %of_first, %ones : P // 1", "} else {",
        "dsa.distributed_barrier {group_axes = array<i32: 0>, group_kind = \"submesh\", group_mask = array<i32: 1, 2>, group_rank = 1 : i32, group_shape = array<i32: 2>}", "%v = tt.load %of_first : P // 2", "}"]),
    ("told from one barrier to the next", None, [
        "scf.if %first {", "tt.store %of_first, %ones : P", "}", "%last = arith.cmpi eq, %id, %n2 : i32", "scf.if %last {", "} else {",
        "dsa.distributed_barrier {group_axes = array<i32: 0>, group_kind = \"submesh\", group_mask = array<i32: 0, 1>, group_rank = 1 : i32, group_shape = array<i32: 2>}", "}", "scf.if %first {", "} else {",
        "dsa.distributed_barrier {group_axes = array<i32: 0>, group_kind = \"submesh\", group_mask = array<i32: 1, 2>, group_rank = 1 : i32, group_shape = array<i32: 2>}", "%v = tt.load %of_first : P", "}"]),
    ("two meshes write one place", (STORE, STORE), ["scf.if %first {", "tt.store %out, %ones : P // 12", "}"]),
    ("one mesh reads what another one writes", (STORE, LOAD), [
        "%is = arith.cmpi slt, %program, %members : i32", "%w = arith.andi %is, %first : i1", "scf.if %w {", "tt.store %out, %ones : P // 1", "}",
        "%r = arith.cmpi sge, %program, %members : i32", "scf.if %r {", "%v = tt.load %out : P // 2", "}"]),
    ("all meshes meet first", None, [
        "%is = arith.cmpi slt, %program, %members : i32", "%w = arith.andi %is, %first : i1", "scf.if %w {", "tt.store %out, %ones : P", "}", "dsa.distributed_barrier {group_kind = \"grid\"}",
        "%v = tt.load %out : P"]),
    ("meshes count in one place", None, ["%m = arith.constant true", "%o = tt.atomic_rmw add, acq_rel, gpu, %x, %n1, %m : (!tt.ptr<i32>, i32, i1) -> i32"]),
    ("a descriptor's tile that nobody uses", ("tt.descriptor_load", STORE), [
        "%w = arith.constant 16 : i32", "%s = arith.constant 1 : i64", "%d = tt.make_tensor_descriptor %x, [%w], [%s] : <i32>, <tensor<16xi32>>",
        "%v = tt.descriptor_load %d[%n0] : !tt.tensordesc<tensor<16xi32>> -> tensor<16xi32> // 1", "scf.if %first {", "} else {", "tt.store %out, %ones : P // 2", "}"]),
    ("a local load that nobody uses", ("ttg.local_load", STORE), [
        "%lb = ttg.local_alloc : () -> M", "%lp = \"tle.local_pointers\"(%lb) : (M) -> tensor<16x!tt.ptr<i32, 3>>",
        "%lr = \"tle.remote_pointers\"(%lp, %next) : (tensor<16x!tt.ptr<i32, 3>>, i32) -> tensor<16x!tt.ptr<i32, 7>>", "%v = ttg.local_load %lb : M -> T // 1",
        "tt.store %lr, %ones : tensor<16x!tt.ptr<i32, 7>> // 2"]),
]


def text_of(lines):
    short = {"P": POINTERS, "T": KIND, "B": BUFFER, "M": "!ttg.memdesc<16xi32, #shared, #smem, mutable>"}
    body = "\n".join("    " + re.sub(r"(?<![\w%#\"])([PTBM])(?=\W|$)", lambda m: short[m[1]], line) for line in lines)
    encodings = "#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\n#smem = #ttg.shared_memory\n"
    return f"{encodings}{HEAD}{body}\n    tt.return\n  }}\n}}\n"


def expected(text, ops):
    """What the report must say, or nothing."""
    if not ops:
        return None
    at = [next(i for i, line in enumerate(text.splitlines(), 1) if re.search(rf"// 1?{n}2?$", line)) for n in (1, 2)]
    one, two = (f"{op} at {line}" for op, line in zip(ops, at))
    return {f"race: {one}, {two}", f"race: {two}, {one}"}


def main():
    tritonrt, tools = sys.argv[1:]
    sys.path.insert(0, tools)
    import numpy as np
    import tle_kernels
    wanted = {}
    with tempfile.TemporaryDirectory() as folder:
        cases = tle_kernels.Cases(folder)
        for name, ops, lines in CASES:
            label = re.sub(r"\W+", "_", name)
            text = text_of(lines)
            wanted[label] = expected(text, ops)
            empty = np.zeros(64, np.int32)
            cases.add(label, text, "k", [MESH], [], empty, empty, 0, 1000, grid=[PROGRAMS, 1, 1])
        cases.finish()
        output = subprocess.run([tritonrt, "replay", "--isolate", "--check-races", folder], stdout=subprocess.PIPE, text=True).stdout
    wrong = len(wanted)
    for line in output.splitlines():
        found = re.match(r"(PASS|FAIL|ERROR) (\w+) cpu ?(.*)", line)
        if not found:
            continue
        status, name, message = found.groups()
        right = status == "FAIL" and message in wanted[name] if wanted[name] else status == "PASS"
        wrong -= right
        if not right:
            print(f"{line}; expected {wanted[name] or 'no race'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
