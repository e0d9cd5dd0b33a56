// SPDX-License-Identifier: MIT
#include "app/commands/progress_line.h"

#include "app/commands/interrupt_watch.h"
#include "limber/io/base/platform.h"

namespace limber::app {

namespace {
constexpr std::chrono::milliseconds kPatience{500};  // before the first output
}

ProgressLine::ProgressLine(std::string_view verb, std::ostream& err)
    : verb_(verb), err_(err), isShown_(platform::isErrorTerminal()) {}

ProgressLine::~ProgressLine() {
  if (said_ >= 0) err_ << "\r\033[K" << std::flush;
}

bool ProgressLine::operator()(double part) {
  const int percent = static_cast<int>(100.0 * part);
  if (isShown_ && percent != said_ && std::chrono::steady_clock::now() - start_ > kPatience) {
    said_ = percent;
    err_ << "\rlimber " << verb_ << ": " << percent << " %" << std::flush;
  }
  return interrupted == 0;
}

}  // namespace limber::app
