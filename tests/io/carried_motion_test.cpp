// SPDX-License-Identifier: MIT
// Motions of one body put onto another: feet keep their places, and the skeleton's zero pose does not matter.
#include "limber/io/carried_motion.h"

#include <gtest/gtest.h>

#include <numbers>

#include "limber/body/body_map.h"
#include "limber/io/human.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/motion_file.h"
#include "limber/io/open.h"
#include "limber/scene/held_stances.h"
#include "results.h"
#include "support/standing_body.h"
#include "support/temporary_folder.h"

namespace limber::io::carried_motion_test {
namespace {

using CarriedMotion = test::TemporaryFolder;

/// A body on the floor that steps to its left with one foot, then draws the other one near.
std::shared_ptr<const Motion> steps(const Figure& figure) {
  const PoseParts& parts = bodyMapOf(figure).poseParts();
  auto motion = std::make_shared<Motion>();
  motion->frameTime = 1.0 / 60.0;
  for (int frame = 0; frame < 120; ++frame) {
    Pose pose = restPose(figure);
    const double phase = std::numbers::pi * frame / 60.0, part = 0.5 - 0.5 * std::cos(phase);
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
      const double out = side == BodySide::Left ? std::max(0.0, std::sin(phase)) : std::max(0.0, -std::sin(phase));
      for (const auto& [part2, sign] : {std::pair{BodyPart::UpperLeg, -1.0}, std::pair{BodyPart::LowerLeg, 2.0}}) {
        const int link = parts.links.at({part2, side}).front();
        const Eigen::Vector3d across = parts.linkFromStraight[link].col(0);
        setJointRotation(
            figure, link,
            jointRotation(figure, pose, link) * Eigen::Quaterniond(Eigen::AngleAxisd(0.5 * sign * out, across)), pose);
      }
    }
    const int root = parts.links.at({BodyPart::Hips, BodySide::Middle}).front();
    pose.coordinates.segment<3>(figure.joint(root).poseIndex).x() += 0.02 * part;
    motion->append(pose);
  }
  return motion;
}

TEST_F(CarriedMotion, KeepsTheStancesOfFeet) {
  const auto figure = test::makeStandingBody();
  const IkProblem human = makeIkProblem(test::valueOf(makeHuman({})));
  const auto motion = steps(*figure);
  const std::vector<Stance> stances = findStances(*figure, framesOf(*figure, *motion));
  ASSERT_FALSE(stances.empty());
  const auto carried = MotionCarrier(*figure, human)(*motion);
  EXPECT_EQ(carried->stances, stances);
  ASSERT_TRUE(carried->unheld);
  const PoseParts& parts = bodyMapOf(*human.figure).poseParts();
  for (const Sole& sole : solesOf(*human.figure, parts))
    for (const Stance& stance : stances) {
      if (stance.side != sole.side) continue;
      const auto placeAt = [&](int frame) {
        const Kinematics now = transformsOf(*human.figure, carried->poseAt(*human.figure, frame));
        return Eigen::Vector3d(now.worldFromLink[sole.foot] *
                               (stance.point == StancePoint::Heel ? sole.heel : sole.ball));
      };
      for (int frame = stance.begin; frame <= stance.end; ++frame)
        EXPECT_LT((placeAt(frame) - placeAt(stance.begin)).norm(), 1e-3) << frame;
    }
  EXPECT_TRUE(MotionCarrier(*figure, human, false)(*motion)->stances.empty());
}

TEST_F(CarriedMotion, StancesAreSavedWithTheScene) {
  const auto figure = test::makeStandingBody();
  Document document = makeDocument(test::valueOf(makeHuman({})));
  setMotion(document, MotionCarrier(*figure, document)(*steps(*figure)));
  const auto path = write("a.limber", test::valueOf(formatScene(document)));
  const Document back = test::valueOf(openAny(path.string())).document;
  ASSERT_TRUE(back.motion && back.motion->unheld);
  EXPECT_EQ(back.motion->stances, document.motion->stances);
  EXPECT_EQ(back.motion->poses, document.motion->poses);
  EXPECT_EQ(back.motion->unheld->poses, document.motion->unheld->poses);
}

/// A skeleton all of whose bones lie along x when nothing is turned, in a pose that stands.
constexpr const char* kBonesAlongX = R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT LeftUpLeg { OFFSET 0 0 10 CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT LeftLeg { OFFSET 43 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
      JOINT LeftFoot { OFFSET 42 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
        End Site { OFFSET 17 0 0 } } } }
  JOINT RightUpLeg { OFFSET 0 0 -10 CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT RightLeg { OFFSET 43 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
      JOINT RightFoot { OFFSET 42 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
        End Site { OFFSET 17 0 0 } } } }
  JOINT Spine { OFFSET 10 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT Spine1 { OFFSET 30 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
      JOINT Neck { OFFSET 15 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
        JOINT Head { OFFSET 10 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
          End Site { OFFSET 15 0 0 } } }
      JOINT LeftArm { OFFSET 10 0 15 CHANNELS 3 Zrotation Yrotation Xrotation
        JOINT LeftForeArm { OFFSET 28 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
          JOINT LeftHand { OFFSET 25 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
            End Site { OFFSET 10 0 0 } } } }
      JOINT RightArm { OFFSET 10 0 -15 CHANNELS 3 Zrotation Yrotation Xrotation
        JOINT RightForeArm { OFFSET 28 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
          JOINT RightHand { OFFSET 25 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
            End Site { OFFSET 10 0 0 } } } } } }
}
MOTION
Frames: 2
Frame Time: 0.033
)";

/// Hips upright; thighs turned down, feet ahead, arms down.
std::string standingBvh() {
  std::string row = "0 85 0 90 0 0 ";
  for (int side = 0; side < 2; ++side) row += "180 0 0 0 0 0 90 0 0 ";  // thigh, shank, foot
  row += "0 0 0 0 0 0 0 0 0 0 0 0 ";                                    // spine to head
  for (int side = 0; side < 2; ++side) row += "180 0 0 0 0 0 0 0 0 ";
  return std::string(kBonesAlongX) + row + "\n" + row + "\n";
}

TEST_F(CarriedMotion, ASkeletonWhoseBonesLieAlongOneAxisStands) {
  const auto path = write("along_x.bvh", standingBvh());
  const Document skeleton = test::valueOf(openAny(path.string())).document;
  const auto headAbove = [](const Figure& figure, const Pose& pose) {
    const Kinematics now = transformsOf(figure, pose);
    const BodyMap& body = bodyMapOf(figure);
    const Eigen::Vector3d head = now.worldFromLink[body.find(BodyPart::Head, BodySide::Middle)].translation,
                          foot = now.worldFromLink[body.find(BodyPart::Foot, BodySide::Left)].translation;
    return Eigen::Vector3d(head - foot).normalized().y();
  };
  EXPECT_GT(headAbove(*skeleton.figure, restPose(*skeleton.figure)), 0.95) << "its rest pose is a T-pose";
  Document human = makeDocument(test::valueOf(makeHuman({})));
  setMotion(human, test::valueOf(readMotionFor(human, path)));
  EXPECT_GT(headAbove(*human.figure, human.motion->poseAt(*human.figure, 1)), 0.95);
}

}  // namespace
}  // namespace limber::io::carried_motion_test
