// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an element or vector in memory is written in OpenCL C.
#ifndef TRITONRT_COMPILER_BACKENDS_OPENCL_ACCESS_H
#define TRITONRT_COMPILER_BACKENDS_OPENCL_ACCESS_H

#include "compiler/backends/opencl/Emitter.h"

namespace tritonrt::compiler::opencl {

/// The part of an access that all its lanes share: element `index` lies at base + unit * index.
struct Access {
  mlir::Value base;
  int64_t unit = 1;
  int64_t align = 0;
  bool isVolatile = false;
};

/// The element of `type` as memory holds it: an i1 is a byte.
mlir::Type memoryElement(mlir::Type type);
/// Names the type through which values of `type` are accessed, and makes sure that it is declared.
std::string accessType(Emitter &e, mlir::Type type, int64_t align);
/// The address of element `index` as a pointer to char.
std::string byteAddress(Emitter &e, mlir::Value base, const std::string &index, int64_t unit);
/// An lvalue for the value of `type` at `index`.
std::string place(Emitter &e, const Access &access, mlir::Type type, const std::string &index);
/// An lvalue for one lane of the contiguous vector of `type` that begins at `index`.
std::string laneOfVector(Emitter &e, const Access &access, mlir::Type type,
                         const std::string &index, int64_t lane);
/// `index` ready to be multiplied by the unit of `access`.
std::string scaled(const Access &access, std::string index);

} // namespace tritonrt::compiler::opencl

#endif // TRITONRT_COMPILER_BACKENDS_OPENCL_ACCESS_H
