// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/kernel.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/check.h"
#include "src/kernel_impl.h"
#include "tritonrt/bundle.h"
#include "tritonrt/error.h"

namespace tritonrt {
namespace {

using runtime::need;

runtime::KernelImpl& need(const std::shared_ptr<runtime::KernelImpl>& impl) {
  if (impl == nullptr) throw Error(ErrorCode::kInvalidArgument, "the kernel handle is empty");
  return *impl;
}

[[noreturn]] void throw_errno(const std::string& path, int error) {
  throw Error(error == ENOENT || error == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kIo,
              "cannot read '" + path + "': " + std::strerror(error));
}

std::string read_file(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw_errno(path, errno);
  std::string content;
  char block[1 << 16];
  for (;;) {
    const ssize_t n = read(fd, block, sizeof(block));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      close(fd);
      throw_errno(path, error);
    }
    if (n == 0) break;
    content.append(block, static_cast<std::size_t>(n));
  }
  close(fd);
  return content;
}

}  // namespace

Kernel::Kernel(std::shared_ptr<runtime::KernelImpl> impl) noexcept : impl_(std::move(impl)) {}

Kernel Kernel::from_file(const std::string& path, const CompileOptions& options,
                         std::string_view name) {
  return Kernel(std::make_shared<runtime::KernelImpl>(read_file(path), options, name, path));
}

Kernel Kernel::from_source(std::string_view source, const CompileOptions& options,
                           std::string_view name, std::string_view label) {
  return Kernel(std::make_shared<runtime::KernelImpl>(std::string(source), options, name, label));
}

Kernel Kernel::from_bundle(const std::string& path, std::string_view name) {
  return Bundle::open(path).kernel(name);
}

const std::string& Kernel::name() const { return need(impl_).signature().kernel; }

const std::vector<Parameter>& Kernel::signature() const {
  return need(impl_).signature().parameters;
}

const CompileOptions& Kernel::options() const { return need(impl_).options(); }

Grid Kernel::grid(Span<const Arg> args) const { return need(impl_).grid(args); }

PrepareResult Kernel::prepare(const Device& device) const {
  runtime::KernelImpl& kernel = need(impl_);
  runtime::DeviceVariants& variants = kernel.variants(need(device));
  kernel.signature();  // what a launch looks at first is ready, and kept, as well
  PrepareResult result;
  kernel.executable(variants, runtime::Special(), &result);
  return result;
}

PrepareResult Kernel::prepare(const Device& device, Span<const Arg> args) const {
  runtime::KernelImpl& kernel = need(impl_);
  const runtime::Signature& signature = kernel.signature();
  runtime::Frame frame(signature.codes.size());
  runtime::Packer packer(signature, need(device), frame);
  packer.pack(args);
  PrepareResult result;
  kernel.executable(kernel.variants(*device.impl()), packer.special(), frame, &result);
  return result;
}

void Kernel::launch(Stream& stream, const Grid& grid, Span<const Arg> args) const {
  runtime::KernelImpl& kernel = need(impl_);
  runtime::StreamImpl& queue = need(stream);
  const runtime::Signature& signature = kernel.signature();
  runtime::check_grid(grid, signature.kernel);
  runtime::Frame frame(signature.codes.size());
  runtime::Packer packer(signature, queue.device(), frame);
  packer.pack(args);
  runtime::DeviceVariants& variants = kernel.variants(queue.device());
  runtime::Executable& executable = kernel.executable(variants, packer.special(), frame);
  packer.use(queue);
  if (runtime::Capture* capture = runtime::Capture::active())
    capture->launch(kernel, queue, grid, frame,
                    [&] { executable.launch(queue, grid, frame.args()); });
  else
    executable.launch(queue, grid, frame.args());
}

void Kernel::launch(Stream& stream, const Grid& grid, const LaunchOptions& options,
                    Span<const Arg> args) const {
  Grid meshed = grid;
  meshed.mesh = options.mesh;
  meshed.mesh_mapping = options.mesh_mapping;
  launch(stream, meshed, args);
}

std::string_view to_string(MeshMapping mapping) noexcept {
  switch (mapping) {
    case MeshMapping::kGroup:
      return "group";
    case MeshMapping::kResident:
      return "resident";
    case MeshMapping::kSplit:
      return "split";
    case MeshMapping::kDefault:
      break;
  }
  return "default";
}

std::string Kernel::mesh_mapping(const Device& device, const Grid& grid,
                                 const LaunchOptions& options, Span<const Arg> args) const {
  runtime::KernelImpl& kernel = need(impl_);
  const runtime::Signature& signature = kernel.signature();
  runtime::check_grid(grid, signature.kernel);
  runtime::Frame frame(signature.codes.size());
  runtime::Packer packer(signature, need(device), frame);
  packer.pack(args);
  Grid meshed = grid;
  meshed.mesh = options.mesh;
  meshed.mesh_mapping = options.mesh_mapping;
  return kernel.executable(kernel.variants(*device.impl()), packer.special(), frame)
      .mesh_mapping(meshed);
}

void Kernel::freeze() const { need(impl_).freeze(); }

void freeze() { runtime::freeze_all(); }

BoundKernel Kernel::bind(const Device& device, Span<const Arg> args) const {
  runtime::need(device).check_open();
  need(impl_);
  return BoundKernel(std::make_unique<runtime::BoundImpl>(impl_, need(device), args));
}

std::string Kernel::stage(const Device& device, std::string_view stage) const {
  return need(impl_).stage(need(device), std::string(stage));
}

BoundKernel::BoundKernel() noexcept = default;
BoundKernel::~BoundKernel() = default;
BoundKernel::BoundKernel(BoundKernel&&) noexcept = default;
BoundKernel& BoundKernel::operator=(BoundKernel&&) noexcept = default;
BoundKernel::BoundKernel(std::unique_ptr<runtime::BoundImpl> impl) noexcept
    : impl_(std::move(impl)) {}

namespace {
runtime::BoundImpl& need(const std::unique_ptr<runtime::BoundImpl>& impl) {
  if (impl == nullptr) throw Error(ErrorCode::kInvalidArgument, "the bound kernel is empty");
  return *impl;
}
}  // namespace

void BoundKernel::launch(Stream& stream, const Grid& grid) {
  need(impl_).launch(need(stream), grid);
}

void BoundKernel::set_arg(std::size_t index, const Arg& arg) { need(impl_).set_arg(index, arg); }

const PrepareResult& BoundKernel::prepared() const { return need(impl_).prepared(); }

}  // namespace tritonrt
