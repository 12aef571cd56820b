// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/api/c_api.h"

#include <thread>

#include "tests/unit/api/fixture.h"
#include "tritonrt/tritonrt_c.h"

namespace tritonrt {
namespace {

std::string text(const char* failure) { return failure != nullptr ? failure : ""; }

using CApiTest = ApiTest;

TEST_F(CApiTest, RunsKernelsOnTheCpu) { EXPECT_EQ(text(c_api_device("cpu")), ""); }

TEST_F(CApiTest, RunsKernelsOnOpenCl) {
  try {
    Device::open("opencl");
  } catch (const Error&) {
    GTEST_SKIP() << "no OpenCL device";
  }
  EXPECT_EQ(text(c_api_device("opencl")), "");
}

TEST_F(CApiTest, ErrorsAreCodesWithAMessage) { EXPECT_EQ(text(c_api_errors()), ""); }

TEST_F(CApiTest, MessagesAreTheThreadsOwn) {
  tritonrt_device* device = nullptr;
  EXPECT_EQ(tritonrt_device_open("nothing", TRITONRT_MAPPING_DEFAULT, &device), TRITONRT_NOT_FOUND);
  std::thread([] { EXPECT_STREQ(tritonrt_last_error(), ""); }).join();
  EXPECT_STRNE(tritonrt_last_error(), "");
}

}  // namespace
}  // namespace tritonrt
