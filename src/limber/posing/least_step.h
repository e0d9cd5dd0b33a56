// SPDX-License-Identifier: MIT
// Moves joints by the least step, in radians, after which no contact of links is too deep:
//
//   min 1/2 |d + s|^2   c_k + g_k . s >= 0 for each contact, limits of joints
//
// d is the step so far, c_k the clearance of a contact beyond what is asked, and g_k its gradient. Each step solves the
// dual by coordinate ascent (Hildreth, A quadratic programming procedure, 1957). The planes of the contacts are chosen
// anew in each step. Callers that must clear every pose go on with a solve (posing.h) where this fails.
#pragma once

#include <vector>

#include "limber/body/limited_joints.h"
#include "limber/posing/contacts.h"

namespace limber {

class LeastStep {
 public:
  /// joints  that may move. The problem must outlive the object.
  LeastStep(const IkProblem& problem, std::vector<int> joints)
      : figure_(*problem.figure), joints_(problem, std::move(joints)) {}

  /// contacts  begun at `from`, without obstacles
  /// pose      where to start; then the pose that was reached, within limits
  /// False if a contact is still too deep, or if no joint can move.
  bool solve(Contacts& contacts, const Pose& from, Pose& pose);

 private:
  Eigen::Index size() const { return std::ssize(joints_.coordinates()); }
  LineEnds worldLine(const ClearanceGoal::Line& line) const;
  bool linearise(const Contacts& contacts);
  void addGradient(int link, const Eigen::Vector3d& place, const Eigen::Vector3d& normal);
  void findStep(const Pose& from, const Pose& pose);
  void ascend(const LimitedJoints::Step& soFar, const LimitedJoints::Square& square);

  const Figure& figure_;
  LimitedJoints joints_;
  Kinematics now_;
  Eigen::Index rows_ = 0;
  Eigen::MatrixXd gradients_;  ///< a row for each contact
  Eigen::VectorXd excess_, multipliers_, whole_;
  LimitedJoints::Step by_;
};

}  // namespace limber
