# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` writes: the libraries, the command, the public headers, and the package
# files behind find_package(tritonrt). Included after the libraries exist.

include(CMakePackageConfigHelpers)

if(NOT TARGET tritonrt::tritonrt)
  add_library(tritonrt::tritonrt ALIAS tritonrt)
endif()
target_include_directories(tritonrt INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_compile_features(tritonrt INTERFACE cxx_std_17)

install(TARGETS tritonrt EXPORT tritonrtTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tritonrt" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tritonrt")
install(EXPORT tritonrtTargets NAMESPACE tritonrt:: DESTINATION "${package_dir}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/tritonrtConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/tritonrtConfig.cmake" INSTALL_DESTINATION "${package_dir}"
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tritonrtConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tritonrtConfig.cmake"
              "${PROJECT_BINARY_DIR}/tritonrtConfigVersion.cmake" DESTINATION "${package_dir}")

# COMPONENTS backend: what libraries of backends are built with. Its headers stand apart: they are
# the inside of the library and change with each version.
set(inside "${CMAKE_INSTALL_INCLUDEDIR}/tritonrt-backend")
install(EXPORT tritonrtBackendTargets NAMESPACE tritonrt:: DESTINATION "${package_dir}")
foreach(folder compiler runtime)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" "${PROJECT_BINARY_DIR}/${folder}"
          DESTINATION "${inside}" FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.td"
          PATTERN "CMakeFiles" EXCLUDE)
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/compiler" DESTINATION "${CMAKE_INSTALL_DATADIR}/tritonrt"
        FILES_MATCHING PATTERN "*.cpp" PATTERN "tools" EXCLUDE)
install(FILES
  "${CMAKE_CURRENT_LIST_DIR}/TritonrtBackend.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/TritonrtBuildId.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/TritonrtTableGen.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/tritonrtBackendConfig.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/write-build-id.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/backend-stamp.cpp.in" DESTINATION "${package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
