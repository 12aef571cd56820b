// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of the middle of the compiler, in the order in which a kernel meets them, and the two
// lists that chain them. Each pass is a file of its own and is registered under its command-line
// name for tritonrt-opt.
#ifndef TRITONRT_COMPILER_PASSES_PASSES_H
#define TRITONRT_COMPILER_PASSES_PASSES_H

#include "compiler/dialect/mem/Mem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace tritonrt::compiler {

struct Job;
class PassList;

/// `tt-to-tile`: pointers leave the tensors. Turns the tt.func that `kernel` names into a func.func
/// of arith, math, scf, tt shape ops, tt.reduce/scan/dot and tile accesses. Without `forms` every
/// address is in the offsets form; without `boxes` every mask stays a mask.
struct TtToTileOptions {
  std::string kernel;
  bool forms = true;
  bool boxes = true;
  /// Ignore tt.divisibility, and that a descriptor's last stride is 1: the launch does not keep it.
  bool generic = false;
  /// Every access stays, and its location begins with the op's name.
  bool keepAccesses = false;
};
std::unique_ptr<mlir::Pass> createTtToTilePass(const TtToTileOptions &options = {});

/// `drop-wraps`: loads that wrap around at an edge stop there, where nobody needs what is beyond.
std::unique_ptr<mlir::Pass> createDropWrapsPass();

/// `strip-mine`: a loop that carries large tiles runs on strips of them, of `rows` rows and
/// `columnBytes` / 4 columns.
struct StripMineOptions {
  int64_t rows = 8;
  int64_t columnBytes = 128;
  bool disjoint = false;
  /// The target has mem.pair_product of bf16, and of i16.
  bool bf16Pairs = false, i16Pairs = false;
};
std::unique_ptr<mlir::Pass> createStripMinePass(const StripMineOptions &options = {});

/// `form-nests`: tensors become nests. Without `fuse` every op is a nest of its own.
struct FormNestsOptions {
  bool fuse = true;
  /// No argument that the kernel may write overlaps another one.
  bool disjoint = false;
  /// What is loaded stays in registers until its last use, rather than being loaded again.
  bool keepLoads = false;
};
std::unique_ptr<mlir::Pass> createFormNestsPass(const FormNestsOptions &options = {});

/// `clamp-bounds`: brings the bounds of views into [0, size] of their dims. A CSE after it lets
/// views of equal boxes share them.
std::unique_ptr<mlir::Pass> createClampBoundsPass();

/// `demand-extents`: nests run only where somebody needs their results.
std::unique_ptr<mlir::Pass> createDemandExtentsPass();

/// `merge-dims`: nests of many dims get fewer, where nothing tells neighbouring dims apart.
std::unique_ptr<mlir::Pass> createMergeDimsPass();

/// `nests-to-linalg`: writes the pure nests as linalg.generic, for other compilers.
std::unique_ptr<mlir::Pass> createNestsToLinalgPass();

/// `map-vector`: one thread a program; nests become loops over vectors, tiles between nests become
/// scratch memory.
struct MapVectorOptions {
  /// Bytes of a vector; the element's size or less gives scalar loops.
  int64_t vectorBytes = 64;
  bool cheapMasks = false;
  /// Most elements of a vector, however short they are.
  int64_t maxLanes = 64;
  /// Where all lanes of an access share a mask, branch on it.
  bool scalarMasks = false;
};
std::unique_ptr<mlir::Pass> createMapVectorPass(const MapVectorOptions &options = {});

/// What the SIMT mapping needs to know; both numbers are powers of two.
struct SimtOptions {
  /// Work-items a program.
  int64_t items = 128;
  /// Work-items a warp: the low bits of an item's index.
  int64_t lanes = 32;
  /// No argument that the kernel may write overlaps another one.
  bool disjoint = false;
  /// Work-items that can read each other's registers, aligned groups of that many; 1 = none.
  int64_t shuffleLanes = 1;
  /// Ignore tt.divisibility: the launch does not keep it.
  bool generic = false;
  /// The target's compiler takes long straight code well.
  bool straightCode = true;
};

/// Counts, on a mapped function, the values whose layout changes between work-items.
inline constexpr llvm::StringLiteral kConvertsAttr = "tritonrt.converts";

/// Marks a load that is made where it stands, not where it is first used.
inline constexpr llvm::StringLiteral kEarlyAttr = "tritonrt.early";

/// `stage-dots`: several work-items take the operands of products from local memory: narrow floats
/// are widened on the way there, and loops load the operands of the next turn in this one.
struct StageDotsOptions {
  int64_t items = 128;
  int64_t localBytes = 48 << 10;
  bool ahead = true;
  bool disjoint = false;
};
std::unique_ptr<mlir::Pass> createStageDotsPass(const StageDotsOptions &options = {});

/// On a loop whose operands `stage-dots` loads a turn ahead.
inline constexpr llvm::StringLiteral kAheadAttr = "tritonrt.ahead";

/// `alternate-buffers`: two turns of such a loop have operands of their own, if `localBytes` hold
/// both.
std::unique_ptr<mlir::Pass> createAlternateBuffersPass(int64_t localBytes = 48 << 10);

/// `split-nests`: afterwards all reductions and scans of a nest run over the same dims, and nests
/// that must run once on fewer points than items have none.
std::unique_ptr<mlir::Pass> createSplitNestsPass(const SimtOptions &options = {});

/// `choose-layouts`: sets the layout of every nest.
std::unique_ptr<mlir::Pass> createChooseLayoutsPass(const SimtOptions &options = {});

/// `map-simt`: `items` work-items a program; nests become loops over what each item holds, tiles
/// stay with their items or go to local memory. Between accesses that could meet stand sync points.
std::unique_ptr<mlir::Pass> createMapSimtPass(const SimtOptions &options = {});

/// `place-barriers`: turns the sync points that order accesses of several work-items into barriers
/// and removes the others. Runs on packed storage: buffers that share bytes meet in them.
std::unique_ptr<mlir::Pass> createPlaceBarriersPass(bool disjoint = false);

/// `branch-exits`: where a program ends before its end, branches skip what would follow.
std::unique_ptr<mlir::Pass> createBranchExitsPass();

/// `flatten-branches`: barriers stand in no branch, and in no loop that may run no turn: such a
/// loop has `kRunsAttr` and runs at least one. Loops that wait (scf.while) look at nothing where
/// their branch is not taken.
std::unique_ptr<mlir::Pass> createFlattenBranchesPass();
/// The same at once.
void flattenBranches(mlir::func::FuncOp func);
/// Marks an scf.for whose first turn always runs.
inline constexpr llvm::StringLiteral kRunsAttr = "tritonrt.runs";

/// On functions that need more memory for a program than the device has for one: `pack-storage` has
/// put the rest into memory of the program's (as that of a kernel of meshes,
/// `tritonrt.mesh_bytes`).
inline constexpr llvm::StringLiteral kSpillsAttr = "tritonrt.spills";

/// `unroll-short`: loops of a few turns become straight code, where there is little in them.
std::unique_ptr<mlir::Pass> createUnrollShortPass();

/// `place-buffers`: every mem.buffer becomes an alloc, or a part of the memory that the program's
/// mesh reaches. On kernels of meshes sets `tritonrt.mesh_bytes`, and `tritonrt.mesh_grid`: whether
/// programs of several meshes wait for each other.
struct PlaceBuffersOptions {
  /// Of a program's own buffers: one memory for all (Global), or where the device has such.
  mem::Space space = mem::Space::Global;
  /// In kernels of meshes a program's own buffers lie beside those that the mesh reaches.
  bool ownInMesh = false;
};
std::unique_ptr<mlir::Pass> createPlaceBuffersPass(const PlaceBuffersOptions &options = {});
/// On packed storage: what a mesh reaches is local memory, as the programs of one work-group may
/// have it. Fails, with the function in pieces and nothing said, where pointers into it meet
/// others.
mlir::LogicalResult moveMeshToLocal(mlir::func::FuncOp function);

/// `pad-local`: gaps in buffers of local memory, where the items of a warp would want words of one
/// bank, as far as `localBytes` (0: no limit) hold them.
std::unique_ptr<mlir::Pass> createPadLocalPass(int64_t localBytes = 0);

/// `pack-storage`: gives every mem.alloc its offset, sharing bytes between lifetimes that do not
/// meet, and sets `tritonrt.scratch_bytes` and `tritonrt.local_bytes` on the function. What does
/// not fit the limits goes to global memory of the program's, in kernels of meshes its part of the
/// mesh's memory, what has the fewest accesses a byte first: such allocs are of global memory, and
/// their offsets count from its start.
struct PackStorageOptions {
  /// Of local memory: of a kernel that gets none from the launch, and of one that does; 0 = no
  /// limit.
  int64_t localBytes = 0, meshLocalBytes = 0;
  /// Of memory of an item's own; 0 = no limit.
  int64_t ownBytes = 0;
  /// Of scratch memory that does not fit `localBytes`; 0 = no limit.
  int64_t stackBytes = 0;
  /// Work-items that a compute unit runs at a time; 0 = those of one program.
  int64_t unitItems = 0;
  /// No argument that the kernel may write overlaps another one.
  bool disjoint = false;
};
std::unique_ptr<mlir::Pass> createPackStoragePass(const PackStorageOptions &options = {});

/// `split-at-barriers`: a kernel of meshes, on packed storage, becomes one that is started again
/// and again and runs each program up to its next barrier each time. What it keeps in between lies
/// behind what the mesh reaches: `tritonrt.mesh_bytes` grows.
std::unique_ptr<mlir::Pass> createSplitAtBarriersPass();
/// The same at once; `chained` where the states shall be branches in a row, in a loop that surely
/// runs, as `flatten-branches` takes them, not the cases of a switch. Fails, with the function in
/// pieces and nothing said, where a barrier stands in an op of another dialect or a pointer into
/// local memory outlives one.
mlir::LogicalResult splitAtBarriers(mlir::func::FuncOp func, bool chained = false);

/// What a target can do with a float format.
enum class FloatSupport {
  None,
  /// It has registers for it and converts it to and from f32.
  Storage,
  /// It computes in it.
  Full
};

/// `legalize-floats`: floats that the target lacks become bits in integers; arithmetic on them goes
/// through f32 and is rounded once. bf16 and the f8 formats always do.
struct LegalizeFloatsOptions {
  FloatSupport f16 = FloatSupport::None;
  bool f64 = true;
};
std::unique_ptr<mlir::Pass> createLegalizeFloatsPass(const LegalizeFloatsOptions &options = {});

/// `expand-math`: functions of f32 and f64 that targets have no instruction for become arithmetic,
/// on scalars and vectors. docs/math.md tells their errors.
struct ExpandMathOptions {
  /// The target multiplies by a power of two in one instruction (llvm.ldexp).
  bool hasScale = false;
  /// The target may make one fma of a product and a sum wherever it finds them.
  bool contracts = false;
};
std::unique_ptr<mlir::Pass> createExpandMathPass(const ExpandMathOptions &options = {});

/// From a verified tt module to `tile`, and from there to `nests`: what all backends share.
void addToTile(PassList &passes, const Job &job);
void addToNests(PassList &passes, const Job &job);
/// From nests to mapped IR with one thread a program.
void addVectorMapping(PassList &passes, const Job &job);

/// From nests to mapped IR with several work-items a program.
void addSimtMapping(PassList &passes, const Job &job);

void registerMiddlePasses();

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_PASSES_H
