# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_library_names.py TRITONRT_OPT: every function of CUDA's libdevice and of HIP's libraries that Triton can call is known with
the types that it has there, and becomes arithmetic.

library_names.txt has a line `symbol operand,operand result` for each: the functions of libdevice that give a value and take no
pointer, and those that Triton's own tables for both libraries name."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

CALL = """tt.func public @f({parameters}, %o: !tt.ptr<{result}>) {{
  %y = tt.extern_elementwise {names} {{libname = "", libpath = "", pure = true, symbol = "{symbol}"}} : ({types}) -> {result}
  tt.store %o, %y : !tt.ptr<{result}>
  tt.return
}}
"""


def call_of(line):
    symbol, operands, result = line.split()
    types = operands.split(",")
    names = [f"%a{i}" for i in range(len(types))]
    parameters = ", ".join(f"{name}: {kind}" for name, kind in zip(names, types))
    return CALL.format(symbol=symbol, parameters=parameters, names=", ".join(names), types=", ".join(types), result=result)


def main():
    with open(os.path.join(HERE, "library_names.txt"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "calls.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write("// -----\n".join(call_of(line) for line in lines))
        done = subprocess.run([sys.argv[1], path, "--split-input-file", "--tt-to-tile", "--expand-math"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    calls = [line.strip() for line in done.stdout.splitlines() if "libm.call" in line]
    print(done.stderr, "\n".join(calls), sep="")
    print(f"{len(lines)} functions, {len(calls)} left as calls")
    return 1 if done.returncode or done.stderr or calls or len(lines) < 440 else 0


if __name__ == "__main__":
    sys.exit(main())
