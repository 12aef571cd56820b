// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_SRC_COMPILER_LIBRARY_H_
#define TRITONRT_SRC_COMPILER_LIBRARY_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "compiler/api/tritonrt_compiler.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {

// libtritonrt-compiler, opened when first asked for. Thread safe.
class CompilerLibrary {
 public:
  explicit CompilerLibrary(std::string path) : path_(std::move(path)) {}

  // The id that lies in a file beside the library, empty where there is none. Loads nothing.
  std::string build_id_beside() const;
  // Throws kNotFound where the library is absent, kInternal where it does not fit. Also opens the
  // libraries of backends that are there.
  const trtc_compiler& get();
  // Throws kUnsupported where a library that takes part in compiling for targets with `backend=`
  // this could not be opened.
  void check_backends(std::string_view backend);
  const std::string& path() const { return path_; }

 private:
  const trtc_compiler& open();
  void load_backends(const trtc_compiler& compiler);

  const std::string path_;
  std::mutex mutex_;
  std::map<std::string, std::string> refused_;  // under mutex_; reasons by path
  const trtc_compiler* table_ = nullptr;        // under mutex_
};

// A text that changes with the program that a toolchain stands for; empty where it is none, as for
// that of the compiler itself, or none is there.
std::string toolchain_identity(std::string_view toolchain);

// What a call to the compiler gave back.
class CompilerResult {
 public:
  CompilerResult(const trtc_compiler& compiler, trtc_result* result)
      : compiler_(&compiler), result_(result) {}
  ~CompilerResult() {
    if (result_ != nullptr) compiler_->free_result(result_);
  }
  CompilerResult(const CompilerResult&) = delete;
  CompilerResult& operator=(const CompilerResult&) = delete;

  // Throws the compiler's message when the call failed.
  void check(ErrorCode code) const;
  std::string_view artifact() const { return view(result_->artifact); }
  std::string_view metadata() const { return view(result_->metadata); }

 private:
  static std::string_view view(const trtc_bytes& bytes) { return {bytes.data, bytes.size}; }
  const trtc_compiler* compiler_;
  trtc_result* result_;
};

// A parsed input in the compiler. One thread at a time.
class CompilerModule {
 public:
  // Throws kInvalidInput with the position of what is wrong.
  CompilerModule(const trtc_compiler& compiler, std::string_view source, const std::string& label);
  ~CompilerModule();
  CompilerModule(const CompilerModule&) = delete;
  CompilerModule& operator=(const CompilerModule&) = delete;

  const trtc_compiler& compiler() const { return compiler_; }
  trtc_module* get() const { return module_; }

 private:
  const trtc_compiler& compiler_;
  trtc_module* module_ = nullptr;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_SRC_COMPILER_LIBRARY_H_
