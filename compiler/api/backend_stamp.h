// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a library of a backend says of itself. It can be read before any of the library's code runs,
// so one that was built for another version is refused in words instead of by a crash.
#ifndef TRITONRT_BACKEND_STAMP_H
#define TRITONRT_BACKEND_STAMP_H

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrt {

/// The section of the library that holds the stamp: a text of `key=value` lines and a NUL. The
/// build writes it (cmake/TritonrtBackend.cmake).
inline constexpr char kBackendSection[] = ".tritonrt.backend";

struct BackendStamp {
  /// "compiler" or "runtime": what the library adds to.
  std::string kind;
  std::string name, version;
  /// Names the headers that it was built with; they must be those of the library that loads it.
  std::string interface;
  /// Names its own sources.
  std::string build;
  /// It may compile for targets whose description has `backend=` one of these.
  std::vector<std::string> targets;

  bool serves(std::string_view backend) const {
    for (const std::string &target : targets)
      if (target == backend)
        return true;
    return false;
  }
};

namespace detail {

/// The content of a section of an ELF64 file; empty where there is none.
inline std::string readSection(std::ifstream &file, const char *wanted) {
  constexpr std::uint64_t kLargest = 64 << 10;
  const auto read = [&](std::uint64_t offset, void *to, std::uint64_t size) {
    file.clear();
    file.seekg(static_cast<std::streamoff>(offset));
    return bool(file.read(static_cast<char *>(to), static_cast<std::streamsize>(size)));
  };
  Elf64_Ehdr head;
  if (!read(0, &head, sizeof(head)) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_shentsize != sizeof(Elf64_Shdr))
    return {};
  const auto section = [&](std::uint64_t index, Elf64_Shdr &to) {
    return read(head.e_shoff + index * sizeof(Elf64_Shdr), &to, sizeof(Elf64_Shdr));
  };
  Elf64_Shdr names, found;
  if (!section(head.e_shstrndx, names))
    return {};
  for (std::uint64_t i = 0; i < head.e_shnum; ++i) {
    char name[sizeof(kBackendSection)] = {};
    if (!section(i, found) || found.sh_type != SHT_PROGBITS || found.sh_size > kLargest ||
        !read(names.sh_offset + found.sh_name, name, sizeof(name)) ||
        std::memcmp(name, wanted, sizeof(name)) != 0)
      continue;
    std::string content(found.sh_size, '\0');
    if (!read(found.sh_offset, content.data(), content.size()))
      return {};
    return content.substr(0, content.find('\0'));
  }
  return {};
}

} // namespace detail

/// Reads the stamp of a library. False where the file has none.
inline bool readBackendStamp(const std::string &path, BackendStamp &stamp) {
  std::ifstream file(path, std::ios::binary);
  const std::string text = detail::readSection(file, kBackendSection);
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() < rest.size() ? line.size() + 1 : line.size());
    const std::string_view key = line.substr(0, line.find('='));
    std::string_view value = line.substr(key.size() < line.size() ? key.size() + 1 : line.size());
    if (key == "kind")
      stamp.kind = value;
    else if (key == "name")
      stamp.name = value;
    else if (key == "version")
      stamp.version = value;
    else if (key == "interface")
      stamp.interface = value;
    else if (key == "build")
      stamp.build = value;
    else if (key == "targets")
      for (; !value.empty();
           value.remove_prefix(value.find(',') < value.size() ? value.find(',') + 1 : value.size()))
        stamp.targets.emplace_back(value.substr(0, value.find(',')));
  }
  return !text.empty();
}

/// Why the library at `path` must not be loaded as `kind` by what was built with `interface`; empty
/// where it may. Fills the stamp.
inline std::string whyRefused(const std::string &path, std::string_view kind,
                              std::string_view interface, BackendStamp &stamp) {
  if (!readBackendStamp(path, stamp))
    return "'" + path + "' is no backend of tritonrt: it has no stamp";
  if (stamp.kind != kind)
    return "'" + path + "' is a backend's " + stamp.kind + " part, not its " + std::string(kind) +
           " part";
  if (stamp.interface != interface)
    return "the backend '" + stamp.name + "' (" + stamp.version + ") in '" + path +
           "' was built for another version of tritonrt: it has interface " + stamp.interface +
           ", this one has " + std::string(interface) + "; build it again";
  return {};
}

} // namespace tritonrt

#endif // TRITONRT_BACKEND_STAMP_H
