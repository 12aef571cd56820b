// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_BACKENDS_SPECIALISED_H
#define TRITONRT_COMPILER_BACKENDS_SPECIALISED_H

#include "compiler/backends/Backend.h"
#include "compiler/passes/PassList.h"
#include "compiler/passes/Passes.h"

namespace tritonrt::compiler {

/// For backends with specialised definitions (SPEC_DIR of tritonrt_add_backend): the main passes
/// are those of the backend's own library, which use these definitions, not the main library's.
template <typename Base> class Specialised : public Base {
public:
  void addToTile(PassList &passes, const Job &job) const override {
    compiler::addToTile(passes, job);
  }
  void addToNests(PassList &passes, const Job &job) const override {
    compiler::addToNests(passes, job);
  }
  void addMapping(PassList &passes, const Job &job) const override {
    job.traits.simt ? addSimtMapping(passes, job) : addVectorMapping(passes, job);
  }
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_BACKENDS_SPECIALISED_H
