# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts of kernels, broken at random: what a reader of hostile input must survive.

`mutated(rng, text, others)` gives a text and the names of what was done to it. As a program it tries many:

    mutations.py COMMAND FOLDER [--count N] [--seed S] [--keep FOLDER] [--opencl]

with the .ttir of FOLDER, and prints each text that ends otherwise than in success or one message, within the limits."""
import argparse
import glob
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

TYPES = ("i1 i2 i4 i7 i8 i16 i32 i64 i128 ui32 si8 index f16 bf16 f32 f64 f80 f128 tf32 f8E4M3FN f8E5M2 f8E4M3FNUZ f8E5M2FNUZ f4E2M1FN none complex<f32> "
         "vector<4xf32> tuple<i32> memref<4xf32> tensor<*xf32> tensor<?xf32> tensor<f32> !tt.ptr<f32> !tt.ptr<!tt.ptr<f32>> !tt.ptr<tensor<4xf32>> "
         "!tt.tensordesc<tensor<4x4xf32>> !tt.tensordesc<4x4xf32> !tt.nothing !llvm.ptr").split()
INTEGERS = "0 -1 1 2 3 5 7 16 31 32 33 64 127 255 1024 4096 65536 1048576 2097152 1073741824 2147483647 -2147483648 2147483648 4294967296".split() + [
    "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1" + "0" * 40, "0x7fffffff", "1.5", "true"]
OPS = ("tt.load tt.store tt.dot tt.dot_scaled tt.reduce tt.scan tt.splat tt.broadcast tt.expand_dims tt.reshape tt.trans tt.join tt.split tt.cat tt.gather "
       "tt.histogram tt.addptr tt.bitcast tt.fp_to_fp tt.int_to_ptr tt.ptr_to_int tt.make_range tt.atomic_rmw tt.atomic_cas tt.clampf tt.mulhiui tt.print "
       "tt.assert tt.call tt.return tt.unsplat tt.make_tensor_ptr tt.advance tt.make_tensor_descriptor tt.descriptor_load tt.map_elementwise "
       "tt.extern_elementwise tt.elementwise_inline_asm arith.addi arith.addf arith.divsi arith.shli arith.select arith.constant arith.cmpi arith.cmpf "
       "arith.extsi arith.trunci arith.sitofp arith.bitcast arith.index_cast math.exp math.fma scf.for scf.if scf.while scf.yield scf.condition scf.parallel "
       "scf.forall scf.index_switch scf.execute_region cf.br cf.cond_br cf.switch ub.poison ub.unreachable func.func func.call llvm.mlir.undef "
       "llvm.inline_asm gpu.barrier gpu.thread_id memref.alloc vector.splat linalg.fill tensor.empty ttg.barrier ttg.convert_layout builtin.module "
       "tile.load nests.nest mem.alloc unknown.op").split()
TEXTS = ["\0", "\ufeff", "é", "\u202e", "😀", "\\22", "\\00", "%", "%%", "^", "#", "//", "\"", "{", "}", "<", ">", "(", ")", "loc(\"x\":1:1)", "->", "::", "!", "@",
         "%s%n", "\r", "\t" * 40, "dense<", "affine_map<(d0) -> (d0)>", "#map", "true", "unit", "?", "*", "x" * 5000]


# What may stand where an attribute does, well written and not.
VALUES = """1 : i1|-1 : i8|true|unit|"x"|@a::@b|@"q q"|[1, 2]|{}|{a = {b = {}}}|dense<1> : tensor<4xi32>|dense<[1, 2]> : tensor<2xi64>|dense<[[1.0], [2.0]]> : tensor<2x1xf16>
dense<"0xAB"> : tensor<4xi32>|dense<> : tensor<0xi32>|dense<true> : tensor<1048576xi1>|dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>|dense<1> : vector<4xi32>|sparse<[[0]], [1]> : tensor<4xi32>
dense_resource<x> : tensor<4xi32>|array<i32>|array<i1: true, false>|array<f32: 1.0>|array<i64: 9223372036854775807>|strided<[1, 2], offset: 3>|distinct[0]<unit>|#tt.nothing
#tt.cache_policy<cache_modifier = ca, eviction_policy = evict_last>|#ttg.blocked<{sizePerThread = [1]}>|loc(unknown)|i32|tensor<4xf32>|(i32) -> i32|1.0e400 : f64|0x7FF : f32|0xFFFFFFFF : f32
1 : index|0xFFFFFFFFFFFFFFFFFF : i128|dense<-9> : tensor<4xi4>|dense<300> : tensor<4xi8>|dense<1.0> : tensor<4x!tt.ptr<f32>>|opaque<"x", "0x00"> : tensor<1xi8>|#arith.fastmath<fast>|-1 : i32
#llvm.poison|#ub.poison|2147483647 : i32|-2147483648 : i32|4294967296 : i64|77 : i32|1.5 : f32|@k|affine_map<(d0) -> (d0)>""".replace("\n", "|").split("|")
ATTRIBUTES = """axis boundaryCheck padding order cache evict isVolatile cachePolicy sem scope atomic_rmw_op inputPrecision maxNumImpreciseAcc allowTF32 fastMath lhs_k_pack rhs_k_pack a_elem_type
b_elem_type pack reverse allow_reorder efficient_layout start end value rounding propagateNan prefix hex isSigned message asm_string constraints pure packed_element libname libpath symbol kind
operandSegmentSizes resultSegmentSizes predicate fastmath overflowFlags tt.divisibility tt.num_stages tt.flatten callee sym_name function_type sym_visibility noinline arg_attrs res_attrs""".split()
NAMES = ["%\u00fc", "%\u202ex", "%\u6f22\u5b57", "%-", "%$", "%.", "%0", "%00", "%arg0", "%" + "n" * 9000, '%"q"', "%x y", "%_", "%99999999999999999999"]
TERMINATORS = ("tt.return", "tt.reduce.return %cst : f32", "tt.scan.return", "scf.yield", "scf.yield %0 : i32", "scf.condition(%true)", "cf.br ^bb0", "cf.br ^bb1", "ub.unreachable",
               "tt.map_elementwise.return", "tle.yield", "llvm.return", "func.return", "tt.call @k() : () -> ()")
ENCODINGS = ('"x"', "1 : i32", "#nowhere", "#ttg.shared_memory", "dense<1> : tensor<4xi32>", "tensor<4xi32>", "{a = 1}",
             "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>", "#ttg.slice<{dim = 1, parent = #ttg.nothing}>")


def _spot(rng, text, pattern):
    found = list(re.finditer(pattern, text))
    return rng.choice(found) if found else None


def _replace(text, match, by, group=0):
    return text[:match.start(group)] + by + text[match.end(group):]


def truncate(rng, text, _):
    return text[:rng.randrange(len(text) + 1)]


def drop_line(rng, text, _):
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    return "\n".join(lines[:at] + lines[at + rng.choice((1, 1, 1, 5)):])


def repeat_line(rng, text, _):
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    return "\n".join(lines[:at] + [lines[at]] * rng.choice((2, 2, 3, 200)) + lines[at + 1:])


def swap_lines(rng, text, _):
    lines = text.split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def foreign_line(rng, text, others):
    lines = text.split("\n")
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(rng.choice(others).split("\n")))
    return "\n".join(lines)


def change_type(rng, text, _):
    spot = _spot(rng, text, r"\b(?:i1|i8|i16|i32|i64|f16|bf16|f32|f64|f8E\w+)\b|tensor<[^<>]*>|!tt\.ptr<\w+>")
    return _replace(text, spot, rng.choice(TYPES)) if spot else text


def change_type_everywhere(rng, text, _):
    spot = _spot(rng, text, r"\b(?:i1|i8|i16|i32|i64|f16|bf16|f32|f64|f8E\w+)\b")
    return re.sub(rf"\b{spot.group()}\b", rng.choice(TYPES[:26]), text) if spot else text


def change_shape(rng, text, _):
    spot = _spot(rng, text, r"(?<=[<x])\d+(?=x)")
    return _replace(text, spot, rng.choice(INTEGERS + ["", "1x1", "2x2x2x2x2x2x2x2", "?"])) if spot else text


def change_shape_everywhere(rng, text, _):
    spot = _spot(rng, text, r"(?<=[<x])\d+(?=x)")
    if not spot:
        return text
    by = rng.choice(["1", "2", "3", "8", "64", "1024", "32768", "131072", "1048576", "2097152", "4294967296", "0", "7", "1x1"])
    text = re.sub(rf"(?<=[<x]){spot.group()}(?=x)", by, text)
    return re.sub(rf"end = {spot.group()} ", f"end = {by} ", text)


def change_integer(rng, text, _):
    spot = _spot(rng, text, r"(?<![\w%.-])-?\d+(?![\w.])")
    return _replace(text, spot, rng.choice(INTEGERS)) if spot else text


def change_operand(rng, text, _):
    spot, other = _spot(rng, text, r"%[\w$.-]+(?::\d+|#\d+)?"), _spot(rng, text, r"%[\w$.-]+")
    return _replace(text, spot, other.group() + rng.choice(("", "", "", "#1", ":3"))) if spot else text


def change_op(rng, text, _):
    spot = _spot(rng, text, r"\b(?:tt|arith|math|scf|cf)\.\w+(?:\.\w+)?")
    return _replace(text, spot, rng.choice(OPS)) if spot else text


def change_word(rng, text, _):
    spot, other = _spot(rng, text, r"\b[a-z_]{2,}\b"), _spot(rng, text, r"\b[a-z_]{2,}\b")
    return _replace(text, spot, other.group()) if spot and other else text


def drop_attributes(rng, text, _):
    spot = _spot(rng, text, r"<?\{[^{}\n]*\}>?")
    return _replace(text, spot, rng.choice(("", "{}", "{x = 1 : i32}", "{axis = 77 : i32}", "{order = array<i32: 1, 1>}", "{isVolatile = 3}"))) if spot else text


def repeat_function(_, text, __):
    spot = re.search(r"  tt\.func .*?\n  \}[^\n]*\n", text, re.S)
    return text[:spot.end()] + spot.group() + text[spot.end():] if spot else text


def drop_terminators(rng, text, _):
    spot = _spot(rng, text, r"\n *(?:tt\.return|scf\.yield|tt\.reduce\.return|tt\.scan\.return|scf\.condition|cf\.br|cf\.cond_br)[^\n]*")
    return _replace(text, spot, "") if spot else text


def cycle(rng, text, _):
    """Operands of a line become its own result."""
    spot = _spot(rng, text, r"\n *(%[\w$.-]+)(?::\d+)? = [^\n]*")
    if not spot:
        return text
    head, tail = spot.group().split(" = ", 1)
    return _replace(text, spot, head + " = " + re.sub(r"%[\w$.-]+", spot.group(1), tail))


def nest(rng, text, _):
    depth = rng.choice((2, 50, 300, 3000))
    spot = _spot(rng, text, r"\n    (?:tt\.store|%)[^\n]*")
    if not spot:
        return text
    kind = rng.choice(("scf.if %deep {", "scf.for %it = %deep32 to %deep32 step %deep32 : i32 {", "scf.execute_region {"))
    close = "}" if "region" not in kind else "scf.yield }"
    body = "\n    %deep = arith.constant true\n    %deep32 = arith.constant 1 : i32" + ("\n    " + kind) * depth + ("\n    " + close) * depth
    return text[:spot.start()] + body + text[spot.start():]


def nest_types(rng, text, _):
    depth = rng.choice((5, 200, 20000))
    spot = _spot(rng, text, r"!tt\.ptr<\w+>")
    return _replace(text, spot, "!tt.ptr<" * depth + "f32" + ">" * depth) if spot else text


def chain(rng, text, _):
    """A line of arithmetic, thousands of times over."""
    spot = _spot(rng, text, r"\n *(%[\w$.-]+) = (arith\.(?:add|mul|sub)[fi] )%[\w$.-]+(, %[\w$.-]+ : [^\n]*)")
    if not spot:
        return text
    name, op, rest = spot.groups()
    last, lines = name, [spot.group()]
    for i in range(rng.choice((10, 300, 3000))):
        lines.append(f"\n    %chain{i} = {op}{last}{rest}")
        last = f"%chain{i}"
    return text[:spot.start()] + "".join(lines) + text[spot.end():].replace(name + ",", last + ",")


def lattice(rng, text, _):
    """Arithmetic on the two results before, hundreds of times over: a walk that goes every way through it does not end."""
    spot = _spot(rng, text, r"\n *(%[\w$.-]+) = (arith\.(?:add|mul|sub|maxnum|minnum)[fi] )%[\w$.-]+, %[\w$.-]+( : [^\n]*)")
    if not spot:
        return text
    name, op, rest = spot.groups()
    before, last, lines = name, name, [spot.group()]
    for i in range(rng.choice((64, 300))):
        lines.append(f"\n    %lattice{i} = {op}{last}, {before}{rest}")
        before, last = last, f"%lattice{i}"
    return text[:spot.start()] + "".join(lines) + text[spot.end():].replace(name + ",", last + ",")


def insert_text(rng, text, _):
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(TEXTS) + text[at:]


def flip_byte(rng, text, _):
    at = rng.randrange(max(len(text), 1))
    return text[:at] + chr(rng.randrange(256)) + text[at + 1:]


def many_arguments(rng, text, _):
    spot = re.search(r"tt\.func [^(]*\(", text)
    if not spot:
        return text
    more = "".join(f"%more{i}: {rng.choice(TYPES[:26])}, " for i in range(rng.choice((1, 40, 3000))))
    return text[:spot.end()] + more + text[spot.end():]


def change_rank(rng, text, _):
    spot = _spot(rng, text, r"tensor<((?:\d+x)+)[^<>]*(?:<[^<>]*>)?>")
    return _replace(text, spot, rng.choice(("", "1x", "1x1x1x1x1x1x1x", spot.group(1) + "1x", "1x" + spot.group(1), spot.group(1) * 7, "0x", "1048576x")), 1) if spot else text


def define_twice(rng, text, _):
    """A value gets the name of another."""
    spot, other = _spot(rng, text, r"\n *(%[\w$.-]+)(?::\d+)? = "), _spot(rng, text, r"\n *(%[\w$.-]+)(?::\d+)? = ")
    return _replace(text, spot, other.group(1), 1) if spot else text


def rename_value(rng, text, _):
    spot = _spot(rng, text, r"%[\w$.-]+")
    return re.sub(re.escape(spot.group()) + r"(?![\w$.-])", rng.choice(NAMES), text) if spot else text


def empty_region(rng, text, _):
    spot = _spot(rng, text, r"\(\{\n.*?\n *\}\)") if rng.random() < 0.5 else _spot(rng, text, r" \{\n[^{}]*\n *\}")
    spot = spot or re.search(r"\(\{.*?\}\)", text, re.S)
    if not spot:
        return text
    inside = rng.choice(("({})", "({}, {})", "({^bb0: })", "({^bb0(%e: f32): })", "")) if spot.group().startswith("(") else rng.choice((" {}", "", " {} {}", " {^bb0: }"))
    return _replace(text, spot, inside)


def change_terminator(rng, text, _):
    spot = _spot(rng, text, r"\n *(?:tt\.return|scf\.yield|tt\.reduce\.return|tt\.scan\.return|scf\.condition|cf\.br|cf\.cond_br|tt\.map_elementwise\.return)[^\n]*")
    return _replace(text, spot, "\n    " + rng.choice(TERMINATORS)) if spot else text


def chain_locations(rng, text, _):
    depth, kind = rng.choice((2, 100, 10000)), rng.choice(("callsite({0} at {0})", "fused[{0}, {0}]", '"n"({0})', 'fused<{{a = {0}}}>[{0}]'))
    if rng.random() < 0.5:  # by name
        lines = ["#chain0 = loc(\"x\":1:1)"] + [f"#chain{i + 1} = loc({kind.format(f'#chain{i}')})" for i in range(depth)]
        return text.replace("tt.return", f"tt.return loc(#chain{depth})", 1) + "\n" + "\n".join(lines if rng.random() < 0.8 else reversed(lines)) + "\n"
    inner = '"x":1:1'
    for _ in range(depth if kind.count("{0}") == 1 else min(depth, 12)):  # twice as long each time
        inner = kind.format(inner)
    return text.replace("tt.return", f"tt.return loc({inner})", 1)


def change_constant(rng, text, _):
    spot = _spot(rng, text, r"arith\.constant (.*)")
    return _replace(text, spot, rng.choice(VALUES), 1) if spot else text


def change_attribute(rng, text, _):
    spot = _spot(rng, text, r"(?<=[{ ])([\w.]+) = ([^,{}\n%]+)(?=[,}])")
    if not spot:
        return text
    if rng.random() < 0.3:
        return _replace(text, spot, rng.choice(ATTRIBUTES), 1)
    return _replace(text, spot, rng.choice(VALUES), 2)


def add_attribute(rng, text, _):
    spot = _spot(rng, text, r"(?<=[\w>)\]]) (?=: )|(?<=\{)(?=\w+ = )")
    if not spot:
        return text
    added = f"{rng.choice(ATTRIBUTES)} = {rng.choice(VALUES)}"
    return _replace(text, spot, added + ", " if text[spot.start() - 1] == "{" else f" {{{added}}} ")


def add_encoding(rng, text, _):
    spot = _spot(rng, text, r"tensor<(?:\d+x)+\w+(?=>)")
    if not spot:
        return text
    typed, encoding = spot.group(), rng.choice(ENCODINGS)
    return text.replace(typed + ">", f"{typed}, {encoding}>") if rng.random() < 0.5 else _replace(text, spot, f"{typed}, {encoding}")


def cycle_symbols(rng, text, _):
    """Functions that call each other, and a call of one of them."""
    count = rng.choice((1, 2, 300))
    functions = "".join(f"  tt.func private @cycle{i}() {{\n    tt.call @cycle{(i + 1) % count}() : () -> ()\n    tt.return\n  }}\n" for i in range(count))
    end = text.rstrip().rfind("\n}")
    head = text[:end].replace("    tt.return", f"    tt.call @{rng.choice(('cycle0', 'nobody', 'cycle0::@cycle1'))}() : () -> ()\n    tt.return", 1)
    return head + "\n" + functions + text[end:]


def nest_brackets(rng, text, _):
    depth, (left, middle, right) = rng.choice((200, 300, 10000)), rng.choice((("[", "1", "]"), ("{a = ", "1", "}"), ("(", "i32", ") -> i32"), ("tuple<", "i32", ">"), ("tensor<1x", "f32", ">"),
                                                                              ("complex<", "f32", ">"), ("-", "1 : i32", ""), ("\n ({ ", "", " })"), ("loc(", "unknown", ")")))
    nested = left * depth + middle + right * depth
    return rng.choice((text + f"\n#nested = {nested}\n", text.replace("tt.return", f"tt.return {{nested = {nested}}}", 1), text.replace("(%", f"(%nested: {nested}, %", 1)))


def as_generic(rng, text, _):
    """A line in the generic form, which passes an op's own parser by."""
    spot = _spot(rng, text, r"\n *(?:(%[\w$.-]+) = )?((?:tt|arith|math|scf|cf|ub|ttg|tle|dsa)\.\w+(?:\.\w+)?) ([^\n]*)")
    if not spot:
        return text
    operands = re.findall(r"%[\w$.#-]+", spot.group(3))
    types = re.findall(r"tensor<[^<>]*(?:<[^<>]*>)?[^<>]*>|!tt\.ptr<[^<>]*>|\b(?:i|f|bf)\d+\b", spot.group(3)) or ["i32"]
    properties = rng.choice(("", "", f" <{{{rng.choice(ATTRIBUTES)} = {rng.choice(VALUES)}}}>", f" {{{rng.choice(ATTRIBUTES)} = {rng.choice(VALUES)}}}"))
    region = rng.choice(("", "", "", " ({})", " ({^bb0: })", " ({^bb0(%ga: f32, %gb: f32): tt.reduce.return %ga : f32})", " ({}, {})"))
    result, given = (rng.choice(types), f"{spot.group(1)} = ") if spot.group(1) else ("", "")
    taken = ", ".join(rng.choice(types) for _ in operands)
    successors = rng.choice(("", "", "", "", "[^bb0]", "[^bb1, ^bb2]"))
    return _replace(text, spot, f'\n    {given}"{spot.group(2)}"({", ".join(operands)}){successors}{properties}{region} : ({taken}) -> ({result})')


KINDS = [truncate, drop_line, repeat_line, swap_lines, foreign_line, change_type, change_type_everywhere, change_shape, change_shape_everywhere, change_integer,
         change_operand, change_op, change_word, drop_attributes, repeat_function, drop_terminators, cycle, nest, nest_types, chain, lattice, insert_text, flip_byte,
         many_arguments, change_rank, define_twice, rename_value, empty_region, change_terminator, chain_locations, change_constant, change_attribute, add_attribute,
         add_encoding, cycle_symbols, nest_brackets, as_generic]
# Those that often leave a text that can be read: they reach the passes behind the reader.
DEEP = [change_type_everywhere, change_shape_everywhere, change_integer, change_operand, change_op, drop_line, swap_lines, change_word, drop_attributes, nest, chain, lattice,
        repeat_line, change_shape, change_rank, define_twice, empty_region, change_terminator, change_constant, change_attribute, add_attribute, as_generic]


def mutated(rng, text, others):
    names = []
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        kind = rng.choice(KINDS if rng.random() < 0.4 else DEEP)
        names.append(kind.__name__)
        text = kind(rng, text, others)
    return text, names


STAGES = {
    "cpu": ["--stage", "llvm", "--device", "cpu"],
    "vector": ["--stage", "opencl", "--device", "opencl:portable", "--mapping", "vector"],
    "simt": ["--stage", "opencl", "--device", "opencl:portable", "--mapping", "simt"],
}
SECONDS, BYTES = 5, 2 << 30


def fault_of(command, path, stage, env=None):
    """What is wrong with how `tritonrt inspect` of a file ends, or ''."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([command, "inspect", path, *STAGES[stage]], stdout=subprocess.DEVNULL, stderr=errors, env=env,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (4 * SECONDS, 4 * SECONDS)))
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    seconds = used.ru_utime + used.ru_stime
    if child.returncode not in (0, 1):
        return f"ends with {child.returncode} after {seconds:.1f} s: {said[-600:]}"
    if child.returncode == 1 and not re.search(r"^\S.*: error: .|^error: .|^tritonrt: .", said.split("\n")[0] if said else ""):
        return f"no message: {said[:600]}"
    if seconds > SECONDS:
        return f"takes {seconds:.1f} s"
    if used.ru_maxrss * 1024 > BYTES:
        return f"takes {used.ru_maxrss >> 10} MiB"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="where texts with a fault go")
    parser.add_argument("--opencl", action="store_true", help="both mappings for OpenCL too")
    options = parser.parse_args()
    files = sorted(glob.glob(os.path.join(options.folder, "**", "*.ttir"), recursive=True))
    rng, faults = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "text.ttir")
        for i in range(options.count):
            texts = [open(name, encoding="utf-8").read() for name in rng.sample(files, min(3, len(files)))]
            text, names = mutated(rng, texts[0], texts[1:] or texts)
            with open(path, "wb") as file:
                file.write(text.encode("utf-8", "surrogatepass"))
            for stage in STAGES if options.opencl else ("cpu", ):
                if fault := fault_of(options.command, path, stage):
                    faults += 1
                    print(f"{options.seed}-{i} {stage} {'+'.join(names)}: {fault}", flush=True)
                    if options.keep:
                        os.makedirs(options.keep, exist_ok=True)
                        with open(path, "rb") as file, open(os.path.join(options.keep, f"{options.seed}-{i}.ttir"), "wb") as kept:
                            kept.write(file.read())
    print(f"{options.count} texts, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
