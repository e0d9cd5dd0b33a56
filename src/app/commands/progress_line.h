// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ostream>
#include <string_view>

namespace limber::app {

/// A line on the terminal with the progress of a verb that takes long. The destructor erases it.
class ProgressLine {
 public:
  ProgressLine(std::string_view verb, std::ostream& err);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// part: in [0, 1]. Returns false if Ctrl+C was pressed (interrupt_watch.h).
  bool operator()(double part);

 private:
  std::string_view verb_;
  std::ostream& err_;
  bool isShown_;
  int said_ = -1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace limber::app
