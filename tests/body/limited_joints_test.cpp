// SPDX-License-Identifier: MIT
// Steps of joints within their limits: derivatives against central differences, and limits that hold.
#include "limber/body/limited_joints.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>
#include <random>

#include "limber/kinematics/forward_kinematics.h"
#include "support/awkward_figure.h"

namespace limber::limited_joints_test {
namespace {

std::vector<int> allLinks(const Figure& figure) {
  std::vector<int> links(static_cast<std::size_t>(figure.linkCount()));
  std::iota(links.begin(), links.end(), 0);
  return links;
}

/// The awkward figure without limits and couplings, so that each coordinate moves alone.
IkProblem freeProblem() {
  IkProblem problem = makeIkProblem(test::makeAwkwardFigure());
  std::ranges::fill(problem.couplingEnabled, 0);
  for (JointSettings& joint : problem.joints) {
    joint.limits = {};
    joint.ballLimits = {};
    joint.locked = false;
  }
  return problem;
}

TEST(LimitedJoints, AxesAreTheDerivativesOfPlaces) {
  const IkProblem problem = freeProblem();
  const Figure& figure = *problem.figure;
  const LimitedJoints joints(problem, allLinks(figure));
  ASSERT_FALSE(joints.coordinates().empty());
  std::mt19937 random(7);
  constexpr double kStep = 1e-6;
  for (int trial = 0; trial < 5; ++trial) {
    const Pose pose = test::randomPose(figure, random);
    const Kinematics now = transformsOf(figure, pose);
    for (std::size_t k = 0; k < joints.coordinates().size(); ++k) {
      const LimitedJoints::Coordinate& coordinate = joints.coordinates()[k];
      const int joint = joints.links()[coordinate.entry];
      LimitedJoints::Step step = LimitedJoints::Step::Zero(std::ssize(joints.coordinates()));
      step[static_cast<Eigen::Index>(k)] = kStep;
      const Kinematics ahead = transformsOf(figure, joints.moved(pose, step)),
                       behind = transformsOf(figure, joints.moved(pose, -step));
      const Transform& fromJoint = now.worldFromLink[joint];
      for (int link = 0; link < figure.linkCount(); ++link) {
        const Eigen::Vector3d point(0.3, -0.2, 0.5);
        const Eigen::Vector3d moved =
            (ahead.worldFromLink[link] * point - behind.worldFromLink[link] * point) / (2.0 * kStep);
        Eigen::Vector3d expected = Eigen::Vector3d::Zero();
        if (figure.isAncestorOrSelf(joint, link))
          expected =
              joints.axisOf(coordinate, fromJoint).cross(now.worldFromLink[link] * point - fromJoint.translation);
        EXPECT_LT((moved - expected).norm(), 1e-7 * (1.0 + expected.norm())) << "coordinate " << k << ", link " << link;
      }
    }
  }
}

TEST(LimitedJoints, AStepPastALimitIsHeldAndNeverTaken) {
  IkProblem problem = freeProblem();
  const Figure& figure = *problem.figure;
  for (JointSettings& joint : problem.joints) {
    joint.limits = {-0.4, 0.3};
    joint.ballLimits = {Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitX(), 0.5, {-0.2, 0.2}};
  }
  const LimitedJoints joints(problem, allLinks(figure));
  const auto count = std::ssize(joints.coordinates());
  std::mt19937 random(11);
  std::uniform_real_distribution<double> by(-2.0, 2.0);
  Pose pose = joints.moved(restPose(figure), LimitedJoints::Step::Zero(count));
  for (int trial = 0; trial < 50; ++trial) {
    LimitedJoints::Step step(count);
    for (Eigen::Index k = 0; k < count; ++k) step[k] = by(random);
    pose = joints.moved(pose, step);
    for (const LimitedJoints::Coordinate& coordinate : joints.coordinates()) {
      const int link = joints.links()[coordinate.entry];
      if (coordinate.axis >= 0) {
        EXPECT_LT(joints.rangeOf(coordinate.entry).violation(jointRotation(figure, pose, link)), 1e-9);
        continue;
      }
      const double angle = pose.coordinates[figure.joint(link).poseIndex];
      EXPECT_TRUE(angle >= -0.4 && angle <= 0.3) << angle;
    }
    // The minimum of a quadratic function whose coordinates at limits are held goes no farther past them.
    LimitedJoints::Square square = LimitedJoints::Square::Identity(count, count);
    LimitedJoints::Step minimum = step;
    for (int round = 0; round < 8 && joints.holdLimits(minimum, pose, 1e9, square); ++round)
      minimum = square.ldlt().solve(step);
    EXPECT_FALSE(joints.holdLimits(minimum, pose, 1e9, square));
  }
}

}  // namespace
}  // namespace limber::limited_joints_test
