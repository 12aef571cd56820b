// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An application with OpenCL code of its own beside the library.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <vector>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

class OpenClObjectsTest : public ApiTest {
 protected:
  void SetUp() override {
    cl_platform_id platform = nullptr;
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id_, nullptr) != CL_SUCCESS)
      GTEST_SKIP() << "no OpenCL device";
    context_ = clCreateContext(nullptr, 1, &id_, nullptr, nullptr, nullptr);
    queue_ = clCreateCommandQueue(context_, id_, 0, nullptr);
  }
  void TearDown() override {
    if (queue_ != nullptr) clReleaseCommandQueue(queue_);
    if (context_ != nullptr) clReleaseContext(context_);
  }
  cl_device_id id_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

TEST_F(OpenClObjectsTest, KernelsRunInTheApplicationsContextQueueAndMemory) {
  const Device device = opencl::adopt_device(context_, id_);
  EXPECT_EQ(opencl::adopt_device(context_, id_), device);
  EXPECT_EQ(opencl::context_of(device), context_);
  EXPECT_EQ(opencl::device_id_of(device), id_);
  Stream stream = opencl::adopt_queue(device, queue_);
  EXPECT_EQ(opencl::queue_of(stream), queue_);
  cl_mem memory = clCreateBuffer(context_, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  int values[16] = {};
  {
    const Buffer buffer = opencl::adopt_memory(device, memory);
    EXPECT_EQ(buffer.size(), 64u);
    std::size_t offset = 99;
    EXPECT_EQ(opencl::memory_of(buffer, &offset), memory);
    EXPECT_EQ(offset, 0u);
    // Between the application's own commands in one queue.
    const int five = 5;
    clEnqueueFillBuffer(queue_, memory, &five, 4, 0, 64, 0, nullptr, nullptr);
    kernel("store").launch(stream, {4}, Arg(buffer, 16), 100, 0, 0);
    clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, 64, values, 0, nullptr, nullptr);
  }
  EXPECT_EQ(values[3], 5);
  EXPECT_EQ(values[4], 100);
  EXPECT_EQ(values[7], 103);
  EXPECT_EQ(values[8], 5);
  stream.synchronize();
  clReleaseMemObject(memory);
}

TEST_F(OpenClObjectsTest, EventsGoBothWays) {
  const Device device = opencl::adopt_device(context_, id_);
  Stream stream(device);
  Buffer buffer(device, 64);
  cl_event gate = clCreateUserEvent(context_, nullptr);
  stream.wait(opencl::adopt_event(device, gate));
  kernel("store").launch(stream, {4}, buffer, 1, 0, 0);
  const Event done = stream.record();
  EXPECT_FALSE(done.is_complete());
  // The application's queue waits for ours, and reads what the buffer is made of.
  std::size_t offset = 0;
  cl_mem memory = opencl::memory_of(buffer, &offset);
  cl_event wait = opencl::event_of(done);
  int got[4] = {};
  clEnqueueReadBuffer(queue_, memory, CL_FALSE, offset, 16, got, 1, &wait, nullptr);
  clFlush(queue_);
  clSetUserEventStatus(gate, CL_COMPLETE);
  clFinish(queue_);
  EXPECT_EQ(got[3], 4);
  clReleaseEvent(gate);
}

TEST_F(OpenClObjectsTest, BuffersOnOneMemoryObjectOverlap) {
  const Device device = opencl::adopt_device(context_, id_);
  Stream stream(device);
  cl_mem memory = clCreateBuffer(context_, CL_MEM_READ_WRITE, 8192, nullptr, nullptr);
  const cl_buffer_region region = {4096, 4096};
  cl_mem part =
      clCreateSubBuffer(memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  {
    const Buffer whole = opencl::adopt_memory(device, memory);
    const Buffer again = opencl::adopt_memory(device, memory);
    const Buffer upper = opencl::adopt_memory(device, part);
    const Buffer ours(device, 64);
    const Buffer theirs = opencl::adopt_memory(device, opencl::memory_of(ours, nullptr));
    const Kernel add = kernel("add");
    const auto compiles = [&](const Buffer& a, const Buffer& b) {
      fresh_process();
      const Kernel one = kernel("add");
      one.prepare(device);  // the variant without overlap
      one.freeze();
      try {
        one.launch(stream, {1}, a, a, b, 4);
        return false;
      } catch (const Error& error) {
        EXPECT_NE(error.message().find("disjoint=0"), std::string::npos);
        return true;
      }
    };
    EXPECT_TRUE(compiles(whole, again));
    EXPECT_TRUE(compiles(whole, upper));
    EXPECT_TRUE(compiles(ours, theirs));
    EXPECT_FALSE(compiles(whole, ours));
    EXPECT_FALSE(compiles(whole.slice(0, 4096), upper));
  }
  clReleaseMemObject(part);
  clReleaseMemObject(memory);
}

TEST_F(OpenClObjectsTest, WhatDoesNotFitIsRefused) {
  const Device device = opencl::adopt_device(context_, id_);
  EXPECT_EQ(error_of([&] { opencl::adopt_device(nullptr, id_); }).message(), "the context is null");
  EXPECT_EQ(error_of([&] { opencl::adopt_memory(device, nullptr); }).code(),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(error_of([&] { opencl::adopt_queue(cpu_, queue_); }).code(), ErrorCode::kUnsupported);
  EXPECT_EQ(opencl::context_of(cpu_), nullptr);
  cl_context other = clCreateContext(nullptr, 1, &id_, nullptr, nullptr, nullptr);
  cl_mem memory = clCreateBuffer(other, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  EXPECT_EQ(error_of([&] { opencl::adopt_memory(device, memory); }).message(),
            "the memory object is not of the device's context");
  clReleaseMemObject(memory);
  clReleaseContext(other);
}

}  // namespace
}  // namespace tritonrt
