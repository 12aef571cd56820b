// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/zip_file.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tritonrt::cache {
namespace {

constexpr std::size_t kMaxName = 1024;

// What minizip knows of a file: bytes and a place in them. The handle that it passes around and its
// `opaque` are the same object.
struct ReadStream {
  std::string_view bytes;
  std::uint64_t at = 0;
};

struct WriteStream {
  std::string bytes;
  std::uint64_t at = 0;
};

// Where a seek leads; false outside [0, size].
bool seek(std::uint64_t size, std::uint64_t& at, ZPOS64_T offset, int origin) {
  const std::uint64_t base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                             : origin == ZLIB_FILEFUNC_SEEK_CUR ? at
                                                                : size;
  const std::uint64_t target = base + offset;
  if (target > size) return false;
  at = target;
  return true;
}

template <typename Stream>
uLong read_some(voidpf opaque, voidpf, void* buffer, uLong size) {
  auto& stream = *static_cast<Stream*>(opaque);
  const std::size_t n = std::min<std::size_t>(size, stream.bytes.size() - stream.at);
  // Nothing has no address.
  if (n != 0) std::memcpy(buffer, stream.bytes.data() + stream.at, n);
  stream.at += n;
  return static_cast<uLong>(n);
}

uLong write_some(voidpf opaque, voidpf, const void* buffer, uLong size) {
  auto& stream = *static_cast<WriteStream*>(opaque);
  if (stream.at + size > stream.bytes.size()) stream.bytes.resize(stream.at + size);
  std::memcpy(stream.bytes.data() + stream.at, buffer, size);
  stream.at += size;
  return size;
}

template <typename Stream>
zlib_filefunc64_def functions(Stream& stream) {
  zlib_filefunc64_def f{};
  f.zopen64_file = [](voidpf opaque, const void*, int) { return opaque; };
  f.ztell64_file = [](voidpf opaque, voidpf) -> ZPOS64_T {
    return static_cast<Stream*>(opaque)->at;
  };
  f.zseek64_file = [](voidpf opaque, voidpf, ZPOS64_T offset, int origin) -> long {
    auto& s = *static_cast<Stream*>(opaque);
    return seek(s.bytes.size(), s.at, offset, origin) ? 0 : -1;
  };
  f.zclose_file = [](voidpf, voidpf) { return 0; };
  f.zerror_file = [](voidpf, voidpf) { return 0; };
  f.opaque = &stream;
  return f;
}

// A number of two bytes, as zip writes it.
std::size_t short_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]) |
         std::size_t{static_cast<unsigned char>(bytes[at + 1])} << 8;
}

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw BundleError("the entry '" + name + "' " + what);
}

}  // namespace

struct ZipReader::Source : ReadStream {};
struct ZipWriter::Sink : WriteStream {};

ZipReader::ZipReader(std::string_view bytes) : source_(std::make_unique<Source>()) {
  source_->bytes = bytes;
  zlib_filefunc64_def f = functions<ReadStream>(*source_);
  f.zread_file = read_some<ReadStream>;
  archive_ = unzOpen2_64("", &f);
  constexpr std::size_t kEndBytes = 22;  // of the record that ends every archive, with a comment
  unz_global_info64 global{};
  if (archive_ != nullptr && unzGetGlobalInfo64(archive_, &global) == UNZ_OK &&
      bytes.size() >= kEndBytes + global.size_comment &&
      bytes.substr(bytes.size() - kEndBytes - global.size_comment).starts_with("PK\5\6"))
    return;
  if (archive_ != nullptr) unzClose(archive_);
  throw BundleError("it is not a zip archive, or its end is missing");
}

ZipReader::~ZipReader() { unzClose(archive_); }

// The list is walked here, name by name in the bytes; what an entry holds, and whether that is
// sound, is minizip's to say.
const std::vector<ZipReader::Entry>& ZipReader::index() {
  if (indexed_) return index_;
  unz_global_info64 global{};
  unz64_file_pos first{};
  const auto damaged = [] { return BundleError("its list of entries is damaged or too long"); };
  if (unzGetGlobalInfo64(archive_, &global) != UNZ_OK || global.number_entry > kMaxEntries)
    throw damaged();
  if (global.number_entry != 0 &&
      (unzGoToFirstFile(archive_) != UNZ_OK || unzGetFilePos64(archive_, &first) != UNZ_OK))
    throw damaged();
  std::string_view rest = source_->bytes;
  rest.remove_prefix(std::min<std::uint64_t>(rest.size(), first.pos_in_zip_directory));
  std::vector<Entry> fresh;
  fresh.reserve(global.number_entry);
  for (std::uint64_t n = 0; n < global.number_entry; ++n) {
    // A record: 46 bytes that end with offsets and hold three lengths, a name, and more to skip.
    constexpr std::size_t kFixed = 46;
    if (rest.size() < kFixed || !rest.starts_with("PK\1\2")) throw damaged();
    const std::size_t name = short_at(rest, 28);
    const std::size_t size = kFixed + name + short_at(rest, 30) + short_at(rest, 32);
    if (name > kMaxName || rest.size() < size) throw damaged();
    fresh.push_back({rest.substr(kFixed, name),
                     static_cast<std::uint64_t>(rest.data() - source_->bytes.data()), n});
    rest.remove_prefix(size);
  }
  if (!fresh.empty() && !rest.starts_with("PK\5\6") && !rest.starts_with("PK\6\6")) throw damaged();
  const auto before = [](const Entry& a, const Entry& b) { return a.name < b.name; };
  if (!std::is_sorted(fresh.begin(), fresh.end(), before))
    std::sort(fresh.begin(), fresh.end(), before);
  // Readers may differ in which of two they take.
  const auto twice = std::adjacent_find(
      fresh.begin(), fresh.end(), [](const Entry& a, const Entry& b) { return a.name == b.name; });
  if (twice != fresh.end())
    throw BundleError("it has two entries named '" + std::string(twice->name) + "'");
  index_ = std::move(fresh);
  indexed_ = true;
  return index_;
}

const ZipReader::Entry* ZipReader::find(std::string_view name) {
  const std::vector<Entry>& all = index();
  const auto at =
      std::lower_bound(all.begin(), all.end(), name,
                       [](const Entry& entry, std::string_view n) { return entry.name < n; });
  return at != all.end() && at->name == name ? &*at : nullptr;
}

std::string ZipReader::read_here(const std::string& name, std::uint64_t limit) {
  unz_file_info64 info{};
  std::string here(name.size() + 1, '\0');
  if (unzGetCurrentFileInfo64(archive_, &info, here.data(), here.size(), nullptr, 0, nullptr, 0) !=
          UNZ_OK ||
      info.size_filename != name.size() || here.c_str() != name)
    fail(name, "is damaged");
  if (info.uncompressed_size > limit) fail(name, "is larger than anything expected there");
  if (info.compressed_size > source_->bytes.size()) fail(name, "is cut off");
  // Deflate makes at most 1032 bytes of one; stored bytes are all there.
  if (info.uncompressed_size / 1032 > info.compressed_size + 1) fail(name, "is damaged");
  if (unzOpenCurrentFile(archive_) != UNZ_OK)
    fail(name, "is damaged, encrypted, or compressed in a way that is not understood");
  std::string content(info.uncompressed_size, '\0');
  std::size_t have = 0;
  int code = 0;
  while (have < content.size() &&
         (code = unzReadCurrentFile(
              archive_, content.data() + have,
              static_cast<unsigned>(std::min<std::size_t>(content.size() - have, 1 << 20)))) > 0)
    have += static_cast<std::size_t>(code);
  // One more byte would be more than was declared. At the end of an entry its checksum is compared.
  char more = 0;
  if (code >= 0 && have == content.size()) code = unzReadCurrentFile(archive_, &more, 1);
  const int closed = unzCloseCurrentFile(archive_);
  if (code != 0 || closed != UNZ_OK || have != content.size())
    fail(name, "is damaged: its content does not agree with its size or checksum");
  return content;
}

std::string ZipReader::read(const std::string& name, std::uint64_t limit) {
  const std::lock_guard lock(mutex_);
  const Entry* entry = find(name);
  if (entry == nullptr) fail(name, "is missing");
  const unz64_file_pos at{entry->record, entry->order};
  if (unzGoToFilePos64(archive_, &at) != UNZ_OK) fail(name, "is damaged");
  return read_here(name, limit);
}

bool ZipReader::contains(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return find(name) != nullptr;
}

std::vector<std::string> ZipReader::names() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names(index().size());
  for (const Entry& entry : index_) names[entry.order] = entry.name;
  return names;
}

ZipWriter::ZipWriter() : sink_(std::make_unique<Sink>()) {
  zlib_filefunc64_def f = functions<WriteStream>(*sink_);
  f.zwrite_file = write_some;
  // Reads back what it wrote when it closes an entry.
  f.zread_file = read_some<WriteStream>;
  archive_ = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &f);
  if (archive_ == nullptr) throw BundleError("no archive can be made");
}

ZipWriter::~ZipWriter() {
  if (archive_ != nullptr) zipClose(archive_, nullptr);
}

void ZipWriter::add(const std::string& name, std::string_view content) {
  constexpr std::size_t kMost = 0xfffffffe;  // of the plain format, which every tool reads
  zip_fileinfo info{};
  info.dosDate = (1u << 21) | (1u << 16);  // 1 January 1980, the first day of zip's calendar
  info.external_fa = 0100644u << 16;       // a regular file
  constexpr unsigned kMadeByUnix = (3u << 8) | 20;
  constexpr unsigned kUtf8Names = 1u << 11;
  if (name.size() > kMaxName || content.size() > kMost ||
      sink_->bytes.size() > kMost - content.size() ||
      zipOpenNewFileInZip4_64(archive_, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0,
                              0, -15, 8, 0, nullptr, 0, kMadeByUnix, kUtf8Names, 0) != ZIP_OK)
    fail(name, "cannot be added: the archive would be too large");
  for (std::string_view rest = content; !rest.empty();) {
    const std::size_t n = std::min<std::size_t>(rest.size(), 1 << 20);
    if (zipWriteInFileInZip(archive_, rest.data(), static_cast<unsigned>(n)) != ZIP_OK)
      fail(name, "cannot be added");
    rest.remove_prefix(n);
  }
  if (zipCloseFileInZip(archive_) != ZIP_OK) fail(name, "cannot be added");
}

std::string ZipWriter::finish() {
  const int code = zipClose(std::exchange(archive_, nullptr), nullptr);
  if (code != ZIP_OK) throw BundleError("the archive cannot be closed");
  return std::move(sink_->bytes);
}

}  // namespace tritonrt::cache
