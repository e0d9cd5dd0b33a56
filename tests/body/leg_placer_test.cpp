// SPDX-License-Identifier: MIT
// A leg that is nearly straight has no clear plane of bending: the knee must not jump where the motion straightens it.
#include "limber/body/leg_placer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "limber/body/body_map.h"
#include "support/standing_body.h"

namespace limber::leg_placer_test {
namespace {

constexpr double kFirstBend = 0.06, kLastBend = 0.005, kStep = 0.0025;  // radians
constexpr double kTilt = 0.25;  // radians: of the axis of the motion's knee from the body's left

class NearlyStraightLeg : public ::testing::Test {
 protected:
  int linkOf(BodyPart part) const { return parts_.links.at({part, BodySide::Left}).back(); }

  /// The body at rest with a knee that is bent about a tilted axis.
  Pose bentBy(double bend) const {
    const Eigen::Vector3d axis =
        parts_.worldFromBody * Eigen::Vector3d(std::cos(kTilt), 0.0, std::sin(kTilt));  // knees turn outward
    const int shank = linkOf(BodyPart::LowerLeg);
    const Eigen::Matrix3d& rotation = bodyMapOf(*figure_).rest().worldFromLink[shank].rotation;
    Pose pose = restPose(*figure_);
    const Eigen::Quaterniond by(Eigen::AngleAxisd(bend, rotation.transpose() * axis));
    setJointRotation(*figure_, shank, jointRotation(*figure_, pose, shank) * by, pose);
    return pose;
  }

  /// Where the knee is if the foot of a pose is placed at `wanted`.
  Eigen::Vector3d kneeOf(Pose pose, const Transform& wanted) {
    placer_.place(bodyMapOf(*figure_).rest().worldFromLink[placer_.base()], wanted, {}, pose);
    EXPECT_LT((placer_.worldFromFoot().translation - wanted.translation).norm(), 1e-6);
    return transformsOf(*figure_, pose).worldFromLink[linkOf(BodyPart::LowerLeg)].translation;
  }

  std::shared_ptr<const Figure> figure_ = test::makeStandingBody();
  IkProblem problem_ = makeIkProblem(figure_);
  const PoseParts& parts_ = bodyMapOf(*figure_).poseParts();
  std::vector<Sole> soles_ = solesOf(*figure_, parts_);
  LegPlacer placer_{problem_, parts_, *std::ranges::find(soles_, BodySide::Left, &Sole::side)};
};

TEST_F(NearlyStraightLeg, KeepsItsKneeWhereTheMotionStraightensIt) {
  const Transform wanted = transformsOf(*figure_, bentBy(kFirstBend)).worldFromLink[linkOf(BodyPart::Foot)];
  const Eigen::Vector3d first = kneeOf(bentBy(kFirstBend), wanted);
  Eigen::Vector3d before = first;
  for (double bend = kFirstBend - kStep; bend > kLastBend; bend -= kStep) {
    const Eigen::Vector3d knee = kneeOf(bentBy(bend), wanted);
    EXPECT_LT((knee - before).norm(), 1e-3) << bend << " rad: a jump";
    EXPECT_LT((knee - first).norm(), 4e-3) << bend << " rad";
    before = knee;
  }
}

TEST_F(NearlyStraightLeg, BendsAboutTheBodysLeftIfTheMotionDoesNotBendIt) {
  const Transform wanted = transformsOf(*figure_, bentBy(kFirstBend)).worldFromLink[linkOf(BodyPart::Foot)];
  const Eigen::Vector3d knee = kneeOf(restPose(*figure_), wanted);
  const Eigen::Vector3d hip = bodyMapOf(*figure_).jointAtRest(linkOf(BodyPart::UpperLeg));
  const Eigen::Vector3d leg = (wanted.translation - hip).normalized(), out = knee - hip;
  EXPECT_GT((out - out.dot(leg) * leg).dot(parts_.worldFromBody.col(2)), 0.01) << "forward";
}

}  // namespace
}  // namespace limber::leg_placer_test
