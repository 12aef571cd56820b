// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <map>

#include "src/cli/arg_spec.h"
#include "src/cli/commands.h"
#include "src/cli/kernel_options.h"
#include "src/cli/output.h"
#include "src/replay/element.h"
#include "src/replay/file_io.h"
#include "src/replay/npy.h"
#include "src/replay/stopwatch.h"
#include "tritonrt/tritonrt.h"

namespace tritonrt::cli {
namespace {

// The arguments of the command line with the buffers behind them.
class RunArguments {
 public:
  explicit RunArguments(const std::vector<std::string>& texts) {
    for (size_t i = 0; i < texts.size(); ++i) {
      try {
        specs_.push_back(parse_arg_spec(texts[i]));
      } catch (const replay::InputError& error) {
        throw UsageError("--arg " + std::to_string(i) + ": " + error.what());
      }
    }
    for (size_t i = 0; i < specs_.size(); ++i) check_alias(i);
  }

  void allocate(const Device& device) {
    for (size_t i = 0; i < specs_.size(); ++i) {
      if (specs_[i].kind != ArgSpec::Kind::kBuffer) continue;
      Block& block = blocks_[i];
      const std::string content = buffer_content(specs_[i], i, &block.shape);
      block.buffer = Buffer::from_host(device, content.data(), content.size());
    }
    for (size_t i = 0; i < specs_.size(); ++i) list_.push_back(argument(i));
  }

  Span<const Arg> list() const { return list_; }

  void write_outputs() const {
    for (size_t i = 0; i < specs_.size(); ++i) {
      if (specs_[i].out_file.empty()) continue;
      const Block& block = blocks_.at(owner(i));
      replay::NpyArray array;
      array.type = replay::npy_type(specs_[owner(i)].dtype);
      array.shape = block.shape;
      array.data.resize(block.buffer.size());
      block.buffer.copy_to_host(array.data.data(), array.data.size());
      replay::write_npy(specs_[i].out_file, array);
    }
  }

 private:
  struct Block {
    Buffer buffer;
    std::vector<uint64_t> shape;
  };

  // The argument whose buffer argument i points into.
  size_t owner(size_t i) const {
    return specs_[i].kind == ArgSpec::Kind::kAlias ? specs_[i].alias : i;
  }

  void check_alias(size_t i) const {
    if (specs_[i].kind != ArgSpec::Kind::kAlias) return;
    if (specs_[i].alias >= specs_.size() || specs_[specs_[i].alias].kind != ArgSpec::Kind::kBuffer)
      throw UsageError("--arg " + std::to_string(i) + ": @" + std::to_string(specs_[i].alias) +
                       " names no argument with a buffer");
  }

  Arg argument(size_t i) const {
    const ArgSpec& spec = specs_[i];
    switch (spec.kind) {
      case ArgSpec::Kind::kScalar:
        return Arg::from_bits(spec.dtype, spec.bits);
      case ArgSpec::Kind::kNull:
        return Arg(nullptr);
      case ArgSpec::Kind::kAlias:
        return pointer(i, DType::kUnknown);
      case ArgSpec::Kind::kBuffer:
        break;
    }
    return pointer(i, spec.dtype);
  }

  Arg pointer(size_t i, DType dtype) const {
    const Buffer& buffer = blocks_.at(owner(i)).buffer;
    if (specs_[i].offset_bytes > buffer.size())
      throw replay::InputError("argument " + std::to_string(i) + ": the offset " +
                               std::to_string(specs_[i].offset_bytes) + " is past the " +
                               std::to_string(buffer.size()) + " bytes of the buffer");
    return Arg(buffer, specs_[i].offset_bytes, dtype);
  }

  std::vector<ArgSpec> specs_;
  std::map<size_t, Block> blocks_;
  std::vector<Arg> list_;
};

std::string format_ms(double ms) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f ms\n", ms);
  return text;
}

}  // namespace

int run(const RunCommand& command) {
  RunArguments arguments(command.arguments);
  Device device = open_device(command.device, command.options.mapping);
  const Kernel kernel = load_kernel(command.file, command.options);
  arguments.allocate(device);

  const Grid grid = command.grid ? Grid((*command.grid)[0], (*command.grid)[1], (*command.grid)[2])
                                 : kernel.grid(arguments.list());
  const PrepareResult prepared = kernel.prepare(device, arguments.list());
  print(std::string("compile ") + (prepared.compiled ? "compiled " : "cached ") +
        format_ms(prepared.ms));

  set_print_handler([](const PrintedLine& line) { print(std::string(line.text) + "\n"); });
  Stream stream(device);
  const replay::Stopwatch watch;
  LaunchOptions options;
  options.mesh = command.mesh;
  options.mesh_mapping = command.mesh_mapping;
  kernel.launch(stream, grid, options, arguments.list());
  stream.synchronize();
  print("run " + format_ms(watch.ms()));
  arguments.write_outputs();
  return kDone;
}

}  // namespace tritonrt::cli
