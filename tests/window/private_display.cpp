// SPDX-License-Identifier: MIT
#include "window/private_display.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>
#include "locations.h"

namespace limber::test {

namespace {

constexpr int kWidth = 1280, kHeight = 800;

void sleepFor(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

std::string outputOf(const std::string& command) {
  std::string text;
  if (FILE* pipe = popen(command.c_str(), "r")) {
    char buffer[4096];
    while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, n);
    pclose(pipe);
  }
  return text;
}

bool hasTool(const char* name) { return !outputOf(std::string("command -v ") + name + " 2>/dev/null").empty(); }

void stop(pid_t process) {
  if (process <= 0) return;
  kill(process, SIGTERM);
  if (!waitFor([&] { return waitpid(process, nullptr, WNOHANG) != 0; }, 5.0)) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
}

/// Starts a program with its output in a file.
pid_t spawn(const std::vector<std::string>& words, const std::filesystem::path& output) {
  const pid_t child = fork();
  if (child != 0) return child;
  const int log = open(output.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0644);
  dup2(log, 1);
  dup2(log, 2);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

std::string contentsOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// No thread of the process runs or wants to.
bool isAsleep(pid_t process) {
  std::error_code gone;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", gone)) {
    const std::string stat = contentsOf(thread.path() / "stat");
    const std::size_t state = stat.rfind(')') + 2;
    if (state < stat.size() && stat[state] != 'S') return false;
  }
  return true;
}

}  // namespace

bool waitFor(const std::function<bool()>& condition, double seconds) {
  for (double waited = 0.0; waited < seconds; waited += 0.05) {
    if (condition()) return true;
    sleepFor(0.05);
  }
  return condition();
}

std::string PrivateDisplay::missingTools() {
  std::string missing;
  for (const char* tool : {"Xvfb", "xdotool", "import"})
    if (!hasTool(tool)) missing += (missing.empty() ? "" : ", ") + std::string(tool);
  return missing;
}

PrivateDisplay::PrivateDisplay() {
  char pattern[] = "/tmp/limber_window_XXXXXX";
  folder_ = mkdtemp(pattern);
  // Settings of whoever runs the tests stay out of them, and the tests out of theirs.
  setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
  setenv("HOME", folder_.c_str(), 1);
  const std::string number = (folder_ / "display").string();
  // -noreset: a server that resets when its last client leaves, xdotool say, drops the program that is just coming.
  server_ = spawn({"sh", "-c",
                   "exec Xvfb -noreset -displayfd 3 -screen 0 " + std::to_string(kWidth) + "x" +
                       std::to_string(kHeight) + "x24 -nolisten tcp 3>" + number},
                  folder_ / "server.log");
  waitFor([&] { return contentsOf(number).find('\n') != std::string::npos; }, 10.0);
  display_ = ":" + contentsOf(number);
  if (!display_.empty() && display_.back() == '\n') display_.pop_back();
  setenv("DISPLAY", display_.c_str(), 1);
  unsetenv("WAYLAND_DISPLAY");
}

PrivateDisplay::~PrivateDisplay() {
  stop(program_);
  stop(server_);
  std::filesystem::remove_all(folder_);
}

bool PrivateDisplay::start(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{LIMBER_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  program_ = spawn(words, folder_ / "output.log");
  std::string window;
  const bool shown = waitFor([&] {
    window = xdotool("search --onlyvisible --pid " + std::to_string(program_));
    return !window.empty() || !isRunning();
  });
  if (!shown || window.empty()) return false;
  xdotool("windowfocus --sync " + window.substr(0, window.find('\n')));
  return settle();
}

bool PrivateDisplay::isRunning() {
  if (program_ > 0 && waitpid(program_, nullptr, WNOHANG) != 0) program_ = -1;
  return program_ > 0;
}

void PrivateDisplay::kill() {
  ::kill(program_, SIGKILL);
  waitpid(program_, nullptr, 0);
  program_ = -1;
}

bool PrivateDisplay::settle() {
  constexpr int kLooks = 4;
  int quietLooks = 0;
  double last = -1.0;
  return waitFor([&] {
           const double before = std::exchange(last, processorTime());
           quietLooks = isAsleep(server_) && isAsleep(program_) && last == before ? quietLooks + 1 : 0;
           return quietLooks >= kLooks || !isRunning();
         }) &&
         isRunning();
}

std::string PrivateDisplay::xdotool(const std::string& arguments) {
  return outputOf("xdotool " + arguments + " 2>/dev/null");
}

void PrivateDisplay::strike(const std::string& name) { xdotool("key " + name); }

void PrivateDisplay::key(const std::string& name) {
  strike(name);
  settle();
}

void PrivateDisplay::type(const std::string& text) {
  xdotool("type --delay 20 '" + text + "'");
  settle();
}

void PrivateDisplay::moveTo(int x, int y) {
  xdotool("mousemove " + std::to_string(x) + " " + std::to_string(y));
  sleepFor(0.02);
}

void PrivateDisplay::press(const std::string& before) {
  settle();
  xdotool(before + "mousedown 1");
  settle();
}

void PrivateDisplay::release(const std::string& after) {
  settle();
  xdotool("mouseup 1" + after);
  settle();
}

void PrivateDisplay::drag(int x1, int y1, int x2, int y2) {
  moveTo(x1, y1);
  press();
  for (int i = 1; i <= 20; ++i) moveTo(x1 + (x2 - x1) * i / 20, y1 + (y2 - y1) * i / 20);
  release();
}

bool PrivateDisplay::copyPicture(const std::filesystem::path& file) {
  if (!hasTool("xclip")) return false;
  outputOf("xclip -selection clipboard -target image/png -in " + file.string() + " > /dev/null 2>&1");
  return true;
}

Screenshot PrivateDisplay::screenshot() {
  settle();
  Screenshot shot{kWidth, kHeight, {}};
  const std::string raw = outputOf("import -window root -depth 8 rgb:- 2>/dev/null");
  shot.pixels.assign(raw.begin(), raw.end());
  shot.pixels.resize(3u * kWidth * kHeight);
  return shot;
}

double PrivateDisplay::processorTime() const {
  std::string stat = contentsOf("/proc/" + std::to_string(program_) + "/stat");
  std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 2)));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0.0, system = 0.0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::string PrivateDisplay::output() const { return contentsOf(folder_ / "output.log"); }

}  // namespace limber::test
