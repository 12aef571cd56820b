// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tritonrt export` is done in Python, where Triton is.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "src/cli/commands.h"
#include "src/replay/file_io.h"

namespace fs = std::filesystem;

namespace tritonrt::cli {
namespace {

constexpr const char* kProgram =
    "import sys\n"
    "try:\n"
    "    from tritonrt.__main__ import main\n"
    "except ImportError as error:\n"
    "    sys.exit(f'tritonrt export: error: {sys.executable} lacks the package tritonrt ({error});"
    " TRITONRT_PYTHON names another Python')\n"
    "sys.exit(main())\n";

// In a build tree the package lies beside the command's folder.
void show_package() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return;
  const fs::path package = self.parent_path().parent_path() / "python";
  if (!fs::exists(package / "tritonrt", error)) return;
  std::string path = package.string();
  if (const char* old = std::getenv("PYTHONPATH"); old != nullptr && *old != '\0')
    path += std::string(":") + old;
  setenv("PYTHONPATH", path.c_str(), 1);
}

}  // namespace

int export_kernel(const std::vector<std::string>& arguments) {
  show_package();
  const char* const chosen = std::getenv("TRITONRT_PYTHON");
  const std::string python = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
  std::vector<const char*> call = {python.c_str(), "-c", kProgram, "export"};
  for (const std::string& argument : arguments) call.push_back(argument.c_str());
  call.push_back(nullptr);
  execvp(python.c_str(), const_cast<char* const*>(call.data()));
  throw replay::InputError("cannot run '" + python + "' (" + std::strerror(errno) +
                           "), and Triton's kernels are Python; TRITONRT_PYTHON names another one");
}

}  // namespace tritonrt::cli
