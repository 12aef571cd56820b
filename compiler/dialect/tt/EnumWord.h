// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of the dialect's enums in the text.
#ifndef TRITONRT_COMPILER_DIALECT_TT_ENUMWORD_H
#define TRITONRT_COMPILER_DIALECT_TT_ENUMWORD_H

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"

#include <string>

namespace tritonrt::tt {

/// "none, ca, cg": the words of an enum, whose values are small numbers.
template <typename Enum> std::string enumWords() {
  constexpr uint32_t kMostValues = 32;
  llvm::SmallVector<llvm::StringRef> words;
  for (uint32_t value = 0; value < kMostValues; ++value)
    if (llvm::StringRef word = stringifyEnum(static_cast<Enum>(value)); !word.empty())
      words.push_back(word);
  return llvm::join(words, ", ");
}

/// A word of the enum; `what` names it in the message.
template <typename Enum>
mlir::ParseResult parseEnumWord(mlir::AsmParser &parser, llvm::StringRef what, Enum &value) {
  llvm::SMLoc where = parser.getCurrentLocation();
  llvm::StringRef word;
  if (parser.parseKeyword(&word))
    return mlir::failure();
  std::optional<Enum> known = symbolizeEnum<Enum>(word);
  if (!known)
    return parser.emitError(where, "unknown ")
           << what << " '" << word << "'; one of " << enumWords<Enum>() << " expected";
  value = *known;
  return mlir::success();
}

} // namespace tritonrt::tt

#endif // TRITONRT_COMPILER_DIALECT_TT_ENUMWORD_H
