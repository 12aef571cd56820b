// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Looking after the cache's folder.
#include <unistd.h>

#include <system_error>

#include "cache/mapped_file.h"
#include "cache/zip_file.h"
#include "src/context.h"
#include "tritonrt/cache.h"
#include "tritonrt/error.h"

namespace tritonrt {
namespace {

constexpr std::uint64_t kMaxEntry = std::uint64_t{256} << 20;
// The first entry of an exported file.
constexpr const char* kExportName = "tritonrt-cache.txt";
constexpr std::string_view kExportText = "Compiled kernels of libtritonrt, format 1.\n";

cache::DiskTier& need_disk(runtime::Context& context) {
  cache::DiskTier& disk = context.cache().disk();
  if (!disk.enabled())
    throw Error(ErrorCode::kUnsupported, "there is no cache folder: everything is kept in memory");
  return disk;
}

std::string in_quotes(const std::string& text) { return "'" + text + "'"; }

[[noreturn]] void fail(const std::string& action, const std::string& path,
                       const std::error_code& error) {
  throw Error(error == std::errc::no_such_file_or_directory ? ErrorCode::kNotFound : ErrorCode::kIo,
              "cannot " + action + " " + in_quotes(path) + ": " + error.message());
}

}  // namespace

CacheUsage cache_usage() {
  const std::shared_ptr<runtime::Context> context = runtime::Context::current();
  cache::DiskTier& disk = context->cache().disk();
  const cache::DiskUsage usage = disk.usage();
  return {disk.folder(), disk.enabled() ? disk.max_bytes() : 0, usage.bytes, usage.entries};
}

CacheCheck verify_cache(bool repair) {
  const std::shared_ptr<runtime::Context> context = runtime::Context::current();
  cache::DiskCheck check = context->cache().disk().check(repair);
  return {check.sound, std::move(check.damaged), std::move(check.foreign)};
}

void clear_cache() { runtime::Context::current()->cache().clear(); }

void trim_cache(std::uint64_t max_bytes) {
  runtime::Context::current()->cache().disk().trim(max_bytes);
}

std::uint64_t export_cache(const std::string& path) {
  const std::shared_ptr<runtime::Context> context = runtime::Context::current();
  std::uint64_t count = 0;
  std::string bytes;
  try {
    cache::ZipWriter zip;
    zip.add(kExportName, kExportText);
    need_disk(*context).each([&](const std::string& name, const std::string& content) {
      zip.add(name, content);
      ++count;
    });
    bytes = zip.finish();
  } catch (const cache::BundleError& error) {
    throw Error(ErrorCode::kUnsupported,
                "the cache cannot be exported: " + std::string(error.what()));
  }
  // Beside its place first: whoever reads it finds all of it or nothing.
  cache::FileSystem& files = cache::native_file_system();
  const std::string temporary = path + "." + std::to_string(getpid()) + ".tmp";
  if (const std::error_code error = files.write_new(temporary, bytes, false))
    fail("write", temporary, error);
  if (const std::error_code error = files.rename(temporary, path)) {
    (void)files.remove(temporary);
    fail("write", path, error);
  }
  return count;
}

std::uint64_t import_cache(const std::string& path) {
  const std::shared_ptr<runtime::Context> context = runtime::Context::current();
  cache::DiskTier& disk = need_disk(*context);
  cache::MappedFile file;
  if (const std::error_code error = file.open(path)) fail("read", path, error);
  const cache::FileInfo& info = file.info();
  if (info.owner != cache::native_file_system().user() || info.others_write)
    throw Error(ErrorCode::kInvalidInput,
                in_quotes(path) + " is not your own file: code in it is not to be trusted");
  std::uint64_t count = 0;
  try {
    cache::ZipReader zip(file.bytes());
    if (zip.read(kExportName, kExportText.size()) != kExportText)
      throw Error(ErrorCode::kInvalidInput, in_quotes(path) + " was made by another version");
    for (const std::string& name : zip.names()) {
      if (name == kExportName) continue;
      if (!disk.adopt(name, zip.read(name, kMaxEntry)))
        throw Error(ErrorCode::kInvalidInput, in_quotes(path) + ": the entry " + in_quotes(name) +
                                                  " is no sound cache entry, or cannot be kept");
      ++count;
    }
  } catch (const cache::BundleError& error) {
    throw Error(ErrorCode::kInvalidInput, in_quotes(path) + ": " + error.what());
  }
  return count;
}

}  // namespace tritonrt
