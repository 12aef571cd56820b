// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of C functions that libtritonrt calls. Nothing may cross it but values: every failure
// is a message.
#include "compiler/api/tritonrt_compiler.h"

#include "compiler/BuildId.h"
#include "compiler/Pipeline.h"
#include "compiler/frontend/Bytecode.h"
#include "compiler/frontend/Diagnostics.h"
#include "compiler/frontend/Parse.h"
#include "compiler/frontend/ReportLine.h"

#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace tritonrt::compiler;

/// One handle: its contexts are used by one thread at a time.
struct trtc_module {
  std::unique_ptr<ParsedModule> parsed;
  /// The backend whose dialects the text was read with, where ours alone did not do.
  const Backend *reader = nullptr;
  /// Then: why not.
  std::string refusal;
  std::string input;
  /// The text as other backends with dialects of their own read it.
  std::map<const Backend *, std::unique_ptr<ParsedModule>> others;
};

namespace {

/// A result that owns the bytes it points to.
struct Result : trtc_result {
  std::string ownMessage, ownArtifact, ownMetadata;
};

trtc_bytes view(const std::string &bytes) { return {bytes.data(), bytes.size()}; }

trtc_result *finish(std::unique_ptr<Result> result, bool ok) {
  result->ok = ok;
  result->message = view(result->ownMessage);
  result->artifact = view(result->ownArtifact);
  result->metadata = view(result->ownMetadata);
  return result.release();
}

trtc_result *succeed(std::string artifact, std::string metadata = {}) {
  auto result = std::make_unique<Result>();
  result->ownArtifact = std::move(artifact);
  result->ownMetadata = std::move(metadata);
  return finish(std::move(result), true);
}

trtc_result *fail(std::string message) {
  auto result = std::make_unique<Result>();
  result->ownMessage = std::move(message);
  return finish(std::move(result), false);
}

StringRef orEmpty(const char *text) { return text ? StringRef(text) : StringRef(); }

std::string print(ModuleOp module, OpPrintingFlags flags) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, flags.assumeVerified());
  os << "\n";
  return text;
}

/// Attributes of the module that say for which machine the text was written, not what it does.
bool isIrrelevant(StringRef name) {
  return !name.starts_with("tle.") && name != "ttg.num-warps" && name != "ttg.num-ctas";
}

//===----------------------------------------------------------------------===//
// The functions of the table
//===----------------------------------------------------------------------===//

trtc_result *parse(trtc_bytes input, const char *name, trtc_module **module) {
  *module = nullptr;
  StringRef called = orEmpty(name);
  if (called.empty())
    called = "<input>";
  StringRef text(input.data, input.size);
  auto made = std::make_unique<trtc_module>();
  made->parsed = parseModule(text, called, made->refusal);
  if (!made->parsed)
    for (const Backend *backend : backendsWithDialects()) {
      std::string error;
      made->parsed = parseModule(text, called, error, *dialectsOf(*backend));
      made->reader = backend;
      if (made->parsed)
        break;
      // One who knows the ops says more.
      if (!StringRef(error).contains("is not supported"))
        made->refusal = error;
    }
  if (!made->parsed)
    return fail(std::move(made->refusal));
  made->input = text.str();
  *module = made.release();
  return succeed({});
}

/// The module as the backend reads it; nullptr with a message where it cannot.
ParsedModule *readFor(trtc_module &module, const Backend *backend, std::string &error) {
  const DialectSet *dialects = backend ? dialectsOf(*backend) : nullptr;
  if (backend == module.reader || (!dialects && !module.reader))
    return module.parsed.get();
  if (!dialects) {
    error = module.refusal;
    return nullptr;
  }
  std::unique_ptr<ParsedModule> &read = module.others[backend];
  if (!read)
    read = parseModule(module.input, module.parsed->name, error, *dialects);
  return read.get();
}

void freeModule(trtc_module *module) { delete module; }

trtc_result *canonical(trtc_module *module) {
  OwningOpRef<ModuleOp> copy(module->parsed->module->clone());
  for (NamedAttribute attribute : llvm::to_vector((*copy)->getDiscardableAttrs()))
    if (isIrrelevant(attribute.getName()))
      (*copy)->removeDiscardableAttr(attribute.getName());
  std::string text = print(*copy, OpPrintingFlags().printGenericOpForm().useLocalScope());
  // What prints and asserts say of their place is part of an artifact.
  copy->walk([&](Operation *op) {
    if (isReport(op))
      text += "// " + reportLine(op) + "\n";
  });
  return succeed(std::move(text));
}

trtc_result *signature(trtc_module *module, const char *kernel) {
  ModuleOp op = *module->parsed->module;
  DiagnosticCollector collector(op.getContext(), module->parsed->name);
  FailureOr<tritonrt::tt::FuncOp> function = findKernel(op, orEmpty(kernel));
  if (failed(function))
    return fail(collector.message("no such kernel"));
  FailureOr<std::string> arguments = describeArguments(*function);
  if (failed(arguments))
    return fail(collector.message("the kernel cannot be launched"));
  std::string name = function->getName().str();
  // A kernel that cannot be lowered says why when it is compiled; until then every pointer counts
  // as written. So it does where the ops are a backend's: another version of it may see it
  // otherwise.
  FailureOr<std::string> writes = failure();
  if (!module->reader) {
    OwningOpRef<ModuleOp> copy(op.clone());
    writes = describeWrites(*copy, name);
  }
  return succeed({}, "kernel=" + name + "\n" + (succeeded(writes) ? *writes : "") + *arguments);
}

/// What compile and print have in common: a copy of the module, and the job.
struct Compilation {
  OwningOpRef<ModuleOp> copy;
  Job job;
  const Backend *backend = nullptr;
  std::string arguments;
};

LogicalResult prepare(ModuleOp op, DiagnosticCollector &collector, const char *kernel,
                      const char *target, const char *options, const char *special,
                      Compilation &result) {
  FailureOr<tritonrt::tt::FuncOp> function = findKernel(op, orEmpty(kernel));
  if (failed(function))
    return failure();
  collector.setFallback(function->getLoc());
  FailureOr<std::string> arguments = describeArguments(*function);
  if (failed(arguments))
    return failure();
  result.arguments = std::move(*arguments);
  std::string name = function->getName().str();
  result.copy = OwningOpRef<ModuleOp>(op.clone());
  FailureOr<const Backend *> backend = prepareJob(*result.copy, name, orEmpty(target),
                                                  orEmpty(options), orEmpty(special), result.job);
  if (failed(backend))
    return failure();
  result.backend = *backend;
  return success();
}

trtc_result *compile(trtc_module *module, const char *kernel, const char *target,
                     const char *options, const char *special) {
  std::string error;
  ParsedModule *parsed = readFor(*module, backendFor(orEmpty(target), orEmpty(options)), error);
  if (!parsed)
    return fail(std::move(error));
  DiagnosticCollector collector(parsed->context.get(), parsed->name);
  Compilation work;
  if (failed(prepare(*parsed->module, collector, kernel, target, options, special, work)))
    return fail(collector.message("the kernel cannot be compiled"));
  FailureOr<CompiledKernel> compiled = compileKernel(*work.copy, *work.backend, work.job);
  if (failed(compiled))
    return fail(collector.message("the kernel cannot be compiled"));
  return succeed(std::move(compiled->artifact), compiled->metadata + work.arguments);
}

trtc_result *printStageOf(trtc_module *module, const char *kernel, const char *target,
                          const char *options, const char *special, const char *stage) {
  StringRef wanted = orEmpty(stage);
  if (wanted == "tt")
    return succeed(print(*module->parsed->module, OpPrintingFlags()));
  if (wanted == "bytecode") {
    FailureOr<std::string> bytes = writeSealedBytecode(*module->parsed->module);
    if (failed(bytes))
      return fail(module->parsed->name + ": error: the module cannot be written as bytecode");
    return succeed(std::move(*bytes));
  }
  std::string error;
  ParsedModule *parsed = readFor(*module, backendFor(orEmpty(target), orEmpty(options)), error);
  if (!parsed)
    return fail(std::move(error));
  DiagnosticCollector collector(parsed->context.get(), parsed->name);
  Compilation work;
  if (failed(prepare(*parsed->module, collector, kernel, target, options, special, work)))
    return fail(collector.message("the kernel cannot be compiled"));
  FailureOr<std::string> text = printStage(*work.copy, *work.backend, work.job, wanted);
  if (failed(text))
    return fail(collector.message("the stage '" + wanted.str() + "' cannot be printed"));
  return succeed(std::move(*text));
}

trtc_result *loadBackend(const char *path) {
  std::string error = loadBackends(orEmpty(path).str());
  return error.empty() ? succeed({}) : fail(std::move(error));
}

void freeResult(trtc_result *result) { delete static_cast<Result *>(result); }

} // namespace

extern "C" __attribute__((visibility("default"))) const trtc_compiler *tritonrt_compiler_get() {
  static const trtc_compiler table = {
      TRITONRT_COMPILER_ABI, kBuildId,   parse,      freeModule, canonical, signature, compile,
      printStageOf,          freeResult, loadBackend};
  return &table;
}
