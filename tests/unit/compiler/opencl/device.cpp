// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/unit/compiler/opencl/device.h"

#include "compiler/Pipeline.h"
#include "compiler/Registration.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

namespace tritonrt::testing {

OpenCLDevice::OpenCLDevice() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0)
    return;
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms)
    if (!device && clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
      device = nullptr;
  if (!device)
    return;
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  queue = clCreateCommandQueue(context, device, 0, nullptr);
}

OpenCLDevice::~OpenCLDevice() {
  if (queue)
    clReleaseCommandQueue(queue);
  if (context)
    clReleaseContext(context);
}

bool OpenCLDevice::has(const std::string &extension) const {
  size_t size = 0;
  clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size);
  std::string all(size, '\0');
  clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, all.data(), nullptr);
  return all.find(extension) != std::string::npos;
}

std::string OpenCLDevice::target() const {
  auto flag = [&](const char *key, const char *extension) {
    return std::string(key) + "=" + (has(extension) ? "1" : "0") + "\n";
  };
  cl_ulong local = 0;
  clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, nullptr);
  return "backend=opencl\n" + flag("fp16", "cl_khr_fp16") + flag("fp64", "cl_khr_fp64") +
         flag("int64_atomics", "cl_khr_int64_extended_atomics") +
         "local_bytes=" + std::to_string(local) + "\ntype=cpu\n";
}

std::string OpenCLDevice::run(const std::string &source, const std::string &entry,
                              const std::vector<LaunchArg> &args, size_t programs) {
  const char *text = source.c_str();
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  std::string failure;
  if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", nullptr, nullptr) != CL_SUCCESS) {
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    failure = "build: " + log;
  }
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = failure.empty() ? clCreateKernel(program, entry.c_str(), &status) : nullptr;
  std::vector<cl_mem> buffers(args.size());
  cl_uint next = 0;
  for (size_t i = 0; kernel && i < args.size(); ++i) {
    const LaunchArg &arg = args[i];
    if (!arg.buffer) {
      status |= clSetKernelArg(kernel, next++, arg.scalar.size(), arg.scalar.data());
      continue;
    }
    buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                arg.buffer->size(), arg.buffer->data(), nullptr);
    status |= clSetKernelArg(kernel, next++, sizeof(cl_mem), &buffers[i]);
    status |= clSetKernelArg(kernel, next++, sizeof(cl_ulong), &arg.offset);
  }
  size_t one = 1;
  if (kernel && status == CL_SUCCESS) {
    status |=
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &programs, &one, 0, nullptr, nullptr);
    for (size_t i = 0; i < args.size(); ++i)
      if (buffers[i])
        status |= clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0, args[i].buffer->size(),
                                      args[i].buffer->data(), 0, nullptr, nullptr);
    clFinish(queue);
  }
  for (cl_mem buffer : buffers)
    if (buffer)
      clReleaseMemObject(buffer);
  if (kernel)
    clReleaseKernel(kernel);
  clReleaseProgram(program);
  if (failure.empty() && status != CL_SUCCESS)
    failure = "OpenCL error " + std::to_string(status);
  return failure;
}

Emitted emitMapped(const std::string &ir, const std::string &target) {
  Emitted result;
  mlir::DialectRegistry registry;
  compiler::registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    result.error += diagnostic.str() + "\n";
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(ir, &context);
  if (!module)
    return result;
  compiler::Job job;
  auto backend = compiler::prepareJob(*module, "", target, "", "", job);
  if (mlir::failed(backend))
    return result;
  mlir::FailureOr<compiler::Artifact> artifact = (*backend)->emit(*module, job);
  if (mlir::failed(artifact))
    return result;
  result.source = artifact->bytes;
  result.entry = artifact->entry;
  return result;
}

} // namespace tritonrt::testing
