// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <chrono>

#include "src/c/handles.h"

using namespace tritonrt;
using c::guarded;
using c::need;

namespace {

// A time as callers give it; what does not fit is as long as can be.
std::chrono::nanoseconds duration(uint64_t nanoseconds) {
  constexpr uint64_t kMax = INT64_MAX;
  return std::chrono::nanoseconds(static_cast<int64_t>(std::min(nanoseconds, kMax)));
}

tritonrt_device_info info_of(const DeviceInfo& info) {
  tritonrt_device_info result{};
  result.name = info.name.c_str();
  result.platform = info.platform.c_str();
  result.device = info.device.c_str();
  result.type = info.type.c_str();
  result.driver = info.driver.c_str();
  result.compute_units = info.compute_units;
  result.local_bytes = info.local_bytes;
  result.global_bytes = info.global_bytes;
  result.sub_groups = info.sub_groups;
  result.fp16 = info.fp16;
  result.fp64 = info.fp64;
  result.mapping = info.mapping == Mapping::kSimt ? TRITONRT_MAPPING_SIMT : TRITONRT_MAPPING_VECTOR;
  return result;
}

Mapping mapping_of(const tritonrt_mapping& mapping) {
  const int number = c::number_of(mapping);
  switch (number) {
    case TRITONRT_MAPPING_DEFAULT:
      return Mapping::kDefault;
    case TRITONRT_MAPPING_VECTOR:
      return Mapping::kVector;
    case TRITONRT_MAPPING_SIMT:
      return Mapping::kSimt;
  }
  throw Error(ErrorCode::kInvalidArgument, "there is no mapping " + std::to_string(number) +
                                               ", expected a constant of tritonrt_mapping");
}

}  // namespace

tritonrt_status tritonrt_device_open(const char* name, tritonrt_mapping mapping,
                                     tritonrt_device** device) {
  return guarded([&] {
    DeviceOptions options;
    options.mapping = mapping_of(mapping);
    c::give_new(device, "device",
                [&] { return new tritonrt_device{Device::open(&need(name, "name"), options)}; });
  });
}

void tritonrt_device_release(tritonrt_device* device) { delete device; }

tritonrt_status tritonrt_device_get_info(const tritonrt_device* device,
                                         tritonrt_device_info* info) {
  return guarded(
      [&] { c::give(need(info, "info"), info_of(need(device, "device").value.info())); });
}

tritonrt_status tritonrt_device_count(size_t* count) {
  return guarded([&] { need(count, "count") = Device::list().size(); });
}

tritonrt_status tritonrt_device_name(size_t index, char* name, size_t size) {
  return guarded([&] {
    const std::vector<DeviceInfo> devices = Device::list();
    if (index >= devices.size())
      throw Error(ErrorCode::kNotFound, "there is no device " + std::to_string(index) +
                                            ": there are " + std::to_string(devices.size()));
    const std::string& text = devices[index].name;
    if (size <= text.size())
      throw Error(ErrorCode::kInvalidArgument, "the name needs " + std::to_string(text.size() + 1) +
                                                   " bytes, got " + std::to_string(size));
    std::memcpy(&need(name, "name"), text.c_str(), text.size() + 1);
  });
}

tritonrt_status tritonrt_device_synchronize(tritonrt_device* device) {
  return guarded([&] { need(device, "device").value.synchronize(); });
}

tritonrt_status tritonrt_device_shutdown(tritonrt_device* device) {
  return guarded([&] { need(device, "device").value.shutdown(); });
}

tritonrt_status tritonrt_set_cpu_options(unsigned threads, uint64_t min_chunk_size) {
  return guarded([&] {
    CpuOptions options;
    options.threads = threads;
    if (min_chunk_size != 0) options.min_chunk_size = min_chunk_size;
    set_cpu_options(options);
  });
}

tritonrt_status tritonrt_set_print_handler(void (*function)(void* data,
                                                            const tritonrt_printed_line* line),
                                           void* data, size_t buffer_bytes) {
  return guarded([&] {
    PrintHandler handler;
    if (function != nullptr)
      handler = [=](const PrintedLine& line) {
        const std::string kernel(line.kernel), source(line.source), text(line.text);
        tritonrt_printed_line given{};
        given.kernel = kernel.c_str();
        given.line = line.line;
        given.source = source.c_str();
        std::copy(std::begin(line.program), std::end(line.program), given.program);
        given.text = text.c_str();
        function(data, &given);
      };
    if (buffer_bytes == 0)
      set_print_handler(std::move(handler));
    else
      set_print_handler(std::move(handler), buffer_bytes);
  });
}

tritonrt_status tritonrt_stream_create(tritonrt_device* device, int timing,
                                       tritonrt_stream** stream) {
  return guarded([&] {
    StreamOptions options;
    options.timing = timing != 0;
    c::give_new(stream, "stream",
                [&] { return new tritonrt_stream{Stream(need(device, "device").value, options)}; });
  });
}

void tritonrt_stream_release(tritonrt_stream* stream) { delete stream; }

tritonrt_status tritonrt_stream_synchronize(tritonrt_stream* stream) {
  return guarded([&] { need(stream, "stream").value.synchronize(); });
}

tritonrt_status tritonrt_stream_synchronize_for(tritonrt_stream* stream, uint64_t nanoseconds) {
  return guarded([&] { need(stream, "stream").value.synchronize(duration(nanoseconds)); });
}

tritonrt_status tritonrt_stream_is_idle(const tritonrt_stream* stream, int* idle) {
  return guarded([&] { need(idle, "idle") = need(stream, "stream").value.is_idle(); });
}

tritonrt_status tritonrt_stream_record(tritonrt_stream* stream, tritonrt_event** event) {
  return guarded([&] {
    c::give_new(event, "event",
                [&] { return new tritonrt_event{need(stream, "stream").value.record()}; });
  });
}

tritonrt_status tritonrt_stream_wait(tritonrt_stream* stream, const tritonrt_event* event) {
  return guarded([&] { need(stream, "stream").value.wait(need(event, "event").value); });
}

tritonrt_status tritonrt_stream_call(tritonrt_stream* stream, void (*function)(void*), void* data) {
  return guarded([&] {
    if (function == nullptr) throw Error(ErrorCode::kInvalidArgument, "function is NULL");
    need(stream, "stream").value.call([function, data] { function(data); });
  });
}

void tritonrt_event_release(tritonrt_event* event) { delete event; }

tritonrt_status tritonrt_event_is_complete(const tritonrt_event* event, int* complete) {
  return guarded([&] { need(complete, "complete") = need(event, "event").value.is_complete(); });
}

tritonrt_status tritonrt_event_synchronize(const tritonrt_event* event) {
  return guarded([&] { need(event, "event").value.synchronize(); });
}

tritonrt_status tritonrt_event_synchronize_for(const tritonrt_event* event, uint64_t nanoseconds) {
  return guarded([&] { need(event, "event").value.synchronize(duration(nanoseconds)); });
}

tritonrt_status tritonrt_event_elapsed_ms(const tritonrt_event* end, const tritonrt_event* start,
                                          double* ms) {
  return guarded(
      [&] { need(ms, "ms") = need(end, "end").value.elapsed_ms(need(start, "start").value); });
}
