// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_FRONTEND_SCAN_H
#define TRITONRT_COMPILER_FRONTEND_SCAN_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tritonrt::compiler {

/// What is wrong with a text, and the offset of the byte where.
struct ScanError {
  size_t offset;
  std::string text;
};

/// A look at the bytes before the parser sees them: refuses what would let a recursive parser run
/// out of stack, a printer write without end, or a shape's size overflow. Linear in the text.
std::optional<ScanError> scanText(llvm::StringRef text);

/// Triton 3.0 and 3.1 spell fp8e4nv `f8E4M3FNUZ`, the name of another format. True if `text` uses
/// the name and nothing in it is of a later version or of an AMD target.
bool usesOldFp8Name(llvm::StringRef text);

/// `text` with the old name replaced by the right one and blanks, so that every column stays.
std::string withNewFp8Name(llvm::StringRef text);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_FRONTEND_SCAN_H
