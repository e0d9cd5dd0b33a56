// SPDX-License-Identifier: MIT
// Stances are found in a motion and held in it: a person walks on the spot of a made motion, with feet that slide.
#include "limber/scene/held_stances.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/body/body_map.h"
#include "limber/body/leg_placer.h"
#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/standard_figures.h"
#include "support/standing_body.h"

namespace limber::held_stances_test {
namespace {

constexpr double kFrameTime = 1.0 / 60.0;
constexpr int kFrames = 180, kStep = 60;  // frames; of one step
constexpr double kSlide = 0.02;           // metres that a standing foot slides in a step

/// Sinks, bends a knee and lifts that foot in turn, while the hips drift ahead, so that the standing foot slides.
class Stances : public ::testing::Test {
 protected:
  explicit Stances(const test::BodyChoice& choice = {}) : figure_(test::makeStandingBody(choice)) {}

  std::shared_ptr<const Figure> figure_;
  IkProblem problem_ = makeIkProblem(figure_);
  const PoseParts& parts_ = bodyMapOf(*figure_).poseParts();
  std::vector<Sole> soles_ = solesOf(*figure_, parts_);

  Pose poseAt(int frame) {
    const double phase = 2.0 * std::numbers::pi * frame / (2.0 * kStep), lift = std::sin(phase);
    Pose pose = restPose(*figure_);
    const int root = freeLinkFor(problem_, parts_.links.at({BodyPart::Hips, BodySide::Middle}).front());
    const double drift = kSlide * frame / kStep;
    pose.coordinates.segment<3>(figure_->joint(root).poseIndex) += Eigen::Vector3d(0.0, -0.03, drift);
    const Kinematics now = transformsOf(*figure_, pose);
    for (const Sole& sole : soles_) {
      const double rise = std::max(0.0, sole.side == BodySide::Left ? lift : -lift);
      Transform foot = bodyMapOf(*figure_).rest().worldFromLink[sole.foot];
      foot.translation += Eigen::Vector3d(0.0, 0.12 * rise * rise, drift);
      LegPlacer(problem_, parts_, sole).place(worldOfBase(sole, now), foot, {}, pose);
    }
    return pose;
  }
  Transform worldOfBase(const Sole& sole, const Kinematics& now) {
    return now.worldFromLink[LegPlacer(problem_, parts_, sole).base()];
  }
  Frames frames() {
    return {kFrames, kFrameTime, [&](int frame) { return poseAt(frame); }};
  }
  /// The largest distance of a point from its place at the stance's begin.
  double driftOf(const Stance& stance, const std::vector<Pose>& poses) {
    double drift = 0.0;
    std::optional<Eigen::Vector3d> first;
    for (int frame = stance.begin; frame <= stance.end; ++frame) {
      const Kinematics now = transformsOf(*figure_, poses[frame]);
      const Sole& sole = *std::ranges::find(soles_, stance.side, &Sole::side);
      const Eigen::Vector3d place =
          now.worldFromLink[sole.foot] * (stance.point == StancePoint::Heel ? sole.heel : sole.ball);
      drift = std::max(drift, (place - first.value_or(place)).norm());
      if (!first) first = place;
    }
    return drift;
  }
};

TEST_F(Stances, OfBothFeetAreFoundInTurn) {
  const std::vector<Stance> stances = findStances(*figure_, frames());
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    for (const StancePoint point : {StancePoint::Heel, StancePoint::Ball}) {
      std::vector<char> stands(kFrames, 0);
      for (const Stance& stance : stances)
        for (int i = stance.begin; stance.side == side && stance.point == point && i <= stance.end; ++i) stands[i] = 1;
      for (int frame = 0; frame < kFrames; ++frame) {
        const double lift = std::sin(std::numbers::pi * frame / kStep) * (side == BodySide::Left ? 1.0 : -1.0);
        if (lift < -0.1) {
          EXPECT_TRUE(stands[frame]) << frame << " it is on the ground";
        } else if (lift > 0.9) {
          EXPECT_FALSE(stands[frame]) << frame << " it is in the air";
        }
      }
    }
  EXPECT_NEAR(floorOfStances(*figure_, frames(), stances), groundOf(*figure_, parts_), 1e-3);
}

TEST_F(Stances, AreHeldWithinLimitsAboveTheGround) {
  for (const Sole& sole : soles_) {  // ankles that bend by no more than 30 degrees
    BallLimits& limits = problem_.joints[sole.foot].ballLimits;
    limits.swing = std::numbers::pi / 6.0;
    limits.coneAxis = jointRotation(*figure_, restPose(*figure_), sole.foot) * limits.twistAxis;
  }
  const std::vector<Stance> stances = findStances(*figure_, frames());
  ASSERT_FALSE(stances.empty());
  const HeldStances held = holdStances(problem_, frames(), stances);
  ASSERT_EQ(std::ssize(held.poses), kFrames);
  EXPECT_LT(held.largestMiss, 1e-4);
  for (const Stance& stance : stances) EXPECT_LT(driftOf(stance, held.poses), 1e-4) << stance.begin;
  for (const Pose& pose : held.poses) {
    ASSERT_TRUE(isValid(*figure_, pose));
    const Kinematics now = transformsOf(*figure_, pose);
    for (const Sole& sole : soles_) EXPECT_GT(lowestOf(sole, now), groundOf(*figure_, parts_) - 1e-3);
    for (int link = 0; link < figure_->linkCount(); ++link) {
      const Joint& joint = figure_->joint(link);
      if (joint.type != JointType::Ball || !problem_.joints[link].ballLimits.isBounded()) continue;
      EXPECT_LT(BallRange(problem_.joints[link].ballLimits).violation(jointRotation(*figure_, pose, link)), 1e-7);
    }
  }
}

class StancesOfCoupledToes : public Stances {
 protected:
  StancesOfCoupledToes() : Stances({.toesAlike = true}) {}
};

TEST_F(StancesOfCoupledToes, KeepTheCoupling) {
  const Couplings couplings(*figure_, activeCouplings(problem_));
  const int toes = std::ranges::find(soles_, BodySide::Left, &Sole::side)->toes;
  const Eigen::Quaterniond bent(Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitX()));
  const Frames bentToes{kFrames, kFrameTime, [&](int frame) {
                          Pose pose = poseAt(frame);
                          setJointRotation(*figure_, toes, bent, pose);
                          couplings.apply(pose);
                          return pose;
                        }};
  const HeldStances held = holdStances(problem_, bentToes, findStances(*figure_, frames()));
  double turned = 0.0;
  for (const Pose& pose : held.poses) {
    Pose coupled = pose;
    couplings.apply(coupled);
    EXPECT_LT((coupled.coordinates - pose.coordinates).cwiseAbs().maxCoeff(), 1e-12);
    turned = std::max(turned, jointRotation(*figure_, pose, toes).angularDistance(bent));
  }
  EXPECT_GT(turned, 0.1) << "toes are flat while they stand";
}

TEST_F(Stances, OfAMotionWhoseZeroIsAtTheHipsStayOnItsOwnFloor) {
  constexpr double kLower = 0.9;
  const int root = freeLinkFor(problem_, parts_.links.at({BodyPart::Hips, BodySide::Middle}).front());
  const Frames lower{kFrames, kFrameTime, [&](int frame) {
                       Pose pose = poseAt(frame);
                       pose.coordinates[figure_->joint(root).poseIndex + 1] -= kLower;
                       return pose;
                     }};
  const HeldStances held = holdStances(problem_, lower, findStances(*figure_, lower));
  EXPECT_LT(held.largestMiss, 1e-4);
  for (const Pose& pose : held.poses) {
    const Kinematics now = transformsOf(*figure_, pose);
    const double lowest = std::min(lowestOf(soles_[0], now), lowestOf(soles_[1], now));
    EXPECT_NEAR(lowest, groundOf(*figure_, parts_) - kLower, 5e-3);
  }
}

TEST_F(Stances, LeaveTheRestOfTheBodyAsItWas) {
  const HeldStances held = holdStances(problem_, frames(), findStances(*figure_, frames()));
  const int head = parts_.links.at({BodyPart::Head, BodySide::Middle}).front();
  for (int frame = 0; frame < kFrames; ++frame)
    EXPECT_EQ(jointRotation(*figure_, held.poses[frame], head).coeffs(),
              jointRotation(*figure_, poseAt(frame), head).coeffs());
}

TEST_F(Stances, WithoutAnyOnlyFeetBelowTheGroundChange) {
  const HeldStances held = holdStances(problem_, frames(), {});
  for (int frame = 0; frame < kFrames; frame += 7) {
    Eigen::VectorXd step;
    difference(*figure_, poseAt(frame), held.poses[frame], step);
    EXPECT_LT(step.cwiseAbs().maxCoeff(), 1e-3) << frame;
  }
  EXPECT_EQ(held.largestMissFrame, -1);
}

TEST_F(Stances, AreOfFramesOfTheMotionAndOfFeetOfTheFigure) {
  const auto chain = makeBallChain(4);
  const Frames still{3, kFrameTime, [&](int) { return restPose(*chain); }};
  EXPECT_TRUE(findStances(*chain, still).empty());
  const HeldStances kept = holdStances(makeIkProblem(chain), still, {{BodySide::Left, StancePoint::Heel, 0, 2}});
  EXPECT_EQ(kept.poses.front(), restPose(*chain));
  EXPECT_EQ(std::ssize(holdStances(problem_, frames(), {{BodySide::Left, StancePoint::Ball, -5, 100000}}).poses),
            kFrames);
}

TEST_F(Stances, AMotionWhoseFramesTakeNoTimeGivesValidPoses) {
  for (const double frameTime : {0.0, 1e-300, 1e6}) {
    const auto unheld = std::make_shared<Motion>();
    unheld->frameTime = frameTime;
    for (int frame = 0; frame < 20; ++frame) unheld->append(poseAt(frame));
    std::vector<Stance> stances = findStances(*figure_, framesOf(*figure_, *unheld));
    stances.push_back({BodySide::Left, StancePoint::Ball, 3, 9});
    const auto held = withStances(problem_, unheld, stances);
    for (int frame = 0; frame < 20; ++frame) EXPECT_TRUE(isValid(*figure_, held->poseAt(*figure_, frame))) << frameTime;
  }
}

TEST_F(Stances, CanBeChangedAndTakenBack) {
  const auto unheld = std::make_shared<Motion>();
  unheld->frameTime = kFrameTime;
  for (int frame = 0; frame < kFrames; ++frame) unheld->append(poseAt(frame));
  const auto held = withStances(problem_, unheld, findStances(*figure_, frames()));
  EXPECT_EQ(held->unheld, unheld);
  EXPECT_NE(held->poses, unheld->poses);
  const auto shorter = withStances(problem_, held, {held->stances.front()});
  EXPECT_EQ(shorter->unheld, unheld) << "it is made from the motion before any stance was held";
  EXPECT_EQ(withStances(problem_, shorter, {}), unheld);
}

}  // namespace
}  // namespace limber::held_stances_test
