# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# tritonrt_tablegen(TD OUTPUT GENERATOR [OPTION...])... through repeated calls, then
# tritonrt_tablegen_target(NAME USER), USER a target whose sources include them: the outputs land in the build folder that mirrors the caller's,
# so `#include "compiler/dialect/tt/TtOps.h.inc"` finds them.
macro(tritonrt_tablegen td output)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${output} ${ARGN})
endmacro()

macro(tritonrt_tablegen_target name user)
  add_public_tablegen_target(${name})
  add_dependencies(${user} ${name})
endmacro()

# tritonrt_add_dialect(NAME [TYPES] [ATTRS] [ENUMS] [INTERFACES] [PASSES] [TD_PREFIX Prefix]
#                      [FOR target])
#
# For dialect NAME (say `tt`, prefix `Tt`) runs the generators over PrefixDialect.td and
# PrefixOps.td, and over PrefixTypes.td, PrefixAttrs.td, PrefixEnums.td, PrefixInterfaces.td (op
# interfaces) and PrefixPasses.td where the word is given; each makes .h.inc and .cpp.inc of the
# same base name. They are for the target, by default the compiler.
function(tritonrt_add_dialect name)
  cmake_parse_arguments(arg "TYPES;ATTRS;ENUMS;INTERFACES;PASSES" "TD_PREFIX;FOR" "" ${ARGN})
  set(prefix "${arg_TD_PREFIX}")
  if(NOT prefix)
    string(SUBSTRING "${name}" 0 1 first)
    string(SUBSTRING "${name}" 1 -1 rest)
    string(TOUPPER "${first}" first)
    set(prefix "${first}${rest}")
  endif()
  tritonrt_tablegen(${prefix}Dialect.td ${prefix}Dialect.h.inc -gen-dialect-decls -dialect=${name})
  tritonrt_tablegen(${prefix}Dialect.td ${prefix}Dialect.cpp.inc -gen-dialect-defs -dialect=${name})
  tritonrt_tablegen(${prefix}Ops.td ${prefix}Ops.h.inc -gen-op-decls -dialect=${name})
  tritonrt_tablegen(${prefix}Ops.td ${prefix}Ops.cpp.inc -gen-op-defs -dialect=${name})
  if(arg_TYPES)
    tritonrt_tablegen(${prefix}Types.td ${prefix}Types.h.inc -gen-typedef-decls
                      -typedefs-dialect=${name})
    tritonrt_tablegen(${prefix}Types.td ${prefix}Types.cpp.inc -gen-typedef-defs
                      -typedefs-dialect=${name})
  endif()
  if(arg_ATTRS)
    tritonrt_tablegen(${prefix}Attrs.td ${prefix}Attrs.h.inc -gen-attrdef-decls
                      -attrdefs-dialect=${name})
    tritonrt_tablegen(${prefix}Attrs.td ${prefix}Attrs.cpp.inc -gen-attrdef-defs
                      -attrdefs-dialect=${name})
  endif()
  if(arg_ENUMS)
    tritonrt_tablegen(${prefix}Enums.td ${prefix}Enums.h.inc -gen-enum-decls)
    tritonrt_tablegen(${prefix}Enums.td ${prefix}Enums.cpp.inc -gen-enum-defs)
  endif()
  if(arg_INTERFACES)
    tritonrt_tablegen(${prefix}Interfaces.td ${prefix}Interfaces.h.inc -gen-op-interface-decls)
    tritonrt_tablegen(${prefix}Interfaces.td ${prefix}Interfaces.cpp.inc -gen-op-interface-defs)
  endif()
  if(arg_PASSES)
    tritonrt_tablegen(${prefix}Passes.td ${prefix}Passes.h.inc -gen-pass-decls -name=${prefix})
  endif()
  if(NOT arg_FOR)
    set(arg_FOR tritonrt-compiler-objs)
  endif()
  tritonrt_tablegen_target(${arg_FOR}-${name}-tablegen ${arg_FOR})
endfunction()
