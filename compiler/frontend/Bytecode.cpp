// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/Bytecode.h"

#include "compiler/BuildId.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tritonrt::compiler {
namespace {

// Layout: magic, 32 bytes of SHA-256 over the build id and the rest, the rest. Another build's
// dialects may differ, so its bytes do not open.
constexpr StringLiteral kMagic = "tritonrt-bytecode\n";
constexpr size_t kDigestSize = 32;

std::array<uint8_t, kDigestSize> digest(StringRef bytes) {
  llvm::SHA256 hash;
  hash.update(StringRef(kBuildId));
  hash.update(bytes);
  return hash.final();
}

} // namespace

FailureOr<std::string> writeSealedBytecode(ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(writeBytecodeToFile(module, os)))
    return failure();
  std::array<uint8_t, kDigestSize> seal = digest(bytes);
  return kMagic.str() + std::string(seal.begin(), seal.end()) + bytes;
}

bool looksLikeBytecode(StringRef bytes) {
  return bytes.starts_with(kMagic) || isBytecode(llvm::MemoryBufferRef(bytes, ""));
}

StringRef openSealedBytecode(StringRef bytes) {
  if (!bytes.consume_front(kMagic) || bytes.size() <= kDigestSize)
    return {};
  StringRef inside = bytes.drop_front(kDigestSize);
  std::array<uint8_t, kDigestSize> expected = digest(inside);
  bool intact = std::equal(expected.begin(), expected.end(), bytes.bytes_begin());
  return intact ? inside : StringRef();
}

} // namespace tritonrt::compiler
