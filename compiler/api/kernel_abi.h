/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What compiled kernels look like to the runtime. The compiler emits code against this page and the
 * drivers call it; both sides' versions are in the cache key.
 */
#ifndef TRITONRT_KERNEL_ABI_H
#define TRITONRT_KERNEL_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRITONRT_KERNEL_ABI 5u

/* A mesh is `count` programs of consecutive linear numbers that run together and reach each other's
 * memory; a program's rank is its place among them. What a program of a CPU launch knows of its
 * mesh: */
typedef struct trt_cpu_mesh {
  char *memory;   /* of this program: mesh_bytes (metadata), aligned to 64; content undefined */
  int64_t stride; /* bytes from the memory of one rank to that of the next */
  uint32_t rank, count;
  /* Returns 0 once all programs of the group have called it; what they stored before is seen after.
   * `group` is as below; `number` is the waiting op's. Returns it where the launch ends instead. */
  int32_t (*barrier)(struct trt_cpu_mesh *mesh, const int32_t *group, int32_t number);
  /* For launches that look for races, else null: the bytes [address, address + size) are accessed
   * by the op of that number (metadata `access`). */
  void (*access)(struct trt_cpu_mesh *mesh, const void *address, int64_t size, int32_t number);
} trt_cpu_mesh;

/* The group of a barrier, in words:
 *   MESH                                   the mesh
 *   GRID                                   the whole launch
 *   RANKS, n, rank...                      these programs of the mesh
 *   MESH_AXES, n, axis..., n, size..., 0   programs of the mesh that differ only along the axes, in
 *                                          parts of `size` along each; the ranks are row-major
 *   GRID_AXES, n, axis..., n, size..., d, domain...   the same over the linear program numbers */
enum trt_group {
  TRT_GROUP_MESH = 0,
  TRT_GROUP_GRID = 1,
  TRT_GROUP_RANKS = 2,
  TRT_GROUP_MESH_AXES = 3,
  TRT_GROUP_GRID_AXES = 4
};

/* What every program of a CPU launch shares, but for the mesh, which is the program's own. */
typedef struct trt_cpu_launch {
  uint32_t grid[3]; /* programs along x, y, z; each >= 1 */
  uint32_t reserved;
  const volatile uint32_t *stop; /* becomes non-zero when waiting programs must give up */
  trt_cpu_mesh *mesh; /* null unless the metadata says mesh=1; then each call runs one program */
} trt_cpu_launch;

/* A CPU artifact is a shared object that exports `trt_entry` and needs nothing but libm and libc.
 *
 * Runs the programs [begin, end) in increasing linear order, linear = x + gx * (y + gy * z).
 * `args` holds one 8-byte slot for each parameter of the kernel in order: a pointer's address; an
 * integer zero- or sign-extended (only its low bits are read); the bits of an f16/bf16/f32/f64 in
 * the low bytes; for a `!tt.tensordesc` the base address (its shape and strides are the parameters
 * after it). `scratch` is `scratch_bytes` (metadata) of memory aligned to 64 that belongs to this
 * call alone; its content is undefined. Returns 0, or the 1-based number of the waiting op that
 * gave up because *stop was set. */
typedef int32_t (*trt_entry_fn)(const uint64_t *args, int64_t begin, int64_t end,
                                const trt_cpu_launch *launch, void *scratch);

/* An OpenCL artifact is OpenCL C with one `__kernel` whose name the metadata gives. Its arguments
 * are, for each parameter of the kernel in order: a pointer (or tensordesc) is TWO arguments, a
 * `__global char *` and a `ulong` byte offset from it; a scalar is one argument of its own type
 * (i1 as uchar; f16, bf16, f8 as their bits in ushort or uchar; f64 as double). One work-group runs
 * one program: group id x, y, z is the program id, the group counts are the grid.
 * The local size is `work_items` of the metadata along x (1 for the vector mapping).
 *
 * With arguments=struct in the metadata, all of these are ONE argument, a struct by value that
 * holds an 8-byte slot for each parameter, as trt_entry_fn has them; a pointer is an address of the
 * device. A kernel without parameters has no such argument.
 *
 * With stop=1 in the metadata the kernel takes one more pointer parameter behind all others (those
 * of reports too): to two words of 32 bits in global memory. Its waiting loops end the program when
 * the first becomes non-zero, and store the 1-based number of the waiting op to the second.
 *
 * A kernel of meshes (mesh=1) runs over one dimension, `per_group` programs of `work_items` items a
 * group, and takes after the others: a `__global char *` to memory of the programs, aligned to 64;
 * a `ulong`, the bytes from one program's memory to the next one's, at least mesh_bytes; a
 * `__global uint *` to mesh_groups rows of `batch` zeros (null if per_group is above 1); a
 * `__local ulong2 *` to local_bytes for each program of a group and, with stop=1 and mesh_groups
 * above 0, 4 bytes behind them; and `uint`s: the number of the first program of this enqueue, how
 * many it has (batch), per_group, the grid's three sizes, the mesh's three sizes (1 for those it
 * lacks). With per_group above 1 it is the number of programs that wait for each other, else all
 * groups of a batch must run at the same time.
 *
 * With TRITONRT_MESH_LOCAL defined for the driver's build, what the mesh reaches is in local
 * memory, mesh_local bytes a program beside its local_bytes; per_group is above 1 or all there is,
 * and the first memory is for a program's own.
 *
 * With TRITONRT_MESH_SPLIT defined for the driver's build, the text of a kernel of meshes is
 * another kernel of that name, whose programs need not run at the same time. It is enqueued again
 * and again, turn after turn, with a group a program; in each turn a program runs up to its next
 * barrier, if those that it waits for had come before the turn, until all programs have ended. A
 * program's memory has mesh_split bytes and is kept from turn to turn, as are the counters. It
 * takes three more arguments: a `__global uint *` to a copy of the counters made before the turn; a
 * `__global uint *` to four words, zero at first: how many turns programs have taken, how many of
 * them have ended, the number of an op that one waits at, and the turn in which the last one ended;
 * and a `uint`, the turn's number from 0 on. */
#define TRITONRT_MESH_SPLIT "TRITONRT_MESH_SPLIT"
#define TRITONRT_MESH_LOCAL "TRITONRT_MESH_LOCAL"

/* A kernel with `report=` lines (tt.print, tt.assert) takes two more parameters after its own: a
 * pointer to a report buffer, aligned to 16, and an i32 that its records name the kernel by.
 *
 * The buffer is a header and after it `units` times 16 bytes for records, all zero at first. A
 * record takes whole units; whoever wants one adds its units to `used`, the old value is its place.
 * `used` may pass `units`; then who came too late has counted itself below. */
#define TRITONRT_REPORT_UNIT 16

typedef struct trt_report_header {
  uint32_t used;
  uint32_t units;
  uint32_t dropped;      /* prints */
  uint32_t lost_asserts; /* that failed */
} trt_report_header;

/* After a record come the printed values, each at a multiple of 16 bytes: row-major, an i1 as a
 * byte, a pointer as its address. */
typedef struct trt_report_record {
  uint32_t units;  /* of the whole record; 0: no record, and none after it */
  uint32_t kernel; /* the i32 that the launch was given */
  uint32_t op;     /* of the kernel's `report=` lines */
  uint32_t program[3];
  uint32_t reserved[2];
} trt_report_record;

/* Metadata: `key=value` lines, one each, in this order; unknown keys are ignored.
 *   backend=NAME VERSION    what compiled it
 *   kernel=NAME             the function in the .ttir
 *   entry=NAME              the symbol or __kernel to call
 *   work_items=N            work-items a program (1 on the CPU)
 *   scratch_bytes=N         CPU: bytes of `scratch`
 *   local_bytes=N           OpenCL: bytes of local memory, for the check before launch
 *   work=N                  estimated elements of one program's largest access (for min_chunk_size)
 *   waits=0|1               1: holds loops that read what other programs write; never run inline
 *   mesh=0|1                1: programs of a mesh run together, each with mesh_bytes of memory
 *   mesh_bytes=N
 *   mesh_grid=0|1           1: programs of several meshes wait for each other
 *   mesh_alike=0|1          1: all programs reach each barrier equally often
 *   mesh_groups=N           OpenCL: rows of counters that resident groups meet at
 *   mesh_local=N            OpenCL: bytes of local memory that replace mesh_bytes, 0: none can
 *   mesh_split=N            OpenCL: mesh_bytes of the kernel split at its barriers, 0: it cannot be
 *   access=KIND N LINE OP   for each access that reports itself: what it does (r reads, w writes,
 *                           a is atomic, < acquires, > releases), its number, its line in the .ttir
 *                           and the op that it was there
 *   spills=0|1              1: of a kernel with mesh=1: no programs talk, each is a mesh alone
 *                           that needs more memory than the device has for one
 *   max_shard=N             the largest constant rank that the kernel names, -1 if none
 *   arguments=struct        OpenCL: how it takes its arguments, where not one by one
 *   build_options=TEXT      OpenCL: options for the driver's build, beside -cl-std
 *   writes=0,2              parameters that the kernel may write, by index; the signature may lack
 *                           it, then every pointer counts as written
 *   stop=1                  OpenCL: it takes a stop word
 *   wait=N LINE OP          for each waiting op: its number, its line in the .ttir and name
 *   report=LINE SOURCE assert TEXT
 *   report=LINE SOURCE print HEX VALUES TEXT
 *                           each op that reports, by number. SOURCE: FILE:LINE behind the .ttir or
 *                           `-`; HEX: 0|1; VALUES: `-` or TYPE[:SHAPE],… with u8 for unsigned
 *                           integers and ptr for pointers; TEXT: to the end of the line. In TEXT
 *                           and SOURCE `\hh` is the byte of that hexadecimal number
 *   arg=TYPE NAME [divisibility=N]   one a parameter, in order. TYPE: ptr:f32, i32, f32, u1…,
 *                           desc:f32:16x16 (element and block); NAME may be empty
 */

/* clang-format off */
/* Target descriptions: `key=value` lines, sorted by key, one each; the whole text is part of the
 * cache key. Values that a driver does not tell are 0 or empty.
 *
 * backend=cpu     arch=x86_64|aarch64|other  cpu=native  cpuid=WORDS, and what tells processors
 *                 apart; code is for the machine that asks
 * backend=opencl  address_bits=32|64
 *                 arguments=each|struct      the form that kernels must take; absent: any
 *                 banks=0|1                  items of a warp wait for each other's banks of local
 *                                            memory; absent: on all but processors
 *                 c_std=1.2|2.0|3.0          what the program is built with (-cl-std)
 *                 device, device_version, driver, extensions_hash, platform, platform_version, vendor
 *                 fp16, fp64, int64_atomics, sub_groups: 0|1
 *                 local_bytes                local memory of a work-group
 *                 mapping=vector|simt
 *                 max_work_group             work-items
 *                 shuffle=none|intel|khr     whose functions read registers of a sub-group, of
 *                                            16 items, 8 on processors
 *                 type=cpu|gpu|accelerator
 *                 width_char|short|int|long|half|float|double: native vector widths, in elements */
/* clang-format on */

#ifdef __cplusplus
}
#endif
#endif
