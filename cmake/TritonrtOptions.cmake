# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What every folder shares: options, language level, warnings, output folders, sanitizers.

option(TRITONRT_BUILD_COMPILER "Build libtritonrt-compiler.so (needs LLVM and MLIR 22)" ON)
option(TRITONRT_BUILD_TESTS "Build the tests" ON)
option(TRITONRT_BUILD_BENCH "Build the benchmarks" ON)
option(TRITONRT_BUILD_EXAMPLES "Build the examples" ON)
option(TRITONRT_BUILD_PYTHON "Build the Python package, where Python's headers are there" ON)
option(TRITONRT_WERROR "Treat warnings as errors" OFF)
set(TRITONRT_SANITIZE "" CACHE STRING "Sanitizers, as in -fsanitize=: address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The build tree has the shape of an installation: the modules find each other relative to
# themselves in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_BUILD_RPATH "$ORIGIN;$ORIGIN/../lib")
file(RELATIVE_PATH bin_to_lib "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/${bin_to_lib}")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# What tritonrt_add_backend takes from here; an installation has its own places for it.
set(TRITONRT_BACKEND_INCLUDE_DIR "${CMAKE_SOURCE_DIR}")
set(TRITONRT_BACKEND_OUTPUT_DIR "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/tritonrt-backends")
set(TRITONRT_SPEC_SOURCE_DIR "${CMAKE_SOURCE_DIR}")
set(TRITONRT_SPEC_ARCHIVE "${TRITONRT_BACKEND_OUTPUT_DIR}/libtritonrt-compiler-spec.a")

include_directories("${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}")

add_compile_options(-Wall -Wextra)
if(TRITONRT_WERROR)
  add_compile_options(-Werror)
endif()
# No file name of the build machine in the objects; ccache then also shares them between checkouts.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")

if(TRITONRT_SANITIZE)
  add_compile_options(-fsanitize=${TRITONRT_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TRITONRT_SANITIZE})
else()
  add_link_options(-Wl,-z,defs)
endif()

find_program(TRITONRT_CCACHE ccache)
if(TRITONRT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need the sloppiness. CMake names the header behind one by its full path,
  # which would keep checkouts from sharing objects; its content is in the checksum beside it.
  set(launcher "${CMAKE_COMMAND}" -E env
      "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
      "CCACHE_IGNOREOPTIONS=${PROJECT_BINARY_DIR}/compiler/CMakeFiles/tritonrt-compiler-objs.dir/cmake_pch.hxx"
      "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      "${TRITONRT_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# Links with lld where it is there: GNU ld takes many times as long on LLVM's libraries.
find_program(TRITONRT_LLD NAMES ld.lld-22 ld.lld)
if(TRITONRT_LLD)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_link_options("--ld-path=${TRITONRT_LLD}")
  elseif(TRITONRT_LLD MATCHES "/ld\\.lld$")
    add_link_options(-fuse-ld=lld)
  endif()
endif()
