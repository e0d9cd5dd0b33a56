// SPDX-License-Identifier: MIT
#include "limber/body/body_map.h"

#include <gtest/gtest.h>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/document.h"
#include "support/built_figure.h"

namespace limber::anatomy_test {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

struct Bone {
  const char* name;
  const char* parent;
  Eigen::Vector3d place;  ///< world, metres; arms stretched out, facing +z
};

using Bones = std::vector<Bone>;

const Bones kMixamo = {{"mixamorig:Hips", "", {0, 1, 0}},
                       {"mixamorig:Spine", "mixamorig:Hips", {0, 1.1, 0}},
                       {"mixamorig:Neck", "mixamorig:Spine", {0, 1.5, 0}},
                       {"mixamorig:Head", "mixamorig:Neck", {0, 1.6, 0}},
                       {"mixamorig:LeftShoulder", "mixamorig:Spine", {0.05, 1.4, 0}},
                       {"mixamorig:LeftArm", "mixamorig:LeftShoulder", {0.2, 1.4, 0}},
                       {"mixamorig:LeftForeArm", "mixamorig:LeftArm", {0.5, 1.4, 0}},
                       {"mixamorig:LeftHand", "mixamorig:LeftForeArm", {0.75, 1.4, 0}},
                       {"mixamorig:RightShoulder", "mixamorig:Spine", {-0.05, 1.4, 0}},
                       {"mixamorig:RightArm", "mixamorig:RightShoulder", {-0.2, 1.4, 0}},
                       {"mixamorig:RightForeArm", "mixamorig:RightArm", {-0.5, 1.4, 0}},
                       {"mixamorig:RightHand", "mixamorig:RightForeArm", {-0.75, 1.4, 0}},
                       {"mixamorig:LeftUpLeg", "mixamorig:Hips", {0.1, 0.9, 0}},
                       {"mixamorig:LeftLeg", "mixamorig:LeftUpLeg", {0.1, 0.5, 0}},
                       {"mixamorig:LeftFoot", "mixamorig:LeftLeg", {0.1, 0.08, 0}},
                       {"mixamorig:LeftToeBase", "mixamorig:LeftFoot", {0.1, 0, 0.15}},
                       {"mixamorig:RightUpLeg", "mixamorig:Hips", {-0.1, 0.9, 0}},
                       {"mixamorig:RightLeg", "mixamorig:RightUpLeg", {-0.1, 0.5, 0}},
                       {"mixamorig:RightFoot", "mixamorig:RightLeg", {-0.1, 0.08, 0}},
                       {"mixamorig:RightToeBase", "mixamorig:RightFoot", {-0.1, 0, 0.15}}};

/// A figure whose frames have various rotations, like those of exporters; the rest pose has zero angles.
std::shared_ptr<const Figure> makeBody(const Bones& bones) {
  FigureBuilder builder("body");
  std::vector<Transform> worldFromLink;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    Transform place;
    place.translation = bones[i].place;
    place.rotation =
        Eigen::AngleAxisd(0.7 * static_cast<double>(i), Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
    int parent = -1;
    for (std::size_t k = 0; k < i; ++k)
      if (std::string(bones[k].name) == bones[i].parent) parent = static_cast<int>(k);
    const Transform parentFromJoint = parent < 0 ? place : worldFromLink[parent].inverse() * place;
    builder.addLink({.name = bones[i].name, .parent = parent},
                    {.type = parent < 0 ? JointType::Free : JointType::Ball, .parentFromJoint = parentFromJoint});
    worldFromLink.push_back(place);
  }
  return test::built(builder);
}

std::vector<std::string> namesOf(const Figure& figure) {
  std::vector<std::string> names;
  for (const Link& link : figure.links()) names.push_back(link.name);
  return names;
}

/// The violation of a joint's limits when its link is turned from rest about an axis of the world.
double violation(const Document& document, const std::string& link, const Eigen::Vector3d& axis, double degrees) {
  const Figure& figure = *document.figure;
  const Kinematics rest = transformsOf(figure, restPose(figure));
  const int joint = figure.findLink(link);
  const Eigen::Vector3d axisInLink = rest.worldFromLink.at(joint).rotation.transpose() * axis;
  const Eigen::Quaterniond turned = jointRotation(figure, restPose(figure), joint) *
                                    Eigen::Quaterniond(Eigen::AngleAxisd(degrees * kDegree, axisInLink));
  return BallRange(document.joints.at(joint).ballLimits).violation(turned);
}

Document limited() {
  Document document = makeDocument(makeBody(kMixamo));
  EXPECT_EQ(applyAnatomicalLimits(document), 19);
  return document;
}

const Eigen::Vector3d kX = Eigen::Vector3d::UnitX(), kY = Eigen::Vector3d::UnitY(), kZ = Eigen::Vector3d::UnitZ();

TEST(Anatomy, BonesAreKnownByTheirNames) {
  const std::shared_ptr<const Figure> figure = makeBody(kMixamo);
  const auto check = [&](std::vector<std::string> names, const char* what) {
    SCOPED_TRACE(what);
    const auto parts = recogniseHumanoid(*figure, names);
    ASSERT_EQ(parts.size(), 20u);
    EXPECT_EQ(parts.at(0).part, BodyPart::Hips);
    EXPECT_EQ(parts.at(4), (BodyPlace{BodyPart::Clavicle, BodySide::Left}));
    EXPECT_EQ(parts.at(5), (BodyPlace{BodyPart::UpperArm, BodySide::Left}));
    EXPECT_EQ(parts.at(11), (BodyPlace{BodyPart::Hand, BodySide::Right}));
    EXPECT_EQ(parts.at(12), (BodyPlace{BodyPart::UpperLeg, BodySide::Left}));
    EXPECT_EQ(parts.at(13), (BodyPlace{BodyPart::LowerLeg, BodySide::Left}));
    EXPECT_EQ(parts.at(18), (BodyPlace{BodyPart::Foot, BodySide::Right}));
    EXPECT_EQ(parts.at(19), (BodyPlace{BodyPart::Toes, BodySide::Right}));
  };
  check(namesOf(*figure), "Mixamo");
  check({"Hips",     "Spine",         "Neck",       "Head",         "LeftShoulder", "LeftArm",     "LeftForeArm",
         "LeftHand", "RightShoulder", "RightArm",   "RightForeArm", "RightHand",    "LeftUpLeg",   "LeftLeg",
         "LeftFoot", "LeftToeBase",   "RightUpLeg", "RightLeg",     "RightFoot",    "RightToeBase"},
        "CMU");
  check({"pelvis",     "spine1",       "neck",           "head",        "left_collar", "left_shoulder", "left_elbow",
         "left_wrist", "right_collar", "right_shoulder", "right_elbow", "right_wrist", "left_hip",      "left_knee",
         "left_ankle", "left_foot",    "right_hip",      "right_knee",  "right_ankle", "right_foot"},
        "SMPL");
  check({"Pelvis",  "Spine1",   "Neck",       "Head",    "L_Collar", "L_Shoulder", "L_Elbow",
         "L_Wrist", "R_Collar", "R_Shoulder", "R_Elbow", "R_Wrist",  "L_Hip",      "L_Knee",
         "L_Ankle", "L_Foot",   "R_Hip",      "R_Knee",  "R_Ankle",  "R_Foot"},
        "SMPL in short");
  check({"hips",     "spine",         "neck",          "head",          "leftShoulder", "leftUpperArm", "leftLowerArm",
         "leftHand", "rightShoulder", "rightUpperArm", "rightLowerArm", "rightHand",    "leftUpperLeg", "leftLowerLeg",
         "leftFoot", "leftToes",      "rightUpperLeg", "rightLowerLeg", "rightFoot",    "rightToes"},
        "VRM");
  check({"pelvis",  "spine05",    "neck01",       "head",         "clavicle.L", "upperarm01.L", "lowerarm01.L",
         "wrist.L", "clavicle.R", "upperarm01.R", "lowerarm01.R", "wrist.R",    "upperleg01.L", "lowerleg01.L",
         "foot.L",  "toe1-1.L",   "upperleg01.R", "lowerleg01.R", "foot.R",     "toe1-1.R"},
        "MakeHuman");
}

TEST(Anatomy, OthersAreNoPeople) {
  Bones bones = kMixamo;
  bones[6].name = "mixamorig:LeftTentacle";
  EXPECT_TRUE(bodyMapOf(*makeBody(bones)).places().empty());
  EXPECT_FALSE(wantsAnatomicalLimits(makeDocument(makeBody({{"a", "", {0, 0, 0}}, {"b", "a", {0, 1, 0}}}))));
}

TEST(Anatomy, RestIsWithinTheLimits) {
  const Document document = limited();
  for (const char* link :
       {"mixamorig:Spine", "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:RightLeg", "mixamorig:Head"})
    EXPECT_EQ(violation(document, link, kX, 0.0), 0.0) << link;
  EXPECT_EQ(document.pose, restPose(*document.figure)) << "nothing had to be brought inside";
}

TEST(Anatomy, ElbowsBendForwardAndNotBack) {
  const Document document = limited();
  // The left forearm, along +x, moves forward by a rotation about -y, the right one about +y.
  EXPECT_LT(violation(document, "mixamorig:LeftForeArm", -kY, 140.0), 1e-9);
  EXPECT_GT(violation(document, "mixamorig:LeftForeArm", kY, 30.0), 20.0 * kDegree);
  EXPECT_GT(violation(document, "mixamorig:LeftForeArm", -kY, 170.0), 10.0 * kDegree);
  EXPECT_LT(violation(document, "mixamorig:RightForeArm", kY, 140.0), 1e-9);
  EXPECT_GT(violation(document, "mixamorig:RightForeArm", -kY, 30.0), 20.0 * kDegree);
  EXPECT_GT(violation(document, "mixamorig:LeftForeArm", kZ, 60.0), 30.0 * kDegree) << "no hinge bends sideways";
}

TEST(Anatomy, KneesBendBackAndNotForward) {
  const Document document = limited();
  for (const char* knee : {"mixamorig:LeftLeg", "mixamorig:RightLeg"}) {
    EXPECT_LT(violation(document, knee, kX, 130.0), 1e-9);
    EXPECT_GT(violation(document, knee, -kX, 30.0), 20.0 * kDegree);
  }
}

TEST(Anatomy, ShouldersReachUpDownAndForwardNotFarBack) {
  const Document document = limited();
  for (const double down : {-85.0, 85.0}) EXPECT_LT(violation(document, "mixamorig:LeftArm", kZ, down), 1e-9);
  EXPECT_LT(violation(document, "mixamorig:LeftArm", -kY, 90.0), 1e-9) << "forward";
  EXPECT_GT(violation(document, "mixamorig:LeftArm", kY, 90.0), 5.0 * kDegree) << "back";
  EXPECT_GT(violation(document, "mixamorig:RightArm", -kY, 90.0), 5.0 * kDegree) << "back";
}

TEST(Anatomy, HipsLetSitAndNotKickBack) {
  const Document document = limited();
  EXPECT_LT(violation(document, "mixamorig:LeftUpLeg", -kX, 110.0), 1e-9);
  EXPECT_LT(violation(document, "mixamorig:LeftUpLeg", kX, 25.0), 1e-9);
  EXPECT_GT(violation(document, "mixamorig:LeftUpLeg", kX, 70.0), 20.0 * kDegree);
}

TEST(Anatomy, ABentElbowShowsItsHinge) {
  Bones bones = kMixamo;
  bones[7].place = {0.5, 1.4 - 0.2, 0.1};  // the forearm hangs, a little forward
  Document document = makeDocument(makeBody(bones));
  applyAnatomicalLimits(document);
  EXPECT_EQ(violation(document, "mixamorig:LeftForeArm", kX, 0.0), 0.0);
  const int joint = document.figure->findLink("mixamorig:LeftForeArm");
  const Interval& twist = document.joints.at(joint).ballLimits.twist;
  EXPECT_NEAR(twist.upper - twist.lower, 150.0 * kDegree, 1e-9);
}

TEST(Anatomy, LimitsAreTakenAwayAgain) {
  const Document before = makeDocument(makeBody(kMixamo));
  Document document = before;
  EXPECT_TRUE(wantsAnatomicalLimits(document));
  applyAnatomicalLimits(document);
  EXPECT_FALSE(wantsAnatomicalLimits(document));
  removeAnatomicalLimits(document);
  EXPECT_EQ(document.joints, before.joints);
}

TEST(Anatomy, AVrmTellsItsBones) {
  Bones bones = kMixamo;
  std::vector<std::string> names;
  for (Bone& bone : bones) names.push_back(std::string(bone.name).substr(10));
  static const std::vector<std::string> kPlain = {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9",
                                                  "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"};
  Bones plain = bones;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    plain[i].name = kPlain[i].c_str();
    for (std::size_t k = 0; k < i; ++k)
      if (std::string(bones[k].name) == bones[i].parent) plain[i].parent = kPlain[k].c_str();
  }
  Document document = makeDocument(makeBody(plain));
  EXPECT_TRUE(bodyMapOf(*document.figure).places().empty());
  document.figure = document.figure->withBones(names);
  EXPECT_EQ(bodyMapOf(*document.figure).places().size(), 20u);
}

}  // namespace
}  // namespace limber::anatomy_test
