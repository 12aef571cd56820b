// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for other programs end when the launch is told to stop: its last argument points
// to a word that the host sets, and one behind it that says which op gave up.
#include "compiler/analysis/Holds.h"
#include "compiler/backends/opencl/Emitter.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {

namespace {

/// Turns of a loop for each look of a program of several work-items: the word may lie in the host's
/// memory.
constexpr unsigned kRounds = 32;

/// The item that looks tells the others.
LogicalResult emitLook(Emitter &e, mem::PollStopOp op) {
  if (!e.stops()) {
    e.alias(op.getStopped(), "false");
    return success();
  }
  e.line("if (stop_seen == 0u && ++stop_rounds % " + llvm::Twine(kRounds) + "u == 0u)");
  e.line("  stop_seen = stop[0];");
  e.line("if (stop_seen != 0u)");
  e.line("  stop[1] = " + llvm::Twine(op.getWait()) + "u;");
  e.defineHere(op.getStopped(), "stop_seen != 0u");
  return success();
}

LogicalResult emitPollStop(Emitter &e, Operation *raw) {
  auto op = cast<mem::PollStopOp>(raw);
  if (op.getStopped())
    return emitLook(e, op);
  if (!e.stops())
    return success();
  e.open("if (stop[0] != 0u)");
  e.line("stop[1] = " + llvm::Twine(op.getWait()) + "u;");
  if (e.isSplit())
    e.endSplitProgram();
  e.line("return;");
  e.close();
  return success();
}

} // namespace

/// How many work-items look at the stop word together; 0 where nothing waits. Programs of a mesh
/// wait for each other where groups of a device run at the same time.
int64_t Emitter::itemsThatStop(func::FuncOp func) const {
  bool waits = holds<mem::PollStopOp>(func) || (!features.isCpu && holds<mem::MeshBarrierOp>(func));
  auto attr = func->getAttrOfType<IntegerAttr>("tritonrt.work_items");
  int64_t items = attr ? std::max<int64_t>(attr.getInt(), 1) : 1;
  return waits ? items : 0;
}

void Emitter::takeStopWord(std::string &parameters, std::string &fields) {
  std::string from = "stop_base + stop_offset";
  if (features.packsArguments) {
    fields += "  ulong stop_words;\n";
    from = "arguments.stop_words";
  } else {
    parameters += parameters.empty() ? "" : ",\n    ";
    parameters += "__global char *stop_base, ulong stop_offset";
  }
  line("volatile __global uint *const stop = (volatile __global uint *)(" + from + ");");
  if (stopItems == 1)
    return;
  line("uint stop_rounds = 0u, stop_seen = 0u;");
}

void addStopHandlers(HandlerTable &table) { table["mem.poll_stop"] = emitPollStop; }

} // namespace tritonrt::compiler::opencl
