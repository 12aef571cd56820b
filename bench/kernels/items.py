# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which kernel is measured at which size. The names are those of the benchmarks without the device: GROUP/SIZE. Never
change an item that results were published for: give a new one a new name, or before and after are not comparable."""
import math

import kernels as k

ITEMS = []
NORMAL, OUTPUT = {"kind": "normal", "scale": 1.0}, {"kind": "output"}


class Ptr:
    """A contiguous tensor. init: normal, or output for any content."""

    def __init__(self, dtype, shape, init=NORMAL):
        self.dtype, self.numel, self.init = dtype, math.prod(shape), init


def add(name, kernel, text, args, grid, constexprs=None, num_warps=4, num_stages=3):
    """text: stem of the .ttir; items with the same specialisation share one."""
    ITEMS.append(dict(name=name, kernel=kernel, text=text, args=args, grid=tuple(grid) + (1, ) * (3 - len(grid)), constexprs=constexprs or {},
                      num_warps=num_warps, num_stages=num_stages))


def out(dtype, shape):
    return Ptr(dtype, shape, OUTPUT)


for programs in (1, 4, 64):
    add(f"launch/{programs}", k.launch_store, "launch_store", dict(out=out("i32", [64]), a=3, b=5, c=7), (programs, ))

for n in (1 << 12, 1 << 16, 1 << 20, 1 << 28):
    add(f"vadd/{n}", k.vector_add, "vector_add", dict(x=Ptr("fp32", [n]), y=Ptr("fp32", [n]), out=out("fp32", [n]), n=n), (n // 1024, ), dict(BLOCK=1024))

for rows, cols in ((4096, 1024), (8192, 4096)):
    add(f"softmax/{rows}x{cols}", k.softmax_block, f"softmax_{cols}",
        dict(x=Ptr("fp32", [rows, cols]), out=out("fp32", [rows, cols]), x_row=cols, out_row=cols, cols=cols), (rows, ), dict(BLOCK=cols))

for rows, cols in ((4096, 1024), ):
    args = dict(x=Ptr("fp32", [rows, cols], dict(NORMAL, mean=0.5)), weight=Ptr("fp32", [cols], dict(NORMAL, scale=0.25, mean=1.0)),
                bias=Ptr("fp32", [cols]), out=out("fp32", [rows, cols]), mean_out=out("fp32", [rows]), rstd_out=out("fp32", [rows]), x_row=cols,
                cols=cols, eps=1e-5)
    add(f"layernorm/{rows}x{cols}", k.layer_norm, f"layer_norm_{cols}", args, (rows, ), dict(BLOCK=cols))

for n in (512, 1024, 4096):
    args = dict(a=Ptr("fp32", [n, n]), b=Ptr("fp32", [n, n]), c=out("fp32", [n, n]), M=n, N=n, K=n, a_m=n, a_k=1, b_k=n, b_n=1, c_m=n, c_n=1)
    add(f"matmul_f32/{n}", k.matmul_masked, "matmul_f32_64x64x32", args, ((n // 64)**2, ), dict(BM=64, BN=64, BK=32, GROUP=8))

for n in (1 << 20, ):
    for group, kernel in (("exp", k.exp_map), ("gelu", k.gelu_tanh)):
        add(f"{group}/{n}", kernel, group, dict(x=Ptr("fp32", [n]), out=out("fp32", [n]), n=n), (n // 1024, ), dict(BLOCK=1024))

for n in (1 << 22, ):
    add(f"dropout/{n}", k.dropout_rand, "dropout", dict(x=Ptr("fp32", [n]), out=out("fp32", [n]), n=n, p=0.25, seed=20240607), (n // 1024, ), dict(BLOCK=1024))
    for kernel, constexprs in ((k.histogram_atomic, dict(BLOCK=1024)), (k.histogram_block, dict(BINS=256, BLOCK=1024))):
        add(f"{kernel.__name__}/{n}", kernel, kernel.__name__, dict(x=Ptr("i32", [n], dict(kind="randint", low=0, high=256)), counts=out("i32", [256]), n=n),
            (n // 1024, ), constexprs)

for rows, cols in ((4096, 1024), ):
    x = Ptr("fp32", [rows, cols])
    add(f"rmsnorm/{rows}x{cols}", k.rms_norm, f"rms_norm_{cols}",
        dict(x=x, weight=Ptr("fp32", [cols], dict(NORMAL, scale=0.25, mean=1.0)), out=out("fp32", [rows, cols]), x_row=cols, cols=cols, eps=1e-6), (rows, ),
        dict(BLOCK=cols))
    add(f"rowsum/{rows}x{cols}", k.row_sum, f"row_sum_{cols}", dict(x=x, out=out("fp32", [rows]), x_row=cols, cols=cols), (rows, ), dict(BLOCK=cols))
    add(f"argmax/{rows}x{cols}", k.row_argmax, f"row_argmax_{cols}", dict(x=x, out=out("i32", [rows]), x_row=cols, cols=cols), (rows, ), dict(BLOCK=cols))
    add(f"cumsum/{rows}x{cols}", k.cumsum_rows, f"cumsum_rows_{cols}", dict(x=x, out=out("fp32", [rows, cols]), x_row=cols, cols=cols), (rows, ), dict(BLOCK=cols))

for count, width in ((8192, 256), ):
    index = Ptr("i64", [count], dict(kind="randint", low=0, high=32768))
    add(f"embedding/{count}x{width}", k.embedding, f"embedding_8x{width}",
        dict(index=index, table=Ptr("fp32", [32768, width]), out=out("fp32", [count, width]), count=count, width=width), (count // 8, ), dict(ROWS=8, BLOCK=width))

for n in (4096, ):
    add(f"transpose/{n}", k.transpose, "transpose_64", dict(x=Ptr("fp32", [n, n]), out=out("fp32", [n, n]), rows=n, cols=n), (n // 64, n // 64),
        dict(BLOCK_R=64, BLOCK_C=64))

for causal in (False, True):
    heads, seq, depth = 8, 1024, 64
    name = "causal" if causal else "full"
    args = {a: Ptr("fp32", [heads, seq, depth]) for a in "qkv"}
    args.update(out=out("fp32", [heads, seq, depth]), lse=out("fp32", [heads, seq]), scale=depth**-0.5)
    for a in "qkvo":
        args.update({f"{a}_z": heads * seq * depth, f"{a}_h": seq * depth, f"{a}_s": depth})
    args.update(H=heads, S=seq)
    add(f"attention/{heads}x{seq}x{depth}_{name}", k.attention_pointers, f"attention_f32_d{depth}_{name}", args, (seq // 64, heads),
        dict(D=depth, BM=64, BN=32, CAUSAL=causal))
