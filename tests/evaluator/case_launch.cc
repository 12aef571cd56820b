// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/evaluator/case_launch.h"

#include <cstdlib>
#include <cstring>
#include <memory>

#include "tests/evaluator/evaluator.h"

namespace tritonrt::evaluator {
namespace {

/// Buffers at addresses that are multiples of 64, as a runtime gives them.
class Memory {
 public:
  explicit Memory(const replay::LaunchCase& launch) : launch_(launch) {
    for (const replay::CaseBuffer& buffer : launch.buffers) {
      size_t bytes = (buffer.content.size() + 127) / 64 * 64;
      blocks_.emplace_back(static_cast<char*>(std::aligned_alloc(64, bytes)), std::free);
      std::memcpy(blocks_.back().get(), buffer.content.data(), buffer.content.size());
    }
    for (size_t b = 0; b < blocks_.size(); ++b)
      for (size_t i = 0; i < launch.buffers[b].pointer_table.size(); ++i) {
        if (!launch.buffers[b].pointer_table[i]) continue;
        uint64_t address = At(*launch.buffers[b].pointer_table[i]);
        std::memcpy(blocks_[b].get() + 8 * i, &address, 8);
      }
  }

  uint64_t At(const replay::Address& address) const {
    return reinterpret_cast<uint64_t>(blocks_[address.buffer].get()) + address.offset_bytes;
  }

  std::vector<std::string> Contents() const {
    std::vector<std::string> contents;
    for (size_t b = 0; b < blocks_.size(); ++b)
      contents.emplace_back(blocks_[b].get(), launch_.buffers[b].content.size());
    return contents;
  }

 private:
  const replay::LaunchCase& launch_;
  std::vector<std::unique_ptr<char, decltype(&std::free)>> blocks_;
};

std::vector<uint64_t> Slots(const replay::LaunchCase& launch, const Memory& memory) {
  std::vector<uint64_t> slots;
  for (const replay::CaseArgument& argument : launch.arguments) {
    if (argument.kind == replay::CaseArgument::Kind::kScalar) {
      slots.push_back(argument.bits);
      continue;
    }
    slots.push_back(argument.null ? 0 : memory.At(argument.address));
    if (argument.kind != replay::CaseArgument::Kind::kDescriptor) continue;
    for (int32_t size : argument.shape) slots.push_back(static_cast<uint32_t>(size));
    for (int64_t stride : argument.strides) slots.push_back(static_cast<uint64_t>(stride));
  }
  return slots;
}

}  // namespace

CaseOutcome EvaluateCase(mlir::ModuleOp module, const replay::LaunchCase& launch) {
  Memory memory(launch);
  Launch run;
  run.kernel = launch.entry;
  run.grid = launch.grid;
  run.args = Slots(launch, memory);
  CaseOutcome outcome;
  outcome.error = Evaluate(module, run);
  outcome.buffers = memory.Contents();
  return outcome;
}

std::string Difference(const replay::LaunchCase& launch, const CaseOutcome& outcome) {
  for (size_t b = 0; b < launch.buffers.size(); ++b) {
    const replay::CaseBuffer& buffer = launch.buffers[b];
    if (!buffer.check || !buffer.pointer_table.empty()) continue;
    std::optional<replay::Mismatch> mismatch =
        buffer.expected
            ? replay::compare_blocks(buffer.dtype, outcome.buffers[b], *buffer.expected,
                                     buffer.tolerance)
            : replay::compare_unchanged(buffer.dtype, outcome.buffers[b], buffer.content);
    if (mismatch)
      return buffer.id + "[" + std::to_string(mismatch->index) + "] is " + mismatch->got +
             ", expected " + mismatch->expected;
  }
  return "";
}

}  // namespace tritonrt::evaluator
