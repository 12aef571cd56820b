// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_JSON_TREE_H_
#define TRITONRT_CACHE_JSON_TREE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrt::cache {

// A JSON document as a table of nodes whose texts are views of the document itself: for large ones
// that are read once. Hostile documents end in an error: nesting takes no stack, and nodes are
// counted.
class JsonTree {
 public:
  enum class Kind : std::uint8_t { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };
  struct Node {
    std::string_view key;     // of an object's member
    std::string_view text;    // of a string or a number
    std::uint32_t first = 0;  // child; 0: none
    std::uint32_t next = 0;   // of the same parent; 0: none
    Kind kind = Kind::kNull;
  };
  static constexpr std::size_t kMaxNodes = 4'000'000;

  // Parses in place: the document must stay, and is changed. Throws BundleError with the position.
  explicit JsonTree(std::string& document);

  const Node& root() const { return nodes_[1]; }
  const Node& at(std::uint32_t index) const { return nodes_[index]; }

 private:
  struct Builder;
  std::vector<Node> nodes_;  // node 0 is none
};

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_JSON_TREE_H_
