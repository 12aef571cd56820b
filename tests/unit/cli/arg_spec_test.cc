// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/arg_spec.h"

#include <gtest/gtest.h>

#include "src/replay/element.h"
#include "src/replay/file_io.h"
#include "src/replay/npy.h"
#include "tests/unit/temp_folder.h"

namespace tritonrt::cli {
namespace {

using replay::InputError;

std::vector<double> content_of(const std::string& text, size_t index = 0) {
  const ArgSpec spec = parse_arg_spec(text);
  std::vector<uint64_t> shape;
  const std::string bytes = buffer_content(spec, index, &shape);
  std::vector<double> values;
  const size_t size = size_of(spec.dtype);
  for (size_t i = 0; i < bytes.size(); i += size)
    values.push_back(replay::decode(spec.dtype, replay::load_bits(spec.dtype, &bytes[i])));
  return values;
}

TEST(ArgSpec, Scalars) {
  const ArgSpec spec = parse_arg_spec("i32:-5");
  EXPECT_EQ(spec.kind, ArgSpec::Kind::kScalar);
  EXPECT_EQ(spec.dtype, DType::kI32);
  EXPECT_EQ(spec.bits, 0xfffffffbu);
  EXPECT_EQ(parse_arg_spec("f32:1e+2").bits, 0x42c80000u);
  EXPECT_EQ(parse_arg_spec("bf16:1").bits, 0x3f80u);
  EXPECT_EQ(parse_arg_spec("i1:1").bits, 1u);
}

TEST(ArgSpec, BuffersBySize) {
  ArgSpec spec = parse_arg_spec("*f32:1024");
  EXPECT_EQ(spec.kind, ArgSpec::Kind::kBuffer);
  EXPECT_EQ(spec.count, 1024u);
  EXPECT_EQ(spec.fill, ArgSpec::Fill::kZero);
  EXPECT_EQ(parse_arg_spec("*f32:8:zero").fill, ArgSpec::Fill::kZero);
  EXPECT_EQ(parse_arg_spec("*f32:8:iota").fill, ArgSpec::Fill::kIota);
  EXPECT_EQ(parse_arg_spec("*f32:8:rand").fill, ArgSpec::Fill::kRandom);
  EXPECT_EQ(parse_arg_spec("*f32:8:rand").seed, std::nullopt);
  spec = parse_arg_spec("*f8e5:8:rand=7+4:out=o.npy");
  EXPECT_EQ(spec.seed, 7u);
  EXPECT_EQ(spec.offset_bytes, 4u);
  EXPECT_EQ(spec.out_file, "o.npy");
}

TEST(ArgSpec, SuffixesInEitherOrder) {
  for (const char* text : {"*f32:8+64:out=a+b.npy", "*f32:8:out=a+b.npy+64"}) {
    const ArgSpec spec = parse_arg_spec(text);
    EXPECT_EQ(spec.count, 8u) << text;
    EXPECT_EQ(spec.offset_bytes, 64u) << text;
    EXPECT_EQ(spec.out_file, "a+b.npy") << text;
  }
}

TEST(ArgSpec, Files) {
  EXPECT_EQ(parse_arg_spec("*f32:x.npy").file, "x.npy");
  EXPECT_EQ(parse_arg_spec("*f32:1st:2nd.npy").file, "1st:2nd.npy");
  const ArgSpec spec = parse_arg_spec("*f32:dir/x.npy+8:out=y.npy");
  EXPECT_EQ(spec.fill, ArgSpec::Fill::kFile);
  EXPECT_EQ(spec.file, "dir/x.npy");
  EXPECT_EQ(spec.offset_bytes, 8u);
}

TEST(ArgSpec, AliasAndNull) {
  const ArgSpec spec = parse_arg_spec("@2+16:out=o.npy");
  EXPECT_EQ(spec.kind, ArgSpec::Kind::kAlias);
  EXPECT_EQ(spec.alias, 2u);
  EXPECT_EQ(spec.offset_bytes, 16u);
  EXPECT_EQ(parse_arg_spec("null").kind, ArgSpec::Kind::kNull);
}

TEST(ArgSpec, RefusesOtherForms) {
  for (const char* text : {"",
                           ":",
                           "i32",
                           "i32:",
                           "i32:x",
                           "i32:1.5",
                           "i32:4294967296",
                           "f33:1",
                           "*",
                           "*f32",
                           "*f32:",
                           "*f32:8:random",
                           "*f32:8:rand=x",
                           "*f32:8:rand=",
                           "*f32:99999999999999999999",
                           "*q:8",
                           "@",
                           "@x",
                           "@-1",
                           "null:out=x.npy",
                           "null+4",
                           "nullify",
                           "*f32:8:out="})
    EXPECT_THROW(parse_arg_spec(text), InputError) << text;
}

TEST(ArgSpec, Iota) {
  EXPECT_EQ(content_of("*f16:4:iota"), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(content_of("*i1:3:iota"), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(content_of("*i8:258:iota").at(257), 1);
  EXPECT_EQ(content_of("*f64:3"), (std::vector<double>{0, 0, 0}));
}

TEST(ArgSpec, RandomRanges) {
  for (const char* type : {"f16", "bf16", "f32", "f64", "f8e4nv", "f8e5"}) {
    double lowest = 1, highest = -1;
    for (double value : content_of("*" + std::string(type) + ":4096:rand")) {
      EXPECT_TRUE(value >= -1 && value < 1) << type << " " << value;
      lowest = std::min(lowest, value);
      highest = std::max(highest, value);
    }
    EXPECT_LT(lowest, -0.7) << type;
    EXPECT_GT(highest, 0.7) << type;
  }
  for (const char* type : {"i8", "i32", "u64"})
    for (double value : content_of("*" + std::string(type) + ":4096:rand"))
      EXPECT_TRUE(value >= 0 && value < 100) << type << " " << value;
}

TEST(ArgSpec, TheSeedIsTheArgumentsIndexUnlessGiven) {
  EXPECT_EQ(content_of("*f32:64:rand", 3), content_of("*f32:64:rand=3", 5));
  EXPECT_NE(content_of("*f32:64:rand", 3), content_of("*f32:64:rand", 4));
}

TEST(ArgSpec, FileContent) {
  const TempFolder folder;
  const std::string path = (folder.path() / "x.npy").string();
  replay::write_npy(path, {"u2", {2, 2}, std::string("\x80\x3f\0\x40\0\0\0\0", 8)});
  std::vector<uint64_t> shape;
  EXPECT_EQ(content_of("*bf16:" + path), (std::vector<double>{1, 2, 0, 0}));
  buffer_content(parse_arg_spec("*u16:" + path), 0, &shape);
  EXPECT_EQ(shape, (std::vector<uint64_t>{2, 2}));
  EXPECT_THROW(content_of("*f16:" + path), InputError);
  EXPECT_THROW(content_of("*f32:" + path + "x"), InputError);
}

}  // namespace
}  // namespace tritonrt::cli
