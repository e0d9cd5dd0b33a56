// SPDX-License-Identifier: MIT
// Jerks of arms, head and legs are reduced to a bound, within limits, and nothing else changes.
#include "limber/scene/accelerations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/body/body_map.h"
#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/standard_figures.h"
#include "support/standing_body.h"

namespace limber::accelerations_test {
namespace {

constexpr double kFrameTime = 1.0 / 60.0;
constexpr int kFrames = 120, kJerk = 60;

/// Swings an arm, with one frame in which it is elsewhere.
class AJerkedArm : public ::testing::Test {
 protected:
  AJerkedArm() {
    for (int frame = 0; frame < kFrames; ++frame) poses_.push_back(swungBy(angleAt(frame)));
    smooth_ = accelerationsOf(poses_);
    poses_[kJerk] = swungBy(angleAt(kJerk) + 0.1);
  }
  static double angleAt(int frame) { return 0.6 * std::sin(2.0 * std::numbers::pi * frame / kFrames); }
  Pose swungBy(double angle) const {
    Pose pose = restPose(*figure_);
    const Eigen::Quaterniond by(Eigen::AngleAxisd(angle, Eigen::Vector3d(0.3, 1.0, -0.2).normalized()));
    setJointRotation(*figure_, upperArm_, jointRotation(*figure_, pose, upperArm_) * by, pose);
    return pose;
  }
  Accelerations accelerationsOf(const std::vector<Pose>& poses) const {
    return largestAccelerations(*figure_, {kFrames, kFrameTime, [&](int frame) { return poses[frame]; }});
  }

  std::shared_ptr<const Figure> figure_ = test::makeStandingBody();
  IkProblem problem_ = makeIkProblem(figure_);
  const PoseParts& parts_ = bodyMapOf(*figure_).poseParts();
  const int upperArm_ = parts_.links.at({BodyPart::UpperArm, BodySide::Left}).front();
  std::vector<Pose> poses_;
  Accelerations smooth_;
};

TEST_F(AJerkedArm, IsCalmedToTheBoundAndOnlyAroundTheJerk) {
  const std::vector<Pose> before = poses_;
  const Accelerations most = smooth_ * 1.2;
  ASSERT_GT(accelerationsOf(before).places, 10.0 * most.places);
  const std::vector<char> isChanged = limitAccelerations(problem_, kFrameTime, most, CalmedParts::Arms, poses_);
  const Accelerations after = accelerationsOf(poses_);
  EXPECT_LT(after.places, 1.01 * std::max(most.places, 1.0));
  EXPECT_LT(after.turns, 1.01 * std::max(most.turns, 20.0));
  EXPECT_TRUE(isChanged[kJerk]);
  for (int frame = 0; frame < kFrames; ++frame) {
    EXPECT_EQ(isChanged[frame] == 0, poses_[frame] == before[frame]) << frame;
    EXPECT_TRUE(isChanged[frame] == 0 || std::abs(frame - kJerk) < 20) << frame;
    EXPECT_TRUE(isValid(*figure_, poses_[frame]));
    EXPECT_LT(jointRotation(*figure_, poses_[frame], upperArm_)
                  .angularDistance(jointRotation(*figure_, swungBy(angleAt(frame)), upperArm_)),
              0.11)
        << frame;
  }
}

TEST_F(AJerkedArm, StaysWithinLimits) {
  BallLimits& limits = problem_.joints[upperArm_].ballLimits;
  limits.coneAxis = jointRotation(*figure_, restPose(*figure_), upperArm_) * limits.twistAxis;
  limits.swing = 0.55;
  const BallRange range(limits);
  for (Pose& pose : poses_)  // a clamp with a corner
    setJointRotation(*figure_, upperArm_, range.clamp(jointRotation(*figure_, pose, upperArm_)), pose);
  const Accelerations most = smooth_ * 1.2;
  limitAccelerations(problem_, kFrameTime, most, CalmedParts::All, poses_);
  for (const Pose& pose : poses_) EXPECT_LT(range.violation(jointRotation(*figure_, pose, upperArm_)), 1e-7);
  EXPECT_LT(accelerationsOf(poses_).places, 1.01 * std::max(most.places, 1.0));
}

TEST_F(AJerkedArm, IsKeptWithinTheBound) {
  std::vector<Pose> poses = poses_;
  const std::vector<char> isChanged =
      limitAccelerations(problem_, kFrameTime, accelerationsOf(poses), CalmedParts::All, poses);
  EXPECT_EQ(std::count(isChanged.begin(), isChanged.end(), 1), 0);
  EXPECT_EQ(poses, poses_);
}

TEST(AccelerationsOfOthers, AreNone) {
  const auto chain = makeBallChain(4);
  std::vector<Pose> poses(5, restPose(*chain));
  setJointRotation(*chain, 1, exponential({0.5, 0.0, 0.0}), poses[2]);
  const std::vector<Pose> before = poses;
  EXPECT_EQ(largestAccelerations(*chain, {5, kFrameTime, [&](int frame) { return poses[frame]; }}).places, 0.0);
  limitAccelerations(makeIkProblem(chain), kFrameTime, {}, CalmedParts::All, poses);
  EXPECT_EQ(poses, before);
  std::vector<Pose> none;
  EXPECT_TRUE(
      limitAccelerations(makeIkProblem(test::makeStandingBody()), kFrameTime, {}, CalmedParts::All, none).empty());
}

}  // namespace
}  // namespace limber::accelerations_test
