// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/unit/compiler/loaded_kernel.h"

#include "compiler/Registration.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tritonrt::compiler {

namespace {

/// The artifact, or the diagnostics.
mlir::FailureOr<Artifact> compile(const std::string &text, const std::string &options,
                                  const std::string &special, const std::string &target,
                                  std::string &messages) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { messages += diagnostic.str() + "\n"; });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return mlir::failure();
  const Backend *backend = findBackend(KeyValues("backend=cpu"));
  Job job;
  job.target = KeyValues(target);
  job.options = KeyValues(options);
  job.special = KeyValues(special);
  job.traits = backend->describe(job.target);
  return backend->emit(*module, job);
}

} // namespace

LoadedKernel::LoadedKernel(const std::string &text, const std::string &options,
                           const std::string &special, const std::string &target) {
  std::string messages;
  mlir::FailureOr<Artifact> compiled = compile(text, options, special, target, messages);
  if (mlir::failed(compiled)) {
    std::fprintf(stderr, "%s\n", messages.c_str());
    std::abort();
  }
  artifact = std::move(*compiled);
  int file = memfd_create("kernel", MFD_CLOEXEC);
  if (write(file, artifact.bytes.data(), artifact.bytes.size()) < 0)
    std::abort();
  std::string path = "/proc/self/fd/" + std::to_string(file);
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  close(file);
  if (library)
    entry = reinterpret_cast<trt_entry_fn>(dlsym(library, artifact.entry.c_str()));
  if (!entry) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::abort();
  }
}

LoadedKernel::~LoadedKernel() {
  if (library)
    dlclose(library);
}

int32_t LoadedKernel::runSlots(std::vector<uint32_t> grid, std::vector<uint64_t> slots) {
  grid.resize(3, 1);
  return call({grid[0], grid[1], grid[2]}, 0, int64_t(grid[0]) * grid[1] * grid[2], slots);
}

int32_t LoadedKernel::call(std::array<uint32_t, 3> grid, int64_t begin, int64_t end,
                           const std::vector<uint64_t> &slots) {
  trt_cpu_launch launch = {{grid[0], grid[1], grid[2]}, 0, &stop, nullptr};
  void *scratch = std::aligned_alloc(64, (artifact.scratchBytes + 127) / 64 * 64);
  int32_t result = entry(slots.data(), begin, end, &launch, scratch);
  std::free(scratch);
  return result;
}

std::string compileError(const std::string &text) {
  std::string messages;
  return mlir::failed(compile(text, "", "", "", messages)) ? messages : "";
}

} // namespace tritonrt::compiler
