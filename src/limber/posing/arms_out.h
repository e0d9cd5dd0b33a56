// SPDX-License-Identifier: MIT
// Brings the arms of a pose out of the body that it was not made for: a pose of another body, or a mirrored one.
#pragma once

#include <memory>

#include "limber/problem/ik_problem.h"

namespace limber {

/// Moves only the joints of arms and clavicles, as little as brings arms and hands out of trunk, head, legs and the
/// other arm (body/arm_pairs.h). Pairs may be as deep as at rest. Poses that have nothing inside keep every bit.
///
/// An object is for one figure with its limits and locks, and keeps what it has learnt of it: many poses take one
/// object. Not thread-safe. The same poses in the same order give the same bits.
class ArmsOut {
 public:
  explicit ArmsOut(const IkProblem& problem);
  ~ArmsOut();
  ArmsOut(ArmsOut&&) noexcept;

  /// True if an arm is deeper inside than at rest, by more than what counts as inside in reports.
  bool isInside(const Pose& pose);
  /// False if nothing was inside, or if the figure is not a human body; the pose is then unchanged.
  bool bringOut(Pose& pose);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace limber
