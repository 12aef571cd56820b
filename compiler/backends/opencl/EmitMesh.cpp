// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that run together. One text serves two ways to run them, and the launch chooses: several
// programs as slices of one work-group, or a work-group a program with all groups of a mesh
// resident at once, which meet at counters in global memory. The memory that a mesh reaches is
// global in it; a second text is for meshes in a work-group whose local memory holds that. A third
// text is of the kernel split at its barriers, whose programs need not run together: each runs up
// to its next barrier and goes on in a later turn.
#include "compiler/analysis/Holds.h"
#include "compiler/api/kernel_abi.h"
#include "compiler/backends/opencl/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {

namespace {

/// Is a value the same in all programs of a launch?
class Uniformity {
public:
  bool isUniform(Value value) {
    auto [it, isNew] = known.insert({value, true});
    // What depends on itself around a loop is what the rest of it is.
    if (!isNew)
      return it->second;
    bool uniform = compute(value);
    if (!uniform)
      known[value] = false;
    return uniform;
  }

  /// Do all programs reach `op` equally often?
  bool isReachedAlike(Operation *op) {
    for (Operation *up = op->getParentOp(); up && !isa<func::FuncOp>(up); up = up->getParentOp()) {
      if (auto branch = dyn_cast<scf::IfOp>(up)) {
        if (!isUniform(branch.getCondition()))
          return false;
      } else if (auto loop = dyn_cast<scf::ForOp>(up)) {
        if (!isCounted(loop))
          return false;
      } else {
        return false;
      }
    }
    return true;
  }

private:
  bool isCounted(scf::ForOp loop) {
    return isUniform(loop.getLowerBound()) && isUniform(loop.getUpperBound()) &&
           isUniform(loop.getStep());
  }
  bool isCarried(scf::ForOp loop, unsigned i) {
    return isUniform(loop.getInitArgs()[i]) && isUniform(loop.getYieldedValues()[i]);
  }

  bool compute(Value value) {
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      Operation *parent = arg.getOwner()->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        return isCounted(loop) &&
               (arg == loop.getInductionVar() || isCarried(loop, arg.getArgNumber() - 1));
      return isa<func::FuncOp>(parent);
    }
    Operation *op = value.getDefiningOp();
    if (isa<mem::NumProgramsOp>(op))
      return true;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return isCounted(loop) && isCarried(loop, cast<OpResult>(value).getResultNumber());
    return isa<arith::ArithDialect>(op->getDialect()) &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return isUniform(operand); });
  }

  llvm::DenseMap<Value, bool> known;
};

/// The state of a program that waits in this turn, or has ended.
constexpr llvm::StringLiteral kNone = "0xffffffffu";

constexpr llvm::StringLiteral kGroupBarrier =
    "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";

/// The first program of the group that this one belongs to, as `index` counts them.
std::string leaderOf(llvm::ArrayRef<int32_t> words, const std::string &index,
                     llvm::ArrayRef<std::string> sizes) {
  int32_t n = words[1];
  std::string leader = index;
  for (int32_t i = 0; i < n; ++i) {
    int32_t axis = words[2 + i], part = words[3 + n + i];
    if (axis >= int32_t(sizes.size()))
      continue; // refused at the launch
    std::string step = "1u";
    for (const std::string &size : sizes.drop_front(axis + 1))
      step += " * " + size;
    leader += " - " + index + " / (" + step + ") % " + sizes[axis] + " % " + std::to_string(part) +
              "u * (" + step + ")";
  }
  return leader;
}

/// Where the group counts and how many it counts.
std::pair<std::string, std::string> counterOf(llvm::ArrayRef<int32_t> words) {
  const std::string first = "mesh_slot - mesh_rank";
  auto members = [&] {
    int64_t size = 1;
    for (int32_t i = 0, n = words[1]; i < n; ++i)
      size *= words[3 + n + i];
    return std::to_string(size) + "u";
  };
  switch (words[0]) {
  case TRT_GROUP_GRID:
    return {"0u", "mesh_grid_x * mesh_grid_y * mesh_grid_z"};
  case TRT_GROUP_RANKS: {
    llvm::ArrayRef<int32_t> ranks = words.drop_front(2);
    return {first + " + " + std::to_string(*llvm::min_element(ranks)) + "u",
            std::to_string(ranks.size()) + "u"};
  }
  case TRT_GROUP_MESH_AXES:
    return {first + " + " + leaderOf(words, "mesh_rank", {"mesh_x", "mesh_y", "mesh_z"}),
            members()};
  case TRT_GROUP_GRID_AXES: {
    llvm::SmallVector<std::string> domain;
    for (int32_t size : words.drop_front(2 * words[1] + 4))
      domain.push_back(std::to_string(size) + "u");
    return {leaderOf(words, "mesh_program", domain) + " - mesh_first", members()};
  }
  default:
    return {first, "mesh_count"};
  }
}

LogicalResult emitMeshMemory(Emitter &e, Operation *op) {
  e.alias(op->getResult(0), e.localMeshBytes() ? "mesh_here" : "mesh_own");
  return success();
}

LogicalResult emitRemote(Emitter &e, Operation *raw) {
  auto op = cast<mem::RemoteOp>(raw);
  int64_t local = e.localMeshBytes();
  std::string distance = "((long)min(" + e.whole(op.getRank()) +
                         ", mesh_count - 1u) - (long)mesh_rank) * " +
                         (local ? std::to_string(local) : "(long)mesh_stride");
  bool isNull = op.getBase().getDefiningOp<mem::NullOp>() != nullptr;
  e.define(op.getResult(), isNull ? "(__global char *)(" + distance + ")"
                                  : e.expr(op.getBase()) + " + " + distance);
  return success();
}

/// The row of counters that the group meets at, its counter and how many it counts.
std::pair<std::string, std::string> meetingOf(Emitter &e, llvm::ArrayRef<int32_t> words) {
  auto [counter, size] = counterOf(words);
  std::string row = std::to_string(e.meshGroup(words)) + "u * mesh_batch";
  return {row + " + " + counter, size};
}

/// The items of a work-group look together now and then, so that they end at the same barrier.
constexpr llvm::StringLiteral kMeetInGroup =
    R"(uint mesh_meet_in_group(volatile __global uint *stop, uint number, uint *turns,
                        volatile __local uint *stopped) {
  if (++*turns % 64u != 0u) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return 0u;
  }
  if (get_local_id(0) == 0 && (stopped[0] = stop[0]) != 0u)
    stop[1] = number;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  return stopped[0];
})";

/// The first item counts its turns over all meetings: those of programs that come at once end too.
constexpr llvm::StringLiteral kMeet =
    R"(#ifdef __NV_CL_C_VERSION
#define DEVICE_FENCE() asm volatile("fence.acq_rel.gpu;" ::: "memory")
#else
#define DEVICE_FENCE() mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
uint mesh_meet(volatile __global uint *counter, uint size, volatile __global uint *stop,
               uint number, uint *turns, volatile __local uint *stopped) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    uint seen = 0u;
    DEVICE_FENCE();
    const uint round = atomic_inc(counter) / size;
    do {
      if (++*turns % 256u == 0u)
        seen = stop[0];
    } while (seen == 0u && atomic_add(counter, 0u) / size == round);
    if (seen != 0u)
      stop[1] = number;
    stopped[0] = seen;
    DEVICE_FENCE();
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  return stopped[0];
})";

LogicalResult emitMeshBarrier(Emitter &e, Operation *raw) {
  auto op = cast<mem::MeshBarrierOp>(raw);
  // CPU drivers promise nothing of when groups run: all of a mesh is one. They make loops of what
  // stands between barriers, which a program must not leave.
  if (e.features.isCpu) {
    e.line(kGroupBarrier);
    return success();
  }
  std::string rest = llvm::Twine(op.getNumber()).str() + "u, &mesh_turns, mesh_stopped) != 0u)";
  e.require("mesh_meet_in_group", kMeetInGroup.str());
  std::string inGroup = "mesh_meet_in_group(stop, " + rest;
  if (e.localMeshBytes()) {
    e.line("if (" + inGroup);
    e.line("  return;");
    return success();
  }
  e.require("mesh_meet", kMeet.str());
  auto [counter, size] = meetingOf(e, op.getGroup());
  e.open("if (mesh_per_group > 1u)");
  e.line("if (" + inGroup);
  e.line("  return;");
  e.close(" else");
  e.line("  if (mesh_meet(mesh_counters + " + counter + ", " + size + ", stop, " + rest);
  e.line("    return;");
  return success();
}

/// A program keeps its place in three words: the state that it goes on at, the counter that it
/// waits for, and what that must have reached.
LogicalResult emitPhase(Emitter &e, Operation *raw) {
  auto op = cast<mem::PhaseOp>(raw);
  e.line("__global uint *const mesh_place = (__global uint *)(mesh_own + " +
         llvm::Twine(op.getOffset()) + ");");
  std::string at = e.declare(op.getResult(), "0u");
  e.open("if (mesh_turn > 0u)");
  e.line(at + " = mesh_place[0];");
  e.line("if (" + at + " != " + kNone.str() +
         " && (int)(mesh_seen[mesh_place[1]] - mesh_place[2]) < 0)");
  e.line("  " + at + " = " + kNone.str() + ";");
  e.close();
  e.line("if (get_local_id(0) == 0 && " + at + " != " + kNone.str() + ")");
  e.line("  atomic_inc(mesh_status);");
  // Before its first item writes the next place, all have read this one.
  if (e.programItems() > 1)
    e.line("barrier(CLK_GLOBAL_MEM_FENCE);");
  return success();
}

LogicalResult emitSuspend(Emitter &e, Operation *raw) {
  auto op = cast<mem::SuspendOp>(raw);
  auto [counter, size] = meetingOf(e, op.getGroup());
  std::string own = e.freshName("counter"), members = e.freshName("members");
  e.open("if (get_local_id(0) == 0)");
  e.line("const uint " + own + " = " + counter + ", " + members + " = " + size + ";");
  e.line("mesh_place[0] = " + llvm::Twine(op.getResume()) + "u;");
  e.line("mesh_place[1] = " + own + ";");
  e.line("mesh_place[2] = (atomic_inc(mesh_counters + " + own + ") / " + members + " + 1u) * " +
         members + ";");
  e.line("mesh_status[2] = " + llvm::Twine(op.getNumber()) + "u;");
  e.close();
  return success();
}

LogicalResult emitEnd(Emitter &e, Operation *) { return e.endSplitProgram(), success(); }

int64_t numberOf(func::FuncOp func, llvm::StringRef name, int64_t otherwise) {
  auto attr = func->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : otherwise;
}

} // namespace

int64_t Emitter::meshGroup(llvm::ArrayRef<int32_t> words) {
  auto known = llvm::find(meshGroups, words);
  if (known == meshGroups.end()) {
    meshGroups.push_back(llvm::to_vector(words));
    return meshGroups.size() - 1;
  }
  return known - meshGroups.begin();
}

void Emitter::endSplitProgram() {
  open("if (get_local_id(0) == 0)");
  line("mesh_place[0] = " + kNone + ";");
  line("atomic_max(mesh_status + 3, mesh_turn);");
  line("atomic_inc(mesh_status + 1);");
  close();
}

bool Emitter::isMeshKernel(func::FuncOp func) { return func->hasAttr("tritonrt.mesh_bytes"); }

/// What a program knows of its place, from the launch's parameters (kernel_abi.h).
void Emitter::beginMesh(func::FuncOp func, std::string &parameters) {
  int64_t items = numberOf(func, "tritonrt.work_items", 1);
  meshItems = items;
  parameters +=
      std::string(parameters.empty() ? "" : ",\n    ") +
      "__global char *mesh_memory, ulong mesh_stride, volatile __global uint "
      "*mesh_counters, __local ulong2 *mesh_words,\n    uint mesh_first, uint mesh_batch, "
      "uint mesh_per_group, uint mesh_grid_x, uint mesh_grid_y, uint mesh_grid_z,\n    "
      "uint mesh_x, uint mesh_y, uint mesh_z";
  if (splits)
    parameters += ",\n    const __global uint *mesh_seen, volatile __global uint *mesh_status, "
                  "uint mesh_turn";
  // Drivers place an argument as its type asks.
  line("__local char *const mesh_local = (__local char *)mesh_words;");
  line("const uint mesh_slice = (uint)get_local_id(0) / " + llvm::Twine(items) + "u;");
  line("const uint mesh_slot = (uint)get_group_id(0) * mesh_per_group + mesh_slice;");
  line("const uint mesh_program = mesh_first + mesh_slot;");
  line("const uint mesh_count = mesh_x * mesh_y * mesh_z;");
  line("const uint mesh_rank = mesh_program % mesh_count;");
  line("__global char *const mesh_own = mesh_memory + mesh_slot * mesh_stride;");
  if (meshLocalBytes)
    line("__local char *const mesh_here = mesh_local + mesh_slice * " +
         llvm::Twine(meshLocalBytes) + "u;");
}

int64_t Emitter::meshBytes(func::FuncOp func) {
  return llvm::alignTo(numberOf(func, "tritonrt.mesh_bytes", 0), mem::kBufferAlign);
}

/// A program's scratch lies behind what its mesh reaches: private memory would be kept for all
/// programs of a group on one stack.
void Emitter::declareMeshStorage(func::FuncOp func, int64_t scratch, int64_t local) {
  int64_t shared = meshBytes(func);
  scratchIsGlobal = scratch && meshItems == 1;
  if (scratchIsGlobal) {
    line("__global char *const scratch = mesh_own + " + llvm::Twine(shared) + ";");
    shared += scratch;
  } else if (scratch) {
    line("__private char scratch[" + llvm::Twine(scratch) + "] __attribute__((aligned(64)));");
  }
  if (local)
    line("__local char *const shared = mesh_local + mesh_per_group * " +
         llvm::Twine(meshLocalBytes) + "u + mesh_slice * " + llvm::Twine(local) + "u;");
  // Behind the local memory of all programs of the group (kernel_abi.h).
  if (!features.isCpu && !splits && holds<mem::MeshBarrierOp>(func)) {
    line("volatile __local uint *const mesh_stopped = (volatile __local uint *)(mesh_local + "
         "mesh_per_group * " +
         llvm::Twine(meshLocalBytes + local) + "u);");
    line("uint mesh_turns = 0u;");
  }
  Builder b(func.getContext());
  Uniformity uniformity;
  bool alike = true;
  func.walk([&](Operation *op) {
    bool meets = isa<mem::MeshBarrierOp>(op) || (isa<mem::BarrierOp>(op) && meshItems > 1);
    alike &= !meets || uniformity.isReachedAlike(op);
    // A processor runs a work-group's items one after the other from barrier to barrier: one that
    // waits for a later one in a loop would do so for ever.
    alike &= !features.isCpu || !isa<mem::PollStopOp>(op);
  });
  func->setAttr("tritonrt.mesh_bytes", b.getI64IntegerAttr(shared));
  func->setAttr("tritonrt.mesh_alike", b.getBoolAttr(alike));
}

void Emitter::endMesh(func::FuncOp func) {
  func->setAttr("tritonrt.mesh_groups",
                Builder(func.getContext()).getI64IntegerAttr(meshGroups.size()));
}

void addMeshHandlers(HandlerTable &table) {
  table["mem.mesh_memory"] = emitMeshMemory;
  table["mem.remote"] = emitRemote;
  table["mem.mesh_barrier"] = emitMeshBarrier;
  table["mem.phase"] = emitPhase;
  table["mem.suspend"] = emitSuspend;
  table["mem.end"] = emitEnd;
}

} // namespace tritonrt::compiler::opencl
