// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/cpu_mesh_launch.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cpu/cpu_device.h"
#include "runtime/cpu/cpu_job.h"
#include "runtime/cpu/cpu_launch.h"
#include "runtime/cpu/float_state.h"
#include "runtime/cpu/mesh_team.h"
#include "runtime/mesh.h"

namespace tritonrt::runtime {
namespace {

// A cooperative launch in a stream's queue. Its pieces are threads, which work where there is
// something to do: any number of them runs the whole launch.
class MeshTask final : public CpuJob {
 public:
  MeshTask(std::shared_ptr<CpuExecutable> kernel, const Grid& grid, const PackedArgs& args)
      : CpuJob(std::move(kernel), args), programs_(programs(grid)) {
    const Metadata& metadata = kernel_->metadata();
    const Mesh mesh = mesh_of(grid, metadata);
    if (grid.mesh_mapping != MeshMapping::kDefault)
      throw Error(ErrorCode::kUnsupported,
                  "kernel '" + metadata.kernel +
                      "': the device 'cpu' runs meshes as fibres and has no other mapping");
    launch_.entry = kernel_->entry();
    launch_.slots = slots_.data();
    launch_.grid = grid;
    launch_.mesh = {{mesh.x, std::max(mesh.y, 1u), std::max(mesh.z, 1u)},
                    mesh.dimensions(),
                    static_cast<std::uint32_t>(mesh.count())};
    launch_.stop = stop_word();
    launch_.mesh_bytes = metadata.mesh_bytes;
    launch_.scratch_bytes = metadata.scratch_bytes;
    for (const AccessOp& access : metadata.accesses) launch_.accesses.push_back(access.kind);
    make_teams();
  }

  bool start(CpuStream& stream) override {
    begin(stream);
    submit(stream);
    return false;
  }

  void run(std::int64_t begin, std::int64_t end) noexcept override {
    const FloatState state;
    for (std::int64_t i = begin; i < end; ++i) {
      MeshTeam& team = *teams_[static_cast<std::size_t>(i) % teams_.size()];
      if (!team.work(next_, programs_)) stop();
    }
  }

 private:
  // A team a thread while there are as many sets of programs; then threads share teams.
  void make_teams() {
    CpuDevice& device = kernel_->device();
    const Metadata& metadata = kernel_->metadata();
    const std::uint64_t together =
        metadata.mesh_grid ? static_cast<std::uint64_t>(programs_) : launch_.mesh.count;
    const std::uint64_t sets = static_cast<std::uint64_t>(programs_) / together;
    const std::uint64_t limit = device.info().global_bytes / 4 * 3;
    const std::uint64_t one = MeshTeam::bytes_needed(launch_, together);
    if (one > limit)
      throw mesh_too_large(metadata, together, one, limit,
                           limit / std::max<std::uint64_t>(1, MeshTeam::bytes_needed(launch_, 1)));
    const std::uint64_t threads = launch_.accesses.empty() ? device.executor().concurrency() : 1;
    max_threads = static_cast<unsigned>(
        std::min<std::uint64_t>(threads, static_cast<std::uint64_t>(programs_)));
    const std::uint64_t count = std::min({sets, std::uint64_t{max_threads}, limit / one});
    for (std::uint64_t i = 0; i < count; ++i)
      teams_.push_back(std::make_unique<MeshTeam>(launch_, static_cast<std::uint32_t>(together),
                                                  device.mesh_memory()));
    total = max_threads;
    max_piece = 1;
  }

  void report(CpuStream& stream) noexcept override {
    const Metadata& metadata = kernel_->metadata();
    for (const std::unique_ptr<MeshTeam>& team : teams_) {
      if (const auto race = team->race()) {
        stream.fail(std::make_exception_ptr(races(metadata, race->first, race->second)));
        return;
      }
      const MeshFailure failure = team->failure();
      if (failure.wait == 0) continue;
      stream.fail(std::make_exception_ptr(gave_up(metadata, failure.wait, failure.text)));
      return;
    }
  }

  const std::int64_t programs_;
  MeshLaunch launch_;
  std::vector<std::unique_ptr<MeshTeam>> teams_;
  std::atomic<std::int64_t> next_{0};
};

}  // namespace

std::unique_ptr<CpuTask> make_mesh_task(std::shared_ptr<CpuExecutable> kernel, const Grid& grid,
                                        const PackedArgs& args) {
  return std::make_unique<MeshTask>(std::move(kernel), grid, args);
}

}  // namespace tritonrt::runtime
