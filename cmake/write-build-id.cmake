# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run as a script: hashes the files that LIST names and writes SOURCE and BESIDE.
file(STRINGS "${LIST}" sources)
set(all "${SALT}\n")
foreach(source IN LISTS sources)
  file(SHA256 "${ROOT}/${source}" digest)
  string(APPEND all "${source} ${digest}\n")
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING "${id}" 0 32 id)
file(WRITE "${BESIDE}" "${id}\n")
file(WRITE "${SOURCE}" "// Written by the build.
namespace tritonrt::compiler {
extern const char *const kBuildId;
const char *const kBuildId = \"${id}\";
} // namespace tritonrt::compiler
")
