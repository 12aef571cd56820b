// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_MESH_H_
#define TRITONRT_RUNTIME_MESH_H_

// What drivers share of launches whose programs talk.

#include <cstdint>
#include <string>

#include "runtime/metadata.h"
#include "tritonrt/error.h"
#include "tritonrt/export.h"
#include "tritonrt/kernel.h"

namespace tritonrt::runtime {

// The mesh of a launch: the one asked for, or the whole grid. Throws kInvalidArgument where the
// grid does not hold whole meshes or the kernel names ranks that they have not.
TRITONRT_API Mesh mesh_of(const Grid& grid, const Metadata& metadata);

// The error for programs that must run together and need more than the device has.
TRITONRT_API Error mesh_too_large(const Metadata& metadata, std::uint64_t programs,
                                  std::uint64_t needed, std::uint64_t available,
                                  std::uint64_t would_fit);

// The error for a launch that ended at a waiting op; `reason` may be empty: it was stopped.
TRITONRT_API Error gave_up(const Metadata& metadata, std::int32_t wait,
                           const std::string& reason = {});

// The error for two accesses that nothing orders: "race: OP at LINE, OP at LINE".
TRITONRT_API Error races(const Metadata& metadata, std::int32_t earlier, std::int32_t later);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_MESH_H_
