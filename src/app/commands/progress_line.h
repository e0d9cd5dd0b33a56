// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ostream>
#include <string_view>

namespace limber::app {

/// A line on a terminal that says how far a verb is, once it has taken long. Gone when this goes.
class ProgressLine {
 public:
  ProgressLine(std::string_view verb, std::ostream& err);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// part: in [0, 1]. False when Ctrl+C was pressed (interrupt_watch.h).
  bool operator()(double part);

 private:
  std::string_view verb_;
  std::ostream& err_;
  bool isShown_;
  int said_ = -1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace limber::app
