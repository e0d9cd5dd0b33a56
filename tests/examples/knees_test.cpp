// SPDX-License-Identifier: MIT
// Knees and elbows of the humans that come with Limber, each from exactly straight: of a hundred targets, which some
// pose of the limb within its limits reaches, 99 or more are reached, and none with the limb bent backward. Where a leg
// is pulled by the ball of its foot the ankle may stop at its limit; then the foot is two millimetres short at most.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "example_scenes.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/posing.h"
#include "support/awkward_figure.h"
#include "support/repetitions.h"

namespace limber::knees_test {
namespace {

struct Limb {
  std::string side, hinge, site;  ///< the hinge is straight at zero and bends above
};

const Limb kLimbs[] = {{"left_", "left_knee_flexion", "left_heel"},
                       {"right_", "right_knee_flexion", "right_ball"},
                       {"left_", "left_elbow_flexion", "left_palm"},
                       {"right_", "right_elbow_flexion", "right_fingertips"}};

/// Fraction of the range of angles: in the corners where every joint is at a limit, the pull to rest alone keeps a limb
/// a millimetre from its target.
constexpr double kWithin = 0.9;

class Knees : public testing::TestWithParam<const char*> {};

double& angleOf(Document& document, const std::string& joint) {
  return document.pose.coordinates[document.figure->joint(document.figure->findJoint(joint)).poseIndex];
}

Eigen::Vector3d placeOf(const Document& document, const Site& site) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  return kinematics.worldFromLink[static_cast<std::size_t>(site.link)] * site.linkFromSite.translation;
}

/// Where the site is in a random pose of hip or shoulder, the hinge bent by three degrees or more, all below it at
/// rest.
Eigen::Vector3d anyPlace(Document document, const Limb& limb, const Site& site, std::mt19937& random) {
  const Pose other = test::randomPose(*document.figure, random);
  const int hinge = document.figure->findJoint(limb.hinge);
  for (int i = hinge; i >= 0; i = document.figure->link(i).parent)
    if (const Joint& joint = document.figure->joint(i); joint.name.starts_with(limb.side))
      document.pose.coordinates.segment(joint.poseIndex, poseSize(joint.type)) =
          (isScalar(joint) ? kWithin : 1.0) * other.coordinates.segment(joint.poseIndex, poseSize(joint.type));
  angleOf(document, limb.hinge) = std::uniform_real_distribution<double>(0.05, 2.2)(random);
  test::feasibleSetOf(document).project(document.pose);
  return placeOf(document, site);
}

const int kTargets = test::repetitions(100, 15);

TEST_P(Knees, StraightLimbsReachTheirTargetsAndBendTheRightWay) {
  const auto opened = io::openAny(LIMBER_SOURCE_DIR "/resources/figures/" + std::string(GetParam()) + ".json");
  ASSERT_TRUE(opened) << opened.error().message();
  Document straight = opened->document;
  straight.mode = Mode::Inverse;
  for (const Limb& limb : kLimbs) {
    ASSERT_GE(straight.figure->findJoint(limb.hinge), 0) << limb.hinge;
    ASSERT_GE(straight.figure->findSite(limb.site), 0) << limb.site;
    angleOf(straight, limb.hinge) = 0.0;
  }
  std::mt19937 random(21);
  for (const Limb& limb : kLimbs) {
    const Site& site = straight.figure->sites()[static_cast<std::size_t>(straight.figure->findSite(limb.site))];
    int reached = 0;
    for (int k = 0; k < kTargets; ++k) {
      Document document = straight;
      PosingRequest request;
      request.startPose = document.pose;
      request.drag = DragGoal{site.link, site.linkFromSite.translation, anyPlace(straight, limb, site, random), 1.0};
      Posing posing;
      const PosingReport report = solveToEnd(posing, document, request);
      reached += report.outcome == Outcome::Reached;
      EXPECT_LT(report.worstError, 2e-3) << limb.hinge << " " << k << ": " << report.sentence;
      EXPECT_GE(angleOf(document, limb.hinge), 0.0) << limb.hinge << " " << k;
      EXPECT_LE(report.summary.objective, report.summary.objectiveBefore);
    }
    EXPECT_GE(reached, kTargets * 99 / 100) << limb.hinge;
  }
}

INSTANTIATE_TEST_SUITE_P(Humans, Knees, testing::Values("humanoid", "torso_human", "spine_human"));

}  // namespace
}  // namespace limber::knees_test
