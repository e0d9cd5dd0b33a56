// SPDX-License-Identifier: MIT
// The human of ball joints: resources/figures/human.json, described in docs/humanoid.md, of any height.
#include "limber/io/human.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "limber/body/body_map.h"
#include "limber/io/open.h"
#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/shortest_turn.h"
#include "limber/problem/joint_turn.h"
#include "results.h"
#include "support/says.h"

namespace limber::io::human_test {
namespace {

using V = Eigen::Vector3d;

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kRounding = 1e-9;  // the file writes ten decimals

class Human : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto opened = test::valueOf(openAny(GetParam()));
    document_ = opened.document;
    figure_ = document_.figure;
    pose_ = restPose(*figure_);
    computeTransforms(*figure_, pose_, kinematics_);
  }
  int link(const std::string& name) const {
    const int index = figure_->findLink(name);
    EXPECT_GE(index, 0) << name;
    return std::max(index, 0);
  }
  const Joint& joint(const std::string& name) const {
    const int index = figure_->findJoint(name);
    EXPECT_GE(index, 0) << name;
    return figure_->joint(std::max(index, 0));
  }
  const Transform& worldFrom(const std::string& name) const { return kinematics_.worldFromLink[link(name)]; }
  V siteAt(const std::string& name) const {
    const int index = figure_->findSite(name);
    EXPECT_GE(index, 0) << name;
    const Site& site = figure_->sites()[std::max(index, 0)];
    return kinematics_.worldFromLink[site.link] * site.linkFromSite.translation;
  }
  double lowest(const std::string& name) const {
    double y = std::numeric_limits<double>::infinity();
    for (const Capsule& capsule : figure_->link(link(name)).capsules)
      for (const V& end : {capsule.start, capsule.end}) y = std::min(y, (worldFrom(name) * end).y() - capsule.radius);
    return y;
  }
  double mass() const {
    double sum = 0.0;
    for (const Link& each : figure_->links()) sum += each.mass;
    return sum;
  }
  /// The site's displacement when a joint turns from zero by degrees about an axis of the world at zero angles.
  V moveSite(const std::string& jointName, const V& axis, double degrees, const std::string& site) {
    Pose pose = pose_;
    for (const Joint& each : figure_->joints())
      if (hasRotation(each))
        setJointRotation(*figure_, figure_->findJoint(each.name), Eigen::Quaterniond::Identity(), pose);
      else if (isScalar(each)) pose.coordinates[each.poseIndex] = 0.0;
    computeTransforms(*figure_, pose, kinematics_);
    const V before = siteAt(site);
    const int index = figure_->findJoint(jointName);
    setJointRotation(*figure_, index, Eigen::Quaterniond(Eigen::AngleAxisd(degrees * kDegree, axis)), pose);
    computeTransforms(*figure_, pose, kinematics_);
    return siteAt(site) - before;
  }

  Document document_;
  FigurePointer figure_;
  Pose pose_;
  Kinematics kinematics_;
};

TEST_P(Human, HasNamesThatReadAsTheyAreSpoken) {
  for (const Link& each : figure_->links()) EXPECT_EQ(each.name.find('_'), std::string::npos) << each.name;
  for (const char* name : {"pelvis", "lower back", "upper back", "chest", "neck", "head"}) link(name);
  for (const std::string side : {"left ", "right "})
    for (const char* part : {"clavicle", "upper arm", "forearm", "hand", "thigh", "shank", "foot", "toes"})
      link(side + part);
  const auto isBodyPart = [](const Link& each) {
    return each.name.find("finger") == std::string::npos && each.name.find("thumb") == std::string::npos;
  };
  EXPECT_EQ(std::ranges::count_if(figure_->links(), isBodyPart), 24);
}

TEST_P(Human, HasBallsWhereAPersonHasThemAndHingesAtKneesAndElbows) {
  for (const std::string name : {"lower back", "upper back", "chest", "neck", "head"})
    EXPECT_EQ(joint(name).type, JointType::Ball) << name;
  for (const std::string side : {"left ", "right "}) {
    for (const char* name : {"shoulder", "wrist", "hip", "ankle"})
      EXPECT_EQ(joint(side + name).type, JointType::Ball) << side << name;
    EXPECT_EQ(joint(side + "knee").limits.lower, 0.0);
    EXPECT_NEAR(joint(side + "knee").limits.upper, 142.0 * kDegree, kRounding);
    EXPECT_EQ(joint(side + "elbow").limits.lower, 0.0);
    EXPECT_NEAR(joint(side + "elbow").limits.upper, 150.0 * kDegree, kRounding);
  }
  EXPECT_TRUE(joint("pelvis").locked);
  for (const Joint& each : figure_->joints())
    EXPECT_TRUE(each.type == JointType::Free || each.limits.isBounded() || each.ballLimits.isBounded()) << each.name;
}

/// The largest swing of a bone from its direction in the standing pose toward another direction, degrees.
double swingsUpTo(const Joint& joint, const V& from, const V& toward) {
  const V axis = from.cross(toward).normalized();
  double degrees = 0.0;
  for (; degrees < 270.0; degrees += 0.5) {
    const V bone = Eigen::AngleAxisd((degrees + 0.5) * kDegree, axis) * from;
    if (std::acos(std::clamp(bone.dot(joint.ballLimits.coneAxis), -1.0, 1.0)) > joint.ballLimits.swing) break;
  }
  return degrees;
}

TEST_P(Human, ConesHoldTheRangesOfTheTables) {
  const V up = V::UnitY(), down = -up, ahead = V::UnitZ();
  for (const std::string side : {"left ", "right "}) {
    const V out = side == "left " ? V::UnitX() : V(-V::UnitX());
    const Joint& shoulder = joint(side + "shoulder");
    EXPECT_NEAR(swingsUpTo(shoulder, down, -ahead), 60.0, 1.0) << "extension";
    EXPECT_GE(swingsUpTo(shoulder, down, ahead), 180.0) << "flexion";
    EXPECT_GE(swingsUpTo(shoulder, down, out), 180.0) << "abduction";
    EXPECT_NEAR(swingsUpTo(shoulder, down, -out), 40.0, 5.0) << "adduction";
    const Joint& hip = joint(side + "hip");
    EXPECT_NEAR(swingsUpTo(hip, down, ahead), 120.0, 1.0);
    EXPECT_NEAR(swingsUpTo(hip, down, -ahead), 30.0, 1.0);
    EXPECT_GE(swingsUpTo(hip, down, out), 45.0);
    EXPECT_NEAR(hip.ballLimits.twist.upper, 45.0 * kDegree, kRounding);
    const Joint& ankle = joint(side + "ankle");
    EXPECT_NEAR(swingsUpTo(ankle, down, ahead), 20.0, 2.0) << "dorsiflexion: the sole's way down goes ahead";
    EXPECT_NEAR(swingsUpTo(ankle, down, -ahead), 50.0, 2.0);
    const Joint& wrist = joint(side + "wrist");
    EXPECT_NEAR(wrist.ballLimits.swing, 75.0 * kDegree, kRounding);
    EXPECT_NEAR(wrist.ballLimits.twist.upper, 80.0 * kDegree, kRounding);
  }
  double forward = 0.0, backward = 0.0, turned = 0.0;
  for (const char* name : {"lower back", "upper back", "chest"}) {
    forward += swingsUpTo(joint(name), up, ahead);
    backward += swingsUpTo(joint(name), up, -ahead);
    turned += joint(name).ballLimits.twist.upper / kDegree;
  }
  EXPECT_NEAR(forward, 80.0, 2.0);
  EXPECT_NEAR(backward, 25.0, 2.0);
  EXPECT_NEAR(turned, 45.0, 1e-6);
}

/// In the hanging arm, abducted by 90 degrees and extended by 30, external rotation is 90 and internal 70 (AAOS).
TEST_P(Human, TheShouldersTwistHoldsTheClinicalRange) {
  const double mirror = 1.0;
  const BallLimits& limits = joint("left shoulder").ballLimits;
  const auto twistOf = [&](const Eigen::AngleAxisd& swing, double turn) {
    return swingTwist(limits, Eigen::Quaterniond(swing * Eigen::AngleAxisd(mirror * turn * kDegree, V::UnitY()))).twist;
  };
  constexpr double kShort = 1.1 * kDegree;  // the interval is written in round numbers
  for (const Eigen::AngleAxisd& swing :
       {Eigen::AngleAxisd(0.0, V::UnitX()), Eigen::AngleAxisd(90.0 * kDegree, V::UnitZ()),
        Eigen::AngleAxisd(30.0 * kDegree, V::UnitX())})
    for (const double turn : {-70.0, 0.0, 90.0}) {
      EXPECT_GE(twistOf(swing, turn), limits.twist.lower - kShort);
      EXPECT_LE(twistOf(swing, turn), limits.twist.upper + kShort);
    }
}

TEST_P(Human, StandsWithItsSolesOnTheGround) {
  double ground = std::numeric_limits<double>::infinity();
  for (const Link& each : figure_->links()) ground = std::min(ground, lowest(each.name));
  EXPECT_NEAR(ground, 0.0, 1e-7);
  for (const std::string side : {"left ", "right "}) {
    EXPECT_NEAR(lowest(side + "foot"), 0.0, 1e-7);
    EXPECT_NEAR(siteAt(side + "heel").y(), 0.0, 1e-7);
    EXPECT_NEAR(siteAt(side + "ball").y(), 0.0, 1e-7);
  }
  EXPECT_NEAR(siteAt("head top").y(), 1.75, 0.001);
}

TEST_P(Human, WeighsWhatAPersonWeighsByDempstersFractions) {
  EXPECT_NEAR(mass(), 75.0, 1e-6);
  const auto share = [&](const std::vector<std::string>& parts) {
    double sum = 0.0;
    for (const Link& each : figure_->links())
      for (const std::string& part : parts)
        if (each.name.starts_with(part)) sum += each.mass;
    return sum / 75.0;
  };
  EXPECT_NEAR(share({"left thigh"}), 0.100, 1e-9);
  EXPECT_NEAR(share({"left shank"}), 0.0465, 1e-9);
  EXPECT_NEAR(share({"left foot", "left toes"}), 0.0145, 1e-9);
  EXPECT_NEAR(share({"left upper arm"}), 0.028, 1e-9);
  EXPECT_NEAR(share({"left forearm"}), 0.016, 1e-9);
  EXPECT_NEAR(
      share({"right hand", "right finger", "right thumb", "right index", "right middle", "right ring", "right little"}),
      0.006, 1e-9);
  EXPECT_NEAR(share({"neck", "head"}), 0.081, 1e-9);
}

TEST_P(Human, LeftAndRightAreMirrorImages) {
  const FoundSymmetry found = bodyMapOf(*figure_).symmetry();
  ASSERT_TRUE(found.symmetry);
  const Symmetry& symmetry = *found.symmetry;
  EXPECT_TRUE(symmetry.normal.isApprox(V::UnitX()) || symmetry.normal.isApprox(-V::UnitX()));
  for (int i = 0; i < figure_->linkCount(); ++i) {
    const std::string& name = figure_->link(i).name;
    const std::string other = name.starts_with("left ")    ? "right " + name.substr(5)
                              : name.starts_with("right ") ? "left " + name.substr(6)
                                                           : name;
    ASSERT_EQ(symmetry.partner[i], link(other)) << name;
    const int j = link(other);
    EXPECT_EQ(figure_->joint(i).limits, figure_->joint(j).limits) << name;
    EXPECT_EQ(figure_->joint(i).ballLimits.swing, figure_->joint(j).ballLimits.swing) << name;
    EXPECT_EQ(figure_->link(i).mass, figure_->link(j).mass) << name;
    V image = worldFrom(name).translation;
    image.x() = -image.x();
    EXPECT_LT((image - worldFrom(other).translation).norm(), kRounding) << name;
  }
}

TEST_P(Human, BendsTheWayThatItsJointsSay) {
  for (const std::string side : {"left ", "right "}) {
    const double outward = side == "left " ? 1.0 : -1.0;
    EXPECT_GT(moveSite(side + "shoulder", -V::UnitX(), 20, side + "palm").z(), 0.1);
    EXPECT_GT(moveSite(side + "shoulder", outward * V::UnitZ(), 20, side + "palm").x() * outward, 0.1);
    EXPECT_GT(moveSite(side + "hip", -V::UnitX(), 20, side + "ball").z(), 0.1);
  }
  EXPECT_GT(moveSite("chest", V::UnitX(), 10, "head top").z(), 0.02);
}

/// Movements of the shoulder in three planes, with the rotation of the clavicle in degrees (docs/humanoid.md).
TEST_P(Human, ClaviclesRiseWithTheArmInEveryPlane) {
  constexpr std::pair<double, double> kRhythm[] = {{0, 0}, {30, 2.0}, {60, 7.5}, {90, 15.0}, {120, 22.5}, {150, 28.0}};
  for (const std::string side : {"left ", "right "}) {
    const double outward = side == "left " ? 1.0 : -1.0;
    for (const V& axis : {V(0, 0, outward), V(-1, 0, 0), V(-1, 0, outward).normalized()})
      for (const auto& [raised, clavicle] : kRhythm) {
        Pose pose = restPose(*figure_);
        const int shoulder = figure_->findJoint(side + "shoulder");
        setJointRotation(*figure_, shoulder, Eigen::Quaterniond(Eigen::AngleAxisd(raised * kDegree, axis)), pose);
        clampToLimits(document_, pose);
        EXPECT_NEAR(pose.coordinates[joint(side + "clavicle").poseIndex] / kDegree, clavicle, 0.02) << side << raised;
      }
  }
  Kinematics down, up;
  for (const auto& [raised, kinematics] : {std::pair{0.0, &down}, {150.0, &up}}) {
    Pose pose = restPose(*figure_);
    setJointRotation(*figure_, figure_->findJoint("left shoulder"),
                     Eigen::Quaterniond(Eigen::AngleAxisd(raised * kDegree, V::UnitZ())), pose);
    clampToLimits(document_, pose);
    computeTransforms(*figure_, pose, *kinematics);
  }
  const auto arm = static_cast<std::size_t>(link("left upper arm"));
  EXPECT_GT(up.worldFromLink[arm].translation.y() - down.worldFromLink[arm].translation.y(), 0.05)
      << "the shoulder rises";
  EXPECT_NEAR(std::acos((up.worldFromLink[arm].rotation * V::UnitY()).y()), 178.0 * kDegree, 0.1 * kDegree);
}

TEST_P(Human, TheSpineBendsAsOneUntilItIsUntied) {
  const Eigen::Quaterniond bend(Eigen::AngleAxisd(0.2, V::UnitX())), none = Eigen::Quaterniond::Identity();
  for (const bool isTied : {true, false}) {
    Document document = document_;
    for (std::size_t i = 0; i < figure_->couplings().size(); ++i)
      if (figure_->couplings()[i].name == "spine") document.couplingEnabled[i] = isTied;
    turnJoint(document, link("lower back"), 0, 0.2);
    EXPECT_LT(jointRotation(*figure_, document.pose, link("lower back")).angularDistance(bend), kRounding);
    for (const char* part : {"upper back", "chest"})
      EXPECT_LT(jointRotation(*figure_, document.pose, link(part)).angularDistance(isTied ? bend : none), kRounding);
  }
}

TEST_P(Human, IsKnownAsABodyWithEveryPart) {
  const auto roles = bodyMapOf(*document_.figure).roles();
  ASSERT_TRUE(roles);
  EXPECT_EQ(roles->find(BodyPart::Hips), link("pelvis"));
  EXPECT_EQ(roles->find(BodyPart::Spine), link("lower back"));
  EXPECT_EQ(roles->find(BodyPart::Chest), link("upper back"));
  EXPECT_EQ(roles->find(BodyPart::UpperChest), link("chest"));
  EXPECT_EQ(roles->find(BodyPart::Neck), link("neck"));
  EXPECT_EQ(roles->find(BodyPart::Head), link("head"));
  for (const auto& [side, word] : {std::pair{BodySide::Left, std::string("left ")}, {BodySide::Right, "right "}})
    for (const auto& [part, name] : {std::pair{BodyPart::Clavicle, "clavicle"},
                                     {BodyPart::UpperArm, "upper arm"},
                                     {BodyPart::LowerArm, "forearm"},
                                     {BodyPart::Hand, "hand"},
                                     {BodyPart::UpperLeg, "thigh"},
                                     {BodyPart::LowerLeg, "shank"},
                                     {BodyPart::Foot, "foot"},
                                     {BodyPart::Toes, "toes"}})
      EXPECT_EQ(roles->find(part, side), link(word + name));
  std::vector<std::string> feet;
  for (const Foothold& foot : findFootholds(document_, kinematics_, {})) feet.push_back(figure_->link(foot.link).name);
  EXPECT_EQ(feet, (std::vector<std::string>{"left foot", "right foot"}));
}

INSTANTIATE_TEST_SUITE_P(, Human, testing::Values("human", "human-without-fingers"),
                         [](const auto& each) { return each.index == 0 ? "WithFingers" : "WithoutFingers"; });

class HumanOfHeight : public testing::TestWithParam<HumanShape> {};

TEST_P(HumanOfHeight, IsAsTallAndAsHeavyAsAskedAndStandsOnTheGround) {
  const HumanShape& shape = GetParam();
  const auto made = test::valueOf(makeHuman(shape)), usual = test::valueOf(makeHuman({.hasFingers = shape.hasFingers}));
  const Figure& figure = *made;
  const Kinematics kinematics = transformsOf(figure, restPose(figure));
  double mass = 0.0, top = 0.0, ground = 1.0;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Link& link = figure.link(i);
    mass += link.mass;
    for (const Capsule& capsule : link.capsules)
      for (const V& end : {capsule.start, capsule.end}) {
        const double y = (kinematics.worldFromLink[i] * end).y();
        top = std::max(top, y + capsule.radius);
        ground = std::min(ground, y - capsule.radius);
      }
    const double length = usual->linkLength(i);  // all in proportion: Drillis and Contini
    EXPECT_NEAR(figure.linkLength(i), length * shape.height / 1.75, 1e-9) << link.name;
    EXPECT_NEAR(link.mass, usual->link(i).mass * shape.mass / 75.0, 1e-9) << link.name;
  }
  EXPECT_NEAR(top, shape.height, 1e-3);
  EXPECT_NEAR(ground, 0.0, 1e-6);
  EXPECT_NEAR(mass, shape.mass, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(, HumanOfHeight,
                         testing::Values(HumanShape{1.4, 48.0}, HumanShape{1.4, 32.0, false}, HumanShape{1.63, 55.0},
                                         HumanShape{1.75, 110.0}, HumanShape{1.9, 60.0, false}, HumanShape{2.1, 108.0},
                                         HumanShape{2.1, 170.0}),
                         [](const auto& each) { return "Shape" + std::to_string(each.index); });

TEST(HumanSpec, HeavierIsThicker) {
  const auto light = makeHuman({1.75, 55.0, false}), heavy = makeHuman({1.75, 110.0, false});
  const auto thigh = [](const Figure& figure) { return figure.link(figure.findLink("left thigh")).capsules[0].radius; };
  const auto head = [](const Figure& figure) { return figure.link(figure.findLink("head")).capsules[0].radius; };
  EXPECT_NEAR(thigh(**heavy) / thigh(**light), std::sqrt(2.0), 1e-9);
  EXPECT_EQ(head(**heavy), head(**light));
}

TEST(HumanSpec, SaysHeightAndMass) {
  EXPECT_EQ(*parseHuman("human"), HumanShape{});
  EXPECT_EQ(*parseHuman("human-without-fingers"), (HumanShape{.hasFingers = false}));
  EXPECT_EQ(*parseHuman("human:1.75"), HumanShape{});
  EXPECT_EQ(*parseHuman("human:1.6"), (HumanShape{.height = 1.6, .mass = usualMass(1.6)}));
  EXPECT_EQ(*parseHuman("human-without-fingers:2.1:90"), (HumanShape{2.1, 90.0, false}));
  EXPECT_FALSE(isHuman("humanoid"));
  EXPECT_FALSE(isHuman("humans"));
}

TEST(HumanSpec, WhatIsWrongIsSaid) {
  const auto faultOf = [](const std::string& name) { return openAny(name).error().message(); };
  for (const char* name : {"human:1.3", "human:2.2", "human:tall", "human:nan", "human:1.7m", "human::70"})
    EXPECT_EQ(faultOf(name), std::string(name) + ": the height must be a number of metres from 1.4 to 2.1");
  for (const char* name : {"human:1.75:48", "human:1.75:123", "human:1.75:heavy", "human:1.75:inf"})
    EXPECT_EQ(faultOf(name),
              std::string(name) + ": the mass of a human of 1.75 m must be a number of kilograms from 49 to 122");
  EXPECT_TRUE(test::says(faultOf("human:"), {"human:", "number", "human:HEIGHT:MASS"}));
  EXPECT_TRUE(test::says(faultOf("human:1.75:75:1"), {"human:1.75:75:1", "human:HEIGHT:MASS"}));
}

}  // namespace
}  // namespace limber::io::human_test
