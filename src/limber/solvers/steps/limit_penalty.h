// SPDX-License-Identifier: MIT
// Limits as springs: the second sum of equation 16 of Yenamandra et al., Convex Optimisation for Inverse Kinematics
// (2019):
//
//   penalty(q) = stiffness * sum over limits of distance(q, limit)^2
//
// The paper's limits are intervals of angles; here also those of lengths (in mean link lengths), of cones and twists
// (the angle outside), of linear limits (along their unit normal), and of followers, through their drivers.
#pragma once

#include "limber/objective/objective.h"

namespace limber {

/// Memory is reused for further objectives: a warm solve allocates nothing.
class LimitPenalty {
 public:
  /// The objective must outlive its use. stiffness: f per squared radian.
  void reset(const Objective& objective, double stiffness);

  double value(const Pose& pose) const;
  /// gradient (active x 1) += that of the penalty. Later calls of addCurvature() use the curvature at this pose.
  void addGradient(const Pose& pose, Eigen::VectorXd& gradient);
  /// out += H v, both (active x 1): 2 stiffness n n' summed over the violated limits with their normals n. This is the
  /// Hessian for intervals and linear limits; the second derivatives of cones, twists and couplings are left out.
  void addCurvature(const Eigen::VectorXd& v, Eigen::VectorXd& out) const;

 private:
  /// A violated limit, with the nonzero entries of its normal.
  struct Spring {
    double stiffness = 0.0;
    std::size_t first = 0, end = 0;  ///< range of entries_
  };
  struct Entry {
    int active = 0;
    double value = 0.0;
  };
  struct Reach {
    double distance = 0.0;   ///< positive outside; of equations of either sign; 0 if the limit is not violated
    double perNormal = 0.0;  ///< d distance / d (step along the unit normal)
  };
  Reach reachOf(const Pose& pose, int limit) const;
  bool isAcrossHinge(int limit) const;
  double weightOf(int limit) const;

  const Objective* objective_ = nullptr;
  const FeasibleSet* set_ = nullptr;
  double stiffness_ = 0.0;
  std::vector<Spring> springs_;  ///< violated limits at the pose of the last addGradient()
  std::vector<Entry> entries_;
  Eigen::VectorXd normal_;  ///< scratch
};

/// Converts lambda of equation 16, where a goal's squared distance has the weight 1, to an objective whose goals have
/// weight / 2: lambda / 2 times the largest weight.
double springStiffness(const Objective& objective, double lambda);

}  // namespace limber
