// SPDX-License-Identifier: MIT
#include "objective/regulariser.h"

#include <gtest/gtest.h>

#include "kinematics/standard_figures.h"

namespace limber::regulariser_test {
namespace {

/// Reference and pose of one ball joint, turned against each other by `angle` about a skew axis.
struct Turned {
  explicit Turned(double angle)
      : figure(makeBallChain(1)), reference(restPose(*figure)), pose(reference),
        regulariser(*figure, reference, 2.0, std::vector<double>(1, 0.3)) {
    setJointRotation(*figure, 0, exponential(angle * Eigen::Vector3d(0.48, 0.6, -0.64)), pose);
  }
  Eigen::Vector3d gradientAfter(const Eigen::Vector3d& step) const {
    Pose moved;
    Eigen::VectorXd offset;
    integrate(*figure, pose, step, moved);
    regulariser.evaluate(*figure, moved, offset);
    return {regulariser.gradient(offset, 0), regulariser.gradient(offset, 1), regulariser.gradient(offset, 2)};
  }
  std::shared_ptr<const Figure> figure;
  Pose reference, pose;
  Regulariser regulariser;
};

TEST(Regulariser, HessianOfABallMatchesDifferencesUpToTheCutAtPi) {
  constexpr double h = 1e-5;
  for (const double angle : {0.0, 1e-6, 1e-4, 0.5, 2.0, 3.0, 3.14}) {
    const Turned turned(angle);
    Eigen::VectorXd offset;
    turned.regulariser.evaluate(*turned.figure, turned.pose, offset);
    const Eigen::Matrix3d hessian = turned.regulariser.rotationHessian(offset, 0);
    Eigen::Matrix3d differences;  // of the gradient of f(q exp(s)) with respect to further turns
    for (int a = 0; a < 3; ++a)
      differences.col(a) = (turned.gradientAfter(h * Eigen::Vector3d::Unit(a)) -
                            turned.gradientAfter(-h * Eigen::Vector3d::Unit(a))) /
                           (2 * h);
    // Turns do not commute: differences hold a half of the bracket beside the symmetric second derivative.
    const Eigen::Matrix3d symmetric = 0.5 * (differences + differences.transpose());
    EXPECT_LT((hessian - symmetric).norm(), 1e-7 * (1.0 + hessian.norm())) << angle;
    EXPECT_TRUE(hessian.isApprox(hessian.transpose()));
  }
}

TEST(Regulariser, BeyondPiThePullTurnsRound) {
  const Turned before(3.141), beyond(3.142);
  EXPECT_LT(before.gradientAfter(Eigen::Vector3d::Zero()).dot(beyond.gradientAfter(Eigen::Vector3d::Zero())), 0.0);
  Eigen::VectorXd offset;
  EXPECT_NEAR(before.regulariser.evaluate(*before.figure, before.pose, offset),
              beyond.regulariser.evaluate(*beyond.figure, beyond.pose, offset), 0.02);
}

}  // namespace
}  // namespace limber::regulariser_test
