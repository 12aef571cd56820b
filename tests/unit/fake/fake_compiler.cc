// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A stand-in for libtritonrt-compiler.so behind the same table. Its "programs" name one of the
// kernels in fake_kernels.c:
//
//   kernel NAME
//   # a comment, of no meaning
//
// Anything else is an error at its line.

#include <dlfcn.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "compiler/api/tritonrt_compiler.h"

struct trtc_module {
  std::string kernel;
};

namespace {

struct Kernel {
  const char* metadata;  // what follows kernel= and entry=
  const char* opencl;    // the body of the OpenCL form, empty where there is none
  // The same where the option target.arguments=struct asks for it; `a` is an array of the slots.
  const char* packed = "";
};

const std::map<std::string, Kernel> kKernels = {
    {"add",
     {"work=256\nwrites=2\narg=ptr:f32 x divisibility=16\narg=ptr:f32 y divisibility=16\n"
      "arg=ptr:f32 out divisibility=16\narg=i32 n\n",
      "(__global char* x, ulong xo, __global char* y, ulong yo, __global char* o, ulong oo, int n) "
      "{"
      " for (int i = get_group_id(0) * 256; i < (get_group_id(0) + 1) * 256 && i < n; ++i)"
      " ((__global float*)(o + oo))[i] ="
      " ((__global float*)(x + xo))[i] + ((__global float*)(y + yo))[i]; }",
      "for (int i = get_group_id(0) * 256; i < (get_group_id(0) + 1) * 256 && i < (int)s.a[3]; ++i)"
      " ((__global float*)s.a[2])[i] ="
      " ((__global float*)s.a[0])[i] + ((__global float*)s.a[1])[i];"}},
    {"store",
     {"work=1\nwrites=0\narg=ptr:i32 out\narg=i32 a\narg=i32 b\narg=i32 c\n",
      "(__global char* o, ulong oo, int a, int b, int c) {"
      " ((__global int*)(o + oo))[get_group_id(0)] = a + b + c + (int)get_group_id(0); }",
      "((__global int*)s.a[0])[get_group_id(0)] ="
      " (int)s.a[1] + (int)s.a[2] + (int)s.a[3] + (int)get_group_id(0);"}},
    {"variant",
     {"work=1\nwrites=0\narg=ptr:i32 out divisibility=16\narg=ptr:f32 x divisibility=16\n"
      "arg=i32 n divisibility=16\n",
      ""}},
    {"wait",
     {"work=1\nwaits=1\nwrites=1\nwait=1 7 tt.atomic_cas\narg=ptr:i32 flag\narg=ptr:i32 out\n",
      ""}},
    // The same code as an ordinary large kernel, which a test holds up by its flag.
    {"gated", {"work=10000000\nwrites=1\narg=ptr:i32 flag\narg=ptr:i32 out\n", ""}},
    {"chain", {"work=1\nwaits=1\nwrites=0\nwait=1 7 tt.atomic_cas\narg=ptr:i64 turn\n", ""}},
    {"scratch", {"scratch_bytes=100000\nwork=4096\nwrites=0\narg=ptr:i32 out\n", ""}},
    {"slots",
     {"work=1\nwrites=0\narg=ptr:i8 out\narg=i1 a\narg=i8 b\narg=i16 c\narg=i32 d\narg=i64 e\n"
      "arg=f16 f\narg=bf16 g\narg=f32 h\narg=f64 i\narg=u32 j\narg=ptr:f32 k\n",
      ""}},
    {"float", {"work=1\nwrites=0\narg=ptr:f32 out\n", ""}},
    {"count", {"work=1\nwrites=0\narg=ptr:i64 count\n", ""}},
    {"slow", {"work=4096\nwrites=0\narg=ptr:i64 count\n", ""}},
    {"desc",
     {"work=1\nwrites=0\narg=desc:f32:16x16 d\narg=i32 d.shape.0\narg=i32 d.shape.1\n"
      "arg=i64 d.stride.0\narg=i64 d.stride.1\narg=i32 n\n",
      ""}},
    {"refused", {"work=1\narg=i32 n\n", "(int n) { this is no OpenCL; }"}},
};

struct Result : trtc_result {
  std::string message_text;
  std::string artifact_text;
  std::string metadata_text;
  Result() : trtc_result{} {}
  trtc_result* seal() {
    message = {message_text.data(), message_text.size()};
    artifact = {artifact_text.data(), artifact_text.size()};
    metadata = {metadata_text.data(), metadata_text.size()};
    return this;
  }
};

trtc_result* failure(std::string text) {
  auto* result = new Result;
  result->message_text = std::move(text);
  return result->seal();
}

trtc_result* parse(trtc_bytes input, const char* name, trtc_module** module) {
  *module = nullptr;
  std::istringstream lines(std::string(input.data, input.size));
  std::string kernel;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (line.rfind("kernel ", 0) != 0 || kKernels.count(line.substr(7)) == 0)
      return failure(std::string(name) + ":" + std::to_string(number) + ":1: error: unknown op '" +
                     line + "'\nand a note");
    kernel = line.substr(7);
  }
  *module = new trtc_module{kernel};
  auto* result = new Result;
  result->ok = 1;
  return result->seal();
}

trtc_result* canonical(trtc_module* module) {
  auto* result = new Result;
  result->ok = 1;
  result->artifact_text = module->kernel;
  return result->seal();
}

trtc_result* signature(trtc_module* module, const char* kernel) {
  if (kernel != nullptr && *kernel != 0 && module->kernel != kernel)
    return failure("no kernel '" + std::string(kernel) + "'; there is '" + module->kernel + "'");
  auto* result = new Result;
  result->ok = 1;
  result->metadata_text = "kernel=" + module->kernel + "\n" + kKernels.at(module->kernel).metadata;
  return result->seal();
}

// The file of a library beside this one.
std::string beside(const std::string& name) {
  Dl_info own{};
  dladdr(reinterpret_cast<const void*>(&kKernels), &own);
  const std::string path = own.dli_fname;
  return path.substr(0, path.rfind('/') + 1) + name;
}

trtc_result* compile(trtc_module* module, const char*, const char* target, const char* options,
                     const char* special) {
  const std::string name = module->kernel;
  const Kernel& kernel = kKernels.at(name);
  if (std::string(options).find("fail=1") != std::string::npos)
    return failure("k.ttir:4:2: error: math.sin cannot be selected");
  auto* result = new Result;
  result->ok = 1;
  std::string entry = "fake_" + name;
  if (name == "desc") entry = "fake_store";
  if (name == "gated") entry = "fake_wait";
  const std::string promises = special;
  if (name == "variant")
    entry +=
        std::string("_") + std::to_string((promises.find("disjoint=1") != std::string::npos) +
                                          2 * (promises.find("generic=1") != std::string::npos));
  result->metadata_text = "kernel=" + name + "\nentry=" + entry + "\n" + kernel.metadata;
  if (std::string(target).find("backend=opencl\n") != std::string::npos) {
    if (std::string(options).find("target.arguments=struct") != std::string::npos) {
      result->metadata_text += "arguments=struct\n";
      result->artifact_text = "typedef struct { ulong a[4]; } slots;\n__kernel void " + entry +
                              "(const slots s) { " + kernel.packed + " }";
    } else {
      result->artifact_text = "__kernel void " + entry + kernel.opencl;
    }
  } else {
    std::ifstream file(beside("libtritonrt-fake-kernels.so"), std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    result->artifact_text = bytes.str();
  }
  return result->seal();
}

trtc_result* print(trtc_module* module, const char*, const char*, const char*, const char*,
                   const char* stage) {
  if (std::string(stage) != "tt") return failure("no stage '" + std::string(stage) + "'");
  return canonical(module);
}

const trtc_compiler kTable = {
    TRITONRT_COMPILER_ABI,
    "fake-1",
    parse,
    [](trtc_module* module) { delete module; },
    canonical,
    signature,
    compile,
    print,
    [](trtc_result* result) { delete static_cast<Result*>(result); },
    [](const char* path) { return failure("no backend can be loaded from " + std::string(path)); },
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const trtc_compiler* tritonrt_compiler_get() {
  return &kTable;
}
