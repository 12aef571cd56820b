# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How backends join: the ones of this repository and others call the same function.
# docs/backends.md walks through it.

include("${CMAKE_CURRENT_LIST_DIR}/TritonrtBuildId.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/TritonrtTableGen.cmake")

# Adds every folder beside the caller's CMakeLists.txt that has one of its own.
function(tritonrt_add_backend_folders)
  file(GLOB found CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "*/CMakeLists.txt")
  list(SORT found)
  foreach(file IN LISTS found)
    get_filename_component(folder "${file}" DIRECTORY)
    add_subdirectory("${folder}")
  endforeach()
endfunction()

# What every source of the compiler includes, ours and those of backends.
function(tritonrt_precompile_compiler_headers target)
  target_precompile_headers(${target} PRIVATE
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/Math/IR/Math.h>
    <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Vector/IR/VectorOps.h>
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/BuiltinTypes.h>
    <mlir/IR/DialectImplementation.h>
    <mlir/IR/IRMapping.h>
    <mlir/IR/OpImplementation.h>
    <mlir/IR/PatternMatch.h>
    <mlir/Pass/Pass.h>
    <mlir/Pass/PassManager.h>
    <mlir/Transforms/GreedyPatternRewriteDriver.h>
    <llvm/ADT/STLExtras.h>
    <llvm/ADT/SmallVector.h>
    <llvm/ADT/StringSwitch.h>
    <llvm/ADT/TypeSwitch.h>
    <llvm/Support/raw_ostream.h>)
endfunction()

# tritonrt_add_backend(NAME
#   [VERSION version]             by default the project's
#   [TARGETS name...]             it may compile for targets with `backend=` one of these; default NAME
#   [COMPILER_SOURCES file...]    NAME-compiler.so; target tritonrt-NAME-compiler
#   [COMPILER_LIBRARIES lib...]   what it links besides LLVM, MLIR and the compiler
#   [DIALECTS "name words"...]    dialects of the caller's folder, as tritonrt_add_dialect takes them
#   [RUNTIME_SOURCES file...]     NAME-runtime.so, a driver; target tritonrt-NAME
#   [RUNTIME_LIBRARIES lib...]    what it links besides tritonrt
#   [SPEC_DIR folder]             specialised definitions, see below
#   [SPEC_RECOMPILE file...]      main files (compiler/...) to compile again with the folder's headers
#   [BUILT_IN | BESIDE | INTO name])
#                                 of this repository: the sources join the main libraries; the driver
#                                 lies beside libtritonrt.so as libtritonrt-NAME.so; the runtime
#                                 sources join another driver of this repository, where that is built
#
# A file SPEC_DIR/compiler/... stands in front of the main file of the same path: a header is found
# first by all that is compiled for the backend, and what a source file defines is taken in place of
# the main definition. The library then has copies of the main passes and emitters of its own, which
# use these definitions; other backends keep theirs.
function(tritonrt_add_backend name)
  cmake_parse_arguments(arg "BUILT_IN;BESIDE" "VERSION;SPEC_DIR;INTO"
    "TARGETS;COMPILER_SOURCES;COMPILER_LIBRARIES;DIALECTS;RUNTIME_SOURCES;RUNTIME_LIBRARIES;SPEC_RECOMPILE"
    ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tritonrt_add_backend(${name}): unknown: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "tritonrt_add_backend(${name}): a name has small letters, digits and _ only")
  endif()
  if(NOT arg_VERSION)
    set(arg_VERSION "${PROJECT_VERSION}")
  endif()
  if(NOT arg_TARGETS)
    set(arg_TARGETS "${name}")
  endif()
  if(arg_INTO)
    list(TRANSFORM arg_RUNTIME_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
    # The other folder may come later.
    cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${PROJECT_SOURCE_DIR}]]
      CALL _tritonrt_join tritonrt-${arg_INTO} ${arg_RUNTIME_SOURCES})")
    return()
  endif()
  if(arg_BUILT_IN)
    if(arg_COMPILER_SOURCES)
      target_sources(tritonrt-compiler-objs PRIVATE ${arg_COMPILER_SOURCES})
    endif()
    if(arg_RUNTIME_SOURCES)
      target_sources(tritonrt-runtime-objs PRIVATE ${arg_RUNTIME_SOURCES})
    endif()
    return()
  endif()

  if(arg_COMPILER_SOURCES)
    set(part tritonrt-${name}-compiler)
    add_library(${part} MODULE ${arg_COMPILER_SOURCES})
    target_include_directories(${part} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    target_include_directories(${part} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
    separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
    target_compile_definitions(${part} PRIVATE ${definitions})
    target_compile_options(${part} PRIVATE -fno-exceptions -Wno-unused-parameter)
    tritonrt_precompile_compiler_headers(${part})
    if(arg_DIALECTS)
      # The generators look where the folder's files do.
      include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
    endif()
    foreach(dialect IN LISTS arg_DIALECTS)
      separate_arguments(words UNIX_COMMAND "${dialect}")
      tritonrt_add_dialect(${words} FOR ${part})
    endforeach()
    if(arg_SPEC_DIR)
      _tritonrt_specialise(${part} "${arg_SPEC_DIR}" "${arg_SPEC_RECOMPILE}")
    endif()
    target_link_libraries(${part} PRIVATE ${arg_COMPILER_LIBRARIES} tritonrt::tritonrt-compiler MLIR
                          LLVM)
    _tritonrt_backend_library(${part} ${name} compiler)
  endif()
  if(arg_RUNTIME_SOURCES)
    set(part tritonrt-${name})
    # Others may inherit the driver: a library that can be linked.
    add_library(${part} SHARED ${arg_RUNTIME_SOURCES})
    target_link_libraries(${part} PRIVATE ${arg_RUNTIME_LIBRARIES} tritonrt::tritonrt)
    _tritonrt_backend_library(${part} ${name} runtime)
  endif()
endfunction()

function(_tritonrt_join target)
  if(TARGET ${target})
    target_sources(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# What both parts of a backend have in common; reads the caller's arg_.
function(_tritonrt_backend_library part name kind)
  target_compile_features(${part} PRIVATE cxx_std_20)
  set_target_properties(${part} PROPERTIES CXX_VISIBILITY_PRESET hidden CXX_EXTENSIONS OFF)
  target_include_directories(${part} PRIVATE "${TRITONRT_BACKEND_INCLUDE_DIR}")
  if(arg_BESIDE)
    set_target_properties(${part} PROPERTIES PREFIX lib)
    add_library(tritonrt::${part} ALIAS ${part})
    install(TARGETS ${part} EXPORT tritonrtBackendTargets
            LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  else()
    include(GNUInstallDirs)
    set_target_properties(${part} PROPERTIES PREFIX "" OUTPUT_NAME "${name}-${kind}"
      LIBRARY_OUTPUT_DIRECTORY "${TRITONRT_BACKEND_OUTPUT_DIR}"
      INSTALL_RPATH "$ORIGIN/.." BUILD_RPATH "$ORIGIN/..")
    install(TARGETS ${part} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/tritonrt-backends")
  endif()

  # The stamp, with a hash over the sources and headers of the backend's folder.
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}"
       "*.cpp" "*.cc" "*.h" "*.td")
  list(JOIN arg_TARGETS "," targets)
  string(TOUPPER "TRITONRT_${kind}_INTERFACE" macro)
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${part}-stamp.cpp")
  tritonrt_hash(ROOT "${CMAKE_CURRENT_SOURCE_DIR}" SALT "${name} ${arg_VERSION} ${CMAKE_BUILD_TYPE}"
    LIST "${CMAKE_CURRENT_BINARY_DIR}/${part}-sources.txt" SOURCES ${sources}
    TEMPLATES "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/backend-stamp.cpp.in" OUTPUTS "${stamp}"
    DEFINITIONS "KIND=${kind}" "NAME=${name}" "VERSION=${arg_VERSION}" "TARGETS=${targets}"
                "MACRO=${macro}")
  target_sources(${part} PRIVATE "${stamp}")
  set_source_files_properties("${stamp}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  if(TARGET tritonrt-${kind}-interface)
    add_dependencies(${part} tritonrt-${kind}-interface)
  endif()
endfunction()

# Puts a folder of definitions in front of the main ones.
function(_tritonrt_specialise part folder recompile)
  get_filename_component(folder "${folder}" ABSOLUTE)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  target_sources(${part} PRIVATE ${sources})
  foreach(file IN LISTS recompile)
    target_sources(${part} PRIVATE "${TRITONRT_SPEC_SOURCE_DIR}/${file}")
  endforeach()
  target_include_directories(${part} BEFORE PRIVATE "${folder}")
  # In front of the compiler's library, which has the same definitions. What is taken from the
  # archive stays in this library and is used by it alone.
  target_link_libraries(${part} PRIVATE "${TRITONRT_SPEC_ARCHIVE}")
  target_link_options(${part} PRIVATE -Wl,-Bsymbolic -Wl,--exclude-libs,ALL)
  if(TARGET tritonrt-spec-archive)
    add_dependencies(${part} tritonrt-spec-archive)
  endif()
endfunction()

# The archive that backends with specialised definitions link: the passes, analyses and emitters,
# with symbols that give way to others of the same name. `objects` is the compiler's object library.
function(tritonrt_spec_archive objects)
  set(of_passes "$<FILTER:$<TARGET_OBJECTS:${objects}>,INCLUDE,/(analysis|passes|math|backends/[a-z]+)/>")
  set(members "$<FILTER:${of_passes},EXCLUDE,/(Register|Link)[.]cpp>")
  add_custom_command(OUTPUT "${TRITONRT_SPEC_ARCHIVE}"
    COMMAND "${CMAKE_COMMAND}" -E rm -f "${TRITONRT_SPEC_ARCHIVE}"
    COMMAND "${CMAKE_AR}" qc "${TRITONRT_SPEC_ARCHIVE}" "${members}"
    COMMAND "${CMAKE_OBJCOPY}" --weaken "${TRITONRT_SPEC_ARCHIVE}"
    COMMAND "${CMAKE_RANLIB}" "${TRITONRT_SPEC_ARCHIVE}"
    DEPENDS ${objects} "$<TARGET_OBJECTS:${objects}>"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(tritonrt-spec-archive ALL DEPENDS "${TRITONRT_SPEC_ARCHIVE}")
  install(FILES "${TRITONRT_SPEC_ARCHIVE}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/tritonrt-backends")
endfunction()
