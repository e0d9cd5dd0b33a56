// SPDX-License-Identifier: MIT
#include "limber/io/base/child_process.h"

#if __has_include(<spawn.h>)
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

extern char** environ;
#endif

namespace limber::io {

#if __has_include(<spawn.h>)

namespace {

constexpr int kLookMs = 50;
constexpr std::size_t kMaxComplaint = 4096;

/// Both ends are closed on exec, and here at the end.
class Pipe {
 public:
  Pipe() {
    if (pipe(ends_.data()) != 0) ends_ = {-1, -1};
    for (const int end : ends_)
      if (end >= 0) fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  ~Pipe() {
    closeWriter();
    closeReader();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool isOpen() const { return ends_[0] >= 0; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void closeWriter() { closeEnd(ends_[1]); }
  void closeReader() { closeEnd(ends_[0]); }

 private:
  static void closeEnd(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
  std::array<int, 2> ends_ = {-1, -1};
};

class Child {
 public:
  Child(const std::filesystem::path& program, const std::vector<std::string>& arguments, const Pipe& out,
        const Pipe& err) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.writer(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.writer(), STDERR_FILENO);
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    fault_ = posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Child() {
    if (isRunning_ && fault_ == 0) {
      kill(pid_, SIGKILL);
      waitForEnd();
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int fault() const { return fault_; }

  /// waitpid's status.
  int waitForEnd() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    isRunning_ = false;
    return status;
  }

 private:
  pid_t pid_ = -1;
  int fault_ = 0;
  bool isRunning_ = true;
};

/// Takes what is there. False at the end.
bool drain(int reader, std::string& into, std::size_t most) {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = read(reader, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  into.append(buffer.data(), std::min(static_cast<std::size_t>(count), most + 1 - std::min(most + 1, into.size())));
  return true;
}

std::string trimmedComplaint(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string causeOf(int status, const std::string& complaint) {
  if (WIFSIGNALED(status))
    return std::string("the reader of this format crashed on it (") + strsignal(WTERMSIG(status)) + ")";
  return complaint.empty() ? "the reader of this format ended with code " + std::to_string(WEXITSTATUS(status))
                           : complaint;
}

Error failure(std::string cause) { return {"", "", std::move(cause)}; }

}  // namespace

Result<std::string> runChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                             const ChildLimits& limits, const OpenContext& context, std::string_view what) {
  Pipe out, err;
  if (!out.isOpen() || !err.isOpen()) return failure("no pipe can be opened");
  Child child(program, arguments, out, err);
  if (child.fault() != 0) return failure(program.string() + " cannot be run: " + std::strerror(child.fault()));
  out.closeWriter();
  err.closeWriter();
  std::string printed, complaint;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(limits.seconds);
  while (out.reader() >= 0 || err.reader() >= 0) {
    std::array<pollfd, 2> waiting = {pollfd{out.reader(), POLLIN, 0}, pollfd{err.reader(), POLLIN, 0}};
    poll(waiting.data(), waiting.size(), kLookMs);
    if (!context.goesOn(0.5, what)) return failure(std::string(kCancelled));
    if (std::chrono::steady_clock::now() > end)
      return failure("the reader of this format had not done within " +
                     std::to_string(static_cast<int>(limits.seconds)) + " s");
    if (waiting[0].revents != 0 && !drain(out.reader(), printed, limits.maxBytes)) out.closeReader();
    if (waiting[1].revents != 0 && !drain(err.reader(), complaint, kMaxComplaint)) err.closeReader();
    if (printed.size() > limits.maxBytes) return failure("is too large once it is read");
  }
  const int status = child.waitForEnd();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return failure(causeOf(status, trimmedComplaint(complaint.substr(0, kMaxComplaint))));
  return printed;
}

#else

Result<std::string> runChild(const std::filesystem::path&, const std::vector<std::string>&, const ChildLimits&,
                             const OpenContext&, std::string_view) {
  return Error{"", "", "this format is read by a program run beside this one, which is done on POSIX systems only"};
}

#endif

}  // namespace limber::io
