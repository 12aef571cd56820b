// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Pipeline.h"

#include "compiler/dialect/mem/Mem.h"
#include "compiler/dialect/tile/Tile.h"
#include "compiler/passes/PassList.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// What the runtime must know of a kernel's memory accesses. Read off the tile stage, where every
/// access still names its argument.
struct AccessFacts {
  std::set<unsigned> writes;
  int64_t work = 0;
};

/// Times that the loops around `op` repeat it; loops of unknown trip count are taken for 8.
int64_t repetitions(Operation *op) {
  constexpr int64_t kUnknownTrips = 8, kCap = int64_t{1} << 30;
  int64_t times = 1;
  for (Operation *up = op->getParentOp(); up; up = up->getParentOp()) {
    if (auto loop = dyn_cast<scf::ForOp>(up)) {
      std::optional<llvm::APInt> trips = loop.getStaticTripCount();
      times *= trips ? std::max<int64_t>(trips->getLimitedValue(kCap), 1) : kUnknownTrips;
    } else if (isa<scf::WhileOp>(up)) {
      times *= kUnknownTrips;
    }
    times = std::min(times, kCap);
  }
  return times;
}

AccessFacts accessFacts(ModuleOp module) {
  AccessFacts facts;
  // The buffer of prints and asserts is nobody's argument.
  auto parameters = [](func::FuncOp function) {
    return function.getArgumentTypes().drop_back(function->hasAttr("tritonrt.reports") ? 2 : 0);
  };
  module.walk([&](tile::AddressOp op) {
    auto tensor = dyn_cast<RankedTensorType>(op.getAccessType());
    facts.work = std::max(facts.work, (tensor ? tensor.getNumElements() : 1) * repetitions(op));
    if (isa<tile::LoadOp, tile::AtomicLoadOp>(op.getOperation()))
      return;
    llvm::ArrayRef<Type> types = parameters(op->getParentOfType<func::FuncOp>());
    if (op.getRoot() >= 0) {
      if (op.getRoot() < int64_t(types.size()))
        facts.writes.insert(op.getRoot());
      return;
    }
    if (tile::isBufferRoot(op.getRoot()))
      return;
    // Unknown origin: any pointer may be behind it.
    for (auto [i, type] : llvm::enumerate(types))
      if (isa<mem::PtrType>(type))
        facts.writes.insert(i);
  });
  return facts;
}

/// What tt-to-tile says of a kernel, in lines of metadata.
struct Declared {
  explicit Declared(ModuleOp module) {
    for (auto function : module.getOps<func::FuncOp>()) {
      take(function, "tritonrt.waits", waits);
      take(function, "tritonrt.reports", reports);
    }
  }
  static void take(Operation *function, llvm::StringRef name,
                   llvm::SmallVectorImpl<std::string> &lines) {
    if (auto attr = function->getAttrOfType<ArrayAttr>(name))
      for (llvm::StringRef line : attr.getAsValueRange<StringAttr>())
        lines.push_back(line.str());
  }
  llvm::SmallVector<std::string> waits, reports;
};

std::string writesLine(const AccessFacts &facts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "writes=";
  llvm::interleave(facts.writes, os, ",");
  os << "\n";
  return text;
}

std::string describe(const Artifact &artifact, const AccessFacts &facts, llvm::StringRef kernel,
                     const Declared &declared) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "kernel=" << kernel << "\nentry=" << artifact.entry << "\nwork_items=" << artifact.workItems
     << "\nscratch_bytes=" << artifact.scratchBytes << "\nlocal_bytes=" << artifact.localBytes
     << "\nwork=" << facts.work << "\nwaits=" << int(!declared.waits.empty()) << "\n"
     << writesLine(facts);
  if (artifact.stops)
    os << "stop=1\n";
  if (!artifact.arguments.empty())
    os << "arguments=" << artifact.arguments << "\n";
  for (llvm::StringRef line : declared.waits)
    os << "wait=" << line << "\n";
  for (llvm::StringRef line : declared.reports)
    os << "report=" << line << "\n";
  return text;
}

/// The line of an op in the kernel's text, 0 where it is not known.
unsigned lineOf(Operation *op) {
  unsigned line = 0;
  op->getLoc()->walk([&](Location part) {
    auto position = dyn_cast<FileLineColLoc>(part);
    if (position)
      line = position.getLine();
    return position ? WalkResult::interrupt() : WalkResult::advance();
  });
  return line;
}

/// The op that an access was in the kernel's text (`TtToTileOptions::keepAccesses`).
llvm::StringRef sourceOf(Operation *access) {
  auto named = access->getLoc()->findInstanceOf<NameLoc>();
  return named ? named.getName().strref() : access->getName().getStringRef();
}

/// What an access does, in letters (kernel_abi.h).
std::string accessKind(Operation *op) {
  if (isa<mem::LoadOp, mem::GatherOp>(op))
    return "r";
  if (isa<mem::StoreOp, mem::ScatterOp>(op))
    return "w";
  mem::Order order =
      llvm::TypeSwitch<Operation *, mem::Order>(op)
          .Case<mem::AtomicRMWOp, mem::AtomicCASOp, mem::AtomicLoadOp, mem::AtomicStoreOp>(
              [](auto atomic) { return atomic.getOrder(); });
  std::string kind = isa<mem::AtomicLoadOp>(op) ? "ra" : "wa";
  if (order == mem::Order::Acquire || order == mem::Order::AcqRel)
    kind += '<';
  if (order == mem::Order::Release || order == mem::Order::AcqRel)
    kind += '>';
  return kind;
}

/// The accesses that a backend has made report themselves.
void describeAccesses(func::FuncOp func, llvm::raw_ostream &os) {
  func.walk([&](Operation *op) {
    if (auto number = op->getAttrOfType<IntegerAttr>("tritonrt.access"))
      os << "access=" << accessKind(op) << " " << number.getInt() << " " << lineOf(op) << " "
         << sourceOf(op) << "\n";
  });
}

/// What a launch must know of a kernel whose programs talk; nothing for others.
std::string describeMesh(ModuleOp mapped) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::set<std::string> waits;
  for (auto func : mapped.getOps<func::FuncOp>()) {
    auto bytes = func->getAttrOfType<IntegerAttr>("tritonrt.mesh_bytes");
    if (!bytes)
      continue;
    auto number = [&](llvm::StringRef name, int64_t otherwise) {
      auto attr = func->getAttrOfType<IntegerAttr>(("tritonrt." + name).str());
      return attr ? attr.getValue().getZExtValue() : otherwise;
    };
    os << "mesh=1\n";
    if (func->hasAttr(kSpillsAttr))
      os << "spills=1\n";
    for (auto [name, otherwise] :
         std::initializer_list<std::pair<llvm::StringRef, int64_t>>{{"mesh_bytes", 0},
                                                                    {"mesh_grid", 0},
                                                                    {"mesh_alike", 1},
                                                                    {"mesh_groups", 0},
                                                                    {"mesh_local", 0},
                                                                    {"mesh_split", 0}})
      os << name << "=" << number(name, otherwise) << "\n";
    os << "max_shard=" << int64_t(number("max_shard", -1)) << "\n";
    func.walk([&](mem::MeshBarrierOp op) {
      waits.insert(llvm::formatv("wait={0} {1} {2}\n", op.getNumber(), lineOf(op), op.getSource()));
    });
    describeAccesses(func, os);
  }
  for (const std::string &line : waits)
    os << line;
  return text;
}

LogicalResult run(ModuleOp module, llvm::function_ref<void(PassList &)> fill) {
  PassList passes;
  fill(passes);
  return std::move(passes).run(module);
}

std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().assumeVerified());
  return text;
}

/// What a mapped kernel costs its device besides arithmetic, as one line.
std::string mappedSummary(ModuleOp mapped) {
  int64_t items = 1, local = 0, barriers = 0, converts = 0;
  for (auto func : mapped.getOps<func::FuncOp>()) {
    auto attr = [&](llvm::StringRef name, int64_t fallback) {
      auto value = func->getAttrOfType<IntegerAttr>(name);
      return value ? value.getInt() : fallback;
    };
    items = std::max(items, attr("tritonrt.work_items", 1));
    local += attr("tritonrt.local_bytes", 0);
    converts += attr(kConvertsAttr, 0);
    func.walk([&](mem::BarrierOp) { ++barriers; });
  }
  return llvm::formatv("work_items={0} local_bytes={1} barriers={2} converts={3}\n", items, local,
                       barriers, converts);
}

} // namespace

const Backend *backendFor(llvm::StringRef target, llvm::StringRef options) {
  KeyValues wanted(target);
  wanted.change("target", KeyValues(options));
  return findBackend(wanted);
}

FailureOr<const Backend *> prepareJob(ModuleOp module, llvm::StringRef kernel,
                                      llvm::StringRef target, llvm::StringRef options,
                                      llvm::StringRef special, Job &job) {
  job.kernel = kernel.str();
  job.target = KeyValues(target);
  job.options = KeyValues(options);
  job.special = KeyValues(special);
  job.target.change("target", job.options);
  const Backend *backend = findBackend(job.target);
  if (!backend)
    return module.emitError("no backend named '")
           << job.target.get("backend") << "'; TRITONRT_BACKEND_PATH names folders with others";
  job.traits = backend->describe(job.target);
  return backend;
}

FailureOr<CompiledKernel> compileKernel(ModuleOp module, const Backend &backend, const Job &job) {
  if (failed(run(module, [&](PassList &passes) { backend.addToTile(passes, job); })))
    return failure();
  AccessFacts facts = accessFacts(module);
  Declared declared(module);
  if (failed(run(module, [&](PassList &passes) {
        backend.addToNests(passes, job);
        backend.addMapping(passes, job);
      })))
    return failure();
  FailureOr<Artifact> artifact = backend.emit(module, job);
  if (failed(artifact) || failed(backend.finish(*artifact, module, job)))
    return failure();
  std::string mesh = describeMesh(module);
  std::string metadata = "backend=" + identityOf(backend) + "\n" +
                         describe(*artifact, facts, job.kernel, declared) + mesh;
  return CompiledKernel{std::move(artifact->bytes), std::move(metadata)};
}

FailureOr<std::string> describeWrites(ModuleOp module, llvm::StringRef kernel) {
  Job job;
  job.kernel = kernel.str();
  if (failed(run(module, [&](PassList &passes) { addToTile(passes, job); })))
    return failure();
  return writesLine(accessFacts(module));
}

FailureOr<std::string> printStage(ModuleOp module, const Backend &backend, const Job &job,
                                  llvm::StringRef stage) {
  if (failed(run(module, [&](PassList &passes) { backend.addToTile(passes, job); })))
    return failure();
  if (stage == "tile")
    return printed(module);
  if (failed(run(module, [&](PassList &passes) { backend.addToNests(passes, job); })))
    return failure();
  if (stage == "nests")
    return printed(module);
  if (stage == "linalg") {
    auto toLinalg = [](PassList &passes) { passes.addToFunctions(createNestsToLinalgPass()); };
    if (failed(run(module, toLinalg)))
      return failure();
    return printed(module);
  }
  if (failed(run(module, [&](PassList &passes) { backend.addMapping(passes, job); })))
    return failure();
  if (stage == "mapped")
    return printed(module) + mappedSummary(module);
  return backend.print(module, job, stage);
}

} // namespace tritonrt::compiler
