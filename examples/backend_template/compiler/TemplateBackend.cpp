// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is special about the chip: it takes grids with the axes the other way round, has no
// multiplier for integers, and a compiler that moves what does not change out of loops by itself.
#include "ShiftProducts.h"
#include "compiler/backends/opencl/OpenCLBackend.h"
#include "compiler/passes/PassList.h"

using namespace mlir;
using namespace tritonrt::compiler;

namespace {

/// The launch (runtime/template_driver.cc) gives x as the last axis.
template <typename Op>
LogicalResult emitProgram(opencl::Emitter &e, Operation *raw, llvm::StringRef function) {
  // Programs that talk are numbered along one axis.
  if (e.programItems())
    return opencl::defaultHandlers().lookup(raw->getName().getStringRef())(e, raw);
  auto op = cast<Op>(raw);
  e.define(op.getResult(),
           ("(uint)" + function + "(" + std::to_string(2 - op.getAxis()) + ")").str());
  return success();
}

class TemplateBackend final : public opencl::OpenCLBackend {
public:
  llvm::StringRef name() const override { return "template"; }

  /// A pass in the place of one of the main code's.
  void addMapping(PassList &passes, const Job &job) const override {
    OpenCLBackend::addMapping(passes, job);
    passes.replace("loop-invariant-code-motion", chip::createShiftProductsPass());
  }

protected:
  /// Ops that are written in another way.
  void addHandlers(opencl::HandlerTable &table) const override {
    table["mem.program_id"] = [](opencl::Emitter &e, Operation *op) {
      return emitProgram<tritonrt::mem::ProgramIdOp>(e, op, "get_group_id");
    };
    table["mem.num_programs"] = [](opencl::Emitter &e, Operation *op) {
      return emitProgram<tritonrt::mem::NumProgramsOp>(e, op, "get_num_groups");
    };
  }
};

/// Joins the backends when the library is loaded.
const bool registered = [] {
  registerBackend(std::make_unique<TemplateBackend>());
  return true;
}();

} // namespace
