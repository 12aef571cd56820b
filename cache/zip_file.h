// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_ZIP_FILE_H_
#define TRITONRT_CACHE_ZIP_FILE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrt::cache {

// What is wrong with a bundle, in one sentence.
class BundleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads a zip archive that lies in memory. The bytes are not trusted: sizes are checked against
// limits before memory is taken, and every content against its checksum. Thread safe.
class ZipReader {
 public:
  static constexpr std::uint64_t kMaxEntries = 1 << 20;

  // The bytes must stay. Throws BundleError for what is no zip archive.
  explicit ZipReader(std::string_view bytes);
  ~ZipReader();
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;

  // The content of an entry of at most `limit` bytes. Throws BundleError where there is none, it is
  // larger, or it is damaged.
  std::string read(const std::string& name, std::uint64_t limit);
  bool contains(const std::string& name);
  // The names of all entries, in the archive's order.
  std::vector<std::string> names();

 private:
  struct Source;
  struct Entry {
    std::string_view name;  // of the archive's bytes
    std::uint64_t record;   // where the list of entries tells of it
    std::uint64_t order;    // in that list
  };

  // The entries in the order of their names; under mutex_. Throws BundleError where a name comes
  // twice.
  const std::vector<Entry>& index();
  const Entry* find(std::string_view name);
  std::string read_here(const std::string& name, std::uint64_t limit);

  std::unique_ptr<Source> source_;
  std::mutex mutex_;  // the archive has a current entry
  void* archive_ = nullptr;
  bool indexed_ = false;
  std::vector<Entry> index_;
};

// Writes a zip archive whose bytes depend on nothing but its entries: no times, no compression.
class ZipWriter {
 public:
  ZipWriter();
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  // Throws BundleError where the archive cannot hold it.
  void add(const std::string& name, std::string_view content);
  // The archive. Nothing can be added afterwards.
  std::string finish();

 private:
  struct Sink;
  std::unique_ptr<Sink> sink_;
  void* archive_ = nullptr;
};

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_ZIP_FILE_H_
