// SPDX-License-Identifier: MIT
// Moves the arms of a pose out of a body for which it was not made: a pose of another body, or a mirrored one.
#pragma once

#include <memory>

#include "limber/problem/ik_problem.h"

namespace limber {

/// Moves only the joints of arms and clavicles, and as little as possible, until arms and hands penetrate neither
/// trunk, head, legs nor the other arm (body/arm_pairs.h). Pairs may be as deep as at rest. Other poses keep every bit.
///
/// An object belongs to one figure with its limits and locks and keeps a warm state, so use one for many poses. Not
/// thread-safe. The same poses in the same order give the same bits.
class ArmsOut {
 public:
  explicit ArmsOut(const IkProblem& problem);
  ~ArmsOut();
  ArmsOut(ArmsOut&&) noexcept;

  /// True if an arm is deeper inside than at rest by more than the tolerance of reports.
  bool isInside(const Pose& pose);
  /// False if nothing was inside, or if the figure is not a human body; the pose is then unchanged. If the pose before
  /// was inside, too, the arm leaves the body on the same side, as the frames of a motion need it.
  bool bringOut(Pose& pose);
  /// The joints that it may move, ascending; empty if the figure is not a human body.
  const std::vector<int>& joints() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace limber
