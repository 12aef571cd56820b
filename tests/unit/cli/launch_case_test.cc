// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/launch_case.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "src/replay/file_io.h"
#include "src/replay/npy.h"
#include "tests/unit/temp_folder.h"

namespace tritonrt::replay {
namespace {

using Json = nlohmann::json;

// A case of two buffers that tests change before they read it.
class LaunchCaseTest : public testing::Test {
 protected:
  LaunchCaseTest() {
    folder.write("kernel.ttir", "module {}");
    write_npy(folder.path() / "x.in.npy", {"f4", {2}, std::string(8, '\1')});
    write_npy(folder.path() / "x.out.npy", {"f4", {2}, std::string(8, '\2')});
    write_npy(folder.path() / "t.in.npy", {"i8", {2}, std::string(16, '\0')});
    document = Json::parse(R"({
      "schema": 1, "name": "one", "ttir": "kernel.ttir", "entry": "k", "grid": [2, 3],
      "args": [
        {"name": "x", "kind": "pointer", "dtype": "*fp32", "buffer": "x", "offset_bytes": 4},
        {"name": "d", "kind": "tensordesc", "dtype": "tensordesc<fp32[2]>", "buffer": "x",
         "offset_bytes": 0, "shape": [2], "strides": [1], "block_shape": [2], "padding": "zero"},
        {"name": "d.shape", "kind": "scalar", "dtype": "i32", "value": 2, "of": "d"},
        {"name": "d.stride", "kind": "scalar", "dtype": "i64", "value": 1, "of": "d"},
        {"name": "n", "kind": "scalar", "dtype": "i32", "value": -5},
        {"name": "f", "kind": "scalar", "dtype": "fp32", "value": "-inf"},
        {"name": "b", "kind": "scalar", "dtype": "u1", "value": true}],
      "buffers": [
        {"id": "x", "dtype": "fp32", "npy_dtype": "f4", "numel": 2, "file": "x.in.npy",
         "expected": "x.out.npy", "rtol": 1e-5, "atol": 1e-6},
        {"id": "t", "dtype": "i64", "npy_dtype": "i8", "numel": 2, "file": "t.in.npy",
         "pointer_table": [{"buffer": "x", "offset_bytes": 0}, {"buffer": "t", "offset_bytes": 8}]}],
      "num_warps": 8, "num_stages": 2})");
  }

  LaunchCase read() const {
    folder.write("case.json", document.dump());
    return read_launch_case(folder.path());
  }

  // The error of a document, empty if it is read.
  std::string error() const {
    try {
      read();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TempFolder folder;
  Json document;
};

TEST_F(LaunchCaseTest, ReadsEverything) {
  const LaunchCase launch = read();
  EXPECT_EQ(launch.name, "one");
  EXPECT_EQ(launch.entry, "k");
  EXPECT_EQ(launch.ttir, folder.path() / "kernel.ttir");
  EXPECT_EQ(launch.grid, (std::array<uint32_t, 3>{2, 3, 1}));
  EXPECT_EQ(launch.num_warps, 8u);
  EXPECT_EQ(launch.num_stages, 2u);
  EXPECT_TRUE(launch.mesh.empty());

  ASSERT_EQ(launch.buffers.size(), 2u);
  EXPECT_EQ(launch.buffers[0].dtype, DType::kF32);
  EXPECT_EQ(launch.buffers[0].content, std::string(8, '\1'));
  EXPECT_EQ(launch.buffers[0].expected, std::string(8, '\2'));
  EXPECT_EQ(launch.buffers[0].tolerance.rtol, 1e-5);
  EXPECT_FALSE(launch.buffers[1].expected);
  ASSERT_EQ(launch.buffers[1].pointer_table.size(), 2u);
  EXPECT_EQ(launch.buffers[1].pointer_table[1]->buffer, 1u);
  EXPECT_EQ(launch.buffers[1].pointer_table[1]->offset_bytes, 8u);

  // The descriptor's own shape and strides are part of it.
  ASSERT_EQ(launch.arguments.size(), 5u);
  EXPECT_EQ(launch.arguments[0].kind, CaseArgument::Kind::kPointer);
  EXPECT_EQ(launch.arguments[0].address.offset_bytes, 4u);
  EXPECT_EQ(launch.arguments[1].kind, CaseArgument::Kind::kDescriptor);
  EXPECT_EQ(launch.arguments[1].shape, std::vector<int32_t>{2});
  EXPECT_EQ(launch.arguments[1].strides, std::vector<int64_t>{1});
  EXPECT_EQ(launch.arguments[2].bits, 0xfffffffbu);
  EXPECT_EQ(launch.arguments[3].bits, 0xff800000u);
  EXPECT_EQ(launch.arguments[4].dtype, DType::kI1);
  EXPECT_EQ(launch.arguments[4].bits, 1u);
}

TEST_F(LaunchCaseTest, ReadsWhatIsRight) {
  document["must_refuse"] = true;
  document["expect_error"] = "a sample of the message";
  document["race"] = true;
  document["mesh"] = {2, 4};
  const LaunchCase launch = read();
  EXPECT_TRUE(launch.must_refuse);
  EXPECT_TRUE(launch.expect_error);
  EXPECT_TRUE(launch.race);
  EXPECT_EQ(launch.mesh, (std::vector<uint32_t>{2, 4}));
  document["expect_error"] = false;
  document["cooperative"] = false;
  EXPECT_FALSE(read().expect_error);
  EXPECT_TRUE(read().mesh.empty());
}

TEST_F(LaunchCaseTest, NamesWhatIsWrong) {
  const Json right = document;
  const auto error_with = [&](const char* pointer, const Json& value) {
    document = right;
    document[Json::json_pointer(pointer)] = value;
    return error();
  };
  EXPECT_EQ(error(), "");
  EXPECT_NE(error_with("/buffers/0/numel", 3).find("buffers[0].file"), std::string::npos);
  EXPECT_NE(error_with("/buffers/0/numel", -1).find("a non-negative integer expected"),
            std::string::npos);
  EXPECT_NE(error_with("/buffers/0/numel", 1e300).find("a non-negative integer expected"),
            std::string::npos);
  EXPECT_NE(error_with("/buffers/0/dtype", "fp16").find("f4"), std::string::npos);
  EXPECT_NE(error_with("/buffers/0/dtype", "quux").find("quux"), std::string::npos);
  EXPECT_NE(error_with("/buffers/0/file", "../x.in.npy").find("leads out of"), std::string::npos);
  EXPECT_NE(error_with("/buffers/0/expected", "/etc/passwd").find("/etc/passwd"),
            std::string::npos);
  EXPECT_NE(error_with("/buffers/0/rtol", -1).find("a tolerance is not negative"),
            std::string::npos);
  EXPECT_NE(error_with("/buffers/1/id", "x").find("second"), std::string::npos);
  EXPECT_NE(error_with("/buffers/1/pointer_table/0/buffer", "no").find("there is no buffer 'no'"),
            std::string::npos);
  EXPECT_NE(error_with("/buffers/1/pointer_table/0/offset_bytes", 9).find("is over the limit of"),
            std::string::npos);
  EXPECT_NE(error_with("/buffers/1/pointer_table", Json::array())
                .find("one entry for each element expected"),
            std::string::npos);
  EXPECT_NE(error_with("/ttir", "../kernel.ttir").find("leads out of"), std::string::npos);
  EXPECT_NE(error_with("/args/0/buffer", "no").find("args[0].buffer"), std::string::npos);
  EXPECT_NE(error_with("/args/0/offset_bytes", 9).find("is over the limit of"), std::string::npos);
  EXPECT_NE(error_with("/args/0/kind", "thing").find("unknown kind 'thing'"), std::string::npos);
  EXPECT_NE(error_with("/args/4/value", 2147483648u).find("is not a value of type"),
            std::string::npos);
  EXPECT_NE(error_with("/args/4/value", 1.5).find("a value of type"), std::string::npos);
  EXPECT_NE(error_with("/args/4/value", "1").find("a value of type"), std::string::npos);
  EXPECT_NE(error_with("/args/5/value", "infinite").find("is not a value of type"),
            std::string::npos);
  EXPECT_NE(error_with("/grid", Json::array({1, 2, 3, 4})).find("one to three sizes expected"),
            std::string::npos);
  EXPECT_NE(error_with("/grid/0", -1).find("a non-negative integer expected"), std::string::npos);
  EXPECT_NE(error_with("/schema", 2).find("only schema 1 is known"), std::string::npos);
  EXPECT_NE(error_with("/args", Json::object()).find("a list expected"), std::string::npos);
}

TEST_F(LaunchCaseTest, RefusesWhatIsNoJson) {
  const auto refused = [&](const std::string& text, const char* says) {
    folder.write("case.json", text);
    try {
      read_launch_case(folder.path());
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  };
  refused("", "case.json' is empty");
  refused("{", "case.json' is not valid JSON");
  refused("[]", "an object expected");
  refused("null", "an object expected");
  refused("{}", "the key 'schema' is missing");
  refused(R"({"schema": 1, "name": 3})", "a string expected");
  refused(std::string(100000, '['), "case.json' is not valid JSON");
}

TEST_F(LaunchCaseTest, FindsCases) {
  read();
  EXPECT_EQ(find_cases(folder.path()).size(), 1u);
  EXPECT_EQ(find_cases(folder.path() / "").at(0).name, folder.path().filename());

  const TempFolder several;
  several.write("index.json",
                R"({"cases": [{"name": "a", "dir": "cases/a"}, {"dir": "cases/b"}]})");
  const std::vector<CaseFolder> cases = find_cases(several.path());
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].name, "a");
  EXPECT_EQ(cases[0].path, several.path() / "cases/a");
  EXPECT_EQ(cases[1].name, "b");

  several.write("index.json", R"({"cases": [{"name": "a", "dir": "../a"}]})");
  EXPECT_THROW(find_cases(several.path()), InputError);
  EXPECT_TRUE(find_cases(several.path() / "absent").empty());
  const TempFolder empty;
  EXPECT_TRUE(find_cases(empty.path()).empty());
}

TEST(LaunchCases, TheProjectsOwnAreRead) {
  const std::vector<CaseFolder> cases = find_cases(TRITONRT_TEST_KERNELS);
  EXPECT_GT(cases.size(), 100u);
  for (const CaseFolder& folder : cases) {
    const LaunchCase launch = read_launch_case(folder.path);
    EXPECT_EQ(launch.name, folder.name);
    EXPECT_FALSE(launch.arguments.empty()) << folder.name;
  }
}

}  // namespace
}  // namespace tritonrt::replay
