# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The compiler's build id: a hash over the content of the compiler's sources, the LLVM version and
# the build type. It is part of every cache key, so a changed compiler never meets the artifacts of
# an older one. The library holds it, and a text file beside the library tells it to the runtime
# without loading LLVM.

function(tritonrt_build_id target)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
       "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/*.h"
       "${CMAKE_CURRENT_SOURCE_DIR}/*.td" "${CMAKE_CURRENT_SOURCE_DIR}/*.def")
  list(SORT sources)
  set(list_file "${CMAKE_CURRENT_BINARY_DIR}/build-id-sources.txt")
  list(JOIN sources "\n" lines)
  file(CONFIGURE OUTPUT "${list_file}" CONTENT "${lines}\n")
  set(inputs ${sources})
  list(TRANSFORM inputs PREPEND "${PROJECT_SOURCE_DIR}/")

  set(generated "${CMAKE_CURRENT_BINARY_DIR}/BuildId.cpp")
  set(beside "${CMAKE_CURRENT_BINARY_DIR}/libtritonrt-compiler.build-id")
  add_custom_command(
    OUTPUT "${generated}" "${beside}"
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DLIST=${list_file}"
            "-DSALT=llvm ${LLVM_PACKAGE_VERSION} ${CMAKE_BUILD_TYPE} ${TRITONRT_SANITIZE}"
            "-DSOURCE=${generated}" "-DBESIDE=${beside}"
            -P "${PROJECT_SOURCE_DIR}/cmake/write-build-id.cmake"
    DEPENDS ${inputs} "${list_file}" "${PROJECT_SOURCE_DIR}/cmake/write-build-id.cmake"
    COMMENT "Hashing the compiler's sources" VERBATIM)
  target_sources(${target} PRIVATE "${generated}")
  set_source_files_properties("${generated}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
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
