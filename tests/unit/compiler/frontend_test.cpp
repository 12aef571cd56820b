// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading, printing and describing kernels, through the table that the library uses.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "compiler/api/tritonrt_compiler.h"

extern "C" const trtc_compiler *tritonrt_compiler_get();

namespace {

namespace fs = std::filesystem;

const trtc_compiler &Compiler() { return *tritonrt_compiler_get(); }

struct Outcome {
  bool ok = false;
  std::string message, artifact, metadata;
};

Outcome Take(trtc_result *result) {
  auto text = [](trtc_bytes bytes) { return std::string(bytes.data, bytes.size); };
  Outcome outcome{result->ok != 0, text(result->message), text(result->artifact),
                  text(result->metadata)};
  Compiler().free_result(result);
  return outcome;
}

/// A parsed input, freed at the end of its scope.
class Module {
public:
  explicit Module(const std::string &input, const char *name = "k.ttir") {
    outcome = Take(Compiler().parse({input.data(), input.size()}, name, &module_));
  }
  Module(const Module &) = delete;
  ~Module() { Compiler().free_module(module_); }

  std::string Print(const char *stage) {
    Outcome printed = Take(Compiler().print(module_, "", "", "", "", stage));
    EXPECT_TRUE(printed.ok) << printed.message;
    return printed.artifact;
  }
  std::string Canonical() { return Take(Compiler().canonical(module_)).artifact; }
  trtc_module *get() { return module_; }
  Outcome Signature(const char *kernel = "") { return Take(Compiler().signature(module_, kernel)); }

  Outcome outcome;

private:
  trtc_module *module_ = nullptr;
};

std::string ReadFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

/// A kernel of one statement; `%p` is a pointer to f32, `%i` an i32, and tensors of both stand by.
std::string Kernel(const std::string &body, const std::string &before = "") {
  return before +
         "module {\n  tt.func public @k(%p: !tt.ptr<f32>, %i: i32) {\n"
         "    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
         "    %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
         "    %q = tt.addptr %s, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
         "    %v = tt.load %q : tensor<64x!tt.ptr<f32>>\n"
         "    %m = arith.cmpi slt, %r, %r : tensor<64xi32>  %y = arith.extsi %i : i32 to i64\n" +
         body + "\n    tt.return\n  }\n}\n";
}

/// Body and what the printed module must hold.
struct Spelling {
  const char *body, *printed;
};
// Names tests by what they test.
void PrintTo(const Spelling &spelling, std::ostream *os) { *os << spelling.printed; }

class Spellings : public testing::TestWithParam<Spelling> {};

TEST_P(Spellings, ReadsAndPrintsTheNewestForm) {
  Module module(Kernel(GetParam().body));
  ASSERT_TRUE(module.outcome.ok) << module.outcome.message;
  std::string printed = module.Print("tt");
  EXPECT_NE(printed.find(GetParam().printed), std::string::npos) << printed;
  Module again(printed);
  ASSERT_TRUE(again.outcome.ok) << again.outcome.message;
  EXPECT_EQ(again.Print("tt"), printed);
}

INSTANTIATE_TEST_SUITE_P(
    AllVersions, Spellings,
    testing::Values(
        Spelling{"%x = tt.splat %i : (i32) -> tensor<8xi32>",
                 "tt.splat %arg1 : i32 -> tensor<8xi32>"},
        Spelling{"%x = tt.expand_dims %v {axis = 0 : i32} : (tensor<64xf32>) -> tensor<1x64xf32>",
                 "{axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>"},
        Spelling{"%x = tt.load %q {cache = 1 : i32, evict = 1 : i32, isVolatile = false} : "
                 "tensor<64xf32>",
                 "tt.load %2 : tensor<64x!tt.ptr<f32>>"},
        Spelling{"%x = tt.load %q, %m, %v {cache = 2 : i32, evict = 3 : i32, isVolatile = true} : "
                 "tensor<64xf32>",
                 "{cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = "
                 "evict_last>, isVolatile = true} : tensor<64x!tt.ptr<f32>>"},
        Spelling{"%x = tt.load %q, %m cacheModifier = ca evictionPolicy = evict_first {isVolatile "
                 "= true} : tensor<64x!tt.ptr<f32>>",
                 "{cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = "
                 "evict_first>, isVolatile = true}"},
        Spelling{"%x = \"tt.load\"(%q, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>, cache = 3 "
                 ": i32, evict = 1 : i32, isVolatile = false}> : (tensor<64x!tt.ptr<f32>>, "
                 "tensor<64xi1>) -> tensor<64xf32>",
                 "cache_modifier = cg, eviction_policy = evict_normal"},
        Spelling{"tt.store %q, %v {cache = 1 : i32, evict = 1 : i32} : tensor<64xf32>",
                 "tt.store %2, %3 : tensor<64x!tt.ptr<f32>>"},
        Spelling{"tt.store %q, %v, %m cacheModifier = cs : tensor<64x!tt.ptr<f32>>",
                 "{cachePolicy = #tt.cache_policy<cache_modifier = cs, eviction_policy = "
                 "evict_normal>}"},
        Spelling{"%x = tt.get_program_id {axis = 1 : i32} : i32", "tt.get_program_id y : i32"},
        Spelling{"%x = tt.get_num_programs {axis = 0 : i32} : i32", "tt.get_num_programs x : i32"},
        Spelling{"%x = tt.reshape %v {allow_reorder = true} : tensor<64xf32> -> tensor<8x8xf32>",
                 "tt.reshape %3 allow_reorder : tensor<64xf32> -> tensor<8x8xf32>"},
        Spelling{"%x = tt.reshape %v {allow_reorder = false} : tensor<64xf32> -> tensor<8x8xf32>",
                 "tt.reshape %3 : tensor<64xf32> -> tensor<8x8xf32>"},
        Spelling{
            "%x = tt.reshape %v allow_reorder efficient_layout : tensor<64xf32> -> tensor<8x8xf32>",
            "tt.reshape %3 allow_reorder efficient_layout :"},
        Spelling{"%x = tt.view %v : (tensor<64xf32>) -> tensor<8x8xf32>",
                 "tt.reshape %3 allow_reorder : tensor<64xf32> -> tensor<8x8xf32>"},
        Spelling{"%a = arith.constant dense<1.0> : tensor<16x16xf32>\n"
                 "%x = tt.dot %a, %a, %a {allowTF32 = true} : tensor<16x16xf32> * "
                 "tensor<16x16xf32> -> tensor<16x16xf32>",
                 ", inputPrecision = tf32 : tensor<16x16xf32> * "},
        Spelling{"%a = arith.constant dense<1.0> : tensor<16x16xf32>\n"
                 "%x = tt.dot %a, %a, %a {allowTF32 = false, maxNumImpreciseAcc = 7 : i32} : "
                 "tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>",
                 " {maxNumImpreciseAcc = 7 : i32} : tensor<16x16xf32> * "},
        Spelling{"%x = \"tt.atomic_rmw\"(%q, %v, %m) <{atomic_rmw_op = 5 : i32, sem = 4 : i32}> : "
                 "(tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>",
                 "tt.atomic_rmw fadd, acq_rel, gpu, %2, %3, %4 :"},
        Spelling{"%x = tt.fp_to_fp %v {rounding = 1 : i32} : tensor<64xf32> -> tensor<64xf8E5M2>",
                 "tt.fp_to_fp %3, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>"},
        Spelling{"tt.assert %m, \"bad\", \"file.py\", \"fn\", 3 : tensor<64xi1>",
                 "tt.assert %4, \"bad\" {file = \"file.py\", func = \"fn\", line = 3 : i32} : "
                 "tensor<64xi1>"},
        Spelling{"tt.print \" x: \" {hex = false} : %v : tensor<64xf32>",
                 "tt.print \" x: \" {hex = false} : %3 : tensor<64xf32>"},
        Spelling{"gpu.barrier", "ttg.barrier all"},
        Spelling{"ttg.barrier global_read|global_write", "ttg.barrier global_read|global_write"},
        Spelling{"%x = tt.int_to_ptr %y : i64 -> !tt.ptr<f32, 3>\n", "!tt.ptr<f32, 3>"},
        Spelling{"%x = tt.int_to_ptr %y : i64 -> !tt.ptr<f32, \"constant\">\n",
                 "!tt.ptr<f32, \"constant\">"},
        Spelling{"%x = tt.int_to_ptr %y : i64 -> !tt.ptr<f32, 1>\n", "i64 -> !tt.ptr<f32>"},
        Spelling{"%d = tt.make_tensor_descriptor %p, [%i], [%y] : !tt.ptr<f32>, "
                 "!tt.tensordesc<tensor<16xf32>>",
                 "tt.make_tensor_descriptor %arg0, [%arg1], [%5] : <f32>, <16xf32>"},
        Spelling{"%b = tt.make_tensor_ptr %p, [%y], [%y], [%i] {order = array<i32: 0>} : "
                 "<tensor<16xf32>>\n"
                 "%x = tt.load %b {boundaryCheck = array<i32: 0>, padding = 2 : i32} : "
                 "!tt.ptr<tensor<16xf32>>",
                 "{boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<16xf32>>"}),
    [](const auto &info) { return "n" + std::to_string(info.index); });

struct Fault {
  const char *body, *message;
};
void PrintTo(const Fault &fault, std::ostream *os) { *os << fault.message; }

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, AreReportedWithTheirPosition) {
  Module module(Kernel(GetParam().body));
  ASSERT_FALSE(module.outcome.ok);
  std::string first = module.outcome.message.substr(0, module.outcome.message.find('\n'));
  EXPECT_TRUE(std::regex_search(first, std::regex("^k\\.ttir:8:[0-9]+: error: "))) << first;
  EXPECT_NE(first.find(GetParam().message), std::string::npos) << first;
}

INSTANTIATE_TEST_SUITE_P(
    Verifier, Faults,
    testing::Values(
        Fault{"%x = tt.splat %v : tensor<64xf32> -> tensor<64x64xf32>", "takes a scalar"},
        Fault{"%x = tt.expand_dims %v {axis = 3 : i32} : tensor<64xf32> -> tensor<1x64xf32>",
              "axis 3"},
        Fault{"%x = tt.broadcast %v : tensor<64xf32> -> tensor<128xf32>", "from 64 to 128"},
        Fault{"%x = tt.trans %v {order = array<i32: 1>} : tensor<64xf32> -> tensor<64xf32>",
              "permutation"},
        Fault{"%x = tt.reshape %v : tensor<64xf32> -> tensor<32xf32>", "number of elements"},
        Fault{"%x = tt.join %v, %v : tensor<64xf32> -> tensor<2x64xf32>",
              "one more dimension of size 2"},
        Fault{"%x = tt.bitcast %v : tensor<64xf32> -> tensor<64xi64>", "widths"},
        Fault{"%x = arith.constant dense<1> : tensor<48xi32>", "not a power of two"},
        Fault{"%x = arith.constant 1 : i7", "i7"},
        Fault{"%x = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({^bb0(%a: f32, %b: f32): "
              "tt.reduce.return %a, %b : f32, f32}) : (tensor<64xf32>) -> f32",
              "gives"},
        Fault{"%x = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({^bb0(%a: i32, %b: i32): "
              "tt.reduce.return %a : i32}) : (tensor<64xf32>) -> f32",
              "region takes"},
        Fault{"%x = \"tt.reduce\"(%v) <{axis = 1 : i32}> ({^bb0(%a: f32, %b: f32): "
              "tt.reduce.return %a : f32}) : (tensor<64xf32>) -> f32",
              "axis 1"},
        Fault{"%x = tt.load %q cacheModifier = xx : tensor<64x!tt.ptr<f32>>",
              "unknown cache modifier 'xx'"},
        Fault{"%x = tt.load %q {padding = 2 : i32} : tensor<64x!tt.ptr<f32>>", "block pointer"},
        Fault{"%x = tt.atomic_rmw fadd, relaxed, gpu, %q, %v, %v : (tensor<64x!tt.ptr<f32>>, "
              "tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>",
              "must be i1 or tensor of i1"},
        Fault{"%x = tt.atomic_rmw add, relaxed, gpu, %q, %v, %m : (tensor<64x!tt.ptr<f32>>, "
              "tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>",
              "add does not work on"},
        Fault{"tle.distributed_barrier {group_kind = \"row\"}", "unknown group_kind 'row'"},
        Fault{"\"mctle.nothing\"() : () -> ()", "op 'mctle.nothing' is not supported"},
        Fault{"tle.pipe.create %v : tensor<64xf32>", "tle.pipe.create"},
        Fault{"\"dsa.alloc\"() : () -> i32", "'dsa.alloc' op requires attribute 'shape'"},
        Fault{"%x = ttg.local_alloc : () -> i32", "'ttg.local_alloc' op result #0 must be"},
        Fault{"%x = tt.nothing %v : tensor<64xf32>", "op 'tt.nothing'"},
        // What MLIR's reader says, in words that tell what to do.
        Fault{"tt.store %q, %nope : tensor<64xf32>", "before this line has to define it"},
        Fault{"%x = nothing %v : tensor<64xf32>", "op 'nothing' is unknown; ops of tt,"},
        Fault{"%x = somewhere.nothing %v : tensor<64xf32>", "op 'somewhere.nothing' is "},
        Fault{"%x = tt.make_range {end = 64, start = 0 : i32} : tensor<64xi32>",
              "error: 'tt.make_range' op attribute 'end'"},
        Fault{"%x = arith.constant 1 : f32", "write 1.0 in place of 1"},
        Fault{"%x:3 = arith.addf %v, %v : tensor<64xf32>", "as many results as the op has"},
        Fault{"cf.br ^nowhere", "begins with its name"},
        Fault{"tt.store %p#2147483647, %v : tensor<64xf32>", "at most 65536"},
        Fault{"tt.store %p, %v#99999999999999999999 : tensor<64xf32>", "at most 65536"},
        Fault{"%x:2147483648 = tt.split %v : tensor<64x2xf32> -> tensor<64xf32>", "at most 65536"},
        Fault{"tt.store %q, %v {boundaryCheck = array<index: 0>} : tensor<64x!tt.ptr<f32>>",
              "an array of 'index'; i1, i8, i16, i32, i64, f32 or f64 expected"},
        Fault{"tt.return {x = array<!tt.ptr<f32>: 0>}", "an array of '!'"},
        Fault{"tle.distributed_barrier {group_kind = \"submesh\", group_rank = 1 : i32, "
              "group_shape = array<i32: 2>, group_axes = array<i32: 2147483647>, "
              "group_mask = array<i32: 2147483647, -2147483648>}",
              "group_mask has -2147483648, expected 0 or more"},
        Fault{"tt.call @k(%p, %i) : (!tt.ptr<f32>, i32) -> ()", "recursive call: @k -> @k"},
        Fault{"tt.call @ghost() : () -> ()", "@ghost"},
        // What Triton's language bounds.
        Fault{"%x = arith.constant dense<1.0> : tensor<2097152xf32>",
              "a tensor has more than 1048576 elements; use smaller blocks"},
        Fault{"%x = arith.constant dense<1.0> : tensor<4x0xf32>",
              "a tensor has a dimension of size 0; powers of two expected"},
        Fault{"%x = ub.poison : tensor<?xf32>", "no fixed shape; use smaller blocks of known"},
        Fault{"%x = arith.constant dense<1.0> : vector<4xf32>",
              "uses the type 'vector<4xf32>', which Triton's IR does not have; integers, floats"},
        Fault{"%x = ub.poison : tensor<4xcomplex<f32>>",
              "uses 'complex<f32>', which is not a type of tensor elements; integers, floats"},
        Fault{"%x = arith.constant sparse<[[0]], [1]> : tensor<4xi32>",
              "has a value that is not written out; dense<...> expected"},
        Fault{"tt.return {x = affine_map<(d0) -> (d0)>}",
              "affine maps are not part of Triton's IR; remove the attribute"},
        Fault{"tt.print \"open", "a string has no end on its line; a closing \" expected"}),
    [](const auto &info) { return "n" + std::to_string(info.index); });

std::string MessageOf(const std::string &text) { return Module(text).outcome.message; }

TEST(Frontend, ModulesWithoutAKernelSayWhatIsMissing) {
  EXPECT_EQ(MessageOf("module {\n}\n"),
            "k.ttir:1:1: error: no kernel function in the module; a tt.func with a body expected");
  EXPECT_EQ(MessageOf("module {\n  ub.unreachable\n}\n"),
            "k.ttir:2:3: error: op 'ub.unreachable' stands outside of a function; move it into a "
            "tt.func");
  std::string parameters = "%a0: i32";
  for (int i = 1; i <= 4096; ++i)
    parameters += ", %a" + std::to_string(i) + ": i32";
  EXPECT_EQ(
      MessageOf("module {\n  tt.func public @k(" + parameters + ") {\n    tt.return\n  }\n}\n"),
      "k.ttir:2:3: error: @k has 4097 parameters, more than 4096; pass them in a buffer");
}

TEST(Frontend, TheKernelThatIsMeantHasToBeClear) {
  std::string end = " {\n    tt.return\n  }\n";
  std::string a = "  tt.func public @a()" + end, b = "  tt.func public @b()" + end;
  EXPECT_EQ(
      Module("module {\n" + a + b + "}\n").Signature().message,
      "k.ttir:5:3: error: several public functions, @a and @b: name the kernel that is meant");
  EXPECT_EQ(Module("module {\n  tt.func private @a()" + end + "}\n").Signature().message,
            "k.ttir:1:1: error: no public function in the module; mark the kernel 'tt.func "
            "public', or name it");
  EXPECT_EQ(Module("module {\n" + a + b + "}\n").Signature("c").message,
            "k.ttir:1:1: error: no function @c in the module; it has @a, @b");
  EXPECT_EQ(Module("module {\n" + a + "  tt.func private @d()\n}\n").Signature("d").message,
            "k.ttir:5:3: error: @d is declared, but has no body; take the text that defines it");
  EXPECT_EQ(Module("module {\n  tt.func public @e() -> i32 {\n    %c = arith.constant 1 : i32\n"
                   "    tt.return %c : i32\n  }\n}\n")
                .Signature()
                .message,
            "k.ttir:2:3: error: @e returns values: it is no kernel; name one that stores its "
            "results");
  EXPECT_EQ(
      Module("module {\n  tt.func public @f(%x: tensor<4xf32>)" + end + "}\n").Signature().message,
      "k.ttir:2:3: error: parameter 0 has the type 'tensor<4xf32>', which a launch cannot "
      "pass; scalars, pointers and descriptors can be passed");
}

TEST(Frontend, InliningIsBounded) {
  std::string text = "module {\n  tt.func public @f0() {\n";
  constexpr int kDepth = 12;
  auto calls = [](int i) {
    std::string call = "    tt.call @f" + std::to_string(i) + "() : () -> ()\n", all;
    for (int n = 0; n < 8; ++n)
      all += call;
    return all;
  };
  for (int i = 1; i <= kDepth; ++i)
    text += calls(i) + "    tt.return\n  }\n  tt.func private @f" + std::to_string(i) + "() {\n";
  Module module(text + "    tt.return\n  }\n}\n");
  ASSERT_TRUE(module.outcome.ok) << module.outcome.message;
  Outcome tile = Take(Compiler().print(module.get(), "f0", "backend=cpu\n", "", "", "tile"));
  EXPECT_FALSE(tile.ok);
  EXPECT_NE(tile.message.find(" ops once its calls are inlined, more than "), std::string::npos)
      << tile.message;
  EXPECT_NE(tile.message.find("; call from loops, or less often"), std::string::npos);
}

TEST(Frontend, NestingIsBounded) {
  std::string deep;
  for (int i = 0; i < 100000; ++i)
    deep += "!tt.ptr<";
  Module types("module {\n  tt.func @k(%a: " + deep);
  EXPECT_NE(types.outcome.message.find("k.ttir:2:"), std::string::npos) << types.outcome.message;
  std::string aliases = "#a0 = [1]\n";
  for (int i = 1; i < 100; ++i) {
    std::string before = "#a" + std::to_string(i - 1);
    aliases += "#a" + std::to_string(i) + " = [" + before + ", " + before + "]\n";
  }
  Module bomb(Kernel("", aliases));
  EXPECT_NE(bomb.outcome.message.find("alias"), std::string::npos) << bomb.outcome.message;
}

TEST(Frontend, UnknownAttributesAndTypesAreNamed) {
  Module attribute(Kernel("", "#sh = #ttng.tensor_memory<{vec = 1}>\n"));
  EXPECT_EQ(
      attribute.outcome.message,
      "k.ttir:1:8: error: attribute 'ttng.tensor_memory' is not supported; the text of Triton's "
      "ttir stage expected, before it is made for a GPU");
  Module type("module {\n  tt.func @k(%a: !ttng.tmem_token) {\n    tt.return\n  }\n}\n");
  EXPECT_EQ(
      type.outcome.message.find("k.ttir:2:19: error: type 'ttng.tmem_token' is not supported; "),
      0u)
      << type.outcome.message;
}

TEST(Frontend, DamagedBytecodeIsRefused) {
  std::string bytes = Module(Kernel("")).Print("bytecode");
  EXPECT_TRUE(Module(bytes).outcome.ok);
  for (size_t at = 0; at < bytes.size(); at += 7) {
    std::string damaged = bytes;
    damaged[at] ^= 0x10;
    EXPECT_FALSE(Module(damaged).outcome.ok) << at;
  }
  EXPECT_FALSE(Module(bytes.substr(0, bytes.size() / 2)).outcome.ok);
  // MLIR's own, without a seal.
  EXPECT_FALSE(Module(bytes.substr(bytes.find("ML\xefR"))).outcome.ok);
}

TEST(Frontend, OldFp8NameMeansTheOtherFormat) {
  std::string old =
      "module {\n  tt.func public @k(%arg0: !tt.ptr<f8E4M3FNUZ>) attributes {noinline = false} {\n"
      "    tt.return\n  }\n}\n";
  EXPECT_NE(Module(old).Print("tt").find("!tt.ptr<f8E4M3FN>"), std::string::npos);
  std::string named = std::regex_replace(old, std::regex("arg0"), "x");
  EXPECT_NE(Module(named).Print("tt").find("!tt.ptr<f8E4M3FNUZ>"), std::string::npos);
}

TEST(Frontend, SignatureListsParametersInOrder) {
  Module module(
      "module { tt.func public @k(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: i32, "
      "%d: !tt.tensordesc<16x32xbf16>, %b: i1) { tt.return }\n"
      "tt.func private @f() { tt.return } }");
  Outcome signature = module.Signature();
  ASSERT_TRUE(signature.ok) << signature.message;
  EXPECT_EQ(signature.metadata, "kernel=k\narg=ptr:f16 x divisibility=16\narg=i32 "
                                "\narg=desc:bf16:16x32 d\narg=i1 b\n");
  EXPECT_TRUE(module.Signature("f").ok);
  EXPECT_FALSE(module.Signature("g").ok);
}

TEST(Frontend, SignatureTellsWhichParametersMayBeWritten) {
  Module module(
      "module { tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>) {\n"
      "  %v = tt.load %x : !tt.ptr<f32>\n"
      "  tt.store %y, %v : !tt.ptr<f32>\n"
      "  tt.return } }");
  EXPECT_NE(module.Signature().metadata.find("\nwrites=1\n"), std::string::npos);
}

TEST(Frontend, CanonicalFormIgnoresNamesLocationsAndTheMachine) {
  std::string text = Kernel("tt.store %q, %v : tensor<64x!tt.ptr<f32>>");
  std::string other = std::regex_replace(text, std::regex("%v"), "%renamed");
  other = std::regex_replace(other, std::regex("module \\{"),
                             "module attributes {ttg.target = \"cuda:90\"} {");
  other = std::regex_replace(other, std::regex("tt.return"), "tt.return loc(\"a.py\":3:4)");
  Module a(text), b(other);
  ASSERT_TRUE(b.outcome.ok) << b.outcome.message;
  EXPECT_EQ(a.Canonical(), b.Canonical());
  Module c(std::regex_replace(text, std::regex("start = 0"), "start = 0 "));
  EXPECT_EQ(a.Canonical(), c.Canonical());
  Module d(std::regex_replace(text, std::regex("slt"), "sle"));
  EXPECT_NE(a.Canonical(), d.Canonical());
}

void ExpectRoundTrip(const fs::path &path) {
  Module module(ReadFile(path), path.filename().c_str());
  ASSERT_TRUE(module.outcome.ok) << path << ": " << module.outcome.message;
  std::string printed = module.Print("tt");
  for (const std::string &form : {printed, module.Print("bytecode")}) {
    Module again(form);
    ASSERT_TRUE(again.outcome.ok) << path << ": " << again.outcome.message;
    EXPECT_EQ(again.Print("tt"), printed) << path;
    EXPECT_EQ(again.Canonical(), module.Canonical()) << path;
  }
}

TEST(Corpus, EveryTextReadsAndPrintsTheSame) {
  fs::path cases = fs::path(TRITONRT_CORPUS) / "cases";
  if (!fs::exists(cases))
    GTEST_SKIP() << "no corpus at " << cases;
  for (const auto &entry : fs::recursive_directory_iterator(cases))
    if (entry.path().extension() == ".ttir")
      ExpectRoundTrip(entry.path());
}

TEST(Corpus, LocationsDoNotChangeTheCanonicalForm) {
  fs::path cases = fs::path(TRITONRT_CORPUS) / "cases";
  if (!fs::exists(cases))
    GTEST_SKIP() << "no corpus at " << cases;
  for (const auto &entry : fs::directory_iterator(cases)) {
    fs::path plain = entry.path() / "kernel.ttir", located = entry.path() / "kernel.loc.ttir";
    if (fs::exists(located))
      EXPECT_EQ(Module(ReadFile(plain)).Canonical(), Module(ReadFile(located)).Canonical())
          << located;
  }
}

TEST(Corpus, HostileTextsEndInOneMessage) {
  fs::path folder = fs::path(TRITONRT_CORPUS) / "hostile";
  if (!fs::exists(folder))
    GTEST_SKIP() << "no corpus at " << folder;
  for (const auto &item : nlohmann::json::parse(ReadFile(folder / "hostile.json"))) {
    std::string file = fs::path(item["file"].get<std::string>()).filename();
    Module module(ReadFile(folder / file), file.c_str());
    const std::string &message = module.outcome.message;
    if (item["must"] == "accept")
      EXPECT_TRUE(module.outcome.ok) << message;
    if (item["must"] == "reject")
      EXPECT_FALSE(module.outcome.ok) << file;
    if (!module.outcome.ok)
      EXPECT_TRUE(std::regex_search(message, std::regex("^[^\n]*:[0-9]+:[0-9]+: error: ")))
          << message;
  }
}

} // namespace
