// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_SRC_C_HANDLES_H_
#define TRITONRT_SRC_C_HANDLES_H_

// What stands behind the handles of the C interface, and how exceptions become codes.

#include <bit>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "tritonrt/tritonrt.h"
#include "tritonrt/tritonrt_c.h"

struct tritonrt_device {
  tritonrt::Device value;
};
struct tritonrt_stream {
  tritonrt::Stream value;
};
struct tritonrt_event {
  tritonrt::Event value;
};
struct tritonrt_buffer {
  tritonrt::Buffer value;
};
struct tritonrt_kernel {
  tritonrt::Kernel value;
};
struct tritonrt_bound_kernel {
  tritonrt::BoundKernel value;
};
struct tritonrt_graph {
  tritonrt::Graph value;
};

namespace tritonrt::c {

// Keeps the message for tritonrt_last_error.
tritonrt_status fail(tritonrt_status status, const char* message) noexcept;
tritonrt_status status_of(ErrorCode code) noexcept;

// A value of the interface's enumerations as a number. C lets callers pass any, and C++ does not
// define what it is to read one outside of the enumeration's range as that enumeration.
template <typename Enum>
int number_of(const Enum& value) noexcept {
  return static_cast<int>(std::bit_cast<std::underlying_type_t<Enum>>(value));
}

// Runs `call`; what it throws becomes a status and a message.
template <typename F>
tritonrt_status guarded(F call) noexcept {
  try {
    call();
    return TRITONRT_OK;
  } catch (const Error& error) {
    return fail(status_of(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(TRITONRT_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return fail(TRITONRT_INTERNAL, error.what());
  } catch (...) {
    return fail(TRITONRT_INTERNAL, "an unknown exception");
  }
}

// What a pointer points to; NULL is an error that names it.
template <typename T>
T& need(T* pointer, const char* name) {
  if (pointer == nullptr) throw Error(ErrorCode::kInvalidArgument, std::string(name) + " is NULL");
  return *pointer;
}

// Where a new handle goes is looked at before it is made.
template <typename T, typename Make>
void give_new(T** to, const char* name, Make make) {
  T*& place = need(to, name);
  place = make();
}

// A caller's struct says how large it is, which tells its version.
inline void check_struct_size(std::size_t size) {
  if (size < sizeof(std::size_t) * 2)
    throw Error(ErrorCode::kInvalidArgument,
                "struct_size is " + std::to_string(size) + ", expected the sizeof of the struct");
}

// Fills the caller's struct up to the size that it says it has. `from` starts with the same field.
template <typename T>
void give(T& to, T from) {
  const std::size_t size = to.struct_size;
  check_struct_size(size);
  from.struct_size = size;
  std::memcpy(&to, &from, size < sizeof(T) ? size : sizeof(T));
}

// The arguments of a call as the C++ interface has them. Refers to the caller's.
class Arguments {
 public:
  Arguments(const tritonrt_arg* args, std::size_t count);
  Span<const Arg> list() const { return list_; }

 private:
  std::vector<TensorDescriptor> descriptors_;
  std::vector<Arg> list_;
};

// The caller's struct up to the size that it says it has; all zero for NULL.
template <typename T>
T taken(const T* given) {
  T all{};
  if (given == nullptr) return all;
  check_struct_size(given->struct_size);
  std::memcpy(&all, given, given->struct_size < sizeof(T) ? given->struct_size : sizeof(T));
  return all;
}

inline Grid grid_of(const tritonrt_grid& grid) { return Grid(grid.x, grid.y, grid.z); }
// Throws kInvalidArgument for a mapping that there is none of.
Grid grid_of(const tritonrt_grid& grid, const tritonrt_launch_options* options);

}  // namespace tritonrt::c

#endif  // TRITONRT_SRC_C_HANDLES_H_
