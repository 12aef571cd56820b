// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_METADATA_H_
#define TRITONRT_RUNTIME_METADATA_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tritonrt/kernel.h"

namespace tritonrt::runtime {

// An op that waits for other programs, so that an error can name it.
struct WaitOp {
  std::int32_t number = 0;
  std::uint32_t line = 0;
  std::string op;
};

// What an access does to the order of programs.
struct AccessKind {
  bool writes = false;
  bool atomic = false;
  bool acquires = false;
  bool releases = false;
};

// An access that reports itself.
struct AccessOp : WaitOp {
  AccessKind kind;
};

// A value that a tt.print prints.
struct ReportValue {
  DType dtype = DType::kUnknown;
  bool is_pointer = false;
  std::vector<std::int64_t> shape;
  std::uint64_t count = 1;  // elements
};

// A tt.print or tt.assert.
struct ReportOp {
  std::uint32_t line = 0;  // in the kernel's text
  std::string source;      // FILE:LINE behind it, or empty
  bool is_assert = false;
  bool hex = false;
  std::vector<ReportValue> values;
  std::string text;
};

// What a kernel reports, by number.
struct KernelReports {
  std::string kernel;
  std::vector<ReportOp> ops;
};

// A compiled kernel's description, as compiler/api/kernel_abi.h defines its text.
struct Metadata {
  std::string kernel;
  std::string entry;
  std::uint32_t work_items = 1;
  std::uint64_t scratch_bytes = 0;
  std::uint64_t local_bytes = 0;
  std::string build_options;
  std::string arguments;  // OpenCL: the form that they take, empty for the ordinary one
  std::uint64_t work = 1;
  bool waits = false;
  std::vector<WaitOp> wait_ops;
  bool stop = false;  // OpenCL: takes a stop word behind its parameters
  bool mesh = false;  // programs of a mesh run together, and what follows counts
  std::uint64_t mesh_bytes = 0;
  bool mesh_grid = false;  // programs of several meshes wait for each other
  bool mesh_alike = true;  // all programs reach each barrier equally often
  std::uint32_t mesh_groups = 0;
  std::uint64_t mesh_local = 0;    // bytes of local memory that replace mesh_bytes, 0: none can
  bool spills = false;             // each program is a mesh of its own, for the memory alone
  std::uint64_t mesh_split = 0;    // mesh_bytes where the kernel is split, 0: it cannot be
  std::vector<AccessOp> accesses;  // by number, from 1 on
  std::int64_t max_shard = -1;
  std::vector<Parameter> parameters;
  std::shared_ptr<KernelReports> reports;  // null where the kernel reports nothing

  // Throws kInternal where the text breaks the format.
  static Metadata parse(std::string_view text);
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_METADATA_H_
