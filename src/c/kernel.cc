// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <string_view>

#include "src/c/handles.h"

using namespace tritonrt;
using c::Arguments;
using c::grid_of;
using c::guarded;
using c::need;

namespace {

std::string_view text_or_empty(const char* text) { return text != nullptr ? text : ""; }

CompileOptions options_of(const tritonrt_compile_options* given) {
  CompileOptions options;
  const tritonrt_compile_options all = c::taken(given);
  if (all.num_warps != 0) options.num_warps = all.num_warps;
  if (all.num_stages != 0) options.num_stages = all.num_stages;
  if (all.toolchain != nullptr) options.toolchain = all.toolchain;
  return options;
}

tritonrt_parameter parameter_of(const Parameter& from) {
  tritonrt_parameter to{};
  to.name = from.name.c_str();
  to.type = from.type.c_str();
  switch (from.kind) {
    case Parameter::Kind::kScalar:
      to.kind = TRITONRT_PARAMETER_SCALAR;
      break;
    case Parameter::Kind::kPointer:
      to.kind = TRITONRT_PARAMETER_POINTER;
      break;
    case Parameter::Kind::kDescriptor:
      to.kind = TRITONRT_PARAMETER_DESCRIPTOR;
      break;
  }
  to.dtype = static_cast<tritonrt_dtype>(from.dtype);
  to.divisibility = from.divisibility;
  to.written = from.written;
  return to;
}

void set(size_t* step, size_t value) {
  if (step != nullptr) *step = value;
}

}  // namespace

namespace tritonrt::c {

Grid grid_of(const tritonrt_grid& grid, const tritonrt_launch_options* options) {
  const tritonrt_launch_options all = taken(options);
  Grid meshed = grid_of(grid);
  if (all.mesh[0] != 0) meshed.mesh = Mesh(all.mesh[0], all.mesh[1], all.mesh[2]);
  const int mapping = number_of(all.mesh_mapping);
  if (mapping < TRITONRT_MESH_MAPPING_DEFAULT || mapping > TRITONRT_MESH_MAPPING_SPLIT)
    throw Error(ErrorCode::kInvalidArgument, "there is no mesh mapping " + std::to_string(mapping) +
                                                 ", expected a constant of tritonrt_mesh_mapping");
  meshed.mesh_mapping = static_cast<MeshMapping>(mapping);
  return meshed;
}

}  // namespace tritonrt::c

tritonrt_status tritonrt_kernel_from_file(const char* path, const tritonrt_compile_options* options,
                                          const char* name, tritonrt_kernel** kernel) {
  return guarded([&] {
    c::give_new(kernel, "kernel", [&] {
      return new tritonrt_kernel{
          Kernel::from_file(&need(path, "path"), options_of(options), text_or_empty(name))};
    });
  });
}

tritonrt_status tritonrt_kernel_from_source(const char* source, size_t size,
                                            const tritonrt_compile_options* options,
                                            const char* name, tritonrt_kernel** kernel) {
  return guarded([&] {
    const std::string_view text(&need(source, "source"), size);
    c::give_new(kernel, "kernel", [&] {
      return new tritonrt_kernel{
          Kernel::from_source(text, options_of(options), text_or_empty(name))};
    });
  });
}

void tritonrt_kernel_release(tritonrt_kernel* kernel) { delete kernel; }

tritonrt_status tritonrt_kernel_name(const tritonrt_kernel* kernel, const char** name) {
  return guarded([&] { need(name, "name") = need(kernel, "kernel").value.name().c_str(); });
}

tritonrt_status tritonrt_kernel_parameter_count(const tritonrt_kernel* kernel, size_t* count) {
  return guarded([&] { need(count, "count") = need(kernel, "kernel").value.signature().size(); });
}

tritonrt_status tritonrt_kernel_get_parameter(const tritonrt_kernel* kernel, size_t index,
                                              tritonrt_parameter* parameter) {
  return guarded([&] {
    const std::vector<Parameter>& signature = need(kernel, "kernel").value.signature();
    if (index >= signature.size())
      throw Error(ErrorCode::kInvalidArgument, "there is no parameter " + std::to_string(index) +
                                                   ": the kernel has " +
                                                   std::to_string(signature.size()));
    c::give(need(parameter, "parameter"), parameter_of(signature[index]));
  });
}

tritonrt_status tritonrt_kernel_prepare(tritonrt_kernel* kernel, tritonrt_device* device,
                                        int* compiled) {
  return guarded([&] {
    const PrepareResult result = need(kernel, "kernel").value.prepare(need(device, "device").value);
    if (compiled != nullptr) *compiled = result.compiled;
  });
}

tritonrt_status tritonrt_freeze(tritonrt_kernel* kernel) {
  return guarded([&] {
    if (kernel == nullptr)
      freeze();
    else
      kernel->value.freeze();
  });
}

tritonrt_status tritonrt_kernel_launch(tritonrt_kernel* kernel, tritonrt_stream* stream,
                                       tritonrt_grid grid, const tritonrt_arg* args, size_t count) {
  return tritonrt_kernel_launch_with(kernel, stream, grid, nullptr, args, count);
}

tritonrt_status tritonrt_kernel_launch_with(tritonrt_kernel* kernel, tritonrt_stream* stream,
                                            tritonrt_grid grid,
                                            const tritonrt_launch_options* options,
                                            const tritonrt_arg* args, size_t count) {
  return guarded([&] {
    const Arguments arguments(args, count);
    need(kernel, "kernel")
        .value.launch(need(stream, "stream").value, grid_of(grid, options), arguments.list());
  });
}

tritonrt_status tritonrt_kernel_bind(tritonrt_kernel* kernel, tritonrt_device* device,
                                     const tritonrt_arg* args, size_t count,
                                     tritonrt_bound_kernel** bound) {
  return guarded([&] {
    const Arguments arguments(args, count);
    c::give_new(bound, "bound", [&] {
      return new tritonrt_bound_kernel{
          need(kernel, "kernel").value.bind(need(device, "device").value, arguments.list())};
    });
  });
}

void tritonrt_bound_kernel_release(tritonrt_bound_kernel* bound) { delete bound; }

tritonrt_status tritonrt_bound_kernel_launch(tritonrt_bound_kernel* bound, tritonrt_stream* stream,
                                             tritonrt_grid grid) {
  return tritonrt_bound_kernel_launch_with(bound, stream, grid, nullptr);
}

tritonrt_status tritonrt_bound_kernel_launch_with(tritonrt_bound_kernel* bound,
                                                  tritonrt_stream* stream, tritonrt_grid grid,
                                                  const tritonrt_launch_options* options) {
  return guarded([&] {
    need(bound, "bound").value.launch(need(stream, "stream").value, grid_of(grid, options));
  });
}

tritonrt_status tritonrt_bound_kernel_set_arg(tritonrt_bound_kernel* bound, size_t index,
                                              tritonrt_arg arg) {
  return guarded([&] {
    const Arguments arguments(&arg, 1);
    need(bound, "bound").value.set_arg(index, arguments.list()[0]);
  });
}

tritonrt_status tritonrt_graph_create(tritonrt_device* device, tritonrt_graph** graph) {
  return guarded([&] {
    c::give_new(graph, "graph",
                [&] { return new tritonrt_graph{Graph(need(device, "device").value)}; });
  });
}

void tritonrt_graph_release(tritonrt_graph* graph) { delete graph; }

tritonrt_status tritonrt_graph_launch(tritonrt_graph* graph, const tritonrt_kernel* kernel,
                                      tritonrt_grid grid, const tritonrt_arg* args, size_t count,
                                      size_t* step) {
  return tritonrt_graph_launch_with(graph, kernel, grid, nullptr, args, count, step);
}

tritonrt_status tritonrt_graph_launch_with(tritonrt_graph* graph, const tritonrt_kernel* kernel,
                                           tritonrt_grid grid,
                                           const tritonrt_launch_options* options,
                                           const tritonrt_arg* args, size_t count, size_t* step) {
  return guarded([&] {
    const Arguments arguments(args, count);
    set(step,
        need(graph, "graph")
            .value.launch(need(kernel, "kernel").value, grid_of(grid, options), arguments.list()));
  });
}

tritonrt_status tritonrt_graph_copy_from_host(tritonrt_graph* graph, const tritonrt_buffer* target,
                                              const void* data, size_t size, size_t offset) {
  return guarded([&] {
    need(graph, "graph").value.copy_from_host(need(target, "target").value, data, size, offset);
  });
}

tritonrt_status tritonrt_graph_copy_to_host(tritonrt_graph* graph, const tritonrt_buffer* source,
                                            void* data, size_t size, size_t offset) {
  return guarded([&] {
    need(graph, "graph").value.copy_to_host(need(source, "source").value, data, size, offset);
  });
}

tritonrt_status tritonrt_graph_copy(tritonrt_graph* graph, const tritonrt_buffer* target,
                                    const tritonrt_buffer* source, size_t size,
                                    size_t source_offset, size_t offset) {
  return guarded([&] {
    need(graph, "graph")
        .value.copy(need(target, "target").value, need(source, "source").value, size, source_offset,
                    offset);
  });
}

tritonrt_status tritonrt_graph_fill(tritonrt_graph* graph, const tritonrt_buffer* target,
                                    const void* pattern, size_t pattern_size, size_t size,
                                    size_t offset) {
  return guarded([&] {
    need(graph, "graph")
        .value.fill(need(target, "target").value, pattern, pattern_size, size, offset);
  });
}

tritonrt_status tritonrt_graph_set_arg(tritonrt_graph* graph, size_t step, size_t index,
                                       tritonrt_arg arg) {
  return guarded([&] {
    const Arguments arguments(&arg, 1);
    need(graph, "graph").value.set_arg(step, index, arguments.list()[0]);
  });
}

tritonrt_status tritonrt_graph_replay(tritonrt_graph* graph, tritonrt_stream* stream) {
  return guarded([&] { need(graph, "graph").value.replay(need(stream, "stream").value); });
}

tritonrt_status tritonrt_set_cache(const char* directory, uint64_t max_bytes) {
  return guarded([&] {
    CacheOptions options;
    if (directory != nullptr) options.directory = directory;
    if (max_bytes != UINT64_MAX) options.max_bytes = max_bytes;
    set_cache_options(options);
  });
}

tritonrt_status tritonrt_set_capture(const char* directory) {
  return guarded([&] { set_capture(directory != nullptr ? directory : ""); });
}
