// SPDX-License-Identifier: MIT
// The figure that Limber opens with: resources/figures/humanoid.json, described in docs/humanoid.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "limber/io/json/figure_json.h"
#include "limber/kinematics/forward_kinematics.h"
#include "locations.h"
#include "results.h"

namespace limber::io::humanoid_test {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180.0;
constexpr double kRounding = 1e-9;  // the file writes ten decimals

class Humanoid : public testing::Test {
 protected:
  void SetUp() override {
    const auto read = test::valueOf(readFigure(LIMBER_SOURCE_DIR "/resources/figures/humanoid.json"));
    figure_ = read;
    pose_ = restPose(*figure_);
    computeTransforms(*figure_, pose_, kinematics_);
  }

  int findLink(const std::string& name) const {
    const int link = figure_->findLink(name);
    EXPECT_GE(link, 0) << name;
    return std::max(link, 0);
  }
  const Joint& joint(const std::string& name) const {
    const int index = figure_->findJoint(name);
    EXPECT_GE(index, 0) << name;
    return figure_->joint(std::max(index, 0));
  }
  double restDegrees(const std::string& name) const { return figure_->restPose()[joint(name).poseIndex] / kDegree; }

  Eigen::Vector3d sitePosition(const std::string& name) const {
    const int index = figure_->findSite(name);
    EXPECT_GE(index, 0) << name;
    const Site& site = figure_->sites()[std::max(index, 0)];
    return kinematics_.worldFromLink[site.link] * site.linkFromSite.translation;
  }

  /// The site's displacement when one joint turns from the straight pose by 20 degrees in its positive sense.
  Eigen::Vector3d moveSite(const std::string& jointName, const std::string& site) {
    pose_.coordinates[joint(jointName).poseIndex] = 0.0;
    computeTransforms(*figure_, pose_, kinematics_);
    const Eigen::Vector3d before = sitePosition(site);
    pose_.coordinates[joint(jointName).poseIndex] = 20.0 * kDegree;
    computeTransforms(*figure_, pose_, kinematics_);
    return sitePosition(site) - before;
  }

  template <typename Visit>  // visit(world point at a capsule's end, radius)
  void forEachEnd(const std::string& name, Visit visit) const {
    const int i = findLink(name);
    for (const Capsule& capsule : figure_->link(i).capsules)
      for (const Eigen::Vector3d& end : {capsule.start, capsule.end})
        visit(Eigen::Vector3d(kinematics_.worldFromLink[i] * end), capsule.radius);
  }
  double lowest(const std::string& link) const {
    double y = std::numeric_limits<double>::infinity();
    forEachEnd(link, [&](const Eigen::Vector3d& p, double radius) { y = std::min(y, p.y() - radius); });
    return y;
  }

  /// The largest distance between a left link's origin and the mirror image of the right one's.
  double largestAsymmetry() const {
    double largest = 0.0;
    for (const Link& link : figure_->links()) {
      if (!link.name.starts_with("left_")) continue;
      Eigen::Vector3d left = worldFromLink(link.name).translation;
      const Eigen::Vector3d right = worldFromLink("right_" + link.name.substr(5)).translation;
      left.x() = -left.x();
      largest = std::max(largest, (left - right).norm());
    }
    return largest;
  }
  const Transform& worldFromLink(const std::string& name) const { return kinematics_.worldFromLink[findLink(name)]; }

  FigurePointer figure_;
  Pose pose_;
  Kinematics kinematics_;
};

TEST_F(Humanoid, HasAtLeastTwentyTwoBodySegments) {
  EXPECT_GE(std::ranges::count_if(figure_->links(), [](const Link& link) { return !link.capsules.empty(); }), 22);
  for (const Link& link : figure_->links()) EXPECT_EQ(link.capsules.empty(), link.mass == 0.0) << link.name;
}

TEST_F(Humanoid, StandsWithItsSolesOnTheGround) {
  double ground = std::numeric_limits<double>::infinity();
  for (const Link& link : figure_->links()) ground = std::min(ground, lowest(link.name));
  EXPECT_NEAR(ground, 0.0, kRounding);
  for (const std::string side : {"left_", "right_"}) {
    EXPECT_NEAR(lowest(side + "foot"), 0.0, kRounding);
    EXPECT_NEAR(lowest(side + "toes"), 0.0, kRounding);
    EXPECT_NEAR(sitePosition(side + "heel").y(), 0.0, kRounding);
    EXPECT_NEAR(sitePosition(side + "ball").y(), 0.0, kRounding);
    double heel = 1.0, ball = 1.0;  // the lowest points behind and before the ankle
    forEachEnd(side + "foot", [&](const Eigen::Vector3d& p, double radius) {
      double& part = p.z() < worldFromLink(side + "foot").translation.z() ? heel : ball;
      part = std::min(part, p.y() - radius);
    });
    EXPECT_NEAR(heel, 0.0, kRounding);
    EXPECT_NEAR(ball, 0.0, kRounding);
  }
}

TEST_F(Humanoid, HasTheStatureOfAPerson) {
  double stature = 0.0;
  forEachEnd("head", [&](const Eigen::Vector3d& p, double radius) { stature = std::max(stature, p.y() + radius); });
  EXPECT_NEAR(stature, 1.75, 0.001);
  EXPECT_NEAR(sitePosition("head_top").y(), stature, kRounding);
}

TEST_F(Humanoid, WeighsWhatAPersonWeighsAndStandsInBalance) {
  double mass = 0.0;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (int i = 0; i < figure_->linkCount(); ++i) {
    const Link& link = figure_->link(i);
    mass += link.mass;
    moment += link.mass * (kinematics_.worldFromLink[i] * link.centreOfMass);
  }
  EXPECT_NEAR(mass, 75.0, 1e-6);
  const Eigen::Vector3d centre = moment / mass;
  EXPECT_NEAR(centre.x(), 0.0, kRounding);
  EXPECT_GT(centre.z(), sitePosition("left_heel").z());
  EXPECT_LT(centre.z(), sitePosition("left_ball").z());
  EXPECT_NEAR(centre.y() / 1.75, 0.56, 0.03);  // of stature, in a standing person
}

TEST_F(Humanoid, LeftAndRightAreMirrorImages) {
  EXPECT_LT(largestAsymmetry(), kRounding);
  for (const Link& link : figure_->links()) {
    if (!link.name.starts_with("left_")) continue;
    const std::string other = "right_" + link.name.substr(5);
    const int left = findLink(link.name), right = findLink(other);
    EXPECT_EQ(figure_->joint(left).limits, figure_->joint(right).limits) << link.name;
    EXPECT_EQ(figure_->joint(left).rigidity, figure_->joint(right).rigidity) << link.name;
    EXPECT_EQ(figure_->link(left).mass, figure_->link(right).mass) << link.name;
    EXPECT_EQ(figure_->link(left).capsules.size(), figure_->link(right).capsules.size()) << link.name;
  }
}

TEST_F(Humanoid, SameAnglesOnBothSidesGiveMirroredPoses) {
  std::mt19937 random(1);
  for (int i = 0; i < figure_->linkCount(); ++i) {
    const Joint& left = figure_->joint(i);
    if (!left.name.starts_with("left_")) continue;
    const double angle = std::uniform_real_distribution(left.limits.lower, left.limits.upper)(random);
    pose_.coordinates[left.poseIndex] = pose_.coordinates[joint("right_" + left.name.substr(5)).poseIndex] = angle;
  }
  computeTransforms(*figure_, pose_, kinematics_);
  EXPECT_LT(largestAsymmetry(), kRounding);
}

TEST_F(Humanoid, PelvisHangsOnALockedFreeJoint) {
  const Joint& pelvis = figure_->joint(findLink("pelvis"));
  EXPECT_EQ(figure_->link(findLink("pelvis")).parent, -1);
  EXPECT_EQ(pelvis.type, JointType::Free);
  EXPECT_TRUE(pelvis.locked);
}

TEST_F(Humanoid, EveryHingeHasLimitsThatContainItsRest) {
  for (const Joint& hinge : figure_->joints()) {
    if (hinge.type == JointType::Free) continue;
    EXPECT_EQ(hinge.type, JointType::Revolute) << hinge.name;
    EXPECT_GE(figure_->restPose()[hinge.poseIndex], hinge.limits.lower) << hinge.name;
    EXPECT_LE(figure_->restPose()[hinge.poseIndex], hinge.limits.upper) << hinge.name;
    EXPECT_LT(hinge.limits.upper - hinge.limits.lower, 2.0 * 180.0 * kDegree) << hinge.name;
  }
}

TEST_F(Humanoid, KneesAndElbowsBendOneWay) {
  for (const std::string side : {"left_", "right_"}) {
    EXPECT_EQ(joint(side + "knee_flexion").limits.lower, 0.0);
    EXPECT_NEAR(joint(side + "knee_flexion").limits.upper, 142.0 * kDegree, kRounding);
    EXPECT_EQ(joint(side + "elbow_flexion").limits.lower, 0.0);
    EXPECT_NEAR(joint(side + "elbow_flexion").limits.upper, 150.0 * kDegree, kRounding);
    EXPECT_NEAR(restDegrees(side + "knee_flexion"), 3.0, 1e-7);
    EXPECT_NEAR(restDegrees(side + "elbow_flexion"), 3.0, 1e-7);
    EXPECT_NEAR(restDegrees(side + "shoulder_abduction"), 12.0, 1e-7);
  }
}

TEST_F(Humanoid, TheWholeSpineHasThePublishedRange) {
  for (const auto& [motion, lower, upper] :
       {std::tuple{"flexion", -25.0, 80.0}, {"lateral", -35.0, 35.0}, {"rotation", -45.0, 45.0}}) {
    Interval whole{0.0, 0.0};
    for (const std::string segment : {"lumbar_", "lower_thorax_", "chest_"}) {
      whole.lower += joint(segment + motion).limits.lower / kDegree;
      whole.upper += joint(segment + motion).limits.upper / kDegree;
    }
    EXPECT_NEAR(whole.lower, lower, 1e-6) << motion;
    EXPECT_NEAR(whole.upper, upper, 1e-6) << motion;
  }
}

TEST_F(Humanoid, PositiveAnglesAreFlexionAbductionAndExternalRotation) {
  EXPECT_GT(moveSite("chest_flexion", "head_top").z(), 0.05);           // bows
  EXPECT_GT(moveSite("chest_lateral", "head_top").x(), 0.05);           // to its left
  EXPECT_LT(moveSite("chest_rotation", "left_fingertips").z(), -0.05);  // turns to its left: left side back
  for (const std::string side : {"left_", "right_"}) {
    const double outward = side == "left_" ? 1.0 : -1.0;
    EXPECT_GT(moveSite(side + "clavicle_elevation", side + "palm").y(), 0.03);
    EXPECT_GT(moveSite(side + "clavicle_protraction", side + "palm").z(), 0.03);
    EXPECT_GT(moveSite(side + "shoulder_flexion", side + "palm").z(), 0.1);
    EXPECT_GT(moveSite(side + "shoulder_abduction", side + "palm").x() * outward, 0.1);
    EXPECT_GT(moveSite(side + "elbow_flexion", side + "palm").z(), 0.05);
    EXPECT_LT(moveSite(side + "wrist_flexion", side + "fingertips").x() * outward, -0.02);
    EXPECT_LT(moveSite(side + "wrist_deviation", side + "fingertips").z(), -0.02);  // to the little finger
    EXPECT_LT(moveSite(side + "finger_flexion", side + "fingertips").x() * outward, -0.01);
    EXPECT_GT(moveSite(side + "shoulder_rotation", side + "palm").x() * outward, 0.003);
    EXPECT_GT(moveSite(side + "hip_flexion", side + "ball").z(), 0.1);
    EXPECT_GT(moveSite(side + "hip_abduction", side + "ball").x() * outward, 0.1);
    EXPECT_GT(moveSite(side + "hip_rotation", side + "ball").x() * outward, 0.02);
    EXPECT_LT(moveSite(side + "knee_flexion", side + "ball").z(), -0.05);
    EXPECT_GT(moveSite(side + "ankle_dorsiflexion", side + "ball").y(), 0.02);
    EXPECT_LT(moveSite(side + "ankle_inversion", side + "ball").x() * outward, -0.01);
    EXPECT_LT(moveSite(side + "toe_flexion", side + "toe_tip").y(), -0.01);
  }
}

}  // namespace
}  // namespace limber::io::humanoid_test
