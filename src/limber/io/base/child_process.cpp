// SPDX-License-Identifier: MIT
#include "limber/io/base/child_process.h"

#include <algorithm>
#include <chrono>

#include "limber/io/base/platform.h"

namespace limber::io {

namespace {

constexpr int kLookMs = 50;
constexpr std::size_t kMaxComplaint = 4096;

std::string trimmedComplaint(std::string text) {
  text.resize(std::min(text.size(), kMaxComplaint));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string causeOf(const platform::ChildProcess::End& end, const std::string& complaint) {
  if (!end.signal.empty()) return "the reader of this format crashed on it (" + end.signal + ")";
  return complaint.empty() ? "the reader of this format ended with code " + std::to_string(end.code) : complaint;
}

Error failure(std::string cause) { return {"", "", std::move(cause)}; }

}  // namespace

Result<std::string> runChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                             const ChildLimits& limits, const OpenContext& context, std::string_view what) {
  platform::ChildProcess child(program, arguments);
  if (!child.fault().empty()) return failure(child.fault());
  std::string printed, complaint;
  const auto latest = std::chrono::steady_clock::now() + std::chrono::duration<double>(limits.seconds);
  while (child.read(printed, complaint, kLookMs)) {
    if (!context.goesOn(0.5, what)) return failure(std::string(kCancelled));
    if (std::chrono::steady_clock::now() > latest)
      return failure("the reader of this format had not done within " +
                     std::to_string(static_cast<int>(limits.seconds)) + " s");
    if (printed.size() > limits.maxBytes) return failure("is too large once it is read");
    complaint.resize(std::min(complaint.size(), kMaxComplaint));
  }
  if (printed.size() > limits.maxBytes) return failure("is too large once it is read");
  const platform::ChildProcess::End end = child.waitForEnd();
  if (end.code != 0) return failure(causeOf(end, trimmedComplaint(complaint)));
  return printed;
}

}  // namespace limber::io
