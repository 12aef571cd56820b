// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_KERNEL_H_
#define TRITONRT_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tritonrt/args.h"
#include "tritonrt/device.h"
#include "tritonrt/dtype.h"
#include "tritonrt/export.h"
#include "tritonrt/options.h"
#include "tritonrt/span.h"
#include "tritonrt/stream.h"

namespace tritonrt {

namespace runtime {
class KernelImpl;
class BoundImpl;
}  // namespace runtime

// The shape of a mesh: programs that run together and reach each other's memory, up to three
// dimensions. Programs of consecutive linear numbers (x fastest) form a mesh; their ranks in it are
// row-major over the shape.
struct Mesh {
  // No shape: a launch that needs one takes its whole grid, in one dimension.
  constexpr Mesh() noexcept = default;
  constexpr explicit Mesh(std::uint32_t x_, std::uint32_t y_ = 0, std::uint32_t z_ = 0) noexcept
      : x(x_), y(y_), z(z_) {}
  constexpr unsigned dimensions() const noexcept {
    return x == 0 ? 0 : y == 0 ? 1 : z == 0 ? 2 : 3;
  }
  constexpr std::uint64_t count() const noexcept {
    return std::uint64_t{x} * (y == 0 ? 1 : y) * (z == 0 ? 1 : z);
  }
  std::uint32_t x = 0, y = 0, z = 0;
};

// How an OpenCL device runs the programs of a mesh together: as slices of one work-group; as
// work-groups that are all resident; or as a kernel that is split at its barriers.
enum class MeshMapping : std::uint8_t { kDefault, kGroup, kResident, kSplit };

// "default", "group", "resident", "split".
TRITONRT_API std::string_view to_string(MeshMapping mapping) noexcept;

// Programs along x, y and z. Each is at least 1, and their product at most 2^31 - 1. Kernels whose
// programs talk are launched over whole meshes; to others the mesh means nothing.
struct Grid {
  constexpr Grid(std::uint32_t x_ = 1, std::uint32_t y_ = 1, std::uint32_t z_ = 1) noexcept
      : x(x_), y(y_), z(z_) {}
  std::uint32_t x, y, z;
  Mesh mesh;
  MeshMapping mesh_mapping = MeshMapping::kDefault;
};

// What a launch may be told besides its grid.
struct LaunchOptions {
  Mesh mesh;
  // Another one than the device would choose. Throws kUnsupported where it cannot hold.
  MeshMapping mesh_mapping = MeshMapping::kDefault;
};

// Lets typed argument lists through and leaves Span and vectors of Arg to the other overload.
template <typename... Args>
using EnableIfArgs =
    std::enable_if_t<std::conjunction<std::is_convertible<const Args&, Arg>...>::value>;

// One parameter of a kernel.
struct Parameter {
  enum class Kind : std::uint8_t { kScalar, kPointer, kDescriptor };

  std::string type;  // "f32", "ptr:f32", "desc:f16:64x64"
  std::string name;  // empty where the text has none
  Kind kind = Kind::kScalar;
  DType dtype = DType::kUnknown;          // the scalar's or the element's
  std::vector<std::int64_t> block_shape;  // of a descriptor
  // What the kernel's text promises the address or value to be a multiple of. An argument that
  // breaks it is right all the same: it gets a variant compiled without the promise.
  std::uint32_t divisibility = 1;
  bool written = true;  // false where the kernel surely never writes through it
};

// How a kernel came to be callable.
struct PrepareResult {
  bool compiled = false;  // false: found in memory or on disk
  double ms = 0;          // the time it took
};

// A kernel with its arguments on one device, for launching again and again at the least cost.
// Keeps the buffers it was bound to. Movable. One thread at a time.
class TRITONRT_API BoundKernel {
 public:
  BoundKernel() noexcept;
  ~BoundKernel();
  BoundKernel(BoundKernel&&) noexcept;
  BoundKernel& operator=(BoundKernel&&) noexcept;

  // Enqueues the kernel. The stream must be of the device that it was bound on.
  void launch(Stream& stream, const Grid& grid);

  // Replaces argument `index`, checked as at bind; a tensor descriptor's own shape and strides
  // are replaced with it. May choose, and compile, another variant.
  void set_arg(std::size_t index, const Arg& arg);

  const PrepareResult& prepared() const;
  explicit operator bool() const noexcept { return impl_ != nullptr; }

 private:
  friend class Kernel;
  explicit BoundKernel(std::unique_ptr<runtime::BoundImpl> impl) noexcept;
  std::unique_ptr<runtime::BoundImpl> impl_;
};

// A kernel's text with what has been compiled from it so far, by device and variant. Compiled when
// first needed: once, whatever number of threads ask. A handle, thread safe.
class TRITONRT_API Kernel {
 public:
  // Loads a `.ttir` in text or bytecode form. `name` picks a function; empty takes the only public
  // one. Reads the file and no more: the text is checked when it is first needed. Throws kNotFound
  // or kIo, and kInvalidInput for an empty file.
  static Kernel from_file(const std::string& path, const CompileOptions& options = {},
                          std::string_view name = {});
  // The same from memory; `label` stands for the file's name in messages.
  static Kernel from_source(std::string_view source, const CompileOptions& options = {},
                            std::string_view name = {}, std::string_view label = "<source>");
  // A kernel of a bundle file; see bundle.h, which also says how to check signatures.
  static Kernel from_bundle(const std::string& path, std::string_view name);
  // No kernel; usable only as a target of assignment.
  Kernel() noexcept = default;

  // The function's name in the text.
  const std::string& name() const;
  // The parameters, in order. Throws kInvalidInput where the text is wrong.
  const std::vector<Parameter>& signature() const;
  const CompileOptions& options() const;

  // The grid of a launch with these arguments, by the expression that came with the kernel in a
  // bundle. Throws kNotFound where none came, kInvalidInput where it cannot be evaluated.
  Grid grid(Span<const Arg> args) const;

  // Makes the kernel callable on a device: the usual variant (every promise holds, no arguments
  // overlap), or the one that these arguments need.
  PrepareResult prepare(const Device& device) const;
  PrepareResult prepare(const Device& device, Span<const Arg> args) const;

  // From now on a launch for which something would have to be compiled throws kFrozen, which names
  // the variant. What the cache holds is still loaded.
  void freeze() const;

  // Enqueues the kernel over a grid. Throws kInvalidArgument naming the argument by index and name
  // when count, type or device is wrong, or the grid is.
  void launch(Stream& stream, const Grid& grid, Span<const Arg> args) const;
  template <typename... Args, typename = EnableIfArgs<Args...>>
  void launch(Stream& stream, const Grid& grid, const Args&... args) const {
    const Arg list[sizeof...(Args) + 1] = {Arg(args)..., Arg()};
    launch(stream, grid, Span<const Arg>(list, sizeof...(Args)));
  }
  // The same with options; those of the grid give way.
  void launch(Stream& stream, const Grid& grid, const LaunchOptions& options,
              Span<const Arg> args) const;
  template <typename... Args, typename = EnableIfArgs<Args...>>
  void launch(Stream& stream, const Grid& grid, const LaunchOptions& options,
              const Args&... args) const {
    const Arg list[sizeof...(Args) + 1] = {Arg(args)..., Arg()};
    launch(stream, grid, options, Span<const Arg>(list, sizeof...(Args)));
  }

  // How a launch would run the programs of a mesh together: "fibres" on the CPU, else the name of a
  // MeshMapping; empty where programs do not talk. Throws what the launch would.
  std::string mesh_mapping(const Device& device, const Grid& grid, const LaunchOptions& options,
                           Span<const Arg> args) const;

  BoundKernel bind(const Device& device, Span<const Arg> args) const;
  template <typename... Args, typename = EnableIfArgs<Args...>>
  BoundKernel bind(const Device& device, const Args&... args) const {
    const Arg list[sizeof...(Args) + 1] = {Arg(args)..., Arg()};
    return bind(device, Span<const Arg>(list, sizeof...(Args)));
  }

  // The text of a stage of compilation for a device: tt tile nests linalg mapped opencl llvm asm
  // ptx, or bytecode. Loads the compiler. Throws kNotFound for another name.
  std::string stage(const Device& device, std::string_view stage) const;

  explicit operator bool() const noexcept { return impl_ != nullptr; }

  // For the library's own use.
  const std::shared_ptr<runtime::KernelImpl>& impl() const noexcept { return impl_; }

 private:
  friend class Bundle;
  explicit Kernel(std::shared_ptr<runtime::KernelImpl> impl) noexcept;
  std::shared_ptr<runtime::KernelImpl> impl_;
};

// Kernel::freeze for every kernel of the process, those that are loaded later as well.
TRITONRT_API void freeze();

}  // namespace tritonrt

#endif  // TRITONRT_KERNEL_H_
