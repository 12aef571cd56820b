// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/metadata.h"

#include <gtest/gtest.h>

#include "tests/unit/error_of.h"
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

TEST(Metadata, ReadsWhatAKernelReports) {
  const Metadata m = Metadata::parse(
      "kernel=k\nreport=12 my\\20file.py:3 print 1 i32:4x16,ptr,u8,f8e4nv:2  a = b:\\0a\n"
      "report=13 - assert \\5c=x\nreport=14 - print 0 -  done\n");
  ASSERT_NE(m.reports, nullptr);
  EXPECT_EQ(m.reports->kernel, "k");
  ASSERT_EQ(m.reports->ops.size(), 3u);
  const ReportOp& print = m.reports->ops[0];
  EXPECT_EQ(print.line, 12u);
  EXPECT_EQ(print.source, "my file.py:3");
  EXPECT_TRUE(print.hex);
  EXPECT_FALSE(print.is_assert);
  EXPECT_EQ(print.text, " a = b:\n");
  ASSERT_EQ(print.values.size(), 4u);
  EXPECT_EQ(print.values[0].shape, (std::vector<std::int64_t>{4, 16}));
  EXPECT_EQ(print.values[0].count, 64u);
  EXPECT_TRUE(print.values[1].is_pointer);
  EXPECT_EQ(print.values[2].dtype, DType::kU8);
  EXPECT_EQ(print.values[3].dtype, DType::kF8E4NV);
  const ReportOp& check = m.reports->ops[1];
  EXPECT_TRUE(check.is_assert);
  EXPECT_EQ(check.source, "");
  EXPECT_EQ(check.text, "\\=x");
  EXPECT_TRUE(m.reports->ops[2].values.empty());
  EXPECT_EQ(m.reports->ops[2].text, " done");
  EXPECT_EQ(Metadata::parse("kernel=k\n").reports, nullptr);
}

TEST(Metadata, RefusesWhatItCannotRead) {
  for (const char* text : {"work=many\n", "writes=4\narg=i32 n\n", "arg=q7 n\n", "wait=x\n",
                           "arg=ptr:f32 x divisibility=q\n", "report=1 - shout x\n",
                           "report=1 - print 0 q7 x\n", "report=1 - assert \\zz\n"})
    EXPECT_EQ(error_of([&] { Metadata::parse(text); }).message().find("malformed kernel metadata"),
              0u)
        << text;
}

}  // namespace
}  // namespace tritonrt::runtime
