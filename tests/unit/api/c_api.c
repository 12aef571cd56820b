/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The C interface as a C program uses it. Each function returns NULL, or what went wrong. */
#include "tests/unit/api/c_api.h"

#include <stdio.h>
#include <string.h>

#include "tritonrt/tritonrt_c.h"

static char text[1024];

#define FAIL(...)                              \
  do {                                         \
    snprintf(text, sizeof(text), __VA_ARGS__); \
    return text;                               \
  } while (0)
#define OK(call)                                                             \
  do {                                                                       \
    const tritonrt_status status = (call);                                   \
    if (status != TRITONRT_OK) FAIL("%s: %s", #call, tritonrt_last_error()); \
  } while (0)
#define FAILS(code, call)                                                      \
  do {                                                                         \
    const tritonrt_status status = (call);                                     \
    if (status != (code)) FAIL("%s: %s", #call, tritonrt_status_name(status)); \
  } while (0)
#define NAMES(name, call)                                    \
  do {                                                       \
    FAILS(TRITONRT_INVALID_ARGUMENT, call);                  \
    if (strcmp(tritonrt_last_error(), name " is NULL") != 0) \
      FAIL("%s: %s", #call, tritonrt_last_error());          \
  } while (0)
#define HOLDS(condition)                                    \
  do {                                                      \
    if (!(condition)) FAIL("%s does not hold", #condition); \
  } while (0)

static const char* load(const char* name, tritonrt_kernel** kernel) {
  char source[64];
  snprintf(source, sizeof(source), "kernel %s\n", name);
  OK(tritonrt_kernel_from_source(source, strlen(source), NULL, NULL, kernel));
  return NULL;
}

static const char* check_kernel(tritonrt_device* device) {
  tritonrt_kernel* kernel = NULL;
  const char* name = NULL;
  size_t count = 0;
  int compiled = -1;
  tritonrt_parameter parameter;
  if (load("add", &kernel)) return text;
  OK(tritonrt_kernel_name(kernel, &name));
  HOLDS(strcmp(name, "add") == 0);
  OK(tritonrt_kernel_parameter_count(kernel, &count));
  HOLDS(count == 4);
  memset(&parameter, 0, sizeof(parameter));
  FAILS(TRITONRT_INVALID_ARGUMENT, tritonrt_kernel_get_parameter(kernel, 0, &parameter));
  parameter.struct_size = sizeof(parameter);
  OK(tritonrt_kernel_get_parameter(kernel, 0, &parameter));
  HOLDS(strcmp(parameter.type, "ptr:f32") == 0 && strcmp(parameter.name, "x") == 0);
  HOLDS(parameter.kind == TRITONRT_PARAMETER_POINTER && parameter.dtype == TRITONRT_F32);
  HOLDS(parameter.divisibility == 16);
  FAILS(TRITONRT_INVALID_ARGUMENT, tritonrt_kernel_get_parameter(kernel, 4, &parameter));
  OK(tritonrt_kernel_prepare(kernel, device, &compiled));
  HOLDS(compiled == 0 || compiled == 1);
  OK(tritonrt_kernel_prepare(kernel, device, NULL));
  OK(tritonrt_freeze(kernel));
  tritonrt_kernel_release(kernel);
  return NULL;
}

/* To kernels whose programs do not talk a mesh means nothing, but it must be one. */
static const char* check_launch_options(tritonrt_kernel* kernel, tritonrt_stream* stream,
                                        tritonrt_bound_kernel* bound, const tritonrt_arg* args) {
  const tritonrt_grid grid = {4, 1, 1};
  tritonrt_launch_options options;
  memset(&options, 0, sizeof(options));
  FAILS(TRITONRT_INVALID_ARGUMENT,
        tritonrt_kernel_launch_with(kernel, stream, grid, &options, args, 4));
  HOLDS(strstr(tritonrt_last_error(), "struct_size is 0, expected the sizeof of the struct") !=
        NULL);
  options.struct_size = sizeof(options);
  options.mesh[0] = 2;
  options.mesh[1] = 2;
  options.mesh_mapping = TRITONRT_MESH_MAPPING_SPLIT;
  OK(tritonrt_kernel_launch_with(kernel, stream, grid, &options, args, 4));
  OK(tritonrt_bound_kernel_launch_with(bound, stream, grid, &options));
  options.mesh_mapping = (tritonrt_mesh_mapping)9;
  FAILS(TRITONRT_INVALID_ARGUMENT,
        tritonrt_bound_kernel_launch_with(bound, stream, grid, &options));
  HOLDS(strstr(tritonrt_last_error(), "no mesh mapping 9") != NULL);
  return NULL;
}

/* C passes any number as a value of an enumeration. */
static const char* check_numbers(tritonrt_kernel* kernel, tritonrt_stream* stream,
                                 tritonrt_buffer* buffer) {
  const tritonrt_grid grid = {4, 1, 1};
  tritonrt_tensor_descriptor descriptor;
  tritonrt_device* device = NULL;
  tritonrt_arg arg = tritonrt_arg_bits((tritonrt_dtype)99, 3);
  FAILS(TRITONRT_INVALID_ARGUMENT, tritonrt_kernel_launch(kernel, stream, grid, &arg, 1));
  HOLDS(strstr(tritonrt_last_error(), "no dtype 99") != NULL);
  arg = tritonrt_arg_i32(1);
  arg.kind = (tritonrt_arg_kind)99;
  FAILS(TRITONRT_INVALID_ARGUMENT, tritonrt_kernel_launch(kernel, stream, grid, &arg, 1));
  HOLDS(strstr(tritonrt_last_error(), "argument 0 has the kind 99, expected a constant of") !=
        NULL);
  memset(&descriptor, 0, sizeof(descriptor));
  descriptor.buffer = buffer;
  descriptor.dtype = (tritonrt_dtype)-1;
  arg = tritonrt_arg_descriptor(&descriptor);
  FAILS(TRITONRT_INVALID_ARGUMENT, tritonrt_kernel_launch(kernel, stream, grid, &arg, 1));
  HOLDS(strstr(tritonrt_last_error(), "no dtype -1") != NULL);
  FAILS(TRITONRT_INVALID_ARGUMENT, tritonrt_device_open("cpu", (tritonrt_mapping)9, &device));
  HOLDS(strstr(tritonrt_last_error(), "no mapping 9") != NULL && device == NULL);
  HOLDS(strcmp(tritonrt_status_name((tritonrt_status)99), "unknown status") == 0);
  return NULL;
}

static const char* check_launches(tritonrt_device* device) {
  tritonrt_kernel* kernel = NULL;
  tritonrt_stream* stream = NULL;
  tritonrt_buffer *buffer = NULL, *part = NULL;
  tritonrt_bound_kernel* bound = NULL;
  tritonrt_arg args[4];
  const tritonrt_grid grid = {4, 1, 1};
  int32_t values[16];
  if (load("store", &kernel)) return text;
  OK(tritonrt_stream_create(device, 0, &stream));
  OK(tritonrt_buffer_create(device, sizeof(values), &buffer));
  OK(tritonrt_buffer_slice(buffer, 32, 32, &part));
  args[0] = tritonrt_arg_buffer(buffer, 0);
  args[1] = tritonrt_arg_i32(1);
  args[2] = tritonrt_arg_i32(2);
  args[3] = tritonrt_arg_bits(TRITONRT_U32, 3);
  OK(tritonrt_kernel_launch(kernel, stream, grid, args, 4));
  FAILS(TRITONRT_INVALID_ARGUMENT, tritonrt_kernel_launch(kernel, stream, grid, args, 3));
  HOLDS(strstr(tritonrt_last_error(), "takes 4 arguments, got 3") != NULL);
  FAILS(TRITONRT_INVALID_ARGUMENT, tritonrt_kernel_launch(kernel, NULL, grid, args, 4));
  HOLDS(strstr(tritonrt_last_error(), "stream is NULL") != NULL);
  OK(tritonrt_kernel_bind(kernel, device, args, 4, &bound));
  OK(tritonrt_bound_kernel_set_arg(bound, 0, tritonrt_arg_buffer(part, 0)));
  OK(tritonrt_bound_kernel_set_arg(bound, 1, tritonrt_arg_i32(100)));
  OK(tritonrt_bound_kernel_launch(bound, stream, grid));
  if (check_launch_options(kernel, stream, bound, args)) return text;
  if (check_numbers(kernel, stream, buffer)) return text;
  OK(tritonrt_stream_synchronize(stream));
  OK(tritonrt_buffer_copy_to_host(buffer, NULL, values, sizeof(values), 0));
  HOLDS(values[0] == 6 && values[3] == 9);
  HOLDS(values[8] == 105 && values[11] == 108);
  tritonrt_bound_kernel_release(bound);
  tritonrt_buffer_release(part);
  tritonrt_buffer_release(buffer);
  tritonrt_stream_release(stream);
  tritonrt_kernel_release(kernel);
  return NULL;
}

static void count_call(void* data) { ++*(int*)data; }

static const char* check_graph(tritonrt_device* device) {
  tritonrt_kernel* kernel = NULL;
  tritonrt_stream* stream = NULL;
  tritonrt_event* event = NULL;
  tritonrt_buffer* buffer = NULL;
  tritonrt_graph* graph = NULL;
  tritonrt_arg args[4];
  const tritonrt_grid grid = {2, 1, 1};
  int32_t values[4] = {0, 0, 0, 0};
  const int32_t nine = 9;
  int calls = 0, complete = 0;
  size_t step = 99;
  if (load("store", &kernel)) return text;
  OK(tritonrt_stream_create(device, 0, &stream));
  OK(tritonrt_buffer_create(device, sizeof(values), &buffer));
  OK(tritonrt_graph_create(device, &graph));
  OK(tritonrt_graph_fill(graph, buffer, &nine, 4, 16, 0));
  args[0] = tritonrt_arg_buffer(buffer, 0);
  args[1] = args[2] = args[3] = tritonrt_arg_i32(1);
  OK(tritonrt_graph_launch(graph, kernel, grid, args, 4, &step));
  HOLDS(step == 1);
  OK(tritonrt_graph_copy_to_host(graph, buffer, values, 16, 0));
  OK(tritonrt_graph_set_arg(graph, step, 1, tritonrt_arg_i32(40)));
  OK(tritonrt_graph_replay(graph, stream));
  OK(tritonrt_stream_call(stream, count_call, &calls));
  OK(tritonrt_stream_record(stream, &event));
  OK(tritonrt_stream_wait(stream, event));
  OK(tritonrt_stream_synchronize_for(stream, 60000000000u));
  OK(tritonrt_event_synchronize_for(event, UINT64_MAX));
  OK(tritonrt_event_is_complete(event, &complete));
  HOLDS(complete == 1 && calls == 1);
  HOLDS(values[0] == 42 && values[1] == 43 && values[2] == 9);
  tritonrt_event_release(event);
  tritonrt_graph_release(graph);
  tritonrt_buffer_release(buffer);
  tritonrt_stream_release(stream);
  tritonrt_kernel_release(kernel);
  return NULL;
}

const char* c_api_device(const char* name) {
  tritonrt_device* device = NULL;
  tritonrt_device_info info;
  const char* failure = NULL;
  HOLDS(tritonrt_api_version() == TRITONRT_C_API_VERSION);
  OK(tritonrt_device_open(name, TRITONRT_MAPPING_DEFAULT, &device));
  memset(&info, 0, sizeof(info));
  info.struct_size = sizeof(info);
  OK(tritonrt_device_get_info(device, &info));
  HOLDS(info.compute_units >= 1 && strncmp(info.name, name, strlen(name)) == 0);
  if (!failure) failure = check_kernel(device);
  if (!failure) failure = check_launches(device);
  if (!failure) failure = check_graph(device);
  OK(tritonrt_device_synchronize(device));
  tritonrt_device_release(device);
  tritonrt_device_release(NULL);
  return failure;
}

const char* c_api_errors(void) {
  tritonrt_device* device = NULL;
  tritonrt_kernel* kernel = NULL;
  size_t count = 0;
  char name[8];
  FAILS(TRITONRT_NOT_FOUND, tritonrt_device_open("nothing", TRITONRT_MAPPING_DEFAULT, &device));
  HOLDS(device == NULL);
  HOLDS(strstr(tritonrt_last_error(), "no device 'nothing'") != NULL);
  FAILS(TRITONRT_UNSUPPORTED, tritonrt_device_open("cpu", TRITONRT_MAPPING_SIMT, &device));
  FAILS(TRITONRT_INVALID_ARGUMENT, tritonrt_device_open(NULL, TRITONRT_MAPPING_DEFAULT, &device));
  FAILS(TRITONRT_NOT_FOUND, tritonrt_kernel_from_file("/no/such.ttir", NULL, NULL, &kernel));
  OK(tritonrt_kernel_from_source("nonsense\n", 9, NULL, NULL, &kernel));
  FAILS(TRITONRT_INVALID_INPUT, tritonrt_kernel_parameter_count(kernel, &count));
  HOLDS(strstr(tritonrt_last_error(), ":1:1: error: ") != NULL);
  tritonrt_kernel_release(kernel);
  OK(tritonrt_device_count(&count));
  HOLDS(count >= 1);
  OK(tritonrt_device_name(0, name, sizeof(name)));
  HOLDS(strcmp(name, "cpu") == 0);
  FAILS(TRITONRT_INVALID_ARGUMENT, tritonrt_device_name(0, name, 3));
  FAILS(TRITONRT_NOT_FOUND, tritonrt_device_name(count, name, sizeof(name)));
  HOLDS(strcmp(tritonrt_status_name(TRITONRT_TIMEOUT), "timeout") == 0);
  HOLDS(strcmp(tritonrt_status_name(TRITONRT_OK), "ok") == 0);
  return NULL;
}

const char* c_api_null(void) {
  tritonrt_device* device = NULL;
  tritonrt_stream* stream = NULL;
  tritonrt_buffer* buffer = NULL;
  tritonrt_kernel* kernel = NULL;
  tritonrt_graph* graph = NULL;
  const tritonrt_grid grid = {1, 1, 1};
  const tritonrt_arg arg = tritonrt_arg_i32(1);
  size_t number = 0;
  char bytes[4] = "abc";
  OK(tritonrt_device_open("cpu", TRITONRT_MAPPING_DEFAULT, &device));
  OK(tritonrt_stream_create(device, 0, &stream));
  OK(tritonrt_buffer_create(device, 4, &buffer));
  OK(tritonrt_kernel_from_source("kernel store\n", 13, NULL, NULL, &kernel));
  OK(tritonrt_graph_create(device, &graph));
  /* Where results go. */
  NAMES("device", tritonrt_device_open("cpu", TRITONRT_MAPPING_DEFAULT, NULL));
  NAMES("info", tritonrt_device_get_info(device, NULL));
  NAMES("count", tritonrt_device_count(NULL));
  NAMES("stream", tritonrt_stream_create(device, 0, NULL));
  NAMES("event", tritonrt_stream_record(stream, NULL));
  NAMES("idle", tritonrt_stream_is_idle(stream, NULL));
  NAMES("buffer", tritonrt_buffer_create(device, 4, NULL));
  NAMES("buffer", tritonrt_buffer_wrap_host(device, bytes, 4, NULL));
  NAMES("slice", tritonrt_buffer_slice(buffer, 0, 4, NULL));
  NAMES("size", tritonrt_buffer_size(buffer, NULL));
  NAMES("data", tritonrt_buffer_host_data(buffer, NULL));
  NAMES("address", tritonrt_buffer_device_address(buffer, NULL));
  NAMES("kernel", tritonrt_kernel_from_file("k.ttir", NULL, NULL, NULL));
  NAMES("kernel", tritonrt_kernel_from_source("kernel store\n", 13, NULL, NULL, NULL));
  NAMES("name", tritonrt_kernel_name(kernel, NULL));
  NAMES("count", tritonrt_kernel_parameter_count(kernel, NULL));
  NAMES("parameter", tritonrt_kernel_get_parameter(kernel, 0, NULL));
  NAMES("graph", tritonrt_graph_create(device, NULL));
  /* What functions are about. */
  NAMES("device", tritonrt_device_synchronize(NULL));
  NAMES("device", tritonrt_device_shutdown(NULL));
  NAMES("device", tritonrt_stream_create(NULL, 0, &stream));
  NAMES("stream", tritonrt_stream_synchronize(NULL));
  NAMES("stream", tritonrt_stream_synchronize_for(NULL, 1));
  NAMES("event", tritonrt_stream_wait(stream, NULL));
  NAMES("function", tritonrt_stream_call(stream, NULL, NULL));
  NAMES("event", tritonrt_event_synchronize(NULL));
  NAMES("event", tritonrt_event_synchronize_for(NULL, 1));
  NAMES("buffer", tritonrt_buffer_size(NULL, &number));
  NAMES("buffer", tritonrt_buffer_copy_from_host(NULL, NULL, bytes, 4, 0));
  NAMES("buffer", tritonrt_buffer_copy_to_host(NULL, stream, bytes, 4, 0));
  NAMES("buffer", tritonrt_buffer_fill(NULL, stream, bytes, 1, 4, 0));
  NAMES("target", tritonrt_buffer_copy(NULL, stream, buffer, 4, 0, 0));
  NAMES("stream", tritonrt_buffer_copy(buffer, NULL, buffer, 4, 0, 0));
  NAMES("source", tritonrt_buffer_copy(buffer, stream, NULL, 4, 0, 0));
  NAMES("path", tritonrt_kernel_from_file(NULL, NULL, NULL, &kernel));
  NAMES("source", tritonrt_kernel_from_source(NULL, 0, NULL, NULL, &kernel));
  NAMES("kernel", tritonrt_kernel_prepare(NULL, device, NULL));
  NAMES("device", tritonrt_kernel_prepare(kernel, NULL, NULL));
  NAMES("args", tritonrt_kernel_launch(kernel, stream, grid, NULL, 4));
  NAMES("bound", tritonrt_bound_kernel_launch(NULL, stream, grid));
  NAMES("bound", tritonrt_bound_kernel_set_arg(NULL, 0, arg));
  NAMES("graph", tritonrt_graph_replay(NULL, stream));
  NAMES("stream", tritonrt_graph_replay(graph, NULL));
  NAMES("graph", tritonrt_graph_set_arg(NULL, 0, 0, arg));
  tritonrt_graph_release(graph);
  tritonrt_kernel_release(kernel);
  tritonrt_buffer_release(buffer);
  tritonrt_stream_release(stream);
  tritonrt_device_release(device);
  tritonrt_event_release(NULL);
  tritonrt_bound_kernel_release(NULL);
  return NULL;
}
