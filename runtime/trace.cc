// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/trace.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

constexpr std::string_view kHead = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
constexpr std::string_view kTail = "\n]}\n";

// Streams and threads share the numbers of tracks; thread ids stay below this.
constexpr std::uint64_t kFirstStreamTrack = std::uint64_t{1} << 32;

std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Nanoseconds as the format's microseconds.
std::string micros(std::uint64_t ns) {
  char text[40];
  std::snprintf(text, sizeof(text), "%llu.%03u", static_cast<unsigned long long>(ns / 1000),
                static_cast<unsigned>(ns % 1000));
  return text;
}

std::string with_process(std::string path) {
  for (std::size_t at = 0; (at = path.find("%p", at)) != std::string::npos;)
    path.replace(at, 2, std::to_string(getpid()));
  return path;
}

[[noreturn]] void cannot_write(const std::string& path) {
  throw Error(ErrorCode::kIo,
              "cannot write TRITONRT_TRACE='" + path + "': " + std::strerror(errno));
}

// A file of this process alone, in the place of one that was there.
int create(const std::string& path) {
  const std::string own = path + "." + std::to_string(getpid());
  const int file = open(own.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  if (file < 0) cannot_write(path);
  if (rename(own.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    unlink(own.c_str());
    close(file);
    errno = reason;
    cannot_write(path);
  }
  return file;
}

}  // namespace

std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

std::atomic<Trace*> Trace::active_{nullptr};

void Trace::open_from_environment() {
  static std::mutex* mutex = new std::mutex;
  static bool opened = false;
  const std::lock_guard lock(*mutex);
  if (opened) return;
  const char* path = std::getenv("TRITONRT_TRACE");
  if (path != nullptr && *path != '\0')
    active_.store(new Trace(create(with_process(path))), std::memory_order_release);
  opened = true;
}

Trace::Trace(int file) : file_(file), process_(getpid()), start_(now_ns()) {
  append("{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":" + std::to_string(process_) +
         ",\"tid\":0,\"args\":{\"name\":\"tritonrt\"}}");
}

void Trace::append(const std::string& event) {
  if (getpid() != process_) return;
  const std::lock_guard lock(mutex_);
  std::string text;
  if (end_ == 0)
    text = kHead;
  else
    text = ",\n";
  text += event;
  const std::uint64_t size = text.size();
  text += kTail;
  // A full disk costs the trace, and nothing else.
  if (pwrite(file_, text.data(), text.size(), static_cast<off_t>(end_)) ==
      static_cast<ssize_t>(text.size()))
    end_ += size;
}

void Trace::span(const char* category, std::string_view name, std::uint64_t begin,
                 std::uint64_t end, std::uint64_t track, std::string_view details) {
  const std::uint64_t thread =
      track != 0 ? kFirstStreamTrack + track : static_cast<std::uint64_t>(gettid());
  const std::uint64_t from = begin > start_ ? begin - start_ : 0;
  std::string event = "{\"name\":" + quoted(name) + ",\"cat\":\"" + category +
                      "\",\"ph\":\"X\",\"pid\":" + std::to_string(process_) +
                      ",\"tid\":" + std::to_string(thread) + ",\"ts\":" + micros(from) +
                      ",\"dur\":" + micros(end > begin ? end - begin : 0);
  if (!details.empty()) event += ",\"args\":{\"details\":" + quoted(details) + "}";
  append(event + "}");
}

void Trace::name_track(std::uint64_t track, std::string_view name) {
  append("{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":" + std::to_string(process_) +
         ",\"tid\":" + std::to_string(kFirstStreamTrack + track) +
         ",\"args\":{\"name\":" + quoted(name) + "}}");
}

}  // namespace tritonrt::runtime
