// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for other programs end when the launch is told to stop: its last argument points
// to a word that the host sets, and one behind it that says which op gave up.
#include "compiler/backends/opencl/Emitter.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {

namespace {

/// Work-items of a program look together, and not in every round: it takes barriers.
constexpr unsigned kRounds = 32;

LogicalResult emitPollStop(Emitter &e, Operation *raw) {
  if (!e.stops())
    return success();
  std::string number = std::to_string(cast<mem::PollStopOp>(raw).getWait()) + "u";
  if (e.stops() == 1) {
    e.open("if (stop[0] != 0u)");
    e.line("stop[1] = " + number + ";");
    if (e.isSplit())
      e.endSplitProgram();
    e.line("return;");
    e.close();
    return success();
  }
  e.open("if (++stop_rounds % " + llvm::Twine(kRounds) + "u == 0u)");
  e.line("barrier(CLK_LOCAL_MEM_FENCE);");
  e.open("if (get_local_id(0) == 0)");
  e.line("stop_seen = stop[0];");
  e.line("if (stop_seen != 0u)");
  e.line("  stop[1] = " + number + ";");
  e.close();
  e.line("barrier(CLK_LOCAL_MEM_FENCE);");
  e.line("if (stop_seen != 0u)");
  e.line("  return;");
  e.close();
  return success();
}

} // namespace

/// How many work-items look at the stop word together; 0 where no loop waits. Slices of a
/// work-group cannot meet at a barrier in a loop that each runs through as often as it likes.
int64_t Emitter::itemsThatStop(func::FuncOp func) {
  auto found = func.walk([](mem::PollStopOp) { return WalkResult::interrupt(); }).wasInterrupted();
  auto attr = func->getAttrOfType<IntegerAttr>("tritonrt.work_items");
  int64_t items = attr ? std::max<int64_t>(attr.getInt(), 1) : 1;
  return !found || (items > 1 && isMeshKernel(func)) ? 0 : items;
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
  line("uint stop_rounds = 0;");
  line("__local uint stop_seen;");
}

void addStopHandlers(HandlerTable &table) { table["mem.poll_stop"] = emitPollStop; }

} // namespace tritonrt::compiler::opencl
