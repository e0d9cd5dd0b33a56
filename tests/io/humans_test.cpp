// SPDX-License-Identifier: MIT
// The figures of docs/humans.md: seventeen vertebrae, and a torso of five segments.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "limber/io/json/figure_json.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/joint_group.h"
#include "locations.h"

namespace limber::io::humans_test {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

class Humans : public testing::TestWithParam<const char*> {
 protected:
  static FigurePointer read(const std::string& name) {
    const auto figure = readFigure(LIMBER_SOURCE_DIR "/resources/figures/" + name + ".json");
    EXPECT_TRUE(figure) << figure.error().message();
    return figure ? *figure : nullptr;
  }
  static const Joint& joint(const Figure& figure, const std::string& name) {
    const int index = figure.findJoint(name);
    EXPECT_GE(index, 0) << name;
    return figure.joint(std::max(index, 0));
  }
};

TEST_P(Humans, HaveTheHumanoidsBody) {
  const FigurePointer figure = read(GetParam()), humanoid = read("humanoid");
  ASSERT_TRUE(figure && humanoid);
  double mass = 0.0;
  for (const Link& link : figure->links()) mass += link.mass;
  EXPECT_NEAR(mass, 75.0, 1e-4);
  for (const Site& site : humanoid->sites()) EXPECT_GE(figure->findSite(site.name), 0) << site.name;
  Kinematics ours, theirs;
  computeTransforms(*figure, restPose(*figure), ours);
  computeTransforms(*humanoid, restPose(*humanoid), theirs);
  for (const char* name : {"head_top", "left_heel", "right_ball", "left_toe_tip", "pelvis_centre"}) {
    const auto place = [&](const Figure& of, const Kinematics& kinematics) -> Eigen::Vector3d {
      const Site& site = of.sites()[of.findSite(name)];
      return kinematics.worldFromLink[site.link] * site.linkFromSite.translation;
    };
    EXPECT_LT((place(*figure, ours) - place(*humanoid, theirs)).norm(), 1e-5) << name;
  }
}

TEST_P(Humans, HipsAreBallsThatBendFromMinus30To120Degrees) {
  const FigurePointer figure = read(GetParam());
  ASSERT_TRUE(figure);
  for (const char* name : {"left_hip", "right_hip"}) {
    const Joint& hip = joint(*figure, name);
    ASSERT_EQ(hip.type, JointType::Ball);
    const auto swingAt = [&](double flexion) {
      const Eigen::Vector3d thigh(0.0, -std::cos(flexion * kDegree), std::sin(flexion * kDegree));
      return std::acos(thigh.dot(hip.ballLimits.coneAxis)) / kDegree;
    };
    EXPECT_NEAR(swingAt(-30.0), hip.ballLimits.swing / kDegree, 0.2);
    EXPECT_NEAR(swingAt(120.0), hip.ballLimits.swing / kDegree, 0.2);
    EXPECT_LT(hip.ballLimits.twistAxis.y(), -0.99);
  }
}

INSTANTIATE_TEST_SUITE_P(, Humans, testing::Values("spine_human", "torso_human"));

TEST_F(Humans, SeventeenVertebraeFollowOneForEachMotion) {
  const FigurePointer figure = read("spine_human");
  ASSERT_TRUE(figure);
  int rows = 0;
  for (const JointGroup& group : jointGroups(*figure)) {
    if (!group.isRow) continue;
    ++rows;
    ASSERT_EQ(group.joints.size(), 17u) << group.name;
    EXPECT_EQ(figure->joint(group.joints.front()).name.substr(0, 3), "L5_");
    EXPECT_EQ(figure->joint(group.joints.back()).name.substr(0, 3), "T1_");
  }
  EXPECT_EQ(rows, 3);
  EXPECT_EQ(figure->couplings().size(), 3u * 16u + 4u);
  EXPECT_EQ(figure->linearLimits().size(), 10u);
}

TEST_P(Humans, TheWholeSpineHasThePublishedRange) {
  const FigurePointer figure = read(GetParam());
  ASSERT_TRUE(figure);
  const bool isSpine = std::string(GetParam()) == "spine_human";
  for (const auto& [motion, lower, upper] :
       {std::tuple{"_flexion", -25.0, 80.0}, {"_lateral", -35.0, 35.0}, {"_axial", -45.0, 45.0}}) {
    Interval whole{0.0, 0.0};
    int count = 0;
    for (const Joint& hinge : figure->joints()) {
      const std::string part = hinge.name.substr(0, hinge.name.find('_'));
      const bool isTrunk =
          isSpine ? part.size() <= 3 && (part[0] == 'L' || part[0] == 'T')
                  : hinge.name.find("lumbar") != std::string::npos || hinge.name.find("thorax") != std::string::npos;
      if (!isTrunk || !hinge.name.ends_with(motion)) continue;
      whole.lower += hinge.limits.lower / kDegree;
      whole.upper += hinge.limits.upper / kDegree;
      ++count;
    }
    EXPECT_EQ(count, isSpine ? 17 : 5);
    EXPECT_NEAR(whole.lower, lower, 2e-3) << motion;
    EXPECT_NEAR(whole.upper, upper, 2e-3) << motion;
  }
}

TEST_F(Humans, FollowersStayWithinTheirLimitsWhereverTheirDriversMayGo) {
  const FigurePointer figure = read("spine_human");
  ASSERT_TRUE(figure);
  const Couplings couplings(*figure, std::vector<char>(figure->couplings().size(), 1));
  std::mt19937 random(5);
  int inside = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Pose pose = restPose(*figure);
    for (const Joint& hinge : figure->joints())
      if (hinge.type == JointType::Revolute)
        pose.coordinates[hinge.poseIndex] =
            std::uniform_real_distribution(hinge.limits.lower, hinge.limits.upper)(random);
    bool isInPolygon = true;
    for (const LinearLimit& limit : figure->linearLimits()) {
      double sum = 0.0;
      for (const auto& term : limit.terms)
        sum += term.coefficient * pose.coordinates[figure->joint(term.joint).poseIndex];
      isInPolygon = isInPolygon && sum >= limit.bounds.lower && sum <= limit.bounds.upper;
    }
    if (!isInPolygon) continue;
    ++inside;
    couplings.apply(pose);
    for (const Coupling& coupling : figure->couplings()) {
      const Joint& follower = figure->joint(coupling.follower);
      EXPECT_GE(pose.coordinates[follower.poseIndex], follower.limits.lower) << follower.name;
      EXPECT_LE(pose.coordinates[follower.poseIndex], follower.limits.upper) << follower.name;
    }
  }
  EXPECT_GT(inside, 1000);
}

}  // namespace
}  // namespace limber::io::humans_test
