// SPDX-License-Identifier: MIT
// docs/skeletons.md: the hand and the body whose key points are observed (Yenamandra and others), and their scenes.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <set>

#include "example_scenes.h"
#include "limber/posing/posing.h"
#include "support/awkward_figure.h"

namespace limber::skeletons_test {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kRounding = 1e-9;  // the files write ten decimals of an angle

std::shared_ptr<const Figure> figureOf(const std::string& name) {
  const auto opened = io::openAny(LIMBER_SOURCE_DIR "/resources/figures/" + name + ".json");
  EXPECT_TRUE(opened) << opened.error().message();
  return opened ? opened->document.figure : nullptr;
}

class Skeletons : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    figure_ = figureOf(GetParam());
    ASSERT_TRUE(figure_);
  }
  std::shared_ptr<const Figure> figure_;
};

TEST_P(Skeletons, HaveAFreeRootAndOneToThreeLimitedHingesElsewhere) {
  EXPECT_EQ(figure_->joint(0).type, JointType::Free);
  int inARow = 0;
  for (int i = 0; i < figure_->linkCount(); ++i) {
    const Joint& joint = figure_->joint(i);
    EXPECT_FALSE(joint.locked) << joint.name;
    if (i == 0) continue;
    ASSERT_EQ(joint.type, JointType::Revolute) << joint.name;
    EXPECT_TRUE(std::isfinite(joint.limits.lower) && std::isfinite(joint.limits.upper)) << joint.name;
    const double rest = figure_->restPose()[joint.poseIndex];
    EXPECT_TRUE(joint.limits.lower <= rest && rest <= joint.limits.upper) << joint.name;
    const bool isAuxiliary = figure_->link(i).parent == i - 1 && joint.parentFromJoint.translation.isZero();
    inARow = isAuxiliary ? inARow + 1 : 1;
    EXPECT_LE(inARow, 3) << joint.name;
  }
}

/// p_j = p_parent + R_parent v_j, R_j = R_parent S_j K(a_j, theta_j): equations 2, 5 and 6 of the paper.
TEST_P(Skeletons, ForwardKinematicsIsThePapers) {
  std::mt19937 random(11);
  const Pose pose = test::randomPose(*figure_, random);
  Kinematics kinematics;
  computeTransforms(*figure_, pose, kinematics);
  std::vector<Eigen::Matrix3d> turns;
  std::vector<Eigen::Vector3d> places;
  for (int i = 0; i < figure_->linkCount(); ++i) {
    const Joint& joint = figure_->joint(i);
    const Transform& root = kinematics.worldFromLink[0];
    if (i == 0) {
      turns.push_back(root.rotation);
      places.push_back(root.translation);
      continue;
    }
    const auto parent = static_cast<std::size_t>(figure_->link(i).parent);
    Eigen::Matrix3d skew;
    skew << 0, -joint.axis.z(), joint.axis.y(), joint.axis.z(), 0, -joint.axis.x(), -joint.axis.y(), joint.axis.x(), 0;
    const double angle = pose.coordinates[joint.poseIndex];
    const Eigen::Matrix3d k =
        Eigen::Matrix3d::Identity() + std::sin(angle) * skew + (1.0 - std::cos(angle)) * skew * skew;
    places.push_back(places[parent] + turns[parent] * joint.parentFromJoint.translation);
    turns.push_back(turns[parent] * joint.parentFromJoint.rotation * k);
    EXPECT_LT((places.back() - kinematics.worldFromLink[static_cast<std::size_t>(i)].translation).norm(), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(, Skeletons, testing::Values("hand", "body"));

TEST(HandSkeleton, Has26DegreesOfFreedomAnd21KeyPoints) {
  const auto hand = figureOf("hand");
  ASSERT_TRUE(hand);
  EXPECT_EQ(hand->stepSize(), 26);
  std::set<std::string> points = {"wrist", "thumb_cmc", "thumb_mcp", "thumb_ip", "thumb_tip"};
  for (const char* finger : {"index", "middle", "ring", "little"})
    for (const char* point : {"_mcp", "_pip", "_dip", "_tip"}) points.insert(finger + std::string(point));
  ASSERT_EQ(points.size(), 21u);
  std::set<std::string> sites;
  for (const Site& site : hand->sites()) sites.insert(site.name);
  EXPECT_EQ(sites, points);
}

TEST(HandSkeleton, HasTheBonesAndLimitsOfItsDescription) {
  const auto hand = figureOf("hand");
  ASSERT_TRUE(hand);
  Kinematics kinematics;
  computeTransforms(*hand, restPose(*hand), kinematics);
  const auto place = [&](const std::string& name) -> Eigen::Vector3d {
    const Site& site = hand->sites()[static_cast<std::size_t>(std::max(hand->findSite(name), 0))];
    return kinematics.worldFromLink[static_cast<std::size_t>(site.link)] * site.linkFromSite.translation;
  };
  const std::map<std::string, std::vector<double>> millimetres = {{"index", {39.8, 22.4, 15.8 + 3.8}},
                                                                  {"middle", {44.6, 26.3, 17.4 + 4.0}},
                                                                  {"ring", {41.4, 25.7, 17.3 + 4.0}},
                                                                  {"little", {32.7, 18.1, 16.0 + 3.7}},
                                                                  {"thumb", {46.2, 31.6, 21.7 + 5.7}}};
  for (const auto& [finger, bones] : millimetres) {
    const bool isThumb = finger == "thumb";
    const char* points[] = {isThumb ? "_cmc" : "_mcp", isThumb ? "_mcp" : "_pip", isThumb ? "_ip" : "_dip", "_tip"};
    for (std::size_t i = 0; i < 3; ++i) {
      const double length = (place(finger + points[i + 1]) - place(finger + points[i])).norm();
      EXPECT_NEAR(1e3 * length, bones[i], 1e-3) << finger << points[i];
    }
  }
  const auto expectLimits = [&](const std::string& name, double lower, double upper) {
    const int joint = hand->findJoint(name);
    ASSERT_GE(joint, 0) << name;
    EXPECT_NEAR(hand->joint(joint).limits.lower, lower * kDegree, kRounding) << name;
    EXPECT_NEAR(hand->joint(joint).limits.upper, upper * kDegree, kRounding) << name;
  };
  for (const std::string finger : {"index", "middle", "ring", "little"}) {
    expectLimits(finger + "_mcp_abduction", -20, 20);
    expectLimits(finger + "_mcp_flexion", -45, 90);
    expectLimits(finger + "_pip_flexion", 0, 100);
    expectLimits(finger + "_dip_flexion", 0, 90);
  }
  expectLimits("thumb_cmc_abduction", 0, 70);
  expectLimits("thumb_cmc_flexion", -20, 15);
  expectLimits("thumb_mcp_flexion", 0, 50);
  expectLimits("thumb_ip_flexion", 0, 80);
}

TEST(HandSkeleton, FlexionBendsTheFingersOutOfThePalmAndAbductionSpreadsThem) {
  const auto hand = figureOf("hand");
  ASSERT_TRUE(hand);
  const auto moved = [&](const std::string& joint, const std::string& site) -> Eigen::Vector3d {
    const Site& at = hand->sites()[static_cast<std::size_t>(std::max(hand->findSite(site), 0))];
    Pose pose = restPose(*hand);
    Eigen::Vector3d places[2];
    Kinematics kinematics;
    for (Eigen::Vector3d& place : places) {
      computeTransforms(*hand, pose, kinematics);
      place = kinematics.worldFromLink[static_cast<std::size_t>(at.link)] * at.linkFromSite.translation;
      pose.coordinates[hand->joint(std::max(hand->findJoint(joint), 0)).poseIndex] += 10.0 * kDegree;
    }
    return places[1] - places[0];
  };
  for (const std::string finger : {"index", "middle", "ring", "little"})
    for (const char* joint : {"_mcp_flexion", "_pip_flexion", "_dip_flexion"})
      EXPECT_GT(moved(finger + joint, finger + "_tip").z(), 0.0) << finger << joint;
  EXPECT_GT(moved("index_mcp_abduction", "index_tip").x(), 0.0);
  EXPECT_LT(moved("ring_mcp_abduction", "ring_tip").x(), 0.0);
  EXPECT_LT(moved("little_mcp_abduction", "little_tip").x(), 0.0);
  EXPECT_GT(moved("thumb_cmc_abduction", "thumb_tip").z(), 0.0);
  for (const char* joint : {"thumb_cmc_flexion", "thumb_mcp_flexion", "thumb_ip_flexion"})
    EXPECT_LT(moved(joint, "thumb_tip").x(), 0.0) << joint;
}

TEST(BodySkeleton, IsTheHumanoidSetFreeWithItsJointsAsKeyPoints) {
  const auto body = figureOf("body"), humanoid = figureOf("humanoid");
  ASSERT_TRUE(body && humanoid);
  EXPECT_EQ(body->stepSize(), 54);
  EXPECT_EQ(body->sites().size(), 29u);
  ASSERT_EQ(body->linkCount(), humanoid->linkCount());
  for (int i = 1; i < body->linkCount(); ++i) {
    EXPECT_EQ(body->joint(i).name, humanoid->joint(i).name);
    EXPECT_EQ(body->joint(i).limits, humanoid->joint(i).limits) << body->joint(i).name;
    EXPECT_EQ(body->joint(i).parentFromJoint.translation, humanoid->joint(i).parentFromJoint.translation);
  }
  EXPECT_EQ(body->restPose(), humanoid->restPose());
  const std::set<std::string> ends = {"head_top", "left_fingertips", "right_fingertips", "left_toe_tip",
                                      "right_toe_tip"};
  for (const Site& site : body->sites())
    EXPECT_EQ(site.linkFromSite.translation.isZero(), !ends.contains(site.name)) << site.name;
}

class SkeletonScenes : public testing::TestWithParam<std::string> {};

TEST_P(SkeletonScenes, AreReachedFromRootAndEndsAlone) {
  for (const char* name : {"hand_from_its_fingertips", "body_from_its_ends"}) {
    Document document = test::openExample(name);
    document.solver.solver = GetParam();
    EXPECT_EQ(document.goals.size(), 6u);
    Posing posing;
    const PosingReport report = solveToEnd(posing, document);
    EXPECT_EQ(report.outcome, Outcome::Reached) << name << ": " << report.sentence;
    EXPECT_LT(report.worstError, 1e-5) << name;
    EXPECT_LT(test::feasibleSetOf(document).violation(document.pose), 1e-9) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(, SkeletonScenes, testing::Values("newton", "lm", "lbfgs"));

}  // namespace
}  // namespace limber::skeletons_test
