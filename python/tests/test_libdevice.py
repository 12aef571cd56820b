# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Triton's own modules for CUDA's and HIP's libraries call is what tests/math/library_names.txt lists, whose values are tested."""
import importlib
import inspect
import os

import pytest

NAMES = os.path.join(os.path.dirname(__file__), "..", "..", "tests", "math", "library_names.txt")


def spelled(dtype):
    """A type of Triton's language as the IR has it."""
    return dtype.name.replace("uint", "int").replace("int", "i").replace("fp", "f")


def called(module, monkeypatch):
    """(symbol, operand types, result type) of everything that the functions of a module call."""
    calls = set()

    def record(lib_name, lib_path, args, table, *rest, **keywords):
        for operands, (symbol, result) in table.items():
            calls.add((symbol, ",".join(map(spelled, operands)), spelled(result)))

    monkeypatch.setattr(module.core, "extern_elementwise", record)
    for name, function in vars(module).items():
        if name.startswith("_") or not inspect.isfunction(function) or function.__module__ not in (module.__name__, "triton.language.core"):
            continue
        parameters = [p for p in inspect.signature(function).parameters.values() if not p.name.startswith("_") and p.kind is p.POSITIONAL_OR_KEYWORD]
        keyword = "_semantic" if "_semantic" in inspect.signature(function).parameters else "_builder"
        try:
            function(*[None] * len(parameters), **{keyword: object()})
        except (AttributeError, TypeError):
            pass  # made of other operations
    return calls


@pytest.mark.parametrize("library", ["cuda", "hip"])
def test_every_name_is_listed(library, monkeypatch):
    with open(NAMES, encoding="utf-8") as file:
        listed = {tuple(line.split()) for line in file}
    calls = called(importlib.import_module(f"triton.language.extra.{library}.libdevice"), monkeypatch)
    assert len(calls) > 100
    assert calls - listed == set()
