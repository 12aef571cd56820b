// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/child_pool.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "src/replay/file_io.h"

namespace tritonrt::cli {
namespace {

using Clock = std::chrono::steady_clock;

// What is kept of a child's report or errors.
constexpr size_t kMaxOutputBytes = size_t{1} << 20;

[[noreturn]] void fail(const char* what) {
  throw replay::InputError(std::string(what) + ": " + std::strerror(errno));
}

// A file without a name. Unlike a pipe it takes whatever a child writes without being read.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : fd_(::memfd_create(name, MFD_CLOEXEC)) {
    if (fd_ < 0) fail("cannot make a memory file");
  }
  MemoryFile(MemoryFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  MemoryFile& operator=(MemoryFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~MemoryFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  int fd() const { return fd_; }

  std::string content() const {
    std::string text(kMaxOutputBytes, '\0');
    const ssize_t got = ::pread(fd_, text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return text;
  }

 private:
  int fd_;
};

struct Child {
  size_t index;
  pid_t pid;
  Clock::time_point deadline;
  bool killed = false;
  MemoryFile report;
  MemoryFile errors;
};

// Keeps SIGCHLD pending while children run, so that it can be waited for with a time-out.
class BlockedChildSignal {
 public:
  BlockedChildSignal() {
    ::sigemptyset(&set_);
    ::sigaddset(&set_, SIGCHLD);
    if (::sigprocmask(SIG_BLOCK, &set_, &old_) != 0) fail("cannot block a signal");
    // Where it is ignored, which a program inherits, children leave no status behind.
    ::signal(SIGCHLD, SIG_DFL);
  }
  BlockedChildSignal(const BlockedChildSignal&) = delete;
  BlockedChildSignal& operator=(const BlockedChildSignal&) = delete;
  ~BlockedChildSignal() { ::sigprocmask(SIG_SETMASK, &old_, nullptr); }

  const sigset_t& old_mask() const { return old_; }

  void wait(std::chrono::nanoseconds timeout) const {
    const auto count = std::max<int64_t>(timeout.count(), 0);
    const timespec limit = {static_cast<time_t>(count / 1'000'000'000),
                            static_cast<long>(count % 1'000'000'000)};
    ::sigtimedwait(&set_, nullptr, &limit);
  }

 private:
  sigset_t set_;
  sigset_t old_;
};

// The child's side between fork and exec: async-signal-safe calls only.
[[noreturn]] void become(char* const* arguments, int report, int errors, pid_t parent,
                         const sigset_t& mask) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  ::setpgid(0, 0);
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int null = ::open("/dev/null", O_RDWR);
  // Above the numbers that are assigned below, so that none is overwritten too early.
  const int high_report = ::fcntl(report, F_DUPFD_CLOEXEC, 10);
  const int high_errors = ::fcntl(errors, F_DUPFD_CLOEXEC, 10);
  if (null < 0 || high_report < 0 || high_errors < 0 || ::dup2(null, 0) < 0 ||
      ::dup2(null, 1) < 0 || ::dup2(high_errors, 2) < 0 || ::dup2(high_report, kReportFd) < 0)
    ::_exit(127);
  if (null > kReportFd) ::close(null);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::execv("/proc/self/exe", arguments);
  ::_exit(127);
}

Child start(size_t index, const std::vector<std::string>& arguments,
            std::chrono::nanoseconds timeout, const sigset_t& mask) {
  std::vector<char*> pointers;
  pointers.push_back(const_cast<char*>("tritonrt"));
  for (const std::string& argument : arguments)
    pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  MemoryFile report("report");
  MemoryFile errors("errors");
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) fail("cannot start a process");
  if (pid == 0) become(pointers.data(), report.fd(), errors.fd(), parent, mask);
  // Both sides do it, so that it has happened before either goes on.
  ::setpgid(pid, pid);
  return {index, pid, Clock::now() + timeout, false, std::move(report), std::move(errors)};
}

ChildOutcome outcome(const Child& child, int wait_status) {
  ChildOutcome result;
  result.timed_out = child.killed;
  if (WIFSIGNALED(wait_status)) result.signal = WTERMSIG(wait_status);
  if (WIFEXITED(wait_status)) result.exit_code = WEXITSTATUS(wait_status);
  result.report = child.report.content();
  result.errors = child.errors.content();
  return result;
}

}  // namespace

void run_children(const std::vector<std::vector<std::string>>& argument_lists, unsigned jobs,
                  std::chrono::nanoseconds timeout,
                  const std::function<void(size_t, const ChildOutcome&)>& done) {
  const BlockedChildSignal signal;
  std::vector<Child> running;
  size_t next = 0;
  while (next < argument_lists.size() || !running.empty()) {
    while (next < argument_lists.size() && running.size() < jobs) {
      running.push_back(start(next, argument_lists[next], timeout, signal.old_mask()));
      ++next;
    }
    const auto first_deadline =
        std::min_element(running.begin(), running.end(),
                         [](const Child& a, const Child& b) { return a.deadline < b.deadline; });
    signal.wait(first_deadline->deadline - Clock::now());
    // One signal may stand for several children.
    for (size_t i = 0; i < running.size();) {
      Child& child = running[i];
      if (!child.killed && Clock::now() >= child.deadline) {
        ::kill(-child.pid, SIGKILL);
        child.killed = true;
        child.deadline += std::chrono::hours(1);
      }
      int status = 0;
      if (::waitpid(child.pid, &status, WNOHANG) != child.pid) {
        ++i;
        continue;
      }
      const size_t index = child.index;
      const ChildOutcome ended = outcome(child, status);
      running.erase(running.begin() + static_cast<ptrdiff_t>(i));
      done(index, ended);
    }
  }
}

}  // namespace tritonrt::cli
