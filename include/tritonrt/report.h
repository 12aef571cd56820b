// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_REPORT_H_
#define TRITONRT_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "tritonrt/export.h"

namespace tritonrt {

// A line that a kernel printed (tt.print): one for each element. The views end with the call.
struct PrintedLine {
  std::string_view kernel;
  std::uint32_t line = 0;         // of the tt.print in the kernel's text
  std::string_view source;        // FILE:LINE of the program behind the text; empty where unknown
  std::uint32_t program[3] = {};  // its program id
  std::string_view text;          // "pid (0, 0, 0) idx (3) x: 1.000000", without a line break
};

using PrintHandler = std::function<void(const PrintedLine&)>;

// Gives what kernels print on any device to `handler`; an empty one drops it, as is the case before
// the first call. The lines come from Stream::synchronize and Device::synchronize, on the thread
// that calls them: a program's prints in order, those of different programs one after the other in
// any order. What the handler throws leaves synchronize. Thread safe.
//
// Between two calls of synchronize a stream keeps `buffer_bytes` of prints, from 4 KiB to 16 MiB;
// of what does not fit a line tells how much it was. Streams that have printed keep their size.
TRITONRT_API void set_print_handler(PrintHandler handler,
                                    std::size_t buffer_bytes = std::size_t{1} << 20);

}  // namespace tritonrt

#endif  // TRITONRT_REPORT_H_
