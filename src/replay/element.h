// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_REPLAY_ELEMENT_H_
#define TRITONRT_REPLAY_ELEMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tritonrt/dtype.h"

namespace tritonrt::replay {

// The type of that name if files and command lines can hold it: i1 (or u1) i8 to i64 u8 to u64 f16
// bf16 f32 f64 f8e4nv f8e5, also in Triton's spelling ("fp32"). The functions below take these
// only.
std::optional<DType> element_type(std::string_view name);

// The numpy type that holds the element's bits, as "f4"; bf16 is u2, f8 and i1 are u1.
std::string_view npy_type(DType dtype);

bool is_float(DType dtype);
bool is_signed(DType dtype);

// The low `size_of(dtype)` bytes at `source`, zero-extended.
uint64_t load_bits(DType dtype, const void* source);
void store_bits(DType dtype, uint64_t bits, void* target);

// Sign- or zero-extends the bits of an integer element to 64 bits.
int64_t integer_value(DType dtype, uint64_t bits);

// The value of an element given by its bits. Exact for every type but 64-bit integers, which round.
double decode(DType dtype, uint64_t bits);

// The bits of the element nearest to `value` (ties to even). Floats overflow to infinity, f8e4nv,
// which has none, to NaN; integers truncate and must be in range.
uint64_t encode(DType dtype, double value);

// The bits of a value written as text: "1.5", "-inf", "nan", "0x10", "true". Throws InputError for
// text that is no value of the type.
uint64_t parse_value(DType dtype, std::string_view text);

// A readable value that tells apart any two elements of different value.
std::string format_value(DType dtype, uint64_t bits);

}  // namespace tritonrt::replay

#endif  // TRITONRT_REPLAY_ELEMENT_H_
