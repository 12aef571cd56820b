// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/npy.h"

#include <array>
#include <charconv>
#include <optional>

#include "src/replay/file_io.h"

namespace tritonrt::replay {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<uint64_t>> shape;
};

// Reads the header, a Python dict literal with the keys descr, fortran_order and shape. Only the
// few forms that numpy writes for plain arrays are accepted.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Header parse() {
    Header header;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        header.descr = quoted();
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
      } else if (key == "shape") {
        header.shape = tuple();
      } else {
        fail("has the unknown header key '" + key + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (!text_.empty()) fail("has text after its header");
    return header;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("'" + name_ + "' " + what);
  }

 private:
  void skip_space() {
    const size_t first = text_.find_first_not_of(" \t\n\r");
    text_.remove_prefix(first == std::string_view::npos ? text_.size() : first);
  }

  bool accept(char wanted) {
    skip_space();
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail(std::string("has a malformed header: '") + wanted + "' expected");
  }

  std::string quoted() {
    skip_space();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"'))
      fail("has a malformed header: a string expected (a structured type is not supported)");
    const size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) fail("has a malformed header: a string does not end");
    std::string value(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return value;
  }

  bool boolean() {
    skip_space();
    for (bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(0, word.size()) != word) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    fail("has a malformed header: True or False expected");
  }

  std::vector<uint64_t> tuple() {
    std::vector<uint64_t> values;
    expect('(');
    while (!accept(')')) {
      skip_space();
      uint64_t value = 0;
      auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error != std::errc()) fail("has a malformed header: a dimension expected");
      text_.remove_prefix(static_cast<size_t>(end - text_.data()));
      values.push_back(value);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  std::string_view text_;
  const std::string& name_;
};

// "<f4" to "f4". Empty for a type that is not supported.
std::string plain_type(const std::string& descr) {
  static constexpr std::array<std::string_view, 12> kTypes = {"f2", "f4", "f8", "i1", "i2", "i4",
                                                              "i8", "u1", "u2", "u4", "u8", "b1"};
  if (descr.size() != 3) return {};
  const std::string type = descr.substr(1);
  const bool order_matters = type[1] != '1';
  const bool order_right = descr[0] == '<' || descr[0] == '=' ||
                           (!order_matters && (descr[0] == '|' || descr[0] == '>'));
  for (std::string_view known : kTypes)
    if (type == known && order_right) return type;
  return {};
}

// The bytes of an array, or nothing if the product passes 2^63.
std::optional<uint64_t> byte_count(const std::vector<uint64_t>& shape, uint64_t item_size) {
  uint64_t bytes = item_size;
  for (uint64_t dimension : shape)
    if (__builtin_mul_overflow(bytes, dimension, &bytes) || bytes >> 63) return std::nullopt;
  return bytes;
}

}  // namespace

uint64_t NpyArray::element_count() const { return data.size() / item_size(); }

NpyArray parse_npy(std::string_view bytes, const std::string& name) {
  auto fail = [&](const std::string& what) -> void { throw InputError("'" + name + "' " + what); };
  if (bytes.empty()) fail("is empty");
  if (bytes.size() < 10 || bytes.substr(0, 6) != kMagic) fail("is not a .npy file");
  const auto byte_at = [&](size_t i) { return size_t{static_cast<uint8_t>(bytes[i])}; };
  const size_t version = byte_at(6);
  if (version < 1 || version > 3) fail("has the unknown .npy version " + std::to_string(version));
  const size_t length_bytes = version == 1 ? 2 : 4;
  const size_t header_at = 8 + length_bytes;
  size_t header_size = 0;
  for (size_t i = 0; i < length_bytes && 8 + i < bytes.size(); ++i)
    header_size |= byte_at(8 + i) << (8 * i);
  if (bytes.size() < header_at || bytes.size() - header_at < header_size)
    fail("ends inside its header");

  const Header header = HeaderParser(bytes.substr(header_at, header_size), name).parse();
  if (!header.descr || !header.fortran_order || !header.shape)
    fail("has a header without descr, fortran_order or shape");
  NpyArray array;
  array.type = plain_type(*header.descr);
  if (array.type.empty())
    fail("has elements of type '" + *header.descr +
         "'; little-endian f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 expected");
  if (*header.fortran_order && header.shape->size() > 1)
    fail("is in Fortran order; C order expected");
  array.shape = *header.shape;
  const std::optional<uint64_t> wanted = byte_count(array.shape, array.item_size());
  const size_t present = bytes.size() - header_at - header_size;
  if (!wanted || *wanted != present)
    fail("holds " + std::to_string(present) + " bytes of elements, its shape asks for " +
         (wanted ? std::to_string(*wanted) : std::string("more than can be addressed")));
  array.data = bytes.substr(header_at + header_size);
  return array;
}

NpyArray read_npy(const std::filesystem::path& path) {
  return parse_npy(read_file(path, kMaxNpyBytes), path.string());
}

std::string format_npy(const NpyArray& array) {
  std::string shape;
  for (uint64_t dimension : array.shape) shape += std::to_string(dimension) + ", ";
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  if (array.shape.size() == 1) shape.pop_back();
  std::string header = std::string("{'descr': '") + (array.item_size() == 1 ? '|' : '<') +
                       array.type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // The elements start at a multiple of 64 bytes; the header ends in a newline.
  const size_t prefix = kMagic.size() + 4;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += {'\x01', '\0', static_cast<char>(header.size() & 0xff),
            static_cast<char>(header.size() >> 8)};
  return bytes + header + array.data;
}

void write_npy(const std::filesystem::path& path, const NpyArray& array) {
  write_file(path, format_npy(array));
}

}  // namespace tritonrt::replay
