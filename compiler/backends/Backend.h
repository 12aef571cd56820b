// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a backend is to the rest of the compiler. The main code holds defaults and calls these
// functions; it never asks which backend it talks to. A backend lives in a folder of its own, here
// or elsewhere (docs/backends.md), and each target has its own: what one replaces, others keep.
#ifndef TRITONRT_COMPILER_BACKENDS_BACKEND_H
#define TRITONRT_COMPILER_BACKENDS_BACKEND_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>
#include <vector>

namespace tritonrt::compiler {

struct DialectSet;

/// A text of `key=value` lines, as the runtime hands over targets, options and launch promises.
class KeyValues {
public:
  KeyValues() = default;
  explicit KeyValues(llvm::StringRef text);

  /// The value of `key`, or `fallback` where the text has none.
  llvm::StringRef get(llvm::StringRef key, llvm::StringRef fallback = "") const;
  /// Every KEY that `changes` has as PREFIX.KEY gets its value from there.
  void change(llvm::StringRef prefix, const KeyValues &changes);
  int64_t getInt(llvm::StringRef key, int64_t fallback) const;
  bool getFlag(llvm::StringRef key, bool fallback) const { return getInt(key, fallback) != 0; }

private:
  llvm::StringMap<std::string> values;
};

/// What the target-independent passes need to know of a target.
struct TargetTraits {
  /// Widest useful vector register.
  int64_t vectorBytes = 16;
  /// Most lanes that a vector may have.
  int64_t maxLanes = 64;
  /// Masked vector accesses cost about what plain ones do; else tails run element by element.
  bool cheapMasks = false;
  /// Instructions that add the products of two pairs: of bf16 in f32, of i16 in i32.
  bool bf16Pairs = false, i16Pairs = false;
  /// Several work-items a program.
  bool simt = false;
  /// Work-items that can read each other's registers: aligned groups of that many; 1 = none.
  int64_t shuffleLanes = 1;
  /// The device's compiler makes good code of long straight code, in good time.
  bool straightCode = true;
  /// The device's compiler copies what follows a barrier that may be passed by.
  bool flatBarriers = false;
  /// Local memory that the work-items of a program may share.
  int64_t localBytes = 32 << 10;
  /// Of that, what the launch can give a kernel of meshes, or one that needs more memory.
  int64_t meshLocalBytes = 32 << 10;
  /// Work-items that a compute unit runs at a time; 0 = those of one program.
  int64_t unitItems = 0;
  /// Scratch that a program may take where it does not fit local memory; 0 = no limit.
  int64_t stackBytes = 0;
  /// Private memory of a work-item, and of all those of a program together; 0 = no limit.
  int64_t itemBytes = 0, groupBytes = 0;
  /// Local memory has banks that items of a warp wait for.
  bool localBanks = false;
  /// A pointer's type tells which memory it points into.
  bool addressSpaces = false;
  /// Private bytes that a program may take before tiles must go elsewhere.
  int64_t scratchBytes = int64_t{1} << 30;
};

/// One compilation: what is compiled for what.
struct Job {
  std::string kernel;
  KeyValues target;
  KeyValues options;
  /// Promises of the launch: `disjoint`, `generic`.
  KeyValues special;
  TargetTraits traits;

  /// Every access reports itself, so it must be as the program has it: none dropped, merged or
  /// cut to what somebody needs.
  bool checksRaces() const { return options.getFlag("check_races", false); }
  /// The slow and right form: no address analysis, no boxes, a nest an op, scalar loops.
  bool reference() const { return options.getFlag("reference", checksRaces()); }
  /// A developer switch, on by default and off in the reference form.
  bool enabled(llvm::StringRef name) const { return options.getFlag(name, !reference()); }
};

class PassList;

struct Artifact {
  std::string bytes;
  /// Symbol or __kernel to call.
  std::string entry;
  int64_t workItems = 1;
  int64_t scratchBytes = 0;
  int64_t localBytes = 0;
  /// How the entry takes its arguments, as kernel_abi.h names it; empty: one or two a parameter.
  std::string arguments;
  /// Its waiting loops look at a stop word that it gets as a parameter behind all others.
  bool stops = false;
};

class Backend {
public:
  virtual ~Backend() = default;

  virtual llvm::StringRef name() const = 0;
  /// Is it meant for the target, which names a backend and describes a device? 0 = no; the backend
  /// with the largest number compiles.
  virtual int suits(const KeyValues &target) const { return target.get("backend") == name(); }
  /// Dialects, extensions and external models that only this backend's contexts have. A dialect
  /// whose namespace is one of ours takes its place. Texts for this backend's targets are read with
  /// them.
  virtual void registerDialects(mlir::DialectRegistry &registry) const {}
  virtual TargetTraits describe(const KeyValues &target) const = 0;

  // The passes, in three lists that a backend may change or fill by itself. The defaults are the
  // functions of the same names in passes/Passes.h.

  /// From a verified tt module to `tile`.
  virtual void addToTile(PassList &passes, const Job &job) const;
  /// From there to `nests`.
  virtual void addToNests(PassList &passes, const Job &job) const;
  /// From there to mapped IR: one func.func of scf, arith, math, vector and mem ops. The default is
  /// the mapping that the traits name.
  virtual void addMapping(PassList &passes, const Job &job) const;

  /// Turns mapped IR into what the driver loads. Failures are diagnostics on the module.
  virtual mlir::FailureOr<Artifact> emit(mlir::ModuleOp mapped, const Job &job) const = 0;
  /// Works on the finished text or binary; runs last.
  virtual mlir::LogicalResult finish(Artifact &artifact, mlir::ModuleOp mapped,
                                     const Job &job) const {
    return mlir::success();
  }

  /// The text of a stage after `mapped`, or failure where this backend has no such stage.
  virtual mlir::FailureOr<std::string> print(mlir::ModuleOp mapped, const Job &job,
                                             llvm::StringRef stage) const = 0;
};

//===--- The backends of the process
//----------------------------------------------------------------------------===//
//
// Thread safe. What is found lives as long as the process.

/// Called by an initialiser of the file that defines the backend, when its library is loaded.
void registerBackend(std::unique_ptr<Backend> backend);
/// The backend that suits the target best, or nullptr.
const Backend *findBackend(const KeyValues &target);
/// Name and version, as artifacts and cache keys tell them.
std::string identityOf(const Backend &backend);
/// What texts for the backend are read with: our dialects and its own. nullptr where it has none.
const DialectSet *dialectsOf(const Backend &backend);
/// The backends that have dialects of their own, in the order of their names.
std::vector<const Backend *> backendsWithDialects();

/// Opens a library of backends. It must have been built for this interface
/// (api/tritonrt_backend.h); the message says why it is refused, and is empty otherwise.
std::string loadBackends(const std::string &path);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_BACKENDS_BACKEND_H
