// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/mesh.h"

namespace tritonrt::runtime {
namespace {

std::string shape_text(const Mesh& mesh) {
  std::string text = std::to_string(mesh.x);
  if (mesh.dimensions() > 1) text += "x" + std::to_string(mesh.y);
  if (mesh.dimensions() > 2) text += "x" + std::to_string(mesh.z);
  return text;
}

}  // namespace

Mesh mesh_of(const Grid& grid, const Metadata& metadata) {
  const std::uint64_t programs = std::uint64_t{grid.x} * grid.y * grid.z;
  const Mesh mesh =
      grid.mesh.dimensions() != 0 ? grid.mesh : Mesh(static_cast<std::uint32_t>(programs));
  const std::string kernel = "kernel '" + metadata.kernel + "': ";
  if (programs % mesh.count() != 0)
    throw Error(ErrorCode::kInvalidArgument, kernel + "a grid of " + std::to_string(programs) +
                                                 " programs is not a multiple of the mesh of " +
                                                 shape_text(mesh));
  if (metadata.max_shard >= static_cast<std::int64_t>(mesh.count()))
    throw Error(ErrorCode::kInvalidArgument, kernel + "the shard id " +
                                                 std::to_string(metadata.max_shard) +
                                                 " is outside of the mesh of " + shape_text(mesh) +
                                                 ", " + std::to_string(mesh.count()) + " programs");
  return mesh;
}

Error mesh_too_large(const Metadata& metadata, std::uint64_t programs, std::uint64_t needed,
                     std::uint64_t available, std::uint64_t would_fit) {
  return Error(ErrorCode::kUnsupported,
               "kernel '" + metadata.kernel + "': mesh too large: " + std::to_string(programs) +
                   " programs that run together with " + std::to_string(metadata.mesh_bytes) +
                   " bytes of memory that the mesh reaches and " +
                   std::to_string(metadata.scratch_bytes) + " bytes of scratch each need " +
                   std::to_string(needed) + " bytes, the device has " + std::to_string(available) +
                   "; " + std::to_string(would_fit) + " programs would fit");
}

Error races(const Metadata& metadata, std::int32_t earlier, std::int32_t later) {
  const auto name = [&](std::int32_t number) {
    const AccessOp& access = metadata.accesses[static_cast<std::size_t>(number) - 1];
    return access.op + " at " + std::to_string(access.line);
  };
  return Error(ErrorCode::kStopped, "race: " + name(earlier) + ", " + name(later));
}

Error gave_up(const Metadata& metadata, std::int32_t wait, const std::string& reason) {
  std::string op = "a waiting op";
  for (const WaitOp& known : metadata.wait_ops)
    if (known.number == wait) op = known.op + " at line " + std::to_string(known.line);
  return Error(ErrorCode::kStopped, "kernel '" + metadata.kernel + "': " + op +
                                        " gave up waiting for other programs: " +
                                        (reason.empty() ? "it was stopped" : reason));
}

}  // namespace tritonrt::runtime
