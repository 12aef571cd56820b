// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/Diagnostics.h"

#include "compiler/frontend/Wording.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tritonrt::compiler {

/// Calls `take` for every file position inside of `location` until it returns true. Locations nest
/// by inlining; what is deeper than a real kernel's is not looked at.
static bool anyPosition(Location location, llvm::function_ref<bool(FileLineColLoc)> take,
                        unsigned depth = 0) {
  if (depth > 64)
    return false;
  if (auto position = dyn_cast<FileLineColLoc>(location))
    return take(position);
  if (auto named = dyn_cast<NameLoc>(location))
    return anyPosition(named.getChildLoc(), take, depth + 1);
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return anyPosition(call.getCallee(), take, depth + 1) ||
           anyPosition(call.getCaller(), take, depth + 1);
  if (auto fused = dyn_cast<FusedLoc>(location))
    return llvm::any_of(fused.getLocations(),
                        [&](Location part) { return anyPosition(part, take, depth + 1); });
  return false;
}

FileLineColLoc findPosition(Location location, StringRef name) {
  FileLineColLoc found;
  anyPosition(location, [&](FileLineColLoc position) {
    if (position.getFilename() != name)
      return false;
    found = position;
    return true;
  });
  return found;
}

static void writePosition(llvm::raw_ostream &os, StringRef file, FileLineColLoc position) {
  os << file << ":";
  if (position)
    os << position.getLine() << ":" << position.getColumn() << ":";
  os << " ";
}

DiagnosticCollector::DiagnosticCollector(MLIRContext *context, StringRef name)
    : name(name), handler(context, [this](Diagnostic &diagnostic) { take(diagnostic); }) {}

void DiagnosticCollector::take(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !text.empty())
    return;
  llvm::raw_string_ostream os(text);
  Location location = diagnostic.getLocation();
  FileLineColLoc position = findPosition(location, name);
  if (!position && fallback)
    position = findPosition(fallback, name);
  writePosition(os, name, position);
  os << "error: " << reworded(llvm::StringRef(diagnostic.str()).trim());
  // The line of the kernel's own source, where the text carries it.
  anyPosition(location, [&](FileLineColLoc other) {
    if (other.getFilename() == name)
      return false;
    os << "\n";
    writePosition(os, other.getFilename().getValue(), other);
    os << "note: written here";
    return true;
  });
  for (Diagnostic &note : diagnostic.getNotes()) {
    // Some are our own, and of no use to a reader.
    if (llvm::StringRef(note.str()).starts_with("Available dialects"))
      continue;
    os << "\n";
    writePosition(os, name, findPosition(note.getLocation(), name));
    os << "note: " << llvm::StringRef(note.str()).trim();
  }
}

std::string DiagnosticCollector::message(StringRef unreported) const {
  if (!text.empty())
    return text;
  std::string made;
  llvm::raw_string_ostream os(made);
  writePosition(os, name, fallback ? findPosition(fallback, name) : FileLineColLoc());
  os << "error: " << unreported;
  return made;
}

} // namespace tritonrt::compiler
