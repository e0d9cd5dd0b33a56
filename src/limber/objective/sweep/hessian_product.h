// SPDX-License-Identifier: MIT
// H v without H, in time linear in the figure and its goals: for methods that know curvature by products alone.
//
// With V_j the twist that v gives to what stands above coordinate j, U_j = S_j v_j its own, W_l the whole twist of link
// l, m_l the inertia of the goals there, g_j the sum of the wrenches at and below:
//
//   root to leaf   W_l = sum of U on the way to l
//   leaf to root   F_j = sum of m_l W_l of the links at and below j  +  1/2 sum of U_i x* g_i of the coordinates below
//   j
//                  (H v)_j = S_j . (F_j - 1/2 V_j x* g_j)
//
// The axes of one rotation turn at once: none is above another. A goal of several links puts its forces on each of
// them. Regularisers add their own blocks; followers move with their drivers and count for them: C'HC v + sum p'' g v.
#pragma once

#include "limber/objective/objective.h"

namespace limber {

class HessianProduct {
 public:
  /// Takes what the products need at an evaluation whose gradient has been computed; keeps both by reference. H is that
  /// of f itself. No allocation when warm.
  void prepare(const Objective& objective, const Evaluation& evaluation);

  /// out (active x 1) = H v.
  void apply(const Eigen::VectorXd& v, Eigen::VectorXd& out);

 private:
  /// One link of a goal.
  struct Part {
    int goal = 0, which = 0, link = 0;
    TwistJacobian jacobian;
    Matrix6d curvature;
  };
  /// Two links of a goal that crosses links, in this order.
  struct Cross {
    int link = 0, other = 0;
    Matrix6d curvature;
  };

  void prepareGoals();
  void spread(const Eigen::VectorXd& v);
  void sumMotions();
  void loadGoals();
  void gatherLink(int link);
  void addTwists(int first, int end, const Vector6d& above, const Vector6d& wrench, Vector6d& force);
  void addRegularisers();
  void fold(const Eigen::VectorXd& v, Eigen::VectorXd& out) const;

  const Objective* objective_ = nullptr;
  const Evaluation* evaluation_ = nullptr;
  std::vector<Part> parts_;                 ///< by goal, then by link of the goal
  std::vector<Cross> crosses_;
  std::vector<Matrix6d> stays_;             ///< one a body of the stay term
  std::vector<Residual> changes_;           ///< one a goal: weight J v
  std::vector<Eigen::Matrix3d> rotations_;  ///< one a rotation: what regularisers add, in order of the joints
  std::vector<Vector6d> motions_, forces_;  ///< one a link: W, F
  Eigen::VectorXd full_, product_;          ///< (stepSize x 1): v with the followers, H v before they are folded
};

}  // namespace limber
