# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m tritonrt export FILE.py:FUNCTION: a kernel's .ttir, for use from C++. Needs Triton, no GPU and no torch."""
import argparse
import ast
import importlib.util
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile

from .command import find_command
from .compiler import Options, TritonrtBackend, make_ttir

EPILOG = """\
--signature has a type for each parameter that is no constexpr, in order, separated by commas: *fp32 a pointer, i32, fp16,
u8, ... scalars, tensordesc<fp16[64,32]> a descriptor. A suffix makes a promise: *fp32:16 is a multiple of 16 (bytes for
pointers); a plain number stands for a parameter that always has this value and becomes part of the kernel.
--constexpr NAME=VALUE; VALUE is Python, and sees the names of FILE.
"""


class ExportError(Exception):
    pass


def load_function(spec):
    path, colon, name = spec.rpartition(":")
    if not colon or not name.isidentifier():
        raise ExportError(f"'{spec}': FILE.py:FUNCTION expected")
    if not os.path.isfile(path):
        raise ExportError(f"there is no file '{path}'")
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    module_spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[module_spec.name] = module
    module_spec.loader.exec_module(module)
    function = getattr(module, name, None)
    # Autotuners and heuristics wrap the function.
    while function is not None and not hasattr(function, "arg_names"):
        function = getattr(function, "fn", None)
    while hasattr(function, "fn") and hasattr(function.fn, "arg_names"):
        function = function.fn
    if function is None or not hasattr(function, "params"):
        names = [key for key, value in vars(module).items() if hasattr(value, "arg_names")]
        raise ExportError(f"'{path}' has no @triton.jit function '{name}'; it has {', '.join(names) or 'none'}")
    return function, vars(module)


def parse_constexprs(items, function, scope):
    values = {}
    for item in items:
        name, equals, text = item.partition("=")
        if not equals:
            raise ExportError(f"--constexpr '{item}': NAME=VALUE expected")
        if name not in function.arg_names:
            raise ExportError(f"--constexpr '{name}': '{function.__name__}' has the parameters "
                              + ", ".join(function.arg_names))
        try:
            values[name] = eval(text, dict(scope))
        except Exception:
            values[name] = text
    return values


def split_signature(text):
    """At commas outside brackets."""
    return [part.strip() for part in re.split(r",(?![^<\[]*[>\]])", text) if part.strip()]


def parse_signature(text, function, constexprs):
    """(types, constants, divisible parameters by index) from the signature's text and what --constexpr and defaults say."""
    parts = split_signature(text or "")
    types, constants, divisible = {}, {}, {}
    open_names = []
    for parameter in function.params:
        if parameter.name in constexprs:
            constants[parameter.name] = constexprs[parameter.name]
        elif parameter.is_constexpr:
            if not parameter.has_default:
                raise ExportError(f"--constexpr {parameter.name}=VALUE is missing")
            constants[parameter.name] = parameter.default
        else:
            open_names.append(parameter.name)
    if len(parts) != len(open_names):
        raise ExportError(f"--signature has {len(parts)} types, and '{function.__name__}' {len(open_names)} parameters that "
                          f"are no constexpr: {', '.join(open_names)}")
    for name, part in zip(open_names, parts):
        kind, colon, promise = part.rpartition(":") if re.search(r":\d+$", part) else (part, "", "")
        if re.match(r"[*a-zA-Z]", kind) and kind != "None":
            types[name] = kind
            if colon and promise == "1":
                constants[name] = 1
                del types[name]
            elif colon:
                divisible[name] = int(promise)
        else:
            try:
                constants[name] = ast.literal_eval(part)
            except (ValueError, SyntaxError):
                raise ExportError(f"--signature: '{part}' is neither a type nor a value") from None
    return types, constants, divisible


def build_source(function, types, constants, divisible):
    from triton.compiler import ASTSource
    names = function.arg_names
    signature = {name: types.get(name, "constexpr") for name in names}
    attributes = {(names.index(name),): [["tt.divisibility", value]] for name, value in divisible.items()}
    return ASTSource(function, signature, {(names.index(name),): value for name, value in constants.items()}, attributes)


def to_ttir(source, options, keep_descriptors=True):
    """The text of Triton's own stage, without locations."""
    import triton
    from triton._C.libtriton import ir
    target = triton.backends.compiler.GPUTarget("cpu", "", 32)
    backend = TritonrtBackend(target)
    context = ir.context()
    ir.load_dialects(context)
    arguments = [options, backend.get_codegen_implementation(options), backend.get_module_map(), context]
    if "target" in inspect.signature(source.make_ir).parameters:  # since Triton 3.6
        arguments.insert(0, target)
    module = make_ttir(source.make_ir(*arguments), {}, options, keep_descriptors)
    return strip_locations(str(module))


def strip_locations(text):
    """Drops `loc(...)` and the lines that define locations; quotes may hold parentheses."""
    text = re.sub(r"^#loc\d*\s*=.*\n?", "", text, flags=re.MULTILINE)
    out, at = [], 0
    for found in re.finditer(r"\s+loc\(", text):
        if found.start() < at:
            continue
        out.append(text[at:found.start()])
        depth, at = 1, found.end()
        while depth:
            token = re.compile(r'"(?:[^"\\]|\\.)*"|[()]').search(text, at)
            depth += {"(": 1, ")": -1}.get(token.group(), 0)
            at = token.end()
    return "".join(out) + text[at:]


def write(path, text, description):
    """A .ttir with its .json beside it, or a bundle of both."""
    if not path.endswith(".trtb"):
        with open(path, "w") as file:
            file.write(text)
        with open(os.path.splitext(path)[0] + ".json", "w") as file:
            json.dump(description, file, indent=1)
            file.write("\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        inner = os.path.join(folder, "kernel.ttir")
        write(inner, text, description)
        command = [find_command(), "bundle", "create", "--output", os.path.abspath(path), inner]
        try:
            result = subprocess.run(command, capture_output=True, text=True)
        except FileNotFoundError:
            raise ExportError("a bundle is made by the command 'tritonrt', which is not on PATH") from None
        if result.returncode != 0:
            raise ExportError(f"the bundle could not be made: {result.stderr.strip()}")


def plain(value):
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)


def main(arguments):
    parser = argparse.ArgumentParser(prog="tritonrt export", epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter,
                                     description="Writes the .ttir of a @triton.jit function with the installed Triton.")
    parser.add_argument("function", metavar="FILE.py:FUNCTION")
    parser.add_argument("--signature", default="")
    parser.add_argument("--constexpr", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--num-warps", type=int, default=4)
    parser.add_argument("--num-stages", type=int, default=3)
    parser.add_argument("-o", "--output", metavar="FILE.ttir|FILE.trtb", help="default: FUNCTION.ttir")
    parsed = parser.parse_args(arguments)
    import triton
    try:
        function, scope = load_function(parsed.function)
        constexprs = parse_constexprs(parsed.constexpr, function, scope)
        types, constants, divisible = parse_signature(parsed.signature, function, constexprs)
        options = Options(num_warps=parsed.num_warps, num_stages=parsed.num_stages)
        text = to_ttir(build_source(function, types, constants, divisible), options)
    except (ExportError, ValueError) as error:
        print(f"tritonrt export: error: {error}", file=sys.stderr)
        return 2
    except triton.CompilationError as error:
        print(f"tritonrt export: error: {error}", file=sys.stderr)
        return 1
    name = re.search(r'tt\.func public @("[^"]*"|[\w$.]+)', text).group(1).strip('"')
    description = {"name": name, "num_warps": options.num_warps, "num_stages": options.num_stages, "shared": 0,
                   "signature": types, "constexprs": {key: plain(value) for key, value in constants.items()},
                   "triton_version": triton.__version__}
    try:
        write(parsed.output or f"{function.__name__}.ttir", text, description)
    except (ExportError, OSError) as error:
        print(f"tritonrt export: error: {error}", file=sys.stderr)
        return 1
    return 0
