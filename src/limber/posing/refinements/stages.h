// SPDX-License-Identifier: MIT
// Path-independent posing: the same question gives the same pose, to the bit, whatever was asked before.
//
// A solve then begins at the base pose, not where the figure stands, with nothing kept of earlier solves: no
// multipliers, no live branches, no contacts. What is asked moves from where the base pose meets it to where it is
// asked in a fixed number of stages, each solved from the last one's pose. The course is a function of base pose,
// settings and targets alone; and since neighbouring targets have neighbouring courses, the poses at their ends are
// neighbours, too, but for the targets between which some stage comes to another minimum: there any such map must jump.
#pragma once

#include "limber/posing/refinements/solve.h"

namespace limber {

inline constexpr int kStages = 8;

class Stages final : public Refinement {
 public:
  /// At the first stage. `stages` >= 1; 1 asks for everything at once.
  Stages(const IkProblem& problem, const PosingRequest& request, int stages = kStages);

  /// What the present stage asks, posed where it begins.
  const IkProblem& problem() const { return problem_; }
  const PosingRequest& request() const { return request_; }

  /// Goes on from a stage's end. False after the last one.
  bool next(const Pose& reached);
  /// The same where a solve has ended, which then begins the next stage.
  bool refine(Solve& solve) override;

 private:
  void askPart(double share);

  IkProblem asked_;        ///< at the base pose
  PosingRequest request_;  ///< the present stage's
  PosingRequest askedRequest_;
  IkProblem problem_;  ///< the present stage's
  Kinematics base_;
  int stage_ = 1, stages_;
};

}  // namespace limber
