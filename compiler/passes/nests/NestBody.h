// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing the scalar body of a nest by pulling tensor values into it.
#ifndef TRITONRT_COMPILER_PASSES_NESTS_NESTBODY_H
#define TRITONRT_COMPILER_PASSES_NESTS_NESTBODY_H

#include "compiler/analysis/Bits.h"
#include "compiler/dialect/nests/Nests.h"
#include "compiler/dialect/tile/Tile.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

namespace tritonrt::compiler {

/// A tensor value under a map from its bits to the bits of a domain.
struct Pulled {
  mlir::Value value;
  BitMap map;
};

/// What the element of a tensor value is computed from. A value that is not inlined (made by a
/// nest, carried by a loop, a result of scf) has no operands and is read as a tile.
bool isInlinable(mlir::Operation *op);
llvm::SmallVector<Pulled> operandsOf(mlir::Value value, llvm::ArrayRef<int64_t> map);

/// Gives each distinct map a number, so that it can be part of a key.
class MapNumbers {
public:
  unsigned operator()(llvm::ArrayRef<int64_t> map) {
    return numbers.try_emplace(std::vector<int64_t>(map.begin(), map.end()), numbers.size())
        .first->second;
  }

private:
  std::map<std::vector<int64_t>, unsigned> numbers;
};

/// A nest under construction.
class NestBody {
public:
  NestBody(llvm::ArrayRef<int64_t> domain, mlir::MLIRContext *context);

  llvm::ArrayRef<int64_t> domain() const { return shape; }
  mlir::OpBuilder &builder() { return bodyBuilder; }

  /// The element of `pulled` at the body's point. `isTile` says which inlinable values have been
  /// made tiles all the same; `viewOf` gives the view of a load.
  mlir::Value pull(const Pulled &pulled, llvm::function_ref<bool(mlir::Value)> isTile,
                   llvm::function_ref<mlir::Value(tile::AddressOp)> viewOf);
  /// True if `pull` would find the value in the body already.
  bool holds(mlir::Value value, llvm::ArrayRef<int64_t> map) {
    return elements.contains({value, numbers(map)});
  }

  /// Adds a result: `original` is what it replaces.
  void addTile(mlir::Value original, mlir::Value element);
  /// Adds a reduction or scan of one or more elements; takes over `combine`.
  void addGroup(mlir::ValueRange originals, mlir::ValueRange elements, nests::Kind kind,
                llvm::ArrayRef<int64_t> dims, bool reverse, mlir::Region &combine);

  /// What the results replace, in their order.
  llvm::ArrayRef<mlir::Value> results() const { return originals; }
  bool yields(mlir::Value original) const { return llvm::is_contained(originals, original); }
  /// Brings up to date what is yielded: a scalar from outside may be the result of another nest
  /// that has been created meanwhile. Operands of ops need no such care.
  void renew(llvm::function_ref<mlir::Value(mlir::Value)> current) {
    for (mlir::Value &value : yielded)
      value = current(value);
  }
  /// Creates the nest at `builder` and replaces the originals by its results.
  nests::NestOp finish(mlir::OpBuilder &builder, mlir::Location loc);

private:
  mlir::Value build(mlir::Value value, llvm::ArrayRef<int64_t> map, bool isTile,
                    llvm::function_ref<mlir::Value(tile::AddressOp)> viewOf);
  mlir::Value element(mlir::Value value, llvm::ArrayRef<int64_t> map);
  mlir::Value elementwise(mlir::OpResult value, llvm::ArrayRef<int64_t> map);
  mlir::Value oneOfTwo(mlir::Location loc, int64_t bit, Pulled zero, Pulled one);

  llvm::SmallVector<int64_t> shape;
  std::unique_ptr<mlir::Block> body;
  mlir::OpBuilder bodyBuilder;
  MapNumbers numbers;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> elements;
  llvm::SmallVector<mlir::Value> originals, yielded;
  llvm::SmallVector<mlir::Attribute> kinds;
  llvm::SmallVector<std::unique_ptr<mlir::Region>> combines;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_NESTS_NESTBODY_H
