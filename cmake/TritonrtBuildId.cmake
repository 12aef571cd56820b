# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Hashes over sources, made by the build whenever one of them changes.

# tritonrt_hash(ROOT folder SALT text LIST scratch-file SOURCES file... TEMPLATES file... OUTPUTS file...
#               [DEFINITIONS NAME=VALUE...])
#
# The outputs are made of the templates, with the hash of the sources as @ID@.
function(tritonrt_hash)
  cmake_parse_arguments(arg "" "ROOT;SALT;LIST" "SOURCES;TEMPLATES;OUTPUTS;DEFINITIONS" ${ARGN})
  list(SORT arg_SOURCES)
  list(JOIN arg_SOURCES "\n" lines)
  file(CONFIGURE OUTPUT "${arg_LIST}" CONTENT "${lines}\n" @ONLY)
  list(TRANSFORM arg_SOURCES PREPEND "${arg_ROOT}/")
  list(TRANSFORM arg_DEFINITIONS PREPEND "-D")
  list(JOIN arg_TEMPLATES "|" templates)
  list(JOIN arg_OUTPUTS "|" outputs)
  add_custom_command(
    OUTPUT ${arg_OUTPUTS}
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${arg_ROOT}" "-DLIST=${arg_LIST}" "-DSALT=${arg_SALT}"
            "-DTEMPLATES=${templates}" "-DOUTPUTS=${outputs}" ${arg_DEFINITIONS}
            -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/write-build-id.cmake"
    DEPENDS ${arg_SOURCES} ${arg_TEMPLATES} "${arg_LIST}"
            "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/write-build-id.cmake"
    COMMENT "Hashing sources" VERBATIM)
endfunction()

# tritonrt_interface(KIND SALT folder...): the header tritonrt_KIND_interface.h, which names the
# headers (and .td files) of the folders. The target tritonrt-KIND-interface makes it.
function(tritonrt_interface kind salt)
  set(headers "")
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
         "${PROJECT_SOURCE_DIR}/${folder}/*.h" "${PROJECT_SOURCE_DIR}/${folder}/*.td")
    list(APPEND headers ${found})
  endforeach()
  string(TOUPPER "TRITONRT_${kind}_INTERFACE" macro)
  set(output "${PROJECT_BINARY_DIR}/tritonrt_${kind}_interface.h")
  tritonrt_hash(ROOT "${PROJECT_SOURCE_DIR}" SALT "${PROJECT_VERSION} ${salt} ${TRITONRT_SANITIZE}"
    LIST "${PROJECT_BINARY_DIR}/${kind}-interface-headers.txt" SOURCES ${headers}
    TEMPLATES "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/interface.h.in" OUTPUTS "${output}"
    DEFINITIONS "MACRO=${macro}")
  add_custom_target(tritonrt-${kind}-interface DEPENDS "${output}")
  install(FILES "${output}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tritonrt-backend"
          COMPONENT backend)
endfunction()

# The compiler's build id: a hash over the content of the compiler's sources, the LLVM version and
# the build type. It is part of every cache key, so a changed compiler never meets the artifacts of
# an older one. The library holds it, and a text file beside the library tells it to the runtime
# without loading LLVM.
function(tritonrt_build_id target)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
       "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/*.h"
       "${CMAKE_CURRENT_SOURCE_DIR}/*.td" "${CMAKE_CURRENT_SOURCE_DIR}/*.def")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/BuildId.cpp")
  tritonrt_hash(ROOT "${PROJECT_SOURCE_DIR}"
    SALT "llvm ${LLVM_PACKAGE_VERSION} ${CMAKE_BUILD_TYPE} ${TRITONRT_SANITIZE}"
    LIST "${CMAKE_CURRENT_BINARY_DIR}/build-id-sources.txt" SOURCES ${sources}
    TEMPLATES "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/BuildId.cpp.in" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/build-id.in"
    OUTPUTS "${generated}" "${CMAKE_CURRENT_BINARY_DIR}/libtritonrt-compiler.build-id")
  target_sources(${target} PRIVATE "${generated}")
  set_source_files_properties("${generated}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  tritonrt_interface(compiler "llvm ${LLVM_PACKAGE_VERSION}" compiler)
  add_dependencies(${target} tritonrt-compiler-interface)
endfunction()

# Lays the id beside the library whenever that is linked: the two never disagree, not even while a
# build is half done.
function(tritonrt_build_id_beside library)
  add_custom_command(TARGET ${library} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" -E copy
            "${CMAKE_CURRENT_BINARY_DIR}/libtritonrt-compiler.build-id"
            "$<TARGET_FILE_DIR:${library}>/libtritonrt-compiler.build-id"
    VERBATIM)
endfunction()
