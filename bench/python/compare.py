# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py [--json FILE]: five kernels on this backend, in Triton's interpreter, and as torch.compile's C++ code writes the
same, in milliseconds (the best of several runs); and what a small launch costs. Each result is checked against eager torch.
OMP_NUM_THREADS sets the threads of all. Needs torch."""
import argparse
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def best(call, seconds=1.0, most=50):
    call()
    times = []
    end = time.perf_counter() + seconds
    while len(times) < 2 or (len(times) < most and time.perf_counter() < end):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times) * 1e3


def measure_kernels(small):
    import torch
    import workloads
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    times = {}
    for name, make in workloads.WORKLOADS.items():
        run, eager, out = make(small)
        run()
        torch.testing.assert_close(out, eager(), rtol=1e-4, atol=1e-4)
        times[name] = best(run) * (workloads.SCALE[name] if small else 1)
    return times


def measure_cpp():
    import torch
    import torch._inductor.config
    import workloads
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    times = {}
    for name, make in workloads.WORKLOADS.items():
        _, eager, _ = make(False)
        compiled = torch.compile(eager)
        torch.testing.assert_close(compiled(), eager(), rtol=1e-4, atol=1e-4)
        times[name] = best(compiled)
    return times


def measure_launch():
    """Microseconds: a whole launch of four small programs, and the launcher's part of it, each without the other's noise."""
    import torch
    import workloads
    x, y, out = (torch.randn(64) for _ in range(3))
    kernel = workloads.add
    compiled = kernel[(4,)](x, y, out, 64, BLOCK=16)
    launcher, function, metadata = compiled.run, compiled.function, compiled.packed_metadata

    def micro(call, count=2000):
        return min(_timed(call, count) for _ in range(60)) / count * 1e6

    return {"launch": micro(lambda: kernel[(4,)](x, y, out, 64, BLOCK=16)),
            "launcher": micro(lambda: launcher(4, 1, 1, 0, function, metadata, None, None, None, x, y, out, 64, 16)),
            "empty call": micro(lambda: None)}


def _timed(call, count):
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - begin


MEASURES = {"tritonrt": lambda: measure_kernels(False), "interpreter": lambda: measure_kernels(True),
            "torch.compile C++": measure_cpp, "launch": measure_launch}


def child(what):
    """A process for each: the interpreter is chosen when Triton is imported."""
    environment = dict(os.environ, OMP_NUM_THREADS=os.environ.get("OMP_NUM_THREADS", "1"))
    environment.pop("TRITON_INTERPRET", None)
    if what == "interpreter":
        environment["TRITON_INTERPRET"] = "1"
    result = subprocess.run([sys.executable, os.path.abspath(__file__), "--only", what], env=environment,
                            stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"{what} failed")
    return json.loads(result.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--json")
    parser.add_argument("--only", choices=MEASURES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        sys.path.insert(0, HERE)
        print(json.dumps(MEASURES[options.only]()))
        return
    results = {what: child(what) for what in MEASURES}
    columns = [what for what in MEASURES if what != "launch"]
    print(f"{'milliseconds':32}" + "".join(f"{c:>20}" for c in columns))
    for name in results["tritonrt"]:
        print(f"{name:32}" + "".join(f"{results[c][name]:20.3f}" for c in columns))
    print("\nThe interpreter works on a small part of each; its times are scaled to the whole.")
    print("A launch of 4 programs, microseconds: " + ", ".join(f"{k} {v:.2f}" for k, v in results["launch"].items()))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
