# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(tritonrt COMPONENTS backend): tritonrt_add_backend and what its libraries link.

include("${CMAKE_CURRENT_LIST_DIR}/tritonrtBackendTargets.cmake")
set(TRITONRT_BACKEND_INCLUDE_DIR "${tritonrt_backend_INCLUDE_DIR}")
set(TRITONRT_SPEC_SOURCE_DIR "${tritonrt_backend_DATA_DIR}")
set(TRITONRT_SPEC_ARCHIVE
    "${tritonrt_backend_LIBRARY_DIR}/tritonrt-backends/libtritonrt-compiler-spec.a")
if(NOT TRITONRT_BACKEND_OUTPUT_DIR)
  set(TRITONRT_BACKEND_OUTPUT_DIR "${CMAKE_BINARY_DIR}/backends")
endif()

# A build without the compiler has drivers alone.
if(TARGET tritonrt::tritonrt-compiler)
  find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
  list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
  include(TableGen)
  include(AddLLVM)
  include(AddMLIR)
  include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  include_directories("${TRITONRT_BACKEND_INCLUDE_DIR}")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/TritonrtBackend.cmake")
set(tritonrt_backend_FOUND TRUE)
