/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The one door between libtritonrt and libtritonrt-compiler: a table of C functions.
 *
 * libtritonrt opens the compiler library with RTLD_LOCAL on the first source miss and asks for
 * `tritonrt_compiler_get`. No type of LLVM or of C++ crosses it, so either side can be built with
 * another compiler. Every function is thread safe; a module handle is used by one thread at a time.
 */
#ifndef TRITONRT_COMPILER_API_H
#define TRITONRT_COMPILER_API_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever the table or the meaning of a field changes. */
#define TRITONRT_COMPILER_ABI 2u

/* The programs that the toolchain `clang` stands for: the first that is in PATH is run. */
#define TRITONRT_CLANG_PROGRAMS "clang-22", "clang"

/* Bytes that the other side owns; `data` may hold NULs and is never required to end in one. */
typedef struct trtc_bytes {
  const char *data;
  size_t size;
} trtc_bytes;

/* A parsed and verified input. */
typedef struct trtc_module trtc_module;

/* What a call gave back. `ok` is 0 on failure; then `message` says why, and its first line is
 * `NAME:LINE:COL: error: TEXT` where a position in the input is known. Freed by `free_result`. */
typedef struct trtc_result {
  int ok;
  trtc_bytes message;
  trtc_bytes artifact; /* compile: the .so or the OpenCL C text; print: the text of the stage */
  trtc_bytes metadata; /* compile: the artifact's description, see `docs/architecture.md` */
} trtc_result;

typedef struct trtc_compiler {
  uint32_t abi;         /* TRITONRT_COMPILER_ABI of the library */
  const char *build_id; /* equals the `.build-id` text that lies beside the library */

  /* Parses and verifies `input` (text or our bytecode); `name` is used in messages only. On failure
   * *module is NULL. The module is freed by `free_module`, whatever else happens. */
  trtc_result *(*parse)(trtc_bytes input, const char *name, trtc_module **module);
  void (*free_module)(trtc_module *module);

  /* The canonical form: location-free, SSA names and attribute order normalised. What the canonical
   * key is made from. `artifact` of the result. */
  trtc_result *(*canonical)(trtc_module *module);

  /* `metadata` describes the parameters of `kernel` (NULL or "" = the only public function). */
  trtc_result *(*signature)(trtc_module *module, const char *kernel);

  /* Compiles `kernel`. `target`, `options` and `special` are texts of `key=value` lines, sorted by
   * key: the target's description as its driver wrote it, the compile options, and what the launch
   * promises (`disjoint=0|1`, `generic=0|1`: 1 drops every tt.divisibility). */
  trtc_result *(*compile)(trtc_module *module, const char *kernel, const char *target,
                          const char *options, const char *special);

  /* As compile, but returns the text of one stage: tt tile nests linalg mapped, `bytecode` (the
   * parsed module in MLIR bytecode of our dialects), or one that the backend names. */
  trtc_result *(*print)(trtc_module *module, const char *kernel, const char *target,
                        const char *options, const char *special, const char *stage);

  void (*free_result)(trtc_result *result);

  /* Opens the compiler part of a backend; a second time it does nothing. The message says why one
   * is refused. */
  trtc_result *(*load_backend)(const char *path);
} trtc_compiler;

/* The library's only export that libtritonrt looks up. Never returns NULL. */
typedef const trtc_compiler *(*tritonrt_compiler_get_fn)(void);

#ifdef __cplusplus
}
#endif
#endif
