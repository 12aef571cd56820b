/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Adds two vectors from C with a kernel that Triton made: vector_add_c [DEVICE], `cpu` if none. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tritonrt/tritonrt_c.h>

enum {
  kElements = 1000003,
  kBlock = 1024 /* elements of one program: fixed when Triton made the text */
};

/* Ends the program with the library's message where a call fails. */
static void check(tritonrt_status status) {
  if (status == TRITONRT_OK) return;
  fprintf(stderr, "%s: %s\n", tritonrt_status_name(status), tritonrt_last_error());
  exit(1);
}

static tritonrt_buffer* upload(tritonrt_device* device, const float* values, size_t bytes) {
  tritonrt_buffer* buffer = NULL;
  check(tritonrt_buffer_create(device, bytes, &buffer));
  check(tritonrt_buffer_copy_from_host(buffer, NULL, values, bytes, 0));
  return buffer;
}

int main(int argc, char** argv) {
  static float x[kElements], y[kElements], out[kElements];
  tritonrt_device* device = NULL;
  tritonrt_stream* stream = NULL;
  tritonrt_kernel* kernel = NULL;
  tritonrt_grid grid = {(kElements + kBlock - 1) / kBlock, 1, 1};
  int wrong = 0;

  for (int i = 0; i < kElements; ++i) {
    x[i] = 0.25f * (float)(i % 1001);
    y[i] = 1.0f - 0.5f * (float)(i % 77);
  }
  check(tritonrt_device_open(argc > 1 ? argv[1] : "cpu", TRITONRT_MAPPING_DEFAULT, &device));
  check(tritonrt_stream_create(device, 0, &stream));
  check(tritonrt_kernel_from_file(KERNEL_FILE, NULL, NULL, &kernel));

  tritonrt_buffer* device_x = upload(device, x, sizeof(x));
  tritonrt_buffer* device_y = upload(device, y, sizeof(y));
  tritonrt_buffer* device_out = upload(device, out, sizeof(out));
  const tritonrt_arg args[] = {tritonrt_arg_buffer(device_x, 0), tritonrt_arg_buffer(device_y, 0),
                               tritonrt_arg_buffer(device_out, 0), tritonrt_arg_i32(kElements)};
  check(tritonrt_kernel_launch(kernel, stream, grid, args, 4));
  check(tritonrt_buffer_copy_to_host(device_out, stream, out, sizeof(out), 0));
  check(tritonrt_stream_synchronize(stream));

  for (int i = 0; i < kElements; ++i) wrong += out[i] != x[i] + y[i];
  printf("%d of %d sums are right\n", kElements - wrong, kElements);

  tritonrt_buffer_release(device_out);
  tritonrt_buffer_release(device_y);
  tritonrt_buffer_release(device_x);
  tritonrt_kernel_release(kernel);
  tritonrt_stream_release(stream);
  tritonrt_device_release(device);
  return wrong != 0;
}
