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


class Desc(Ptr):
    """A descriptor that the host makes of a contiguous matrix; it is read or written `block` at a time."""

    def __init__(self, dtype, shape, block, init=NORMAL):
        super().__init__(dtype, shape, init)
        self.shape, self.block = list(shape), list(block)


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

for n in (1 << 20, ):
    add(f"gelu_libdevice/{n}", k.gelu_tanh_libdevice, "gelu_libdevice", dict(x=Ptr("fp32", [n]), out=out("fp32", [n]), n=n), (n // 1024, ), dict(BLOCK=1024))

for n in (1 << 22, ):
    add(f"dropout4/{n}", k.dropout_rand4x, "dropout4", dict(x=Ptr("fp32", [n]), out=out("fp32", [n]), n=n, p=0.25, seed=20240607), (n // 4096, ),
        dict(BLOCK=1024))

for rows, cols in ((4096, 1024), ):
    x = Ptr("fp32", [rows, cols])
    add(f"softmax_online/{rows}x{cols}", k.softmax_online, "softmax_online_1024",
        dict(x=x, out=out("fp32", [rows, cols]), x_row=cols, out_row=cols, cols=cols), (rows, ), dict(BLOCK=1024))
    add(f"rowsum_tile/{rows}x{cols}", k.row_sum_tile, "row_sum_tile_16x128", dict(x=x, out=out("fp32", [rows]), x_row=cols, rows=rows, cols=cols),
        (rows // 16, ), dict(ROWS=16, BLOCK=128))

TILE = dict(BM=64, BN=64, BK=32, GROUP=8)
BYTES = dict(kind="randint", low=-128, high=128)
for n in (512, 1024):
    shape = dict(M=n, N=n, K=n)
    strides = dict(a_m=n, a_k=1, b_k=n, b_n=1, c_m=n, c_n=1)
    for dtype, sums, init in (("fp16", "fp32", NORMAL), ("bf16", "fp32", NORMAL), ("i8", "i32", BYTES)):
        name = dtype.replace("fp", "f")
        add(f"matmul_{name}/{n}", k.matmul_typed, f"matmul_{name}_64x64x32",
            dict(a=Ptr(dtype, [n, n], init), b=Ptr(dtype, [n, n], init), c=out(sums, [n, n]), **shape, **strides), ((n // 64)**2, ),
            dict(TILE, ACC=k.tl.int32 if sums == "i32" else k.tl.float32))
    a, b, c = (Ptr("fp32", [n, n]), Ptr("fp32", [n, n]), out("fp32", [n, n]))
    add(f"matmul_wrapped/{n}", k.matmul_wrapped, "matmul_wrapped_64x64x32", dict(a=a, b=b, c=c, **shape, **strides), ((n // 64)**2, ), TILE)
    add(f"matmul_device_desc/{n}", k.matmul_persistent_device_desc, "matmul_device_desc_64x64x32", dict(a=a, b=b, c=c, **shape), (16, ), TILE)
    add(f"matmul_host_desc/{n}", k.matmul_persistent_host_desc, "matmul_host_desc_64x64x32",
        dict(da=Desc("fp32", [n, n], [64, 32]), db=Desc("fp32", [n, n], [32, 64]), dc=Desc("fp32", [n, n], [64, 64], OUTPUT), **shape), (16, ), TILE)

for batch, n in ((256, 64), ):
    x = Ptr("fp32", [batch, n, n])
    add(f"matmul_batched/{batch}x{n}", k.matmul_batched, "matmul_batched_64x64x32",
        dict(a=x, b=x, c=out("fp32", [batch, n, n]), M=n, N=n, K=n, a_z=n * n, a_m=n, b_z=n * n, b_k=n, c_z=n * n, c_m=n), (1, batch),
        dict(BM=64, BN=64, BK=32))

for n, depth in ((256, 16384), ):
    add(f"matmul_split_k/{n}x{depth}", k.matmul_split_k, "matmul_split_k_64x64x32_8",
        dict(a=Ptr("fp32", [n, depth]), b=Ptr("fp32", [depth, n]), c=Ptr("fp32", [n, n], dict(kind="zeros")), M=n, N=n, K=depth), ((n // 64)**2, 8),
        dict(TILE, SPLIT=8))

for causal in (False, True):
    heads, seq, depth = 8, 1024, 64
    name = "causal" if causal else "full"
    size, grid = f"{heads}x{seq}x{depth}_{name}", (seq // 64, heads)
    constexprs = dict(D=depth, BM=64, BN=32, CAUSAL=causal)
    rest = dict(lse=out("fp32", [heads, seq]), scale=depth**-0.5, S=seq)
    add(f"attention_device_desc/{size}", k.attention_device_desc, f"attention_device_desc_d{depth}_{name}",
        dict({a: Ptr("fp32", [heads, seq, depth]) for a in "qkv"}, out=out("fp32", [heads, seq, depth]), **rest), grid, constexprs)
    flat = [heads * seq, depth]
    add(f"attention_host_desc/{size}", k.attention_host_desc, f"attention_host_desc_d{depth}_{name}",
        dict(dq=Desc("fp32", flat, [64, depth]), dk=Desc("fp32", flat, [32, depth]), dv=Desc("fp32", flat, [32, depth]),
             do=Desc("fp32", flat, [64, depth], OUTPUT), **rest), grid, constexprs)
