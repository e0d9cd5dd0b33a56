// SPDX-License-Identifier: MIT
#include "limber/objective/regulariser.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"

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
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(3);
    regulariser.addGradient(offset, gradient);
    return gradient;
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
      differences.col(a) =
          (turned.gradientAfter(h * Eigen::Vector3d::Unit(a)) - turned.gradientAfter(-h * Eigen::Vector3d::Unit(a))) /
          (2 * h);
    // Rotations do not commute: differences contain half of the bracket in addition to the symmetric second derivative.
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

/// A ball joint that a matrix pulls, its offset by `angle` about a skew axis.
struct Blocked {
  explicit Blocked(double angle)
      : figure(makeBallChain(2)), regulariser(*figure, restPose(*figure), std::vector<double>(2, 3.0)),
        pose(restPose(*figure)) {
    Eigen::Matrix3d matrix;
    matrix << 5, 1, 4, 1, 40, -12, 4, -12, 300;
    regulariser.setRotationWeight(3, matrix);
    setJointRotation(*figure, 0, exponential(Eigen::Vector3d(0.1, 0.2, -0.4)), pose);
    setJointRotation(*figure, 1, exponential(angle * Eigen::Vector3d(0.48, 0.6, -0.64)), pose);
  }
  double valueAfter(const Eigen::VectorXd& step) const {
    Pose moved;
    Eigen::VectorXd offset;
    integrate(*figure, pose, step, moved);
    return regulariser.evaluate(*figure, moved, offset);
  }
  Eigen::VectorXd gradientAfter(const Eigen::VectorXd& step) const {
    Pose moved;
    Eigen::VectorXd offset, gradient = Eigen::VectorXd::Zero(figure->stepSize());
    integrate(*figure, pose, step, moved);
    regulariser.evaluate(*figure, moved, offset);
    regulariser.addGradient(offset, gradient);
    return gradient;
  }
  std::shared_ptr<const Figure> figure;
  Regulariser regulariser;
  Pose pose;
};

const double kAngles[] = {0.0, 1e-9, 1e-6, 1e-4, 0.1, 0.299999, 0.300001, 1.0, 2.0, 3.0, 3.14};

TEST(Regulariser, GradientOfAMatrixMatchesDifferences) {
  constexpr double h = 1e-5;
  for (const double angle : kAngles) {
    const Blocked blocked(angle);
    const Eigen::VectorXd gradient = blocked.gradientAfter(Eigen::VectorXd::Zero(6));
    for (int c = 0; c < 6; ++c) {
      const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(6, c);
      const double difference = (blocked.valueAfter(step) - blocked.valueAfter(-step)) / (2 * h);
      EXPECT_NEAR(gradient[c], difference, 1e-6 * (1.0 + gradient.norm())) << angle << " coordinate " << c;
    }
  }
}

TEST(Regulariser, HessianOfAMatrixMatchesDifferences) {
  constexpr double h = 1e-5;
  for (const double angle : kAngles) {
    const Blocked blocked(angle);
    Eigen::VectorXd offset;
    blocked.regulariser.evaluate(*blocked.figure, blocked.pose, offset);
    const Eigen::Matrix3d hessian = blocked.regulariser.rotationHessian(offset, 3);
    Eigen::Matrix3d differences;
    for (int a = 0; a < 3; ++a) {
      const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(6, 3 + a);
      differences.col(a) = (blocked.gradientAfter(step) - blocked.gradientAfter(-step)).tail<3>() / (2 * h);
    }
    const Eigen::Matrix3d symmetric = 0.5 * (differences + differences.transpose());
    EXPECT_LT((hessian - symmetric).norm(), 1e-7 * (1.0 + hessian.norm())) << angle;
  }
}

TEST(Regulariser, AMatrixThatIsANumberIsThatNumber) {
  const Blocked blocked(1.3);
  Regulariser number(*blocked.figure, restPose(*blocked.figure), std::vector<double>(2, 3.0)), matrix = number;
  matrix.setRotationWeight(3, 3.0 * Eigen::Matrix3d::Identity());
  Eigen::VectorXd offset, gradient = Eigen::VectorXd::Zero(6), ofMatrix = gradient;
  EXPECT_NEAR(number.evaluate(*blocked.figure, blocked.pose, offset),
              matrix.evaluate(*blocked.figure, blocked.pose, offset), 1e-14);
  number.addGradient(offset, gradient);
  matrix.addGradient(offset, ofMatrix);
  EXPECT_LT((gradient - ofMatrix).norm(), 1e-14);
  EXPECT_LT((number.rotationHessian(offset, 3) - matrix.rotationHessian(offset, 3)).norm(), 1e-13);
}

TEST(Regulariser, TakesNoRigiditiesForNoneAndRefusesAWrongNumber) {
  const auto figure = makePlanarChain(3);
  const Pose rest = restPose(*figure);
  const Regulariser free(*figure, rest, 2.0, {});
  EXPECT_TRUE(free.weights() == Eigen::VectorXd::Constant(figure->stepSize(), 2.0));
  EXPECT_THROW(Regulariser(*figure, rest, 2.0, std::vector<double>(2)), std::invalid_argument);
  EXPECT_THROW(Regulariser(*figure, rest, std::vector<double>(4)), std::invalid_argument);
}

}  // namespace
}  // namespace limber::regulariser_test
