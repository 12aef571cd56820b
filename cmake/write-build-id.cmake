# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run as a script: hashes the files that LIST names, relative to ROOT, and SALT into ID; then makes
# OUTPUTS of TEMPLATES, both lists separated by `|`, in which every variable of the command line
# may stand as @NAME@.
file(STRINGS "${LIST}" sources)
set(all "${SALT}\n")
foreach(source IN LISTS sources)
  file(SHA256 "${ROOT}/${source}" digest)
  string(APPEND all "${source} ${digest}\n")
endforeach()
string(SHA256 ID "${all}")
string(SUBSTRING "${ID}" 0 32 ID)
string(REPLACE "|" ";" TEMPLATES "${TEMPLATES}")
string(REPLACE "|" ";" OUTPUTS "${OUTPUTS}")
foreach(template output IN ZIP_LISTS TEMPLATES OUTPUTS)
  configure_file("${template}" "${output}" @ONLY)
  # Also where nothing has changed: the build goes by the time.
  file(TOUCH_NOCREATE "${output}")
endforeach()
