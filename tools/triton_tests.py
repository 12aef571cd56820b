# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""triton_tests.py FOLDER [--device D] [--sample N[:K]] [--report FILE.json] [PYTEST ARGUMENT...]

Runs Triton's own language tests, of a checkout of Triton whose version is the installed one's, on a device of libtritonrt,
and counts them: passed, failed, and not applicable, with the reason for each. Needs torch, pytest and pytest-xdist beside
the package (PYTHONPATH=build/python, or the wheel). PYTEST ARGUMENTs name files below python/test/unit (default: language) or
select (-k EXPRESSION, -n WORKERS). --sample N:K takes each Nth test, from the Kth."""
import argparse
import collections
import json
import os
import re
import subprocess
import sys

# The tests need not come from the commit that the installed Triton was built from.
FRONT_END = "is written for another commit's front end than the installed Triton's, whose text or error no backend makes"

# Why a test says nothing about this backend: which test (any, where empty), and what its failure looks like. Everything else
# that does not pass has failed.
NOT_APPLICABLE = [
    ("test_fp8_support", r"DID NOT RAISE", "expects 8-bit floats to be refused that this backend has"),
    ("test_print[device_print_scalar", r"assert False", "counts a scalar's line once for each thread of a GPU"),
    ("test_print[no_arg_print", r"assert False", "counts a scalar's line once for each thread of a GPU"),
    ("test_print[print_no_arg", r"assert False", "counts a scalar's line once for each thread of a GPU"),
    ("", r"KeyError: .*'(ptx|ttgir|llir|cubin|sass|amdgcn|hsaco)'", "looks at a text that only a GPU's compiler makes"),
    ("", r"Torch not compiled with CUDA|No CUDA GPUs are available|Found no NVIDIA driver|CUDA_HOME|libcuda\.so"
     r"|Cannot access accelerator device|NVIDIA driver|exchangeDevice|at least two devices, cuda", "needs a GPU"),
    ("test_pointer_arguments[cuda]", r"which kernels here cannot reach", "needs a GPU"),
    ("", r"Cannot find ptxas|libtriton_amd_codegen", "makes a GPU's binary"),
    ("test_triton_reproducer_path", r"assert False", "looks at the pass pipeline of a GPU's compiler"),
    ("", r"module 'torch\.cpu' has no attribute|torch\.cuda", "uses torch's interface to a GPU"),
    ("test_pointer_arguments[cpu]", r"DID NOT RAISE", "wants memory of the CPU refused, which is this device's own"),
    ("language/test_frontend.py", r"expected string not found|DID NOT RAISE|triton\.compiler\.errors\.CompilationError", FRONT_END),
    ("language/test_line_info.py", r"search range", FRONT_END),
    ("test_reduce[", r"too many indices for tensor of rank 0", FRONT_END),
    ("", r"num_ctas must be 1 on this backend", "needs clusters of thread blocks"),
    ("", r"inline assembly|elementwise_inline_asm", "holds a GPU's assembly"),
]


def reason_of(test, text):
    """Judged by the lines that say what went wrong, not by the code around them."""
    text = "\n".join(line for line in text.splitlines() if line.startswith("E "))
    return next((reason for name, pattern, reason in NOT_APPLICABLE if name in test and re.search(pattern, text)), None)


# -- As a plugin of pytest. ---------------------------------------------------------------------------------------------


def pytest_collection_modifyitems(config, items):
    every, first = (int(n) for n in os.environ.get("TRITON_TESTS_SAMPLE", "1:0").split(":"))
    config.hook.pytest_deselected(items=[item for i, item in enumerate(items) if i % every != first])
    items[:] = items[first::every]


class Report:

    def __init__(self, path):
        self.path, self.results = path, {}

    def pytest_runtest_logreport(self, report):
        old = self.results.get(report.nodeid, ["passed", ""])
        if report.skipped and hasattr(report, "wasxfail"):
            new = ["not applicable", "Triton expects it to fail: " + (report.wasxfail or "")]
        elif report.skipped:
            text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            new = ["not applicable", "the test says: " + text.removeprefix("Skipped: ")]
        elif report.failed:
            text = str(report.longrepr)
            reason = reason_of(report.nodeid, text)
            new = ["not applicable", reason] if reason else ["failed", text[-4000:]]
        else:
            new = old
        self.results[report.nodeid] = new if old[0] == "passed" else old
        if len(self.results) % 16 == 0:  # a run that is stopped leaves a report too
            self.pytest_sessionfinish(None)

    def pytest_sessionfinish(self, session):
        with open(self.path, "w") as file:
            json.dump(self.results, file, indent=1)


def pytest_configure(config):
    import tritonrt
    tritonrt.activate()  # beside a GPU too
    path = os.environ.get("TRITON_TESTS_REPORT")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Report(path))


# -- As a program. ------------------------------------------------------------------------------------------------------


def last_line(text):
    """What a failure comes down to: the line that names the error."""
    lines = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
    return lines[0][:160] if lines else text.strip().splitlines()[-1][:160]


def summary(results):
    outcomes = collections.defaultdict(list)
    for name, (outcome, text) in results.items():
        outcomes[outcome].append((name, text))
    for title, key in (("not applicable", lambda text: text), ("failed", last_line)):
        print(f"\n{title}: {len(outcomes[title])}")
        groups = collections.defaultdict(list)
        for name, text in outcomes[title]:
            groups[key(text)].append(name)
        for text, names in sorted(groups.items(), key=lambda group: -len(group[1])):
            print(f"{len(names):6}  {text}  ({names[0].split('::')[-1]})")
    passed, failed = len(outcomes["passed"]), len(outcomes["failed"])
    print(f"\n{passed} of {passed + failed} applicable tests passed")
    print(f"{passed} passed, {failed} failed, {len(outcomes['not applicable'])} skipped")
    return failed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--sample", default="1")
    parser.add_argument("--report", default="triton-tests.json")
    options, rest = parser.parse_known_args()
    unit = os.path.join(os.path.abspath(options.folder), "python", "test", "unit")
    paths = [os.path.join(unit, item) for item in rest if os.path.exists(os.path.join(unit, item))]
    selection = [item for item in rest if not os.path.exists(os.path.join(unit, item))]
    if not any(item.startswith("-n") for item in selection):
        # A worker of its own also survives a crash.
        selection += ["-n", "1"]
    environment = dict(os.environ, TRITON_TESTS_REPORT=os.path.abspath(options.report), TRITONRT_DEVICE=options.device,
                       TRITON_TESTS_SAMPLE=options.sample if ":" in options.sample else options.sample + ":0",
                       PYTHONPATH=os.pathsep.join([os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH", "")]))
    if os.path.exists(options.report):
        os.remove(options.report)
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "triton_tests", "-p", "no:cacheprovider", "--tb=short", "-W", "ignore",
                    "--device", "cpu", *selection, *(paths or [os.path.join(unit, "language")])],
                   env=environment, cwd=os.path.dirname(os.path.dirname(unit)), stdout=sys.stderr)
    with open(options.report) as file:
        results = json.load(file)
    return 1 if summary(results) else 0


if __name__ == "__main__":
    sys.exit(main())
