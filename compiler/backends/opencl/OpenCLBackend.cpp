// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/opencl/OpenCLBackend.h"
#include "compiler/Fault.h"
#include "compiler/passes/PassList.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {

namespace {

/// Work-items of a sub-group, where the source may ask for a size. Twice as many take drivers
/// several times as long to compile: on processors, whose items are lanes of vectors, minutes.
constexpr int64_t kSubGroup = 16, kSubGroupOfCpu = 8;

} // namespace

Features::Features(const KeyValues &target)
    : isCpu(target.get("type", "cpu") == "cpu"), fp64(target.getFlag("fp64", false)),
      fp16(target.getFlag("fp16", false)), int64Atomics(target.getFlag("int64_atomics", false)),
      localBytes(target.getInt("local_bytes", 32 << 10)),
      localArgumentBytes(target.getInt("local_argument_bytes", localBytes)),
      mostItems(target.getInt("max_work_group", int64_t{1} << 30)),
      subGroup(isCpu ? kSubGroupOfCpu : kSubGroup),
      keepsOwnInMemory(isCpu && target.get("shuffle", "none") != "none"),
      khronosShuffles(target.get("shuffle") == "khr"),
      vectorBytes(4 * target.getInt("width_float", isCpu ? 16 : 1)) {}

const HandlerTable &defaultHandlers() {
  static const HandlerTable table = [] {
    HandlerTable all;
    addControlHandlers(all);
    addArithHandlers(all);
    addMathHandlers(all);
    addMemHandlers(all);
    addAtomicHandlers(all);
    addMeshHandlers(all);
    addStopHandlers(all);
    addVectorHandlers(all);
    return all;
  }();
  return table;
}

const HandlerTable &OpenCLBackend::handlers() const {
  std::call_once(filled, [this] {
    table = defaultHandlers();
    addHandlers(table);
  });
  return table;
}

void OpenCLBackend::addLegalization(PassList &passes, const Job &job) const {
  Features features(job.target);
  LegalizeFloatsOptions floats;
  floats.f16 = features.fp16 ? FloatSupport::Full : FloatSupport::None;
  floats.f64 = features.fp64;
  passes.addToFunctions(createLegalizeFloatsPass(floats));
  passes.addToFunctions(createExpandMathPass({.hasScale = false, .contracts = true}));
  // From the end up: the other way takes time that grows with the square of what the two passes
  // before have written.
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(false);
  passes.addToFunctions(createCanonicalizerPass(config));
}

int64_t Vendor::shuffleLanes(const KeyValues &target) const {
  return target.get("shuffle", "none") != "none" ? Features(target).subGroup : 1;
}

std::string Vendor::shuffle(Emitter &e, const std::string &word, int64_t keep, int64_t flip) const {
  bool khronos = e.features.khronosShuffles;
  e.requireExtension(khronos ? "cl_khr_subgroup_shuffle" : "cl_intel_subgroups");
  std::string name = khronos ? "sub_group_shuffle" : "intel_sub_group_shuffle";
  if (keep == -1)
    return name + "_xor(" + word + ", " + std::to_string(flip) + "u)";
  return name + "(" + word + ", (uint)get_local_id(0) & " +
         std::to_string(keep & (e.features.subGroup - 1)) + "u" +
         (flip ? " ^ " + std::to_string(flip) + "u)" : ")");
}

std::string Vendor::kernelAttributes(const Features &features) const {
  return " __attribute__((intel_reqd_sub_group_size(" + std::to_string(features.subGroup) + ")))";
}

std::string Vendor::fence() const {
  return "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";
}

std::string laneText(int64_t keep, int64_t flip) {
  std::string own = "((uint)get_local_id(0) & " + std::to_string(keep & (kWarp - 1)) + "u)";
  return flip ? own + " ^ " + std::to_string(flip) + "u" : own;
}

const Vendor &OpenCLBackend::vendor() const {
  static const Vendor any;
  return any;
}

TargetTraits OpenCLBackend::describe(const KeyValues &target) const {
  TargetTraits traits;
  traits.vectorBytes = Features(target).vectorBytes;
  traits.maxLanes = 16; // of a vector type of OpenCL C
  traits.cheapMasks = false;
  traits.addressSpaces = true;
  traits.simt = target.get("mapping") == "simt";
  traits.straightCode = !Features(target).isCpu;
  // Drivers without sub-groups run the items of a group in loops between barriers.
  traits.flatBarriers = Features(target).isCpu && target.get("shuffle", "none") == "none";
  traits.localBytes = Features(target).localBytes;
  traits.meshLocalBytes = std::min(traits.localBytes, Features(target).localArgumentBytes);
  traits.unitItems = Features(target).isCpu ? 0 : kUnitItems;
  traits.stackBytes = kLargestStackBytes;
  if (Features(target).isCpu)
    traits.groupBytes = kLargestGroupBytes;
  else
    traits.itemBytes = kPrivateBytes;
  traits.localBanks = target.getFlag("banks", !Features(target).isCpu);
  traits.shuffleLanes = vendor().shuffleLanes(target);
  return traits;
}

FailureOr<Artifact> OpenCLBackend::emit(ModuleOp mapped, const Job &job) const {
  auto functions = mapped.getOps<func::FuncOp>();
  if (!llvm::hasSingleElement(functions))
    return emitFault(mapped, "the OpenCL backend takes one function at a time");
  func::FuncOp func = *functions.begin();
  Features features(job.target);
  features.packsArguments = vendor().packsArguments();
  if (llvm::StringRef form = job.target.get("arguments"); !form.empty())
    features.packsArguments = form == "struct";
  PassList legalization;
  addLegalization(legalization, job);
  if (failed(std::move(legalization).run(mapped)))
    return failure();
  OwningOpRef<func::FuncOp> split;
  bool talks = func->hasAttr("tritonrt.mesh_bytes") && !func->hasAttr(kSpillsAttr);
  if (talks) {
    split = func.clone();
    // CPUs' drivers make loops over the work-items of what stands between barriers, so those may
    // stand in no case of a switch.
    auto items = func->getAttrOfType<IntegerAttr>("tritonrt.work_items");
    bool flat = features.isCpu && items && items.getInt() > 1;
    if (failed(splitAtBarriers(*split, /*chained=*/flat)))
      split = nullptr;
    else if (flat)
      flattenBranches(*split);
  }
  OwningOpRef<func::FuncOp> local;
  Attribute meshLocal = Builder(func.getContext()).getI64IntegerAttr(Emitter::meshBytes(func));
  if (talks) {
    local = func.clone();
    if (Emitter::meshBytes(func) == 0 || failed(moveMeshToLocal(*local)))
      local = nullptr;
  }
  Emitter emitter(features, vendor(), handlers());
  Artifact artifact;
  artifact.entry = "kernel_" + identifier(func.getSymName(), 64);
  FailureOr<std::string> text = emitter.emitKernel(
      func, {split ? *split : nullptr, local ? *local : nullptr}, artifact.entry);
  if (failed(text))
    return failure();
  if (local)
    func->setAttr("tritonrt.mesh_local", meshLocal);
  if (split) {
    func->setAttr("tritonrt.mesh_groups", (*split)->getAttr("tritonrt.mesh_groups"));
    func->setAttr("tritonrt.mesh_split", (*split)->getAttr("tritonrt.mesh_bytes"));
  }
  artifact.bytes = std::move(*text);
  artifact.localBytes = emitter.localBytes();
  artifact.stops = emitter.stops() != 0;
  if (features.packsArguments)
    artifact.arguments = "struct";
  if (auto items = func->getAttrOfType<IntegerAttr>("tritonrt.work_items"))
    artifact.workItems = items.getInt();
  return artifact;
}

FailureOr<std::string> OpenCLBackend::print(ModuleOp mapped, const Job &job,
                                            llvm::StringRef stage) const {
  if (stage != "opencl")
    return mapped.emitError() << "the OpenCL backend has no stage '" << stage << "'";
  FailureOr<Artifact> artifact = emit(mapped, job);
  if (failed(artifact) || failed(finish(*artifact, mapped, job)))
    return failure();
  return std::move(artifact->bytes);
}

} // namespace tritonrt::compiler::opencl
