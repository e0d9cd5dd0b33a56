// SPDX-License-Identifier: MIT
// Poses from one body to another. The directions of bones in the world are compared by forward kinematics.
#include "limber/body/retarget_pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "limber/body/body_map.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/document.h"
#include "support/built_figure.h"
#include "support/made_hand.h"
#include "support/standing_body.h"

namespace limber::retarget_pose_test {
namespace {

constexpr double kExact = 1e-9;  // radians and metres: what ball joints represent
constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kBonesFit = 1e-6;  // radians, of a bone against the same on a body of other proportions

Document documentFor(std::shared_ptr<const Figure> figure) { return makeDocument(std::move(figure)); }

/// A pose with every joint of the body turned at random by at most an angle.
Pose anyPose(const Figure& figure, unsigned seed, double angle) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-angle, angle);
  Pose pose = restPose(figure);
  for (int i = 0; i < figure.linkCount(); ++i)
    if (hasRotation(figure.joint(i)))
      setJointRotation(figure, i, jointRotation(figure, pose, i) * exponential({any(random), any(random), any(random)}),
                       pose);
  return pose;
}

RolePose rolesOf(const Document& document, const Pose& pose) {
  return rolePoseOf(*document.figure, bodyMapOf(*document.figure).poseParts(), pose);
}

RetargetedPose carry(const Document& from, const Pose& pose, const Document& to, HandChoice hands = HandChoice::Both) {
  return retargetPose(to, bodyMapOf(*to.figure).poseParts(), rolesOf(from, pose), to.pose, hands);
}

Kinematics kinematicsOf(const Figure& figure, const Pose& pose) {
  const Kinematics kinematics = transformsOf(figure, pose);
  return kinematics;
}

Eigen::Vector3d boneOf(const Figure& figure, const Kinematics& kinematics, const std::string& from,
                       const std::string& to) {
  const auto at = [&](const std::string& name) {
    const int link = figure.findLink(name);
    EXPECT_GE(link, 0) << name;
    return kinematics.worldFromLink.at(link).translation;
  };
  return (at(to) - at(from)).normalized();
}

double angleBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

TEST(RetargetPose, OwnPoseIsTheSamePose) {
  for (const double down : {0.0, 0.8, 1.5}) {
    const Document body = documentFor(test::makeStandingBody({.armsDown = down}));
    const Pose pose = anyPose(*body.figure, 3, 0.5);
    const RetargetedPose carried = carry(body, pose, body);
    EXPECT_TRUE(carried.fault.empty()) << carried.fault;
    EXPECT_TRUE(carried.leftOut.empty());
    EXPECT_TRUE(carried.stopped.empty());
    // Each hand of this body has one joint and no fingers, and is compared as one part.
    Eigen::VectorXd difference;
    limber::difference(*body.figure, pose, carried.pose, difference);
    for (int i = 0; i < body.figure->linkCount(); ++i) {
      const Joint& joint = body.figure->joint(i);
      const int rotation = joint.stepIndex + (joint.type == JointType::Free ? 3 : 0);
      EXPECT_LT(difference.segment<3>(rotation).norm(), kExact) << body.figure->link(i).name;
    }
  }
}

TEST(RetargetPose, BonesPointTheSameWayOnABodyWithOtherFrames) {
  const Document from = documentFor(test::makeStandingBody());
  for (const double down : {0.0, 0.7, 1.4})
    for (const bool hasNames : {true, false}) {
      SCOPED_TRACE(testing::Message() << down << hasNames);
      const Document to = documentFor(test::makeStandingBody({.armsDown = down, .hasNames = hasNames}));
      const auto named = test::makeStandingBody({.armsDown = down});  // the same links in the same order
      const Pose pose = anyPose(*from.figure, 5, 0.6);
      const RetargetedPose carried = carry(from, pose, to);
      ASSERT_TRUE(carried.fault.empty()) << carried.fault;
      const Kinematics a = kinematicsOf(*from.figure, pose), b = kinematicsOf(*to.figure, carried.pose);
      for (const std::string side : {"Left", "Right"})
        for (const auto& [upper, lower] : {std::pair{side + "Arm", side + "ForeArm"},
                                           {side + "ForeArm", side + "Hand"},
                                           {side + "UpLeg", side + "Leg"},
                                           {side + "Leg", side + "Foot"}})
          EXPECT_LT(angleBetween(boneOf(*from.figure, a, upper, lower), boneOf(*named, b, upper, lower)), kBonesFit)
              << upper;
      EXPECT_LT(angleBetween(boneOf(*from.figure, a, "Hips", "Spine2"), boneOf(*named, b, "Hips", "Spine2")),
                kBonesFit);
    }
}

TEST(RetargetPose, TurnsAlongWithTheBodyThatTakesIt) {
  const Document from = documentFor(test::makeStandingBody());
  const Document to = documentFor(test::makeStandingBody({.turned = 1.1}));
  const Pose pose = anyPose(*from.figure, 9, 0.6);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.1, Eigen::Vector3d::UnitY()).toRotationMatrix();
  const RetargetedPose carried = carry(from, pose, to);
  const Kinematics a = kinematicsOf(*from.figure, pose), b = kinematicsOf(*to.figure, carried.pose);
  for (const std::string side : {"Left", "Right"})
    EXPECT_LT(angleBetween(turn * boneOf(*from.figure, a, side + "Arm", side + "Hand"),
                           boneOf(*to.figure, b, side + "Arm", side + "Hand")),
              kBonesFit);
}

/// A body with scaled legs and a trunk of several links, with or without clavicles and toes.
struct OtherBody {
  double legs = 1.0;
  int vertebrae = 3;
  bool hasClavicles = true;
  bool hasToes = true;
  bool hasFreeRoot = true;
  bool hasHinges = false;  ///< elbows and knees
};

std::shared_ptr<const Figure> makeOtherBody(const OtherBody& kind) {
  FigureBuilder builder("other body");
  const double hip = 0.92 * kind.legs;
  const auto add = [&](const std::string& name, int parent, const Eigen::Vector3d& at, JointType type,
                       const Capsule& capsule = {}) {
    Joint joint{.type = type, .parentFromJoint = Transform::fromTranslation(at)};
    joint.axis = Eigen::Vector3d::UnitX();
    joint.locked = parent < 0;
    Link link{.name = name, .parent = parent};
    if (capsule.radius > 0.0) link.capsules = {capsule};
    return builder.addLink(link, joint);
  };
  const int hips = add("hips", -1, {0, hip, 0}, kind.hasFreeRoot ? JointType::Free : JointType::Fixed);
  int chest = hips;
  for (int i = 0; i < kind.vertebrae; ++i)
    chest = add("spine" + std::to_string(i + 1), chest, {0, 0.4 / kind.vertebrae, 0}, JointType::Ball);
  add("head", chest, {0, 0.15, 0}, JointType::Ball);
  for (const double side : {1.0, -1.0}) {
    const std::string s = side > 0 ? "left " : "right ";
    const int shoulder =
        kind.hasClavicles ? add(s + "clavicle", chest, {0.04 * side, 0.08, 0}, JointType::Ball) : chest;
    const int arm = add(s + "upper arm", shoulder, {0.15 * side, kind.hasClavicles ? 0.0 : 0.08, 0}, JointType::Ball);
    Joint elbow{.type = kind.hasHinges ? JointType::Revolute : JointType::Ball,
                .parentFromJoint = Transform::fromTranslation({0.3 * side, 0, 0})};
    elbow.axis = Eigen::Vector3d(0, -side, 0);  // bends forward
    elbow.limits = {0.0, 2.6};
    const int forearm = builder.addLink({.name = s + "lower arm", .parent = arm}, elbow);
    add(s + "hand", forearm, {0.25 * side, 0, 0}, JointType::Ball);
    const int thigh = add(s + "thigh", hips, {0.1 * side, 0, 0}, JointType::Ball);
    Joint knee{.type = kind.hasHinges ? JointType::Revolute : JointType::Ball,
               .parentFromJoint = Transform::fromTranslation({0, -0.44 * kind.legs, 0})};
    knee.axis = Eigen::Vector3d::UnitX();
    knee.limits = {0.0, 2.4};
    const int shank = builder.addLink({.name = s + "shank", .parent = thigh}, knee);
    const Capsule sole{
        .start = {0, -0.03 * kind.legs, -0.05}, .end = {0, -0.03 * kind.legs, 0.13}, .radius = 0.05 * kind.legs};
    const int foot = add(s + "foot", shank, {0, -0.4 * kind.legs, 0}, JointType::Ball, sole);
    if (kind.hasToes) add(s + "toes", foot, {0, -0.04 * kind.legs, 0.12}, JointType::Ball);
  }
  return test::built(builder);
}

/// A crouch: hips back and down, knees and elbows bent, soles on the ground.
Pose crouchOf(const Figure& figure) {
  Pose pose = restPose(figure);
  const auto turn = [&](const std::string& link, const Eigen::Vector3d& by) {
    const int joint = figure.findLink(link);
    if (figure.joint(joint).type == JointType::Revolute) pose.coordinates[figure.joint(joint).poseIndex] = by.norm();
    else setJointRotation(figure, joint, exponential(by), pose);
  };
  for (const std::string s : {"left ", "right "}) {
    turn(s + "thigh", {-1.2, 0, 0});
    turn(s + "shank", {1.6, 0, 0});
    turn(s + "foot", {-0.4, 0, 0});
    turn(s + "upper arm", {0, s == "left " ? -0.9 : 0.9, 0});
    turn(s + "lower arm", {0, s == "left " ? -0.7 : 0.7, 0});
  }
  turn("spine2", {0.3, 0, 0});
  Kinematics kinematics = kinematicsOf(figure, pose);
  PoseParts parts = bodyMapOf(*std::make_shared<Figure>(figure)).poseParts();
  pose.coordinates[1] -= lowestPoint(figure, parts, kinematics) - groundOf(figure, parts);
  pose.coordinates[2] -= 0.2;
  return pose;
}

double lowestFoot(const Figure& figure, const PoseParts& parts, const Pose& pose, BodySide side) {
  return *lowestOfFoot(figure, parts, kinematicsOf(figure, pose), side);
}

TEST(RetargetPose, FeetStayOnTheGroundWhateverTheLegsLength) {
  const Document from = documentFor(makeOtherBody({}));
  const Pose pose = crouchOf(*from.figure);
  for (const double legs : {0.5, 0.9, 1.7})
    for (const bool hasHinges : {false, true}) {
      const Document to = documentFor(makeOtherBody({.legs = legs, .hasHinges = hasHinges}));
      const PoseParts parts = bodyMapOf(*to.figure).poseParts();
      const RetargetedPose carried = carry(from, pose, to);
      ASSERT_TRUE(carried.fault.empty());
      for (const BodySide side : {BodySide::Left, BodySide::Right})
        EXPECT_NEAR(lowestFoot(*to.figure, parts, carried.pose, side), groundOf(*to.figure, parts), 1e-5) << legs;
      EXPECT_NEAR(carried.pose.coordinates[2], -0.2 * legs, 1e-3) << "the hips go back in proportion to the legs";
    }
}

TEST(RetargetPose, FootThatHoversIsPutOnTheGround) {
  // In a step forward, with longer thighs and shorter shanks, only one of the feet would be on the ground.
  const Document from = documentFor(makeOtherBody({}));
  RolePose roles = rolesOf(from, crouchOf(*from.figure));
  const BodyPlace thigh{BodyPart::UpperLeg, BodySide::Left};
  roles.turns[thigh].front() = Eigen::Quaterniond(Eigen::AngleAxisd(-0.5, Eigen::Vector3d::UnitX()));
  const PoseParts parts = bodyMapOf(*from.figure).poseParts();
  const RetargetedPose carried = retargetPose(from, parts, roles, from.pose);
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    EXPECT_NEAR(lowestFoot(*from.figure, parts, carried.pose, side), groundOf(*from.figure, parts), 1e-5);
}

TEST(RetargetPose, FootInTheAirStaysThere) {
  const Document from = documentFor(makeOtherBody({})), to = documentFor(makeOtherBody({.legs = 1.5}));
  Pose pose = crouchOf(*from.figure);
  pose.coordinates[1] += 0.4;
  const PoseParts parts = bodyMapOf(*to.figure).poseParts();
  const RetargetedPose carried = carry(from, pose, to);
  const double ratio = parts.legLength / bodyMapOf(*from.figure).poseParts().legLength;
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    EXPECT_NEAR(lowestFoot(*to.figure, parts, carried.pose, side) - groundOf(*to.figure, parts), 0.4 * ratio, 1e-6);
}

TEST(RetargetPose, LinksOfATrunkShareItsTurn) {
  const Document from = documentFor(makeOtherBody({.vertebrae = 1}));
  Pose pose = restPose(*from.figure);
  setJointRotation(*from.figure, from.figure->findLink("spine1"), exponential({0.9, 0.2, -0.1}), pose);
  for (const int vertebrae : {1, 2, 5}) {
    const Document to = documentFor(makeOtherBody({.vertebrae = vertebrae}));
    const RetargetedPose carried = carry(from, pose, to);
    const Eigen::Vector3d each = Eigen::Vector3d(0.9, 0.2, -0.1) / vertebrae;
    for (int i = 1; i <= vertebrae; ++i) {
      const int joint = to.figure->findLink("spine" + std::to_string(i));
      EXPECT_LT((logarithm(jointRotation(*to.figure, carried.pose, joint)) - each).norm(), kExact) << i;
    }
  }
  // In the other direction one link takes the rotation of all.
  const Document five = documentFor(makeOtherBody({.vertebrae = 5}));
  const RetargetedPose carried = carry(five, carry(from, pose, five).pose, from);
  EXPECT_LT((logarithm(jointRotation(*from.figure, carried.pose, from.figure->findLink("spine1"))) -
             Eigen::Vector3d(0.9, 0.2, -0.1))
                .norm(),
            kExact);
}

TEST(RetargetPose, VertebraeTakeOverWhatALimitStops) {
  const Document from = documentFor(makeOtherBody({.vertebrae = 1}));
  Pose pose = restPose(*from.figure);
  setJointRotation(*from.figure, from.figure->findLink("spine1"), exponential({0.9, 0, 0}), pose);
  Document to = documentFor(makeOtherBody({.vertebrae = 3}));
  const int stopped = to.figure->findLink("spine2");
  to.joints[stopped].ballLimits.swing = 0.1;
  const RetargetedPose carried = carry(from, pose, to);
  EXPECT_LE(logarithm(jointRotation(*to.figure, carried.pose, stopped)).norm(), 0.1 + 1e-9);
  const Kinematics now = kinematicsOf(*to.figure, carried.pose);
  const auto top = static_cast<std::size_t>(to.figure->findLink("spine3"));
  EXPECT_LT((now.worldFromLink[top].rotation - exponential({0.9, 0, 0}).toRotationMatrix()).norm(), 1e-6);
}

TEST(RetargetPose, WhatABodyLacksIsLeftOutAndTheArmsPointAllTheSame) {
  const Document from = documentFor(makeOtherBody({}));
  Pose pose = crouchOf(*from.figure);
  setJointRotation(*from.figure, from.figure->findLink("left clavicle"), exponential({0, 0, 0.4}), pose);
  const Document to = documentFor(makeOtherBody({.hasClavicles = false, .hasToes = false}));
  const RetargetedPose carried = carry(from, pose, to);
  EXPECT_EQ(leftOutInWords(carried), "4 of 19 parts left out: clavicles, toes");
  const Kinematics a = kinematicsOf(*from.figure, pose), b = kinematicsOf(*to.figure, carried.pose);
  EXPECT_LT(angleBetween(boneOf(*from.figure, a, "left upper arm", "left lower arm"),
                         boneOf(*to.figure, b, "left upper arm", "left lower arm")),
            kBonesFit);
}

TEST(RetargetPose, HingesTakeTheAnglesOfABentLimb) {
  const Document from = documentFor(makeOtherBody({})), to = documentFor(makeOtherBody({.hasHinges = true}));
  const RetargetedPose carried = carry(from, crouchOf(*from.figure), to);
  EXPECT_TRUE(carried.stopped.empty());
  const auto angle = [&](const std::string& link) {
    return carried.pose.coordinates[to.figure->joint(to.figure->findLink(link)).poseIndex];
  };
  for (const std::string s : {"left ", "right "}) {
    EXPECT_NEAR(angle(s + "shank"), 1.6, 1e-6);
    EXPECT_NEAR(angle(s + "lower arm"), 0.7, 1e-6);
  }
}

TEST(RetargetPose, LimitsHoldAndSayWhatTheyStopped) {
  const Document from = documentFor(makeOtherBody({}));
  Document to = documentFor(makeOtherBody({.hasHinges = true}));
  const auto elbow = static_cast<std::size_t>(to.figure->findLink("left lower arm"));
  to.joints[elbow].limits = {0.0, 0.3};
  const RetargetedPose carried = carry(from, crouchOf(*from.figure), to);
  const double angle = carried.pose.coordinates[to.figure->joint(static_cast<int>(elbow)).poseIndex];
  EXPECT_LE(angle, 0.3);
  ASSERT_EQ(carried.stopped.size(), 1u);
  EXPECT_EQ(carried.stopped[0], (BodyPlace{BodyPart::LowerArm, BodySide::Left}));
}

TEST(RetargetPose, LockedJointsStayAndAFixedRootIsSaid) {
  const Document from = documentFor(makeOtherBody({}));
  Document to = documentFor(makeOtherBody({}));
  const int arm = to.figure->findLink("left upper arm");
  setJointRotation(*to.figure, arm, exponential({0.1, 0.2, 0.3}), to.pose);
  to.joints[arm].locked = true;
  const RetargetedPose carried = carry(from, crouchOf(*from.figure), to);
  EXPECT_LT(jointRotation(*to.figure, carried.pose, arm).angularDistance(exponential({0.1, 0.2, 0.3})), 1e-12);
  EXPECT_EQ(leftOutInWords(carried), "1 of 19 parts left out: left upper arm");
  for (JointSettings& joint : to.joints) joint.rigidity = 1.0;
  EXPECT_EQ(carry(from, crouchOf(*from.figure), to).pose, to.pose) << "a figure locked wholly stays";
  const Document fixed = documentFor(makeOtherBody({.hasFreeRoot = false}));
  Pose bowed = crouchOf(*from.figure);
  setJointRotation(*from.figure, 0, exponential({0.5, 0, 0}), bowed);
  EXPECT_EQ(leftOutInWords(carry(from, bowed, fixed)), "1 of 19 parts left out: hips");
}

TEST(RetargetPose, SameInputGivesTheSameBitsWhateverThePresentPose) {
  const Document from = documentFor(makeOtherBody({}));
  Document to = documentFor(makeOtherBody({.legs = 1.3, .hasHinges = true}));
  const Pose pose = crouchOf(*from.figure);
  const Pose first = carry(from, pose, to).pose;
  EXPECT_EQ(carry(from, pose, to).pose, first);
  to.pose = first;
  EXPECT_EQ(carry(from, pose, to).pose, first) << "applied twice";
  to.pose = anyPose(*to.figure, 4, 0.7);
  EXPECT_EQ(carry(from, pose, to).pose, first);
}

TEST(RetargetPose, FiguresWithoutABodySayWhy) {
  const Document from = documentFor(makeOtherBody({}));
  const RolePose roles = rolesOf(from, crouchOf(*from.figure));
  const auto faultOn = [&](const Document& to) {
    const RetargetedPose carried = retargetPose(to, bodyMapOf(*to.figure).poseParts(), roles, to.pose);
    EXPECT_EQ(carried.pose, to.pose);
    return carried.fault;
  };
  for (const Document& to : {documentFor(makeBallChain(1)), documentFor(makePlanarChain(4)), documentFor(makeArm())})
    EXPECT_NE(faultOn(to).find("neither a human body nor a hand is recognised"), std::string::npos) << faultOn(to);
  EXPECT_NE(faultOn(documentFor(test::makeMadeHand())).find("this figure is a hand"), std::string::npos);
  const Document hand = documentFor(test::makeMadeHand());
  const RetargetedPose onBody =
      retargetPose(from, bodyMapOf(*from.figure).poseParts(), rolesOf(hand, hand.pose), from.pose);
  EXPECT_NE(onBody.fault.find("no fingers"), std::string::npos) << onBody.fault;
}

TEST(RetargetPose, NumbersThatAreNotFiniteAreRefusedOrReplaced) {
  const Document from = documentFor(makeOtherBody({}));
  RolePose roles = rolesOf(from, crouchOf(*from.figure));
  const Pose sound = retargetPose(from, bodyMapOf(*from.figure).poseParts(), roles, from.pose).pose;
  Pose broken = from.pose;
  broken.coordinates.setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(retargetPose(from, bodyMapOf(*from.figure).poseParts(), roles, broken).pose, sound);
  roles.turns.begin()->second.front().x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(retargetPose(from, bodyMapOf(*from.figure).poseParts(), roles, from.pose).fault.find("not finite"),
            std::string::npos);
  EXPECT_NE(retargetPose(from, bodyMapOf(*from.figure).poseParts(), {}, from.pose).fault.find("no part of a body"),
            std::string::npos);
}

// ---- Hands ----------------------------------------------------------------------------------------------------------

/// A pose with half-closed fingers, each with its own angle, and the thumb bent across the palm.
Pose gripOf(const Figure& figure) {
  Pose pose = restPose(figure);
  for (int i = 1; i < figure.linkCount(); ++i)
    setJointRotation(figure, i, exponential({0.2 + 0.03 * i, 0.02 * i, -0.01 * i}), pose);
  return pose;
}

TEST(RetargetPose, HandPoseOnTheOtherHandIsItsMirrorImage) {
  const Document right = documentFor(test::makeMadeHand()), left = documentFor(test::makeMadeHand({.isLeft = true}));
  const Pose pose = gripOf(*right.figure);
  const RetargetedPose carried = carry(right, pose, left);
  ASSERT_TRUE(carried.fault.empty()) << carried.fault;
  const Kinematics a = kinematicsOf(*right.figure, pose), b = kinematicsOf(*left.figure, carried.pose);
  for (std::size_t i = 0; i < a.worldFromLink.size(); ++i) {
    const Eigen::Vector3d image = a.worldFromLink[i].translation.cwiseProduct(Eigen::Vector3d(-1, 1, 1));
    EXPECT_LT((image - b.worldFromLink[i].translation).norm(), kExact) << right.figure->link(static_cast<int>(i)).name;
  }
}

TEST(RetargetPose, FingersWithoutNamesAndOfHingesTakeAHandPose) {
  const Document from = documentFor(test::makeMadeHand({.hasHinges = true}));
  Pose pose = restPose(*from.figure);
  for (int i = 1; i < from.figure->linkCount(); ++i) pose.coordinates[from.figure->joint(i).poseIndex] = 0.1 * i;
  const RetargetedPose same = carry(from, pose, from);
  EXPECT_LT((same.pose.coordinates - pose.coordinates).cwiseAbs().maxCoeff(), kExact);
  const Document left = documentFor(test::makeMadeHand({.isLeft = true, .hasHinges = true}));
  const RetargetedPose mirrored = carry(from, pose, left);
  for (int i = 4; i < left.figure->linkCount(); ++i)  // fingers; the thumb's axis is the image with the other sign
    EXPECT_NEAR(mirrored.pose.coordinates[left.figure->joint(i).poseIndex], 0.1 * i, kExact);
}

/// A body with two made hands on its arms.
std::shared_ptr<const Figure> makeBodyWithHands() {
  const auto body = makeOtherBody({});
  FigureBuilder builder("body with hands");
  const auto take = [&](const Figure& figure, int i, int parent, const std::string& prefix) {
    Link link = figure.link(i);
    link.parent = parent;
    link.name = prefix + link.name;
    Joint joint = figure.joint(i);
    joint.name = prefix + joint.name;
    return builder.addLink(link, joint);
  };
  std::vector<int> places;
  for (int i = 0; i < body->linkCount(); ++i)
    places.push_back(take(*body, i, body->link(i).parent < 0 ? -1 : places[body->link(i).parent], ""));
  const std::vector<std::string> names = {"thumb1", "thumb2",  "thumb3",  "index1",  "index2",
                                          "index3", "middle1", "middle2", "middle3", "ring1",
                                          "ring2",  "ring3",   "little1", "little2", "little3"};
  for (const bool isLeft : {true, false}) {
    const std::string side = isLeft ? "left " : "right ";
    const auto hand = test::makeMadeHand({.isLeft = isLeft, .names = names});
    // In the T-pose fingers point outward, and palms face down.
    Joint wrist{.name = side + "palm joint", .type = JointType::Fixed};
    wrist.parentFromJoint.rotation.col(1) = (isLeft ? 1.0 : -1.0) * Eigen::Vector3d::UnitX();
    wrist.parentFromJoint.rotation.col(2) = -Eigen::Vector3d::UnitY();
    wrist.parentFromJoint.rotation.col(0) =
        wrist.parentFromJoint.rotation.col(1).cross(wrist.parentFromJoint.rotation.col(2));
    std::vector<int> of = {builder.addLink({.name = side + "palm", .parent = body->findLink(side + "hand")}, wrist)};
    for (int i = 1; i < hand->linkCount(); ++i) of.push_back(take(*hand, i, of[hand->link(i).parent], side));
  }
  return test::built(builder);
}

TEST(RetargetPose, HandPoseGoesOntoTheChosenHandsOfABodyAndNothingElseMoves) {
  const Document hand = documentFor(test::makeMadeHand()), body = documentFor(makeBodyWithHands());
  const Pose pose = gripOf(*hand.figure);
  const PoseParts parts = bodyMapOf(*body.figure).poseParts();
  ASSERT_EQ(parts.hands.size(), 2u);
  for (const HandChoice choice : {HandChoice::Both, HandChoice::Left, HandChoice::Right}) {
    const RetargetedPose carried = carry(hand, pose, body, choice);
    ASSERT_TRUE(carried.fault.empty()) << carried.fault;
    EXPECT_TRUE(carried.leftOut.empty()) << leftOutInWords(carried);
    const RolePose told = rolesOf(hand, pose), taken = rolesOf(body, carried.pose);
    for (int i = 0; i < body.figure->linkCount(); ++i) {
      const std::string& name = body.figure->link(i).name;
      const bool isFinger = std::isdigit(static_cast<unsigned char>(name.back())) && !name.starts_with("spine");
      const bool isChosen =
          choice == HandChoice::Both || name.starts_with(choice == HandChoice::Left ? "left" : "right");
      if (isFinger && isChosen) continue;
      const Joint& joint = body.figure->joint(i);
      EXPECT_EQ(carried.pose.coordinates.segment(joint.poseIndex, poseSize(joint.type)),
                body.pose.coordinates.segment(joint.poseIndex, poseSize(joint.type)))
          << name;
    }
    for (const auto& [place, turns] : told.turns)
      for (const BodySide side : {BodySide::Left, BodySide::Right}) {
        const bool isChosen = choice == HandChoice::Both || (choice == HandChoice::Left) == (side == BodySide::Left);
        if (!isDigit(place.part) || !isChosen) continue;
        for (std::size_t i = 0; i < turns.size(); ++i)
          EXPECT_LT(turns[i].angularDistance(taken.turns.at({place.part, side})[i]), 1e-7) << poseName(place);
      }
  }
}

TEST(RetargetPose, BodyPoseTakesItsFingersAlong) {
  const Document body = documentFor(makeBodyWithHands());
  const Pose pose = anyPose(*body.figure, 8, 0.3);
  const RetargetedPose carried = carry(body, pose, body);
  Eigen::VectorXd difference;
  limber::difference(*body.figure, pose, carried.pose, difference);
  for (int i = 1; i < body.figure->linkCount(); ++i) {
    const Joint& joint = body.figure->joint(i);
    if (stepSize(joint.type) == 3) {
      EXPECT_LT(difference.segment<3>(joint.stepIndex).norm(), kExact) << body.figure->link(i).name;
    }
  }
}

}  // namespace
}  // namespace limber::retarget_pose_test
