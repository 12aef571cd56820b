// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/metadata.h"

#include <gtest/gtest.h>

#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

TEST(Metadata, ReadsEveryKey) {
  const Metadata m = Metadata::parse(
      "kernel=k\nentry=e\nwork_items=64\nscratch_bytes=128\nlocal_bytes=256\nwork=1024\nwaits=1\n"
      "writes=0,2\nwait=3 17 tt.atomic_cas\nunknown=x\nbuild_options=-cl-mad-enable\n"
      "arg=ptr:f32 x divisibility=16\narg=i32 n\narg=desc:f16:16x64 d\narg=u1 \n");
  EXPECT_EQ(m.kernel, "k");
  EXPECT_EQ(m.entry, "e");
  EXPECT_EQ(m.work_items, 64u);
  EXPECT_EQ(m.scratch_bytes, 128u);
  EXPECT_EQ(m.local_bytes, 256u);
  EXPECT_EQ(m.work, 1024u);
  EXPECT_EQ(m.build_options, "-cl-mad-enable");
  EXPECT_TRUE(m.waits);
  ASSERT_EQ(m.wait_ops.size(), 1u);
  EXPECT_EQ(m.wait_ops[0].line, 17u);
  EXPECT_EQ(m.wait_ops[0].op, "tt.atomic_cas");
  ASSERT_EQ(m.parameters.size(), 4u);
  EXPECT_EQ(m.parameters[0].kind, Parameter::Kind::kPointer);
  EXPECT_EQ(m.parameters[0].dtype, DType::kF32);
  EXPECT_EQ(m.parameters[0].divisibility, 16u);
  EXPECT_TRUE(m.parameters[0].written);
  EXPECT_EQ(m.parameters[1].kind, Parameter::Kind::kScalar);
  EXPECT_FALSE(m.parameters[1].written);
  EXPECT_EQ(m.parameters[2].block_shape, (std::vector<std::int64_t>{16, 64}));
  EXPECT_TRUE(m.parameters[2].written);
  EXPECT_EQ(m.parameters[3].dtype, DType::kI1);
  EXPECT_EQ(m.parameters[3].name, "");
}

TEST(Metadata, WithoutWritesEveryPointerMayBeWritten) {
  const Metadata m = Metadata::parse("arg=ptr:f32 x\narg=i32 n\n");
  EXPECT_TRUE(m.parameters[0].written);
  EXPECT_FALSE(m.parameters[1].written);
  EXPECT_FALSE(Metadata::parse("writes=\narg=ptr:f32 x\n").parameters[0].written);
}

TEST(Metadata, RefusesWhatItCannotRead) {
  for (const char* text : {"work=many\n", "writes=4\narg=i32 n\n", "arg=q7 n\n", "wait=x\n",
                           "arg=ptr:f32 x divisibility=q\n"})
    EXPECT_THROW(Metadata::parse(text), Error) << text;
}

}  // namespace
}  // namespace tritonrt::runtime
