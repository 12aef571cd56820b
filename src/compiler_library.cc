// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/compiler_library.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cache/file_system.h"
#include "runtime/backend_libraries.h"
#include "runtime/shared_library.h"

namespace tritonrt::runtime {

std::string CompilerLibrary::build_id_beside() const {
  std::string path = path_;
  if (path.ends_with(".so")) path.resize(path.size() - 3);
  std::string text;
  cache::FileInfo info;
  constexpr std::uint64_t kLimit = 4096;
  if (cache::native_file_system().read(path + ".build-id", kLimit, text, info)) return {};
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

const trtc_compiler& CompilerLibrary::open() {
  if (table_ != nullptr) return *table_;
  void* library = open_library(path_);
  const auto get_table = reinterpret_cast<tritonrt_compiler_get_fn>(
      find_symbol(library, "tritonrt_compiler_get", path_));
  const trtc_compiler* table = get_table();
  if (table->abi != TRITONRT_COMPILER_ABI)
    throw Error(ErrorCode::kInternal, "'" + path_ + "' has interface version " +
                                          std::to_string(table->abi) + ", expected " +
                                          std::to_string(TRITONRT_COMPILER_ABI) +
                                          "; install both libraries from one build");
  if (const std::string beside = build_id_beside(); beside != table->build_id)
    throw Error(ErrorCode::kInternal, "'" + path_ + "' has build id '" + table->build_id +
                                          "', the file beside it says '" + beside +
                                          "'; install both from one build");
  table_ = table;
  return *table;
}

const trtc_compiler& CompilerLibrary::get() {
  const std::lock_guard lock(mutex_);
  const trtc_compiler& compiler = open();
  load_backends(compiler);
  return compiler;
}

void CompilerLibrary::load_backends(const trtc_compiler& compiler) {
  for (const BackendLibrary& library : backend_libraries()) {
    if (library.stamp.kind != "compiler" || refused_.count(library.path) != 0) continue;
    const CompilerResult result(compiler, compiler.load_backend(library.path.c_str()));
    try {
      result.check(ErrorCode::kUnsupported);
    } catch (const Error& error) {
      // Kernels of other targets do not mind.
      refused_.emplace(library.path, error.message());
    }
  }
}

void CompilerLibrary::check_backends(std::string_view backend) {
  const std::lock_guard lock(mutex_);
  for (const BackendLibrary& library : backend_libraries()) {
    const auto refused = refused_.find(library.path);
    if (refused != refused_.end() && library.stamp.serves(backend))
      throw Error(ErrorCode::kUnsupported, refused->second);
  }
}

std::string toolchain_identity(std::string_view toolchain) {
  const char* path = std::getenv("PATH");
  if (toolchain != "clang" || path == nullptr) return {};
  for (const char* name : {TRITONRT_CLANG_PROGRAMS}) {
    for (std::string_view rest = path; !rest.empty();) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
      const std::string program = std::string(folder) + "/" + name;
      struct stat status{};
      if (stat(program.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
          access(program.c_str(), X_OK) != 0)
        continue;
      const cache::FileInfo info = cache::file_info(status);
      return program + " " + std::to_string(info.size) + " " + std::to_string(info.used_ns) + "\n";
    }
  }
  return {};
}

void CompilerResult::check(ErrorCode code) const {
  if (result_ == nullptr) throw Error(ErrorCode::kInternal, "the compiler gave no result");
  if (result_->ok != 0) return;
  std::string message(view(result_->message));
  while (!message.empty() && message.back() == '\n') message.pop_back();
  throw Error(code, message.empty() ? "the compiler gave no reason" : std::move(message));
}

CompilerModule::CompilerModule(const trtc_compiler& compiler, std::string_view source,
                               const std::string& label)
    : compiler_(compiler) {
  const CompilerResult result(
      compiler, compiler.parse({source.data(), source.size()}, label.c_str(), &module_));
  try {
    result.check(ErrorCode::kInvalidInput);
    if (module_ == nullptr) throw Error(ErrorCode::kInternal, "the compiler gave no module");
  } catch (...) {
    if (module_ != nullptr) compiler_.free_module(module_);
    throw;
  }
}

CompilerModule::~CompilerModule() { compiler_.free_module(module_); }

}  // namespace tritonrt::runtime
