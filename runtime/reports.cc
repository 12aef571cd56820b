// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/reports.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "compiler/api/kernel_abi.h"
#include "runtime/report_text.h"
#include "tritonrt/error.h"
#include "tritonrt/report.h"

namespace tritonrt::runtime {
namespace {

constexpr std::size_t kLeastBytes = std::size_t{4} << 10;
constexpr std::size_t kMostBytes = std::size_t{16} << 20;

// What set_print_handler was given.
struct Settings {
  std::mutex mutex;
  std::shared_ptr<const PrintHandler> handler;
  std::size_t buffer_bytes = std::size_t{1} << 20;

  static Settings& instance() {
    static Settings* settings = new Settings;
    return *settings;
  }
};

std::shared_ptr<const PrintHandler> current_handler() {
  Settings& settings = Settings::instance();
  const std::lock_guard lock(settings.mutex);
  return settings.handler;
}

std::size_t buffer_bytes() {
  Settings& settings = Settings::instance();
  const std::lock_guard lock(settings.mutex);
  return settings.buffer_bytes;
}

std::uint32_t units_of(const BufferImpl& buffer) {
  return static_cast<std::uint32_t>((buffer.size() - sizeof(trt_report_header)) /
                                    TRITONRT_REPORT_UNIT);
}

}  // namespace

struct Reports::Content {
  trt_report_header header{};
  std::string records;
};

namespace {

// Goes through a batch's records: prints to the handler, the first failed assert into `failed`.
class RecordReader {
 public:
  RecordReader(const std::vector<std::shared_ptr<const KernelReports>>& kernels,
               const PrintHandler* handler)
      : kernels_(kernels), handler_(handler) {}

  void read(const std::string& records) {
    std::size_t at = 0;
    trt_report_record head;
    while (at + sizeof head <= records.size()) {
      std::memcpy(&head, records.data() + at, sizeof head);
      if (head.units == 0 || !take(head, records, at + sizeof head)) return;
      at += std::size_t{head.units} * TRITONRT_REPORT_UNIT;
    }
  }

  const std::string& failed() const { return failed_; }
  std::size_t failures() const { return failures_; }

 private:
  // False for what no kernel of ours wrote.
  bool take(const trt_report_record& head, const std::string& records, std::size_t values) {
    if (head.kernel >= kernels_.size() || head.op >= kernels_[head.kernel]->ops.size())
      return false;
    const KernelReports& kernel = *kernels_[head.kernel];
    const ReportOp& op = kernel.ops[head.op];
    if (values - sizeof head + record_bytes(op) > records.size()) return false;
    const std::uint32_t program[3] = {head.program[0], head.program[1], head.program[2]};
    if (op.is_assert) {
      if (failures_++ == 0) failed_ = assert_message(kernel.kernel, op, program);
    } else if (handler_ != nullptr) {
      PrintedLine line;
      line.kernel = kernel.kernel;
      line.line = op.line;
      line.source = op.source;
      std::copy(std::begin(program), std::end(program), line.program);
      print_lines(op, program, records.data() + values, [&](std::string_view text) {
        line.text = text;
        (*handler_)(line);
      });
    }
    return true;
  }

  const std::vector<std::shared_ptr<const KernelReports>>& kernels_;
  const PrintHandler* handler_;
  std::string failed_;
  std::size_t failures_ = 0;
};

void tell_lost(const PrintHandler* handler, std::uint32_t count, std::size_t bytes) {
  if (handler == nullptr || count == 0) return;
  const std::string text = std::to_string(count) + " prints did not fit the stream's buffer of " +
                           std::to_string(bytes) + " bytes";
  PrintedLine line;
  line.text = text;
  (*handler)(line);
}

}  // namespace

std::shared_ptr<BufferImpl> Reports::fresh_buffer(StreamImpl& stream) {
  if (spare_ != nullptr) return std::exchange(spare_, nullptr);
  const std::size_t size = buffer_bytes();
  std::shared_ptr<BufferImpl> buffer = stream.device().allocate(size);
  std::string content(size, '\0');
  trt_report_header header{};
  header.units = units_of(*buffer);
  std::memcpy(content.data(), &header, sizeof header);
  buffer->copy_from_host(nullptr, content.data(), size, 0);
  return buffer;
}

Reports::Slot Reports::slot(StreamImpl& stream,
                            const std::shared_ptr<const KernelReports>& kernel) {
  std::unique_lock lock(mutex_);
  if (batches_.empty()) batches_.push_back({fresh_buffer(stream), {}});
  Batch& batch = batches_.back();
  const auto found = std::find(batch.kernels.begin(), batch.kernels.end(), kernel);
  const auto number = static_cast<std::uint32_t>(found - batch.kernels.begin());
  if (found == batch.kernels.end()) batch.kernels.push_back(kernel);
  return {std::move(lock), batch.buffer.get(), number};
}

Reports::Content Reports::read(StreamImpl& stream, const Batch& batch) {
  Content content;
  batch.buffer->copy_to_host(&stream, &content.header, sizeof content.header, 0);
  stream.synchronize(std::nullopt);
  const std::size_t used = std::min(content.header.used, units_of(*batch.buffer));
  content.records.resize(used * TRITONRT_REPORT_UNIT);
  if (used == 0) return content;
  batch.buffer->copy_to_host(&stream, content.records.data(), content.records.size(),
                             sizeof content.header);
  stream.synchronize(std::nullopt);
  return content;
}

void Reports::recycle(StreamImpl& stream, Batch& batch, std::size_t used_bytes) {
  trt_report_header header{};
  header.units = units_of(*batch.buffer);
  batch.buffer->copy_from_host(&stream, &header, sizeof header, 0);
  const char zero[TRITONRT_REPORT_UNIT] = {};
  if (used_bytes != 0) batch.buffer->fill(&stream, zero, sizeof zero, used_bytes, sizeof header);
  stream.synchronize(std::nullopt);
  const std::lock_guard lock(mutex_);
  spare_ = std::move(batch.buffer);
}

void Reports::collect(StreamImpl& stream, Timeout timeout) {
  std::vector<Batch> batches;
  {
    const std::lock_guard lock(mutex_);
    batches.swap(batches_);
  }
  std::exception_ptr error;
  try {
    stream.synchronize(timeout);
  } catch (const Error& e) {
    if (e.code() == ErrorCode::kTimeout) {
      const std::lock_guard lock(mutex_);
      batches_.insert(batches_.begin(), std::make_move_iterator(batches.begin()),
                      std::make_move_iterator(batches.end()));
      throw;
    }
    error = std::current_exception();
  }
  const std::shared_ptr<const PrintHandler> handler = current_handler();
  std::string failed;
  std::size_t failures = 0;
  for (Batch& batch : batches) {
    const std::size_t bytes = batch.buffer->size();
    const Content content = read(stream, batch);
    recycle(stream, batch, content.records.size());
    RecordReader reader(batch.kernels, handler.get());
    reader.read(content.records);
    tell_lost(handler.get(), content.header.dropped, bytes);
    if (failed.empty()) failed = reader.failed();
    failures += reader.failures() + content.header.lost_asserts;
  }
  if (error != nullptr) std::rethrow_exception(error);
  if (failures == 0) return;
  if (failed.empty()) failed = "a device assert failed; which one found no place in the buffer";
  if (failures > 1) failed += ", and " + std::to_string(failures - 1) + " more";
  throw Error(ErrorCode::kAssertFailed, failed);
}

ReportingArgs::ReportingArgs(const PackedArgs& args, const Reports::Slot& slot)
    : slots_(args.slots, args.slots + args.count),
      buffers_(args.buffers, args.buffers + args.count) {
  slots_.insert(slots_.end(), {slot.buffer->base(), slot.number});
  buffers_.insert(buffers_.end(), {slot.buffer, nullptr});
}

Reports& StreamImpl::reports() {
  if (Reports* ready = reports_.load(std::memory_order_acquire)) return *ready;
  auto fresh = std::make_unique<Reports>();
  Reports* expected = nullptr;
  if (!reports_.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel))
    return *expected;
  return *fresh.release();
}

void StreamImpl::finish(Timeout timeout) {
  if (Reports* reports = reports_.load(std::memory_order_acquire))
    reports->collect(*this, timeout);
  else
    synchronize(timeout);
}

StreamImpl::~StreamImpl() { delete reports_.load(std::memory_order_relaxed); }

}  // namespace tritonrt::runtime

namespace tritonrt {

void set_print_handler(PrintHandler handler, std::size_t buffer_bytes) {
  auto fresh = handler ? std::make_shared<const PrintHandler>(std::move(handler)) : nullptr;
  runtime::Settings& settings = runtime::Settings::instance();
  const std::lock_guard lock(settings.mutex);
  settings.handler = std::move(fresh);
  settings.buffer_bytes = std::clamp(buffer_bytes, runtime::kLeastBytes, runtime::kMostBytes) /
                          TRITONRT_REPORT_UNIT * TRITONRT_REPORT_UNIT;
}

}  // namespace tritonrt
