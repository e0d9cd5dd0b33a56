// SPDX-License-Identifier: MIT
#include "limber/io/base/child_process.h"

#include <algorithm>
#include <chrono>

#include "limber/io/base/platform.h"
#include "limber/io/base/text.h"

namespace limber::io {

namespace {

constexpr int kLookMs = 50;
constexpr std::size_t kMaxComplaint = 200;

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

/// Records when a child last took processor time or printed.
class SignsOfLife {
 public:
  /// Updates the record, and returns the seconds since the last sign of life.
  double idleSeconds(double processorSeconds, std::size_t printed) {
    const auto now = std::chrono::steady_clock::now();
    if (processorSeconds > processorSeconds_ || printed > printed_) last_ = now;
    processorSeconds_ = processorSeconds;
    printed_ = printed;
    return std::chrono::duration<double>(now - last_).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  double processorSeconds_ = 0.0;
  std::size_t printed_ = 0;
};

}  // namespace

Result<std::string> runChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                             ChildLimits& limits, const OpenContext& context, std::string_view what) {
  platform::ChildProcess child(program, arguments);
  if (!child.fault().empty()) return failure(child.fault());
  std::string printed, complaint;
  SignsOfLife signs;
  const double granted = limits.processorSeconds;
  while (child.read(printed, complaint, kLookMs)) {
    const double taken = child.processorSeconds();
    limits.processorSeconds = std::min(limits.processorSeconds, granted - taken);
    if (!context.goesOn(0.5, what)) return failure(std::string(kCancelled));
    if (limits.processorSeconds < 0.0)
      return failure("the reader of this format did not finish within " + inShort(granted, 2) + " s of processor time");
    if (signs.idleSeconds(taken, printed.size()) > limits.idleSeconds)
      return failure("the reader of this format has waited for " + inShort(limits.idleSeconds, 2) + " s");
    if (printed.size() > limits.maxBytes) return failure("is too large once it is read");
    complaint.resize(std::min(complaint.size(), kMaxComplaint));
  }
  if (printed.size() > limits.maxBytes) return failure("is too large once it is read");
  const platform::ChildProcess::End end = child.waitForEnd();
  if (end.code != 0) return failure(causeOf(end, trimmedComplaint(complaint)));
  return printed;
}

}  // namespace limber::io
