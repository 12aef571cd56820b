// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects to shared objects by lld in this process, and clang as the second toolchain.
#include "compiler/api/tritonrt_compiler.h"
#include "compiler/backends/cpu/NativeCode.h"

#include "lld/Common/Driver.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Target/TargetMachine.h"

#include <cmath>
#include <dlfcn.h>
#include <mutex>
#include <stdlib.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

namespace tritonrt::compiler::cpu {

namespace {

/// A folder that only this process can look into; gone with its files when the object ends.
class PrivateFolder {
public:
  static llvm::Expected<std::unique_ptr<PrivateFolder>> create() {
    llvm::SmallString<128> base;
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, base);
    llvm::sys::path::append(base, "tritonrt-XXXXXX");
    std::string path(base);
    if (!mkdtemp(path.data()))
      return llvm::errorCodeToError(std::error_code(errno, std::generic_category()));
    return std::unique_ptr<PrivateFolder>(new PrivateFolder(std::move(path)));
  }
  ~PrivateFolder() {
    for (const std::string &name : names)
      unlink(name.c_str());
    rmdir(path.c_str());
  }
  PrivateFolder(const PrivateFolder &) = delete;
  PrivateFolder &operator=(const PrivateFolder &) = delete;

  /// The path of a file of that name, which is removed with the folder.
  const std::string &file(llvm::StringRef name) {
    return names.emplace_back(path + "/" + name.str());
  }

private:
  explicit PrivateFolder(std::string path) : path(std::move(path)) {}
  std::string path;
  std::vector<std::string> names;
};

llvm::Error write(const std::string &path, llvm::StringRef content) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (!error) {
    stream << content;
    stream.close();
    error = stream.error();
  }
  return error ? llvm::createStringError(error, "cannot write " + path) : llvm::Error::success();
}

llvm::Expected<std::string> read(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "cannot read " + path);
  return (*buffer)->getBuffer().str();
}

/// The C library's math part as this process has it, so that the artifact names it as needed. The
/// dynamic loader has it at hand then, whatever program the artifact is loaded into.
std::string mathLibrary() {
  Dl_info info;
  double (*function)(double) = ::erf;
  if (!dladdr(reinterpret_cast<void *>(function), &info) || !info.dli_fname)
    return {};
  return llvm::StringRef(info.dli_fname).contains("libm") ? info.dli_fname : "";
}

/// Does the code call functions that it does not hold? The code generator adds calls too, where the
/// processor lacks an instruction.
bool callsOut(llvm::StringRef object) {
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "kernel.o"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return true;
  }
  return llvm::any_of((*file)->symbols(), [](const llvm::object::SymbolRef &symbol) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags) {
      llvm::consumeError(flags.takeError());
      return true;
    }
    return (*flags & llvm::object::SymbolRef::SF_Undefined) &&
           !(*flags & llvm::object::SymbolRef::SF_FormatSpecific);
  });
}

} // namespace

llvm::Expected<std::string> link(llvm::StringRef object) {
  auto folder = PrivateFolder::create();
  if (!folder)
    return folder.takeError();
  std::string input = (*folder)->file("kernel.o"), output = (*folder)->file("kernel.so");
  if (llvm::Error error = write(input, object))
    return error;
  std::string math = callsOut(object) ? mathLibrary() : std::string();
  // One segment where possible and no tables that nobody reads: an artifact is a few kilobytes.
  llvm::SmallVector<const char *> args = {"ld.lld",
                                          "-shared",
                                          "--threads=1",
                                          "-s",
                                          "--build-id=none",
                                          "--hash-style=gnu",
                                          "--no-eh-frame-hdr",
                                          "--no-rosegment",
                                          "-z",
                                          "norelro",
                                          "-z",
                                          "noseparate-code",
                                          "-Bsymbolic",
                                          "--gc-sections",
                                          input.c_str(),
                                          "-o",
                                          output.c_str()};
  if (!math.empty())
    args.append({"--as-needed", math.c_str()});
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  // lld keeps global state: one link at a time.
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  lld::Result result = lld::lldMain(args, llvm::nulls(), stream, {{lld::Gnu, &lld::elf::link}});
  lock.unlock();
  if (result.retCode != 0)
    return llvm::createStringError("linking failed: " + messages);
  return read(output);
}

llvm::Expected<std::string> compileWithClang(llvm::Module &module, llvm::TargetMachine &target) {
  llvm::ErrorOr<std::string> clang = std::make_error_code(std::errc::no_such_file_or_directory);
  for (const char *name : {TRITONRT_CLANG_PROGRAMS})
    if (!clang)
      clang = llvm::sys::findProgramByName(name);
  if (!clang)
    return llvm::createStringError("toolchain clang: no clang-22 or clang in PATH");
  auto folder = PrivateFolder::create();
  if (!folder)
    return folder.takeError();
  std::string input = (*folder)->file("kernel.ll"), output = (*folder)->file("kernel.so");
  std::string log = (*folder)->file("log");
  // What the processor has is said of each function: a virtual machine may lack what its
  // processor's name promises.
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.getTargetCPU());
    function.addFnAttr("target-features", target.getTargetFeatureString());
  }
  splitConstantMasks(module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  if (llvm::Error error = write(input, text))
    return error;
  llvm::SmallVector<llvm::StringRef> args = {
      *clang, "-x", "ir",   "-O3", "-shared", "-fPIC", "-Wno-override-module",
      input,  "-o", output, "-s",  "-lm"};
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), llvm::StringRef(log),
                                                llvm::StringRef(log)};
  std::string message;
  int code = llvm::sys::ExecuteAndWait(*clang, args, std::nullopt, redirects,
                                       /*SecondsToWait=*/300, 0, &message);
  if (code == 0)
    return read(output);
  llvm::Expected<std::string> said = read(log);
  if (!said)
    llvm::consumeError(said.takeError());
  return llvm::createStringError("toolchain clang failed: " + message + (said ? *said : ""));
}

} // namespace tritonrt::compiler::cpu
