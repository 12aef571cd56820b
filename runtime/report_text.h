// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_REPORT_TEXT_H_
#define TRITONRT_RUNTIME_REPORT_TEXT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "runtime/metadata.h"

namespace tritonrt::runtime {

// Bytes of a record of `op`, its head and values, as kernel_abi.h lays them out.
std::uint64_t record_bytes(const ReportOp& op);

// The lines of a tt.print as Triton writes them, one for each element of each value; one alone if
// it prints no value. `values` is what stands behind the record's head.
void print_lines(const ReportOp& op, const std::uint32_t (&program)[3], const char* values,
                 const std::function<void(std::string_view)>& line);

// What to say of an assert that failed.
std::string assert_message(const std::string& kernel, const ReportOp& op,
                           const std::uint32_t (&program)[3]);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_REPORT_TEXT_H_
