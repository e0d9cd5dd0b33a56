// SPDX-License-Identifier: MIT
// Catches the exceptions of a frame, so that no file or edit can end the program with unsaved work.
#pragma once

#include <functional>
#include <string>

namespace limber::app {

class Session;

class FrameGuard {
 public:
  /// Number of failed frames in a row after which the window closes.
  static constexpr int kMostFailures = 3;

  /// Runs the frame. False when an exception ended it: the document stays as the frame left it, unsaved work is stored
  /// for recovery at once, the solve is dropped, and a message says what happened.
  bool run(Session& session, const std::function<void()>& frame);

  /// True after kMostFailures failed frames: the window closes, and the next start offers the unsaved work.
  bool hasGivenUp() const { return failures_ >= kMostFailures; }
  const std::string& fault() const { return fault_; }  ///< of the last failed frame, in words

 private:
  int failures_ = 0;  ///< in a row
  std::string fault_;
};

}  // namespace limber::app
