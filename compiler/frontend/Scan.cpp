// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/Scan.h"

#include "compiler/dialect/tt/TtTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tritonrt::compiler {
namespace {

/// Far beyond what kernels nest (below 40 in practice), far below what a thread's stack holds.
constexpr size_t kMaxDepth = 256;
/// Aliases of attributes and types stand for other aliases a few times; locations of inlined code
/// more often.
constexpr unsigned kMaxAliasDepth = 4, kMaxLocationDepth = 128;
constexpr size_t kMaxNumberDigits = 1024;
/// Results of one operation; the parser makes room for as many as a use counts.
constexpr uint64_t kMaxResults = 1 << 16;

bool isWordChar(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; }

/// An alias definition at the top of the text, and the aliases that it names.
struct Alias {
  size_t offset;
  bool isLocation = false;
  llvm::SmallVector<llvm::StringRef, 4> uses;
  unsigned depth = 0;
  enum { New, Open, Done } state = New;
};

class Scanner {
public:
  explicit Scanner(llvm::StringRef text) : text(text) {}

  std::optional<ScanError> run() {
    while (!error && at < text.size())
      step();
    if (!error)
      checkAliases();
    return error;
  }

private:
  void fail(size_t offset, const llvm::Twine &what) {
    if (!error)
      error = ScanError{offset, what.str()};
  }

  void step() {
    char c = text[at];
    if (c == '\0')
      return fail(
          at,
          "the text holds a NUL byte; the text of a kernel expected, or bytecode of this library");
    if (c == '"')
      return skipString();
    if (c == '/' && text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
      return;
    }
    if (llvm::isDigit(c))
      return skipNumber();
    if (c == '%')
      return takeValue();
    if (c == '#' || c == '!')
      return takeAlias();
    if (llvm::isAlpha(c) || c == '_')
      return takeWord();
    takeBracket(c);
    ++at;
  }

  void skipString() {
    size_t begin = at++;
    while (at < text.size() && text[at] != '"') {
      if (text[at] == '\0')
        return fail(at, "the text holds a NUL byte; the text of a kernel expected, or bytecode of "
                        "this library");
      if (text[at] == '\n')
        return fail(begin, "a string has no end on its line; a closing \" expected");
      at += text[at] == '\\' ? 2 : 1;
    }
    ++at;
  }

  void skipNumber() {
    size_t begin = at;
    while (at < text.size() && llvm::isAlnum(text[at]))
      ++at;
    if (at - begin > kMaxNumberDigits)
      fail(begin, "a number of " + llvm::Twine(at - begin) + " digits is too long; at most " +
                      llvm::Twine(kMaxNumberDigits) + " expected");
  }

  /// `%name`, `%name#5` or `%name:5`.
  void takeValue() {
    size_t begin = at++;
    while (at < text.size() && (isWordChar(text[at]) || text[at] == '-'))
      ++at;
    if (at < text.size() && (text[at] == '#' || text[at] == ':')) {
      llvm::StringRef digits = text.substr(at + 1).take_while(llvm::isDigit);
      uint64_t number;
      if (!digits.empty() && (digits.getAsInteger(10, number) || number > kMaxResults))
        return fail(begin, "a value has the number " + digits.take_front(20) +
                               " among the results of its op; at most " + llvm::Twine(kMaxResults) +
                               " expected");
      at += digits.empty() ? 0 : 1 + digits.size();
    }
  }

  void takeBracket(char c) {
    char previous = at ? text[at - 1] : ' ', next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (c == '(' || c == '[' || c == '{' || c == '<') {
      if (++depth > kMaxDepth)
        fail(at, "nested too deeply: more than " + llvm::Twine(kMaxDepth) +
                     " open brackets; write deep code as functions");
    } else if (c == ')' || c == ']' || c == '}' || (c == '>' && previous != '-' && next != '=')) {
      depth -= depth > 0;
      if (depth == 0)
        open = nullptr;
    } else if (c == '\n' && depth == 0) {
      open = nullptr;
    }
  }

  void takeWord() {
    size_t begin = at;
    while (at < text.size() && isWordChar(text[at]))
      ++at;
    llvm::StringRef word = text.slice(begin, at);
    if (word == "tensor" && at < text.size() && text[at] == '<')
      checkShape(at + 1);
    if (word == "array" && at < text.size() && text[at] == '<')
      checkArrayType(begin, at + 1);
    // Their parser recurses on signs, which no bracket counts.
    if (word == "affine_map" || word == "affine_set")
      return fail(begin, "affine maps are not part of Triton's IR; remove the attribute");
    if (open && depth == 0 && word == "loc")
      open->isLocation = true;
  }

  /// The sizes of a tensor type; anything else that is wrong with it is the parser's to say.
  void checkShape(size_t begin) {
    uint64_t elements = 1;
    llvm::StringRef rest = text.substr(begin);
    while (!rest.empty() && llvm::isDigit(rest.front())) {
      uint64_t size;
      size_t offset = text.size() - rest.size();
      bool tooLarge = rest.consumeInteger(10, size);
      if (!rest.consume_front("x"))
        return;
      if (!tooLarge && size == 0)
        return fail(offset, "a tensor has a dimension of size 0; powers of two expected");
      if (tooLarge || size > uint64_t(tt::kMaxTensorElements) ||
          (elements *= size) > uint64_t(tt::kMaxTensorElements))
        return fail(begin - 7, "a tensor has more than " + llvm::Twine(tt::kMaxTensorElements) +
                                   " elements; use smaller blocks");
    }
  }

  /// The element type of `array<TYPE: ...>`: the parser asks any type for its width.
  void checkArrayType(size_t begin, size_t typeBegin) {
    llvm::StringRef rest = text.substr(typeBegin).ltrim();
    // `array<4 x i64>` is a type of LLVM's dialect.
    if (!rest.empty() && llvm::isDigit(rest.front()))
      return;
    llvm::StringRef type = rest.take_while(isWordChar);
    if (!llvm::is_contained({"i1", "i8", "i16", "i32", "i64", "f32", "f64"}, type))
      fail(begin, "an array of '" + (type.empty() ? rest.take_front(1) : type.take_front(40)) +
                      "'; i1, i8, i16, i32, i64, f32 or f64 expected");
  }

  /// `#name` and `!name`: a definition at the top level, else a use.
  void takeAlias() {
    size_t begin = at++;
    while (at < text.size() && isWordChar(text[at]))
      ++at;
    llvm::StringRef name = text.slice(begin, at);
    bool defines = depth == 0 && text.substr(at).ltrim(" \t").starts_with("=");
    if (defines) {
      open = &aliases[name];
      open->offset = begin;
    } else if (open) {
      open->uses.push_back(name);
    }
  }

  /// Depth of every alias by a walk with a stack of its own. Cycles are left to the parser.
  void checkAliases() {
    for (auto &entry : aliases) {
      llvm::SmallVector<Alias *> stack = {&entry.second};
      while (!stack.empty() && !error) {
        Alias *alias = stack.back();
        if (alias->state == Alias::Done) {
          stack.pop_back();
        } else if (alias->state == Alias::New) {
          alias->state = Alias::Open;
          for (llvm::StringRef use : alias->uses)
            if (auto it = aliases.find(use); it != aliases.end() && it->second.state == Alias::New)
              stack.push_back(&it->second);
        } else {
          finish(*alias);
          stack.pop_back();
        }
      }
    }
  }

  void finish(Alias &alias) {
    for (llvm::StringRef use : alias.uses)
      if (auto it = aliases.find(use); it != aliases.end())
        alias.depth = std::max(alias.depth, it->second.depth + 1);
    alias.state = Alias::Done;
    if (alias.depth > (alias.isLocation ? kMaxLocationDepth : kMaxAliasDepth))
      fail(alias.offset, "an alias is nested too deeply; write out what it stands for");
  }

  llvm::StringRef text;
  size_t at = 0;
  size_t depth = 0;
  llvm::StringMap<Alias> aliases;
  Alias *open = nullptr;
  std::optional<ScanError> error;
};

constexpr llvm::StringLiteral kOldFp8 = "f8E4M3FNUZ", kNewFp8 = "f8E4M3FN  ";
static_assert(kOldFp8.size() == kNewFp8.size());

} // namespace

std::optional<ScanError> scanText(llvm::StringRef text) { return Scanner(text).run(); }

bool usesOldFp8Name(llvm::StringRef text) {
  size_t at = text.find("f8E4M3FN");
  bool old = false;
  for (; at != llvm::StringRef::npos; at = text.find("f8E4M3FN", at + 1)) {
    // From 3.2 on fp8e4nv has its right name, so the other one means what it says.
    if (!text.substr(at).starts_with(kOldFp8))
      return false;
    old = true;
  }
  // Up to 3.4 arguments have no names of their own.
  if (!old || !text.contains("(%arg0: "))
    return false;
  // Signs of 3.2 and later, and of the targets that have the other format.
  return llvm::none_of(llvm::ArrayRef<llvm::StringLiteral>{"isSigned", "cache_policy",
                                                           "tt.tensordesc", "ttg.barrier",
                                                           "allow_reorder :", "\"hip:"},
                       [&](llvm::StringRef sign) { return text.contains(sign); });
}

std::string withNewFp8Name(llvm::StringRef text) {
  std::string result = text.str();
  for (size_t at = result.find(kOldFp8); at != std::string::npos; at = result.find(kOldFp8, at))
    result.replace(at, kOldFp8.size(), kNewFp8);
  return result;
}

} // namespace tritonrt::compiler
