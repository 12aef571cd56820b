// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tritonrt` command: reads the command line, calls the sub-command, turns errors into messages
// and exit codes.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>

#include "src/cli/cache_line.h"
#include "src/cli/commands.h"
#include "tritonrt/error.h"

namespace tritonrt::cli {
namespace {

std::string default_device() {
  const char* name = std::getenv("TRITONRT_DEVICE");
  return name != nullptr && *name != '\0' ? name : "cpu";
}

// "X", "X,Y" or "X,Y,Z"; sizes that are not given are 1.
std::array<uint32_t, 3> parse_sizes(const std::string& option, const std::string& text) {
  std::array<uint32_t, 3> sizes = {1, 1, 1};
  const char* at = text.data();
  const char* const last = at + text.size();
  for (size_t i = 0; i < sizes.size(); ++i) {
    auto [end, error] = std::from_chars(at, last, sizes[i]);
    if (error != std::errc()) break;
    if (end == last) return sizes;
    if (*end != ',') break;
    at = end + 1;
  }
  throw UsageError(option + " '" + text + "': X, X,Y or X,Y,Z expected, each from 0 to 4294967295");
}

Mesh parse_mesh(const std::string& text) {
  std::array<uint32_t, 3> sizes = parse_sizes("--mesh", text);
  const auto dimensions = static_cast<size_t>(std::count(text.begin(), text.end(), ',')) + 1;
  if (std::count(sizes.begin(), sizes.end(), 0u) != 0)
    throw UsageError("--mesh '" + text + "': each size is at least 1");
  std::fill(sizes.begin() + static_cast<std::ptrdiff_t>(dimensions), sizes.end(), 0u);
  return Mesh(sizes[0], sizes[1], sizes[2]);
}

struct CommandLine {
  CLI::App app{
      "Runs Triton kernels (.ttir) on CPUs and OpenCL devices.\n"
      "Devices: cpu, opencl (the first OpenCL device), opencl:N (the N-th over all platforms),\n"
      "opencl:TEXT (the first whose platform or device name contains TEXT), and those of backends "
      "in\n"
      "TRITONRT_BACKEND_PATH.\n"
      "Exit codes: 0 done, 1 an error of the input or the run, 2 a wrong call."};
  DevicesCommand devices;
  RunCommand run;
  ReplayCommand replay;
  InspectCommand inspect;
  BundleCommand bundle;
  CacheCommand cache;
  std::string grid;
  std::string mesh;  // "2,4"; empty: none

  CommandLine();

 private:
  static void add_device(CLI::App& app, std::string& device);
  static void add_mapping(CLI::App& app, Mapping& mapping);
  static void add_mesh_mapping(CLI::App& app, MeshMapping& mapping);
  static void add_target(CLI::App& app, std::vector<std::string>& changes);
  static void add_kernel_options(CLI::App& app, KernelOptions& options);
  void add_run();
  void add_replay();
  void add_inspect();
};

CommandLine::CommandLine() {
  app.name("tritonrt");
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return std::string("error: ") + error.what() + "\nRun with --help for more information.\n";
  });
  app.get_formatter()->column_width(28);
  CLI::App* list = app.add_subcommand("devices", "Lists the devices of this machine.");
  list->add_flag("--json", devices.json, "Print an array of objects");
  list->add_option("--save", devices.save_file,
                   "Write what a compiler elsewhere must know, for `bundle create --target FILE`")
      ->type_name("FILE");
  add_run();
  add_replay();
  add_inspect();
  add_bundle(app, bundle);
  add_cache(app, cache);
  // Its options are Python's business.
  CLI::App* export_to = app.add_subcommand(
      "export",
      "Writes the .ttir of a @triton.jit function, with the Triton of TRITONRT_PYTHON\n"
      "(default: python3). 'export --help' tells more.");
  export_to->prefix_command();
  export_to->set_help_flag();
}

void CommandLine::add_device(CLI::App& app, std::string& device) {
  device = default_device();
  app.add_option("--device", device, "Device to use (default: TRITONRT_DEVICE, else cpu)")
      ->type_name("D");
}

void CommandLine::add_mapping(CLI::App& app, Mapping& mapping) {
  app.add_option_function<std::string>(
         "--mapping",
         [&mapping](const std::string& name) {
           mapping = name == "vector" ? Mapping::kVector : Mapping::kSimt;
         },
         "How programs are laid onto an OpenCL device: vector or simt\n"
         "(default: vector on devices of type CPU, simt elsewhere)")
      ->type_name("M")
      ->check(CLI::IsMember({"vector", "simt"}).description(""));
}

void CommandLine::add_mesh_mapping(CLI::App& app, MeshMapping& mapping) {
  app.add_option_function<std::string>(
         "--mesh-mapping",
         [&mapping](const std::string& name) {
           mapping = name == "group"      ? MeshMapping::kGroup
                     : name == "resident" ? MeshMapping::kResident
                                          : MeshMapping::kSplit;
         },
         "How an OpenCL device runs the programs of a mesh together: group, resident or split\n"
         "(default: the first that can hold)")
      ->type_name("M")
      ->check(CLI::IsMember({"group", "resident", "split"}).description(""));
}

void CommandLine::add_target(CLI::App& app, std::vector<std::string>& changes) {
  app.add_option("--target", changes,
                 "Compile as for a device whose description has these values,\n"
                 "such as vendor=NVIDIA,type=gpu")
      ->type_name("KEY=VALUE[,...]")
      ->delimiter(',')
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

void CommandLine::add_kernel_options(CLI::App& app, KernelOptions& options) {
  app.add_option("--kernel", options.kernel, "Function in the file (default: the only public one)")
      ->type_name("NAME");
  app.add_option("--num-warps", options.num_warps, "Warps a program is compiled for")
      ->type_name("N")
      ->check(CLI::Range(1, 64).description(""));
  app.add_option("--num-stages", options.num_stages, "Stages of pipelined loops")
      ->type_name("N")
      ->check(CLI::Range(0, 1024).description(""));
  add_public_key(app, options.public_key);
  app.add_option("--toolchain", options.toolchain,
                 "What makes machine code for cpu: llvm (the default) or clang, a program in PATH")
      ->type_name("NAME");
  add_target(app, options.target);
}

void CommandLine::add_run() {
  CLI::App* command = app.add_subcommand("run",
                                         "Compiles a kernel and runs it once. Prints 'compile "
                                         "compiled|cached MS ms' and, from launch\n"
                                         "to finish, 'run MS ms'.");
  command->add_option("FILE", run.file, "The kernel, a .ttir or a bundle")
      ->required()
      ->type_name("");
  command
      ->add_option("--grid", grid,
                   "Programs along x, y, z (needed, but for bundles that hold the kernel's grid)")
      ->type_name("X[,Y[,Z]]");
  add_device(*command, run.device);
  add_mapping(*command, run.options.mapping);
  add_kernel_options(*command, run.options);
  command->add_option("--mesh", mesh, "Programs of a mesh that run together")
      ->type_name("X[,Y[,Z]]");
  add_mesh_mapping(*command, run.mesh_mapping);
  command->add_flag("--reference", run.options.reference,
                    "The slow form: no fusion, no extents, scalar loops");
  command
      ->add_option(
          "--arg", run.arguments,
          "One a parameter, in order:\n"
          "  TYPE:VALUE                        a scalar\n"
          "  *TYPE:N[:zero|iota|rand[=SEED]]   a buffer of N elements\n"
          "  *TYPE:FILE.npy                    a buffer with a file's content\n"
          "  @I                                the buffer of argument I\n"
          "  null                              a null pointer\n"
          "Buffers take the suffixes +BYTES (an offset) and :out=FILE.npy (written after\n"
          "the run). TYPE: i1 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 f8e4nv f8e5;\n"
          "bf16 and f8 are raw bits in .npy files. rand: floats in [-1, 1), integers in\n"
          "[0, 100), seeded with the argument's index")
      ->type_name("SPEC")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

void CommandLine::add_replay() {
  CLI::App* command = app.add_subcommand(
      "replay",
      "Runs recorded launches and checks what they leave in memory. Prints a line a launch and\n"
      "device, 'PASS|FAIL|ERROR NAME DEVICE [TEXT]', and last 'N passed, N failed'.");
  command
      ->add_option("PATH", replay.paths,
                   "Folders of launches (with a case.json), or of several (with an index.json)")
      ->required()
      ->type_name("");
  command
      ->add_option("--device", replay.devices,
                   "Device to use, may be repeated (default: TRITONRT_DEVICE, else cpu)")
      ->type_name("D")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  add_mapping(*command, replay.mapping);
  add_mesh_mapping(*command, replay.mesh_mapping);
  add_target(*command, replay.target);
  command->add_option("--filter", replay.filter, "Only the launches whose name matches the pattern")
      ->type_name("GLOB");
  command->add_flag("--isolate", replay.isolate, "A process for each launch");
  command->add_option("--jobs", replay.jobs, "Launches at a time (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  command
      ->add_option("--timeout", replay.timeout_seconds, "Seconds a launch may take (default: 60)")
      ->type_name("S")
      ->check(CLI::Range(0.001, 1e6).description(""));
  command->add_flag("--reference", replay.reference,
                    "The slow form: no fusion, no extents, scalar loops");
  command->add_flag("--check-races", replay.check_races,
                    "Programs that talk fail where nothing orders two of their accesses; on cpu");
  command->add_flag("--exact-memory", replay.exact_memory,
                    "Memory of the buffers' exact sizes: on cpu, what a kernel touches outside of "
                    "them ends the process (use --isolate)");
  command->add_option("--json", replay.json_file, "Write the results to a file")->type_name("FILE");
  command
      ->add_option("--bundle", replay.bundle,
                   "Take the kernels from a bundle, not from their files")
      ->type_name("FILE");
  add_public_key(*command, replay.public_key);
}

void CommandLine::add_inspect() {
  CLI::App* command =
      app.add_subcommand("inspect", "Prints a kernel as it is after a stage of compilation.");
  command->add_option("FILE", inspect.file, "The kernel, a .ttir or a bundle")
      ->required()
      ->type_name("");
  command
      ->add_option("--stage", inspect.stage,
                   "tt (the verified input), tile, nests, linalg, mapped, or one of the device's: "
                   "opencl, llvm, asm, ptx, ...")
      ->required()
      ->type_name("STAGE");
  add_device(*command, inspect.device);
  add_mapping(*command, inspect.options.mapping);
  add_kernel_options(*command, inspect.options);
}

int dispatch(CommandLine& line) {
  if (line.app.got_subcommand("devices")) return devices(line.devices);
  if (line.app.got_subcommand("run")) {
    if (!line.grid.empty())
      line.run.grid = parse_sizes("--grid", line.grid);
    else if (!is_bundle(line.run.file))
      throw UsageError("--grid is required");
    if (!line.mesh.empty()) line.run.mesh = parse_mesh(line.mesh);
    return run(line.run);
  }
  if (line.app.got_subcommand("replay")) {
    if (line.replay.devices.empty()) line.replay.devices.push_back(default_device());
    return replay(line.replay);
  }
  if (line.app.got_subcommand("bundle")) return bundle(line.bundle);
  if (line.app.got_subcommand("cache")) return cache(line.cache);
  if (line.app.got_subcommand("export"))
    return export_kernel(line.app.get_subcommand("export")->remaining());
  return inspect(line.inspect);
}

// Messages that carry a position are printed as they are; they begin with the file.
bool has_position(const std::string& message) {
  const std::string first_line = message.substr(0, message.find('\n'));
  return first_line.find(": error: ") != std::string::npos;
}

// Of a message FILE:LINE:COL: error: ..., the line of the file and a mark below the column; nothing
// where there is no such line. Of long lines a part; a blank for each byte that is no printable
// ASCII.
std::string shown_line(const std::string& message) {
  constexpr std::size_t kMost = 120;
  const std::string first = message.substr(0, message.find('\n'));
  const std::size_t end = first.find(": error: ");
  const std::size_t column_at = first.rfind(':', end - 1);
  if (end == std::string::npos || column_at == std::string::npos || column_at == 0) return "";
  const std::size_t line_at = first.rfind(':', column_at - 1);
  if (line_at == std::string::npos) return "";
  const std::size_t line = std::strtoul(first.c_str() + line_at + 1, nullptr, 10);
  std::size_t column = std::strtoul(first.c_str() + column_at + 1, nullptr, 10);
  std::ifstream file(first.substr(0, line_at));
  std::string text;
  for (std::size_t i = 0; i < line; ++i)
    if (!std::getline(file, text)) return "";
  if (line == 0 || column == 0 || column > text.size() + 1) return "";
  const std::size_t begin = column > kMost ? column - kMost / 2 : 0;
  text = text.substr(begin, kMost);
  column -= begin;
  for (char& c : text)
    if (c < ' ' || c > '~') c = ' ';
  return "\n  " + text + "\n  " + std::string(column - 1, ' ') + "^";
}

int report(const std::string& message, int exit_code) {
  const char* prefix = has_position(message) ? "" : "error: ";
  std::fprintf(stderr, "%s%s%s\n", prefix, message.c_str(), shown_line(message).c_str());
  return exit_code;
}

int main(int argc, char** argv) {
  // A closed pipe shows as a failed write, with a message and an exit code.
  ::signal(SIGPIPE, SIG_IGN);
  CommandLine line;
  try {
    line.app.parse(argc, argv);
    return dispatch(line);
  } catch (const CLI::ParseError& error) {
    // Help is one of them, with the code of success.
    return line.app.exit(error) == 0 ? kDone : kWrongCall;
  } catch (const UsageError& error) {
    return report(error.what(), kWrongCall);
  } catch (const std::bad_alloc&) {
    return report("out of memory", kFailed);
  } catch (const std::exception& error) {
    return report(error.what(), kFailed);
  }
}

}  // namespace
}  // namespace tritonrt::cli

int main(int argc, char** argv) { return tritonrt::cli::main(argc, argv); }
