/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The C interface of libtritonrt: the C++ one (see tritonrt.h) behind opaque handles.
 *
 * Every function that can fail returns a status; 0 is success. After a failure
 * tritonrt_last_error() says what failed, where and what was expected. Results are written through
 * the last pointer, and are untouched on failure. A handle is owned by whoever made it and is given
 * up with its release function, which takes NULL; what was enqueued with it keeps what it needs.
 * Handles may be used from several threads unless said otherwise. Strings are UTF-8 and end in NUL;
 * those that functions return live as long as the handle they came from.
 *
 * Within one TRITONRT_C_API_VERSION functions, fields at the end of structs and codes are only
 * added. Structs that start with `struct_size` are filled or read up to that many bytes: set it to
 * sizeof before each call.
 */
#ifndef TRITONRT_TRITONRT_C_H_
#define TRITONRT_TRITONRT_C_H_

#include <stddef.h>
#include <stdint.h>

#include "tritonrt/export.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TRITONRT_C_API_VERSION 1u

/* The version that the library was built with: at least the header's, or do not call it. */
TRITONRT_API uint32_t tritonrt_api_version(void);

typedef enum tritonrt_status {
  TRITONRT_OK = 0,
  TRITONRT_INVALID_ARGUMENT = 1, /* a wrong call: count, type, device, range, grid, NULL */
  TRITONRT_INVALID_INPUT = 2,    /* the kernel's text is malformed */
  TRITONRT_UNSUPPORTED = 3,      /* right, but this target or build cannot do it */
  TRITONRT_NOT_FOUND = 4,        /* no such file, kernel, device, stage or library */
  TRITONRT_COMPILE_FAILED = 5,   /* the compiler or the driver refused the kernel */
  TRITONRT_DEVICE_ERROR = 6,     /* the driver reported a failure */
  TRITONRT_OUT_OF_MEMORY = 7,
  TRITONRT_TIMEOUT = 8,
  TRITONRT_STOPPED = 9, /* a waiting kernel gave up after a time-out or a shutdown */
  TRITONRT_IO = 10,
  TRITONRT_INTERNAL = 11,
  TRITONRT_FROZEN = 12,       /* something would have to be compiled after tritonrt_freeze */
  TRITONRT_ASSERT_FAILED = 13 /* a kernel's tt.assert did not hold */
} tritonrt_status;

/* "invalid argument", "timeout", ... */
TRITONRT_API const char* tritonrt_status_name(tritonrt_status status);
/* What the calling thread's last failure was; "" before the first. Valid until its next one. */
TRITONRT_API const char* tritonrt_last_error(void);

typedef struct tritonrt_device tritonrt_device;
typedef struct tritonrt_stream tritonrt_stream;
typedef struct tritonrt_event tritonrt_event;
typedef struct tritonrt_buffer tritonrt_buffer;
typedef struct tritonrt_kernel tritonrt_kernel;
typedef struct tritonrt_bound_kernel tritonrt_bound_kernel;
typedef struct tritonrt_graph tritonrt_graph;

/* -- Devices ------------------------------------------------------------------------------- */

typedef enum tritonrt_mapping {
  TRITONRT_MAPPING_DEFAULT = 0, /* vector on devices of type CPU, simt elsewhere */
  TRITONRT_MAPPING_VECTOR = 1,
  TRITONRT_MAPPING_SIMT = 2
} tritonrt_mapping;

typedef struct tritonrt_device_info {
  size_t struct_size;
  const char* name;     /* "cpu", "opencl:1" */
  const char* platform; /* "native", or the OpenCL platform's name */
  const char* device;
  const char* type; /* "cpu", "gpu", "accelerator" */
  const char* driver;
  uint32_t compute_units;
  uint64_t local_bytes;
  uint64_t global_bytes;
  int sub_groups;
  int fp16;
  int fp64;
  tritonrt_mapping mapping;
} tritonrt_device_info;

/* `cpu`, `opencl` (= `opencl:0`), `opencl:N`, or `opencl:TEXT`: the first whose platform or device
 * name contains TEXT. */
TRITONRT_API tritonrt_status tritonrt_device_open(const char* name, tritonrt_mapping mapping,
                                                  tritonrt_device** device);
TRITONRT_API void tritonrt_device_release(tritonrt_device* device);
TRITONRT_API tritonrt_status tritonrt_device_get_info(const tritonrt_device* device,
                                                      tritonrt_device_info* info);
/* Devices of this machine, `cpu` first. */
TRITONRT_API tritonrt_status tritonrt_device_count(size_t* count);
/* The name of device `index`, for tritonrt_device_open, into `name` of `size` bytes. */
TRITONRT_API tritonrt_status tritonrt_device_name(size_t index, char* name, size_t size);
TRITONRT_API tritonrt_status tritonrt_device_synchronize(tritonrt_device* device);
/* Ends the device's work and threads; later work on it is an error. */
TRITONRT_API tritonrt_status tritonrt_device_shutdown(tritonrt_device* device);

/* Threads of the CPU device, 0 for the default, and the elements of work that one must get. */
TRITONRT_API tritonrt_status tritonrt_set_cpu_options(unsigned threads, uint64_t min_chunk_size);

/* A line that a kernel printed (tt.print). The strings end with the call. */
typedef struct tritonrt_printed_line {
  const char* kernel;
  uint32_t line;      /* of the tt.print in the kernel's text */
  const char* source; /* FILE:LINE of the program behind the text; "" where unknown */
  uint32_t program[3];
  const char* text; /* without a line break */
} tritonrt_printed_line;

/* Gives what kernels print to `function(data, line)`, which the synchronize functions call; NULL
 * drops it. `buffer_bytes` are kept a stream between two calls; 0 for the default. */
TRITONRT_API tritonrt_status
tritonrt_set_print_handler(void (*function)(void* data, const tritonrt_printed_line* line),
                           void* data, size_t buffer_bytes);

/* -- Streams and events -------------------------------------------------------------------- */

/* timing: not 0 to record events with times. */
TRITONRT_API tritonrt_status tritonrt_stream_create(tritonrt_device* device, int timing,
                                                    tritonrt_stream** stream);
TRITONRT_API void tritonrt_stream_release(tritonrt_stream* stream);
/* Waits for everything enqueued, and reports the first error of asynchronous work. */
TRITONRT_API tritonrt_status tritonrt_stream_synchronize(tritonrt_stream* stream);
/* After `nanoseconds` kernels that wait for others are asked to give up: TRITONRT_TIMEOUT. */
TRITONRT_API tritonrt_status tritonrt_stream_synchronize_for(tritonrt_stream* stream,
                                                             uint64_t nanoseconds);
TRITONRT_API tritonrt_status tritonrt_stream_is_idle(const tritonrt_stream* stream, int* idle);
TRITONRT_API tritonrt_status tritonrt_stream_record(tritonrt_stream* stream,
                                                    tritonrt_event** event);
/* Later work of the stream waits for the event, which may be of any device. */
TRITONRT_API tritonrt_status tritonrt_stream_wait(tritonrt_stream* stream,
                                                  const tritonrt_event* event);
/* Calls `function(data)` on a thread of the library in the stream's order. It must not wait for
 * work of the library. */
TRITONRT_API tritonrt_status tritonrt_stream_call(tritonrt_stream* stream,
                                                  void (*function)(void* data), void* data);

TRITONRT_API void tritonrt_event_release(tritonrt_event* event);
TRITONRT_API tritonrt_status tritonrt_event_is_complete(const tritonrt_event* event, int* complete);
TRITONRT_API tritonrt_status tritonrt_event_synchronize(const tritonrt_event* event);
TRITONRT_API tritonrt_status tritonrt_event_synchronize_for(const tritonrt_event* event,
                                                            uint64_t nanoseconds);
TRITONRT_API tritonrt_status tritonrt_event_elapsed_ms(const tritonrt_event* end,
                                                       const tritonrt_event* start, double* ms);

/* -- Buffers ------------------------------------------------------------------------------- */

TRITONRT_API tritonrt_status tritonrt_buffer_create(tritonrt_device* device, size_t size,
                                                    tritonrt_buffer** buffer);
/* Uses the caller's memory in place, which must outlive the buffer. CPU device only. */
TRITONRT_API tritonrt_status tritonrt_buffer_wrap_host(tritonrt_device* device, void* data,
                                                       size_t size, tritonrt_buffer** buffer);
/* Bytes [offset, offset + size) of a buffer as a buffer of its own. */
TRITONRT_API tritonrt_status tritonrt_buffer_slice(const tritonrt_buffer* buffer, size_t offset,
                                                   size_t size, tritonrt_buffer** slice);
TRITONRT_API void tritonrt_buffer_release(tritonrt_buffer* buffer);
TRITONRT_API tritonrt_status tritonrt_buffer_size(const tritonrt_buffer* buffer, size_t* size);
/* The memory itself on the CPU device, else NULL. */
TRITONRT_API tritonrt_status tritonrt_buffer_host_data(const tritonrt_buffer* buffer, void** data);
/* What a kernel sees the first byte at. */
TRITONRT_API tritonrt_status tritonrt_buffer_device_address(const tritonrt_buffer* buffer,
                                                            uint64_t* address);
/* Copies and fills. A NULL stream: block, after all earlier work of the device. With a stream: in
 * its order, and the host memory must stay until it has passed. */
TRITONRT_API tritonrt_status tritonrt_buffer_copy_from_host(tritonrt_buffer* buffer,
                                                            tritonrt_stream* stream,
                                                            const void* data, size_t size,
                                                            size_t offset);
TRITONRT_API tritonrt_status tritonrt_buffer_copy_to_host(const tritonrt_buffer* buffer,
                                                          tritonrt_stream* stream, void* data,
                                                          size_t size, size_t offset);
/* Within one device; the stream is not NULL; the ranges do not overlap. */
TRITONRT_API tritonrt_status tritonrt_buffer_copy(tritonrt_buffer* target, tritonrt_stream* stream,
                                                  const tritonrt_buffer* source, size_t size,
                                                  size_t source_offset, size_t offset);
/* A pattern of 1, 2, 4, 8 or 16 bytes. */
TRITONRT_API tritonrt_status tritonrt_buffer_fill(tritonrt_buffer* buffer, tritonrt_stream* stream,
                                                  const void* pattern, size_t pattern_size,
                                                  size_t size, size_t offset);

/* -- Arguments ----------------------------------------------------------------------------- */

typedef enum tritonrt_dtype {
  TRITONRT_DTYPE_UNKNOWN = 0,
  TRITONRT_I1,
  TRITONRT_I8,
  TRITONRT_I16,
  TRITONRT_I32,
  TRITONRT_I64,
  TRITONRT_U8,
  TRITONRT_U16,
  TRITONRT_U32,
  TRITONRT_U64,
  TRITONRT_F16,
  TRITONRT_BF16,
  TRITONRT_F32,
  TRITONRT_F64,
  TRITONRT_F8E4NV,
  TRITONRT_F8E5,
  TRITONRT_F8E4B8,
  TRITONRT_F8E4B15,
  TRITONRT_F8E5B16
} tritonrt_dtype;

#define TRITONRT_MAX_RANK 5

/* A tensor descriptor made on the host; stands for its shape and strides as well. */
typedef struct tritonrt_tensor_descriptor {
  const tritonrt_buffer* buffer;
  size_t offset; /* bytes */
  tritonrt_dtype dtype;
  int rank;
  int32_t shape[TRITONRT_MAX_RANK];   /* elements */
  int64_t strides[TRITONRT_MAX_RANK]; /* elements */
} tritonrt_tensor_descriptor;

typedef enum tritonrt_arg_kind {
  TRITONRT_ARG_NULL = 0,
  TRITONRT_ARG_BUFFER = 1,
  TRITONRT_ARG_HOST = 2, /* host memory, for the CPU device */
  TRITONRT_ARG_SCALAR = 3,
  TRITONRT_ARG_DESCRIPTOR = 4
} tritonrt_arg_kind;

/* One argument. Made by the functions below; refers to what it was made from. */
typedef struct tritonrt_arg {
  tritonrt_arg_kind kind;
  tritonrt_dtype dtype;
  uint64_t bits;      /* scalar: its bits; buffer: the byte offset; host: bytes behind it */
  const void* object; /* the buffer, the host pointer or the descriptor */
} tritonrt_arg;

TRITONRT_API tritonrt_arg tritonrt_arg_null(void);
TRITONRT_API tritonrt_arg tritonrt_arg_buffer(const tritonrt_buffer* buffer, size_t offset);
/* `size`: bytes behind the pointer, 0 = not known. */
TRITONRT_API tritonrt_arg tritonrt_arg_host(const void* data, size_t size);
TRITONRT_API tritonrt_arg tritonrt_arg_descriptor(const tritonrt_tensor_descriptor* descriptor);
TRITONRT_API tritonrt_arg tritonrt_arg_bool(int value);
TRITONRT_API tritonrt_arg tritonrt_arg_i8(int8_t value);
TRITONRT_API tritonrt_arg tritonrt_arg_i16(int16_t value);
TRITONRT_API tritonrt_arg tritonrt_arg_i32(int32_t value);
TRITONRT_API tritonrt_arg tritonrt_arg_i64(int64_t value);
TRITONRT_API tritonrt_arg tritonrt_arg_f32(float value); /* also for f16 and bf16: rounded */
TRITONRT_API tritonrt_arg tritonrt_arg_f64(double value);
/* A scalar of any type from its bits, in the low bytes. */
TRITONRT_API tritonrt_arg tritonrt_arg_bits(tritonrt_dtype dtype, uint64_t bits);

/* -- Kernels ------------------------------------------------------------------------------- */

typedef struct tritonrt_compile_options {
  size_t struct_size;
  int num_warps;         /* 0: 4 */
  int num_stages;        /* 0: 3 */
  const char* toolchain; /* "llvm" or "clang"; NULL: llvm */
} tritonrt_compile_options;

typedef struct tritonrt_grid {
  uint32_t x, y, z; /* each at least 1 */
} tritonrt_grid;

typedef enum tritonrt_parameter_kind {
  TRITONRT_PARAMETER_SCALAR = 0,
  TRITONRT_PARAMETER_POINTER = 1,
  TRITONRT_PARAMETER_DESCRIPTOR = 2
} tritonrt_parameter_kind;

typedef struct tritonrt_parameter {
  size_t struct_size;
  const char* name; /* "" where the text has none */
  const char* type; /* "f32", "ptr:f32", "desc:f16:64x64" */
  tritonrt_parameter_kind kind;
  tritonrt_dtype dtype;
  uint32_t divisibility;
  int written; /* 0 where the kernel surely never writes through it */
} tritonrt_parameter;

/* options: NULL for the defaults. name: which function; NULL for the only public one. */
TRITONRT_API tritonrt_status tritonrt_kernel_from_file(const char* path,
                                                       const tritonrt_compile_options* options,
                                                       const char* name, tritonrt_kernel** kernel);
TRITONRT_API tritonrt_status tritonrt_kernel_from_source(const char* source, size_t size,
                                                         const tritonrt_compile_options* options,
                                                         const char* name,
                                                         tritonrt_kernel** kernel);
TRITONRT_API void tritonrt_kernel_release(tritonrt_kernel* kernel);
TRITONRT_API tritonrt_status tritonrt_kernel_name(const tritonrt_kernel* kernel, const char** name);
TRITONRT_API tritonrt_status tritonrt_kernel_parameter_count(const tritonrt_kernel* kernel,
                                                             size_t* count);
TRITONRT_API tritonrt_status tritonrt_kernel_get_parameter(const tritonrt_kernel* kernel,
                                                           size_t index,
                                                           tritonrt_parameter* parameter);
/* Makes the kernel callable; `compiled`, which may be NULL, tells whether it had to be compiled. */
TRITONRT_API tritonrt_status tritonrt_kernel_prepare(tritonrt_kernel* kernel,
                                                     tritonrt_device* device, int* compiled);
/* From now on what would have to be compiled is TRITONRT_FROZEN; NULL: for every kernel. */
TRITONRT_API tritonrt_status tritonrt_freeze(tritonrt_kernel* kernel);
TRITONRT_API tritonrt_status tritonrt_kernel_launch(tritonrt_kernel* kernel,
                                                    tritonrt_stream* stream, tritonrt_grid grid,
                                                    const tritonrt_arg* args, size_t count);

/* How an OpenCL device runs programs that talk together: as slices of a work-group, as work-groups
 * that are all resident, or as a kernel split at its barriers. */
typedef enum tritonrt_mesh_mapping {
  TRITONRT_MESH_MAPPING_DEFAULT = 0,
  TRITONRT_MESH_MAPPING_GROUP = 1,
  TRITONRT_MESH_MAPPING_RESIDENT = 2,
  TRITONRT_MESH_MAPPING_SPLIT = 3
} tritonrt_mesh_mapping;

/* What a launch may be told besides its grid. */
typedef struct tritonrt_launch_options {
  size_t struct_size;
  uint32_t
      mesh[3]; /* shape of a mesh of programs that talk; sizes it lacks are 0: none, the grid */
  tritonrt_mesh_mapping mesh_mapping;
} tritonrt_launch_options;

/* options: NULL for the defaults. */
TRITONRT_API tritonrt_status tritonrt_kernel_launch_with(tritonrt_kernel* kernel,
                                                         tritonrt_stream* stream,
                                                         tritonrt_grid grid,
                                                         const tritonrt_launch_options* options,
                                                         const tritonrt_arg* args, size_t count);
/* Arguments checked once, for launching again and again. One thread at a time. */
TRITONRT_API tritonrt_status tritonrt_kernel_bind(tritonrt_kernel* kernel, tritonrt_device* device,
                                                  const tritonrt_arg* args, size_t count,
                                                  tritonrt_bound_kernel** bound);
TRITONRT_API void tritonrt_bound_kernel_release(tritonrt_bound_kernel* bound);
TRITONRT_API tritonrt_status tritonrt_bound_kernel_launch(tritonrt_bound_kernel* bound,
                                                          tritonrt_stream* stream,
                                                          tritonrt_grid grid);
TRITONRT_API tritonrt_status
tritonrt_bound_kernel_launch_with(tritonrt_bound_kernel* bound, tritonrt_stream* stream,
                                  tritonrt_grid grid, const tritonrt_launch_options* options);
TRITONRT_API tritonrt_status tritonrt_bound_kernel_set_arg(tritonrt_bound_kernel* bound,
                                                           size_t index, tritonrt_arg arg);

/* -- Graphs: launches and copies recorded once, enqueued with one call. One thread at a time. -- */

TRITONRT_API tritonrt_status tritonrt_graph_create(tritonrt_device* device, tritonrt_graph** graph);
TRITONRT_API void tritonrt_graph_release(tritonrt_graph* graph);
/* `step`, which may be NULL, becomes the step's number. */
TRITONRT_API tritonrt_status tritonrt_graph_launch(tritonrt_graph* graph,
                                                   const tritonrt_kernel* kernel,
                                                   tritonrt_grid grid, const tritonrt_arg* args,
                                                   size_t count, size_t* step);
TRITONRT_API tritonrt_status tritonrt_graph_launch_with(
    tritonrt_graph* graph, const tritonrt_kernel* kernel, tritonrt_grid grid,
    const tritonrt_launch_options* options, const tritonrt_arg* args, size_t count, size_t* step);
TRITONRT_API tritonrt_status tritonrt_graph_copy_from_host(tritonrt_graph* graph,
                                                           const tritonrt_buffer* target,
                                                           const void* data, size_t size,
                                                           size_t offset);
TRITONRT_API tritonrt_status tritonrt_graph_copy_to_host(tritonrt_graph* graph,
                                                         const tritonrt_buffer* source, void* data,
                                                         size_t size, size_t offset);
TRITONRT_API tritonrt_status tritonrt_graph_copy(tritonrt_graph* graph,
                                                 const tritonrt_buffer* target,
                                                 const tritonrt_buffer* source, size_t size,
                                                 size_t source_offset, size_t offset);
TRITONRT_API tritonrt_status tritonrt_graph_fill(tritonrt_graph* graph,
                                                 const tritonrt_buffer* target, const void* pattern,
                                                 size_t pattern_size, size_t size, size_t offset);
TRITONRT_API tritonrt_status tritonrt_graph_set_arg(tritonrt_graph* graph, size_t step,
                                                    size_t index, tritonrt_arg arg);
TRITONRT_API tritonrt_status tritonrt_graph_replay(tritonrt_graph* graph, tritonrt_stream* stream);

/* -- Cache --------------------------------------------------------------------------------- */

/* Folder and limit in bytes of the disk tier, for kernels loaded afterwards. directory: NULL for
 * the environment's. max_bytes: UINT64_MAX for the environment's, 0 for memory only. */
TRITONRT_API tritonrt_status tritonrt_set_cache(const char* directory, uint64_t max_bytes);

/* -- Capture ------------------------------------------------------------------------------- */

/* From now on saves every launch with its memory before and after, in the form that
 * `tritonrt replay` reads; NULL or "" stops. */
TRITONRT_API tritonrt_status tritonrt_set_capture(const char* directory);

#ifdef __cplusplus
}
#endif

#endif /* TRITONRT_TRITONRT_C_H_ */
