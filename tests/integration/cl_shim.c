// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A library to preload, between a program and its OpenCL loader: another version of the driver, and
// one that refuses what it made before.
//
//   SHIM_DRIVER   what the driver's version ends with
//   SHIM_REFUSE   "create", "build" or "kernel": the step at which a program made of a binary fails
//   SHIM_BINARY   what becomes of the binaries that the driver hands out: "junk", "head" (junk in
//                 the first bytes), "empty"
//   SHIM_REPORT   a file that gets the names of the steps: "source", "binary", "build"
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxPrograms = 256 };

static cl_program g_of_binaries[kMaxPrograms];
static unsigned g_count;

// The loader is opened by a library of the program's, so it is in nobody's way here.
static void* real(const char* name) {
  void* loader = dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL);
  return loader == NULL ? NULL : dlsym(loader, name);
}
#define REAL(name) ((__typeof__(&name))real(#name))

static int is(const char* name, const char* value) {
  const char* text = getenv(name);
  return text != NULL && strcmp(text, value) == 0;
}

static void report(const char* step) {
  const char* path = getenv("SHIM_REPORT");
  FILE* file = path != NULL ? fopen(path, "a") : NULL;
  if (file == NULL) return;
  fprintf(file, "%s\n", step);
  fclose(file);
}

static int is_of_binary(cl_program program) {
  for (unsigned i = 0; i < g_count; ++i)
    if (g_of_binaries[i] == program) return 1;
  return 0;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void* value,
                       size_t* needed) {
  const char* end = getenv("SHIM_DRIVER");
  if (what != CL_DRIVER_VERSION || end == NULL)
    return REAL(clGetDeviceInfo)(device, what, size, value, needed);
  char text[512] = "";
  const cl_int code = REAL(clGetDeviceInfo)(device, what, sizeof(text) / 2, text, NULL);
  if (code != CL_SUCCESS) return code;
  strncat(text, end, sizeof(text) / 2 - 1);
  if (needed != NULL) *needed = strlen(text) + 1;
  if (value == NULL) return CL_SUCCESS;
  if (size <= strlen(text)) return CL_INVALID_VALUE;
  strcpy(value, text);
  return CL_SUCCESS;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** texts,
                                     const size_t* sizes, cl_int* code) {
  report("source");
  return REAL(clCreateProgramWithSource)(context, count, texts, sizes, code);
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id* devices,
                                     const size_t* sizes, const unsigned char** binaries,
                                     cl_int* statuses, cl_int* code) {
  report("binary");
  if (is("SHIM_REFUSE", "create")) {
    if (code != NULL) *code = CL_INVALID_BINARY;
    return NULL;
  }
  const cl_program program =
      REAL(clCreateProgramWithBinary)(context, count, devices, sizes, binaries, statuses, code);
  if (program != NULL && g_count < kMaxPrograms) g_of_binaries[g_count++] = program;
  return program;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                      const char* options, void(CL_CALLBACK* done)(cl_program, void*), void* data) {
  report("build");
  if (is("SHIM_REFUSE", "build") && is_of_binary(program)) return CL_BUILD_PROGRAM_FAILURE;
  return REAL(clBuildProgram)(program, count, devices, options, done, data);
}

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* code) {
  if (is("SHIM_REFUSE", "kernel") && is_of_binary(program)) {
    if (code != NULL) *code = CL_INVALID_PROGRAM_EXECUTABLE;
    return NULL;
  }
  return REAL(clCreateKernel)(program, name, code);
}

// The binary of a program for one device, as the driver gives it.
static cl_int binary_of(cl_program program, unsigned char** bytes, size_t* size) {
  cl_int code = REAL(clGetProgramInfo)(program, CL_PROGRAM_BINARY_SIZES, sizeof(*size), size, NULL);
  if (code != CL_SUCCESS) return code;
  *bytes = malloc(*size);
  return REAL(clGetProgramInfo)(program, CL_PROGRAM_BINARIES, sizeof(*bytes), bytes, NULL);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void* value,
                        size_t* needed) {
  const int changes = getenv("SHIM_BINARY") != NULL && value != NULL &&
                      (what == CL_PROGRAM_BINARY_SIZES || what == CL_PROGRAM_BINARIES);
  if (!changes) return REAL(clGetProgramInfo)(program, what, size, value, needed);
  unsigned char* bytes = NULL;
  size_t count = 0;
  const cl_int code = binary_of(program, &bytes, &count);
  if (code == CL_SUCCESS) {
    if (is("SHIM_BINARY", "empty")) count = 0;
    if (is("SHIM_BINARY", "junk")) memset(bytes, 0x5a, count);
    if (is("SHIM_BINARY", "head")) memset(bytes, 0x5a, count < 16 ? count : 16);
    if (what == CL_PROGRAM_BINARY_SIZES)
      *(size_t*)value = count;
    else
      memcpy(*(unsigned char**)value, bytes, count);
    if (needed != NULL) *needed = sizeof(void*);
  }
  free(bytes);
  return code;
}
