// SPDX-License-Identifier: MIT
// How the pose that a solve has found changes with the targets of its goals, by the implicit function theorem. The pose
// is a minimum of the objective within its limits, which is then moved by the shortest step onto the goals that can be
// met (refinements/goals_first.cpp); docs/theory/answer_derivative.md differentiates both.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace limber {

struct Pose;
struct PosedProblem;

/// Where the columns of a goal begin in a derivative; -1 for a goal that has no target point, or no target frame.
struct TargetColumns {
  int goal = -1;      ///< GoalItem::id
  int position = -1;  ///< three columns: the target along x, y and z of the world
  int rotation = -1;  ///< three columns: the target frame turned about x, y and z of the world through its own point
};

struct AnswerDerivative {
  std::string fault = {};                 ///< empty, or a sentence that says why the pose has no derivative
  Eigen::MatrixXd matrix = {};            ///< (stepSize x columns): steps in radians and metres, followers included
  std::vector<TargetColumns> goals = {};  ///< in the order of the problem's goals
};

/// The derivative at the end of a solve, in the scene, per metre and radian. Limits that hold, live alternatives, the
/// pose of the pull and the enabled terms are constant. The objective is that of the solve, with its shifts.
AnswerDerivative answerDerivative(const PosedProblem& posed, const Pose& answer);

}  // namespace limber
