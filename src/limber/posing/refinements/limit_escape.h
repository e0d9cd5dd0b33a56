// SPDX-License-Identifier: MIT
// A way out where limits block. Pulled by its toes, a straight leg presses its knee against the stop instead of bending
// it: the solver ends at a minimum, latched, while a better one is near. Two poses are tried from there, each once: the
// held joints off their limits, then the pose of the start with straight limbs folded.
#pragma once

#include "limber/posing/refinements/solve.h"

namespace limber {

class LimitEscape final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  bool refine(Solve& solve) override;

 private:
  enum class Attempt { None, OffLimits, Folded };
  bool isLatched(const Solve& solve) const;
  bool isTriedHere(const Solve& solve) const;

  Attempt last_ = Attempt::None;  ///< of this solve
  bool isOnTrial_ = false;
  std::optional<Eigen::Vector3d> triedInVain_;  ///< where a drag's target was when neither helped
};

}  // namespace limber
