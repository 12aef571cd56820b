// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_CLI_COMMANDS_H_
#define TRITONRT_CLI_COMMANDS_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tritonrt/device.h"
#include "tritonrt/kernel.h"

namespace tritonrt::cli {

// Exit codes of the command.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;  // input or run errors
inline constexpr int kWrongCall = 2;

// A call that cannot be meant: an option of another form, a combination that does not exist.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Options that `run`, `replay` and `inspect` share.
struct KernelOptions {
  Mapping mapping = Mapping::kDefault;
  std::string kernel;  // empty: the only public function
  std::optional<int> num_warps;
  std::optional<int> num_stages;
  std::optional<std::string> toolchain;
  std::string public_key;           // file: whose bundles are run; empty: the user's own
  std::vector<std::string> target;  // KEY=VALUE: changes to the device's description
  bool reference = false;
};

struct DevicesCommand {
  bool json = false;
  std::string save_file;  // empty: none
};

struct RunCommand {
  std::string file;
  std::string device;
  KernelOptions options;
  std::optional<std::array<uint32_t, 3>> grid;  // unset: the one that came with the kernel
  std::vector<std::string> arguments;           // as parse_arg_spec reads them
  Mesh mesh;
  MeshMapping mesh_mapping = MeshMapping::kDefault;
};

struct ReplayCommand {
  std::vector<std::string> paths;
  std::vector<std::string> devices;
  Mapping mapping = Mapping::kDefault;
  MeshMapping mesh_mapping = MeshMapping::kDefault;
  bool reference = false;
  bool check_races = false;
  bool exact_memory = false;
  std::vector<std::string> target;  // as in KernelOptions
  std::string filter;               // empty: all
  bool isolate = false;
  unsigned jobs = 1;
  double timeout_seconds = 60;
  std::string json_file;   // empty: none
  std::string bundle;      // where kernels come from; empty: their files
  std::string public_key;  // file: whose bundle that is; empty: the user's own
};

struct InspectCommand {
  std::string file;
  std::string device;
  std::string stage;
  KernelOptions options;
};

struct BundleCommand {
  enum class Action { kCreate, kAdd, kList, kExtract, kVerify };
  Action action = Action::kList;
  std::string file;    // the bundle
  std::string output;  // extract: the folder
  std::vector<std::string> paths;
  std::vector<std::string> targets;  // as parse_target reads them
  KernelOptions options;
  std::string grid;
  std::map<std::string, std::string> constexprs;
  std::string public_key;  // files; empty: none
  std::string private_key;
  bool keep_going = false;
  bool json = false;
};

struct CacheCommand {
  enum class Action { kStats, kVerify, kClear, kTrim, kExport, kImport };
  Action action = Action::kStats;
  std::string file;
  std::optional<uint64_t> bytes;
  bool repair = false;
  bool json = false;
};

// Each returns an exit code and reports what stops it by an exception: UsageError for a wrong call,
// anything else for an error of the input or the run.
int devices(const DevicesCommand& command);
int run(const RunCommand& command);
int replay(const ReplayCommand& command);
int inspect(const InspectCommand& command);
int bundle(const BundleCommand& command);
int cache(const CacheCommand& command);

// Whether a path names a bundle, by its suffix.
bool is_bundle(const std::string& path);
// Becomes the Python that exports kernels; returns only by an exception.
int export_kernel(const std::vector<std::string>& arguments);

}  // namespace tritonrt::cli

#endif  // TRITONRT_CLI_COMMANDS_H_
