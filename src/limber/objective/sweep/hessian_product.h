// SPDX-License-Identifier: MIT
// H v without H, in time linear in the figure and its goals, for solvers that use the Hessian only in products.
//
// With V_j the twist that v gives to the coordinates above coordinate j, U_j = S_j v_j its own, W_l the twist of link
// l, m_l the inertia of the goals on it, and g_j the sum of the wrenches of coordinate j and those below:
//
//   root to leaf   W_l = sum of U on the way to l
//   leaf to root   F_j = sum of m_l W_l over the links that j moves  +  1/2 sum of U_i x* g_i over those below j
//                  (H v)_j = S_j . (F_j - 1/2 V_j x* g_j)
//
// The axes of one rotation turn simultaneously: none is above another. A goal with several links has forces on each of
// them. Regularisers add their own blocks. Followers move with their drivers and count for them: C'HC v + sum p'' g v.
#pragma once

#include "limber/objective/objective.h"

namespace limber {

class HessianProduct {
 public:
  /// Prepares products with the Hessian of f at an evaluation whose gradient has been computed. Keeps references to
  /// both. Allocates nothing once sized.
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
  /// Two links of a goal with mixed second derivatives, in this order.
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
  std::vector<Part> parts_;  ///< by goal, then by link of the goal
  std::vector<Cross> crosses_;
  std::vector<Matrix6d> stays_;             ///< by body of the stay term
  std::vector<Residual> changes_;           ///< by goal: weight J v
  std::vector<Eigen::Matrix3d> rotations_;  ///< by rotation, in the order of the joints: regularisers' Hessian
  std::vector<Vector6d> motions_, forces_;  ///< by link: W, F
  Eigen::VectorXd full_, product_;          ///< (stepSize x 1): v with followers, H v before folding
};

}  // namespace limber
