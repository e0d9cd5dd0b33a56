// SPDX-License-Identifier: MIT
// Nothing that a file or an edit brings to pass in a frame may end the window and the work in it with it.
#pragma once

#include <functional>
#include <string>

namespace limber::app {

class Session;

class FrameGuard {
 public:
  /// Frames in a row that may fail before the window is given up.
  static constexpr int kMostFailures = 3;

  /// Runs the frame. False when an exception ended it: the document then stands as the frame left it, what is not saved
  /// is kept for recovery at once, solves and requests of the frame are dropped, and a message says what happened.
  bool run(Session& session, const std::function<void()>& frame);

  /// True when every one of the last frames failed: the window closes, and the next start offers what was kept.
  bool hasGivenUp() const { return failures_ >= kMostFailures; }
  const std::string& fault() const { return fault_; }  ///< of the last frame that failed, in words

 private:
  int failures_ = 0;  ///< in a row
  std::string fault_;
};

}  // namespace limber::app
