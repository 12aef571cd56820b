# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile with Inductor's Triton code on this backend, beside eager."""
import pytest

torch = pytest.importorskip("torch")
inductor = pytest.importorskip("torch._inductor.config")

import torch.nn.functional as F

# Inductor is written for the Triton that its torch names; older ones lack what its code calls.
required = next((r for r in __import__("importlib.metadata").metadata.requires("torch") or [] if r.startswith("triton")), "")
version = __import__("triton").__version__
if not any(version.startswith(part) for part in [required.split("~=")[-1].split(";")[0].strip().rsplit(".", 1)[0]]):
    pytest.skip(f"torch asks for {required}, this is {version}", allow_module_level=True)


@pytest.fixture(autouse=True)
def backend():
    torch._dynamo.reset()
    torch.manual_seed(0)
    # Worker processes would hide where the time goes, and each loads all of torch.
    with inductor.patch(cpu_backend="triton", compile_threads=1, fallback_random=True):
        yield


def check(function, *arguments, reference=None):
    from torch._inductor.utils import run_and_get_code
    expected = (reference or function)(*arguments)
    torch.manual_seed(1)
    result, code = run_and_get_code(torch.compile(function), *arguments)
    assert any("@triton.jit" in text for text in code)
    torch.testing.assert_close(result, expected)


FUSIONS = {
    "layer norm": lambda x: F.layer_norm(x, x.shape[-1:]) * 2,
    "softmax": lambda x: torch.softmax(x * 3, -1),
    "gelu": lambda x: F.gelu(x + 1),
    "tanh gelu": lambda x: F.gelu(x + 1, approximate="tanh"),
    "cumsum": lambda x: torch.cumsum(x * 2, -1),
    "sort": lambda x: torch.sort(x + 1, dim=-1, stable=True).values,
    "sum": lambda x: (x * x).sum(),
    "column sums": lambda x: (x * x).sum(0),
    "mean and variance": lambda x: torch.var_mean(x, -1),
    "argmax": lambda x: (x * 2).argmax(-1),
    "pointwise": lambda x: torch.sin(x) * torch.exp(-x) + torch.sigmoid(x) / torch.sqrt(x * x + 1),
    "where": lambda x: torch.where(x > 0, x.log1p().nan_to_num(), x.expm1()),
    "transposed": lambda x: (x.t().contiguous() + 1).relu(),
}


@pytest.mark.parametrize("name", FUSIONS)
def test_fusion(name):
    check(FUSIONS[name], torch.randn(65, 130))


def test_dropout():
    x = torch.randn(64, 64)

    def function(x):
        return F.dropout(x.relu(), 0.3, training=True) * 2

    def eager(x):
        torch.manual_seed(1)
        return function(x)

    check(function, x, reference=eager)


def test_mlp():
    model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.LayerNorm(64), torch.nn.Linear(64, 8))
    check(model, torch.randn(16, 32))


def test_gradients():
    model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.LayerNorm(64), torch.nn.Linear(64, 8))
    x = torch.randn(16, 32)
    model(x).square().sum().backward()
    expected = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    torch.compile(model)(x).square().sum().backward()
    torch.testing.assert_close([p.grad for p in model.parameters()], expected)


def test_transformer_block():
    block = torch.nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True, norm_first=True)
    block.train()
    check(block, torch.randn(2, 20, 64))


def test_bfloat16():
    wide = torch.randn(65, 130)

    def function(x):
        return F.gelu(F.layer_norm(x, x.shape[-1:]))

    check(function, wide.bfloat16(), reference=lambda x: function(x.float()).bfloat16())


def test_shapes_that_change():
    function = torch.compile(lambda x: torch.softmax(x, -1), dynamic=True)
    for columns in (7, 64, 300):
        x = torch.randn(5, columns)
        torch.testing.assert_close(function(x), torch.softmax(x, -1))
