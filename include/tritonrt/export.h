// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_EXPORT_H_
#define TRITONRT_EXPORT_H_

// Marks what libtritonrt exports; everything else in it is hidden.
#define TRITONRT_API __attribute__((visibility("default")))

#endif  // TRITONRT_EXPORT_H_
