# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_coverage.py DIALECT_FOLDER: every op of the `tt` dialect, every kind of its enumerations and every op of other dialects
that Triton prints occurs in a launch of this folder or in a text of tests/unit/language, both of which run on every device
under every mapping. Prints what does not, and how many do."""
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LANGUAGE = os.path.join(os.path.dirname(HERE), "unit", "language")

# Refused by name (docs/language.md), or a spelling that the reader brings up to date (tests/lit/tt).
ELSEWHERE = {"tt.reinterpret_tensor_descriptor", "tt.experimental_descriptor_load", "tt.experimental_descriptor_store", "tt.view"}

OTHERS = """arith.addf arith.addi arith.andi arith.bitcast arith.cmpf arith.cmpi arith.constant arith.divf arith.divsi arith.divui arith.extf arith.extsi arith.extui
arith.fptosi arith.fptoui arith.maximumf arith.maxnumf arith.maxsi arith.maxui arith.minimumf arith.minnumf arith.minsi arith.minui arith.mulf arith.muli arith.negf arith.ori arith.remf
arith.remsi arith.remui arith.select arith.shli arith.shrsi arith.shrui arith.sitofp arith.subf arith.subi arith.truncf arith.trunci arith.uitofp arith.xori cf.br cf.cond_br math.absf
math.absi math.ceil math.cos math.erf math.exp math.exp2 math.floor math.fma math.log math.log2 math.rsqrt math.sin math.sqrt scf.condition scf.for scf.if scf.while scf.yield""".split()

KINDS = {
    "tt.atomic_rmw": "and or xor add fadd max min umax umin exch",
    "tt.descriptor_reduce": "add min max and or xor",
    "tt.dot": "inputPrecision = (tf32|tf32x3|bf16x3|bf16x6)",
    "tt.fp_to_fp": "rounding = (rtz|rtne)",
    "tt.dot_scaled": "(lhs|rhs) = (e4m3|e5m2|e2m1|bf16|fp16)",
    "tt.clampf": "propagateNan = (none|all)",
    "arith.cmpf": "oeq ogt oge olt ole une",
    "arith.cmpi": "eq ne slt sle sgt sge ult ule ugt uge",
}


def texts():
    for path in sorted(glob.glob(os.path.join(HERE, "cases", "*", "*.ttir")) + glob.glob(os.path.join(LANGUAGE, "*.cc"))):
        with open(path, encoding="utf-8") as file:
            yield file.read()


def spelled(op, kinds):
    """What has to occur: the op followed by each kind."""
    group = re.search(r"\(([\w|]+)\)$", kinds)
    if not group:
        return [(f"{op} {kind}", rf"{re.escape(op)} {kind}\b") for kind in kinds.split()]
    before = kinds[:group.start()]
    return [(f"{op} {before}{kind}", rf"{re.escape(op)} [^\n]*{before}{kind}\b") for kind in group.group(1).split("|")]


def main():
    with open(os.path.join(sys.argv[1], "TtOps.td"), encoding="utf-8") as file:
        ops = {"tt." + name for name in re.findall(r'def Tt_\w+ : Tt_\w+<"([\w.]+)"', file.read())}
    ops |= {"tt.grid_dependency_wait", "tt.grid_dependency_launch_dependents"}
    wanted = [(op, rf"(?<!\w){re.escape(op)}(?![\w.])") for op in sorted(ops - ELSEWHERE) + OTHERS]
    for op, kinds in KINDS.items():
        wanted += spelled(op, kinds)
    together = "\n".join(texts())
    missing = [name for name, pattern in wanted if not re.search(pattern, together)]
    print(f"{len(wanted) - len(missing)} / {len(wanted)} ops and kinds have a test on every device", *missing, sep="\n")
    return 1 if missing or len(ops) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
