/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TRITONRT_TESTS_UNIT_API_C_API_H_
#define TRITONRT_TESTS_UNIT_API_C_API_H_

#ifdef __cplusplus
extern "C" {
#endif

/* All return NULL, or what went wrong. */
const char* c_api_device(const char* name);
const char* c_api_errors(void);
const char* c_api_null(void);

#ifdef __cplusplus
}
#endif

#endif
