// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every recorded text parses, verifies, and comes back the same from text and from bytecode.

#include "compiler/Registration.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> textsBelow(const fs::path &folder) {
  std::vector<fs::path> texts;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".ttir")
      texts.push_back(entry.path());
  return texts;
}

std::string read(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string print(mlir::ModuleOp module, bool locations) {
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo(locations);
  module->print(os, flags);
  return text;
}

class TextTest : public testing::Test {
protected:
  TextTest() {
    mlir::DialectRegistry registry;
    tritonrt::compiler::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diagnostic) {
      llvm::raw_string_ostream(errors) << diagnostic.getLocation() << ": " << diagnostic << "\n";
    });
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef source, llvm::StringRef name) {
    errors.clear();
    return mlir::parseSourceString<mlir::ModuleOp>(source, &context, name);
  }

  void expectRoundTrip(const fs::path &path) {
    SCOPED_TRACE(path.string());
    auto module = parse(read(path), path.filename().string());
    ASSERT_TRUE(module) << errors;
    ASSERT_TRUE(mlir::succeeded(mlir::verify(*module))) << errors;
    for (bool locations : {false, true}) {
      std::string once = print(*module, locations);
      auto again = parse(once, "printed");
      ASSERT_TRUE(again) << errors;
      EXPECT_EQ(print(*again, locations), once);
    }
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    ASSERT_TRUE(mlir::succeeded(mlir::writeBytecodeToFile(*module, os))) << errors;
    auto loaded = parse(bytes, "bytecode");
    ASSERT_TRUE(loaded) << errors;
    EXPECT_EQ(print(*loaded, true), print(*module, true));
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::string errors;
};

TEST_F(TextTest, OwnKernelsRoundTrip) {
  std::vector<fs::path> texts = textsBelow(TRITONRT_TEST_KERNELS);
  EXPECT_GE(texts.size(), 100u);
  for (const fs::path &text : texts)
    expectRoundTrip(text);
}

TEST_F(TextTest, RecordedKernelsRoundTrip) {
  fs::path folder = fs::path(TRITONRT_CORPUS) / "cases";
  if (!fs::exists(folder))
    GTEST_SKIP() << "no recorded launches in " << folder;
  for (const fs::path &text : textsBelow(folder))
    expectRoundTrip(text);
}

} // namespace
