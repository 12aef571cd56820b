// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fnmatch.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "src/cli/child_pool.h"
#include "src/cli/commands.h"
#include "src/cli/kernel_options.h"
#include "src/cli/output.h"
#include "src/replay/file_io.h"
#include "src/replay/launch_case.h"
#include "src/replay/run_case.h"
#include "tritonrt/report.h"

namespace tritonrt::cli {
namespace {

using Json = nlohmann::ordered_json;
using replay::RunResult;
using replay::Status;

// One launch on one device.
struct Task {
  replay::CaseFolder folder;
  std::string device;
};

std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

// Prints the results in the order of the tasks, whatever the order in which they come. Thread safe.
class Report {
 public:
  explicit Report(const std::vector<Task>& tasks) : tasks_(tasks), results_(tasks.size()) {}

  void add(size_t index, RunResult result) {
    const std::lock_guard<std::mutex> lock(mutex_);
    results_[index] = std::move(result);
    for (; printed_ < tasks_.size() && results_[printed_]; ++printed_) print_line(printed_);
  }

  size_t failed() const {
    return static_cast<size_t>(
        std::count_if(results_.begin(), results_.end(),
                      [](const auto& result) { return result->status != Status::kPass; }));
  }

  bool has_running() const {
    return std::any_of(results_.begin(), results_.end(),
                       [](const auto& result) { return result->runs_on; });
  }

  // REQUIRES: every task has its result.
  std::string to_json() const {
    Json list = Json::array();
    for (size_t i = 0; i < tasks_.size(); ++i) {
      const RunResult& result = *results_[i];
      list.push_back({{"name", tasks_[i].folder.name},
                      {"device", tasks_[i].device},
                      {"mapping", result.mapping},
                      {"status", replay::to_string(result.status)},
                      {"message", result.message},
                      {"compile", result.compiled ? "compiled" : "cached"},
                      {"compile_ms", result.compile_ms},
                      {"run_ms", result.run_ms}});
      if (!result.mesh_mapping.empty()) list.back()["mesh_mapping"] = result.mesh_mapping;
    }
    const Json document = {{"schema", 1}, {"results", std::move(list)}};
    return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  void print_line(size_t index) const {
    const RunResult& result = *results_[index];
    std::string line = std::string(replay::to_string(result.status)) + " " +
                       tasks_[index].folder.name + " " + tasks_[index].device;
    if (!result.message.empty()) line += " " + one_line(result.message);
    print(line + "\n");
  }

  const std::vector<Task>& tasks_;
  std::mutex mutex_;
  std::vector<std::optional<RunResult>> results_;
  size_t printed_ = 0;
};

std::vector<Task> make_tasks(const ReplayCommand& command) {
  std::vector<Task> tasks;
  for (const std::string& path : command.paths) {
    const std::vector<replay::CaseFolder> folders = replay::find_cases(path);
    if (folders.empty())
      throw UsageError("there are no cases in " + replay::in_quotes(path) +
                       ": a case.json, or an index.json that lists some, expected");
    for (const replay::CaseFolder& folder : folders) {
      if (!command.filter.empty() && ::fnmatch(command.filter.c_str(), folder.name.c_str(), 0) != 0)
        continue;
      for (const std::string& device : command.devices) tasks.push_back({folder, device});
    }
  }
  if (tasks.empty())
    throw UsageError("no case's name matches " + replay::in_quotes(command.filter));
  return tasks;
}

std::chrono::nanoseconds to_duration(double seconds) {
  return std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9));
}

// All in this process, on `jobs` threads.
void run_together(const std::vector<Task>& tasks, const ReplayCommand& command, Report& report) {
  replay::RunOptions options;
  options.mapping = command.mapping;
  options.mesh_mapping = command.mesh_mapping;
  options.check_races = command.check_races;
  options.exact_memory = command.exact_memory;
  options.extra = target_options(command.target);
  options.reference = command.reference;
  options.timeout = to_duration(command.timeout_seconds);
  Bundle bundle;
  if (!command.bundle.empty()) {
    bundle = Bundle::open(command.bundle, {read_key(command.public_key)});
    options.bundle = &bundle;
  }
  std::atomic<size_t> next{0};
  std::atomic<bool> stop{false};
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto work = [&] {
    try {
      for (size_t i = next++; i < tasks.size() && !stop; i = next++)
        report.add(i, replay::run_case(tasks[i].folder.path, tasks[i].device, options));
    } catch (...) {
      const std::lock_guard<std::mutex> lock(error_mutex);
      error = std::current_exception();
      stop = true;
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min<size_t>(command.jobs, tasks.size()); ++i)
    threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (error) std::rethrow_exception(error);
}

std::vector<std::string> child_arguments(const Task& task, const ReplayCommand& command) {
  std::vector<std::string> arguments = {"replay",
                                        "--device",
                                        task.device,
                                        "--timeout",
                                        std::to_string(command.timeout_seconds),
                                        "--json",
                                        "/proc/self/fd/" + std::to_string(kReportFd)};
  if (command.mapping != Mapping::kDefault)
    arguments.insert(arguments.end(), {"--mapping", std::string(to_string(command.mapping))});
  if (command.check_races) arguments.emplace_back("--check-races");
  if (command.mesh_mapping != MeshMapping::kDefault)
    arguments.insert(arguments.end(),
                     {"--mesh-mapping", std::string(to_string(command.mesh_mapping))});
  if (command.exact_memory) arguments.emplace_back("--exact-memory");
  for (const std::string& change : command.target)
    arguments.insert(arguments.end(), {"--target", change});
  if (command.reference) arguments.push_back("--reference");
  if (!command.bundle.empty()) arguments.insert(arguments.end(), {"--bundle", command.bundle});
  if (!command.public_key.empty()) arguments.insert(arguments.end(), {"--key", command.public_key});
  arguments.insert(arguments.end(), {"--", task.folder.path.string()});
  return arguments;
}

// The result in the report of a child that ran one task.
std::optional<RunResult> parse_report(const std::string& text) {
  try {
    const Json entry = Json::parse(text).at("results").at(0);
    RunResult result;
    const std::string status = entry.at("status");
    result.status = status == "PASS"   ? Status::kPass
                    : status == "FAIL" ? Status::kFail
                                       : Status::kError;
    result.message = entry.at("message");
    result.mapping = entry.at("mapping");
    result.mesh_mapping = entry.value("mesh_mapping", "");
    result.compiled = entry.at("compile") == "compiled";
    result.compile_ms = entry.at("compile_ms");
    result.run_ms = entry.at("run_ms");
    return result;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

RunResult interpret(const ChildOutcome& outcome, double timeout_seconds) {
  std::optional<RunResult> reported = parse_report(outcome.report);
  const bool crashed = outcome.signal != 0 && !outcome.timed_out;
  if (reported && !crashed && !outcome.timed_out) return *reported;
  RunResult result = reported.value_or(RunResult{});
  result.status = Status::kError;
  if (outcome.timed_out) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%g", timeout_seconds);
    result.message = std::string("timed out after ") + seconds + " s";
  } else if (crashed) {
    result.message = "crashed: " + std::string(::strsignal(outcome.signal)) + " (signal " +
                     std::to_string(outcome.signal) + ")";
  } else {
    result.message =
        "the process ended with exit code " + std::to_string(outcome.exit_code) + " and no result";
  }
  const std::string errors = outcome.errors.substr(0, outcome.errors.find('\n'));
  if (!errors.empty()) result.message += ": " + errors;
  return result;
}

// A process for each task. The child applies the time-out to the launch itself, which can name the
// op that waits; what outlives that by the grace time is killed.
void run_isolated(const std::vector<Task>& tasks, const ReplayCommand& command, Report& report) {
  constexpr std::chrono::seconds kGrace{2};
  std::vector<std::vector<std::string>> argument_lists;
  argument_lists.reserve(tasks.size());
  for (const Task& task : tasks) argument_lists.push_back(child_arguments(task, command));
  run_children(argument_lists, command.jobs, to_duration(command.timeout_seconds) + kGrace,
               [&](size_t index, const ChildOutcome& outcome) {
                 report.add(index, interpret(outcome, command.timeout_seconds));
               });
}

}  // namespace

int replay(const ReplayCommand& command) {
  for (const std::string& device : command.devices) {
    check_device_name(device, command.mapping);
    if (command.check_races && device != "cpu")
      throw UsageError("--check-races works on the device cpu, not on '" + device + "'");
  }
  const std::vector<Task> tasks = make_tasks(command);
  // Standard output has a line a launch and nothing else.
  set_print_handler([](const PrintedLine& line) {
    std::fputs((one_line(std::string(line.text)) + "\n").c_str(), stderr);
  });
  Report report(tasks);
  if (command.isolate)
    run_isolated(tasks, command, report);
  else
    run_together(tasks, command, report);
  if (!command.json_file.empty()) replay::write_file(command.json_file, report.to_json());
  print(std::to_string(tasks.size() - report.failed()) + " passed, " +
        std::to_string(report.failed()) + " failed\n");
  const int code = report.failed() == 0 ? kDone : kFailed;
  // Drivers wait for their kernels at the end of a process, and so may the ends of handles.
  if (report.has_running()) std::_Exit(code);
  return code;
}

}  // namespace tritonrt::cli
