// SPDX-License-Identifier: MIT
// The figure that the window opens with, dragged as a person would.
#include <gtest/gtest.h>

#include <random>

#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/held_feet.h"
#include "limber/posing/posing.h"

namespace limber::humanoid_drag_test {
namespace {

class HumanoidDrag : public testing::Test {
 protected:
  void SetUp() override {
    const auto opened = io::openAny("humanoid");
    ASSERT_TRUE(opened) << opened.error().message();
    document_ = opened->document;
    document_.mode = Mode::Inverse;
  }

  const Site& site(const std::string& name) const {
    return document_.figure->sites()[static_cast<std::size_t>(document_.figure->findSite(name))];
  }
  Eigen::Vector3d placeOf(const Document& document, const std::string& name) const {
    Kinematics kinematics;
    computeTransforms(*document.figure, document.pose, kinematics);
    return kinematics.worldFromLink[static_cast<std::size_t>(site(name).link)] * site(name).linkFromSite.translation;
  }
  double degrees(const Document& document, const std::string& joint) const {
    return document.pose.coordinates[document.figure->joint(document.figure->findJoint(joint)).poseIndex] *
           57.29577951308232;
  }
  /// Drags a site by `way` in small steps; every event keeps the limits to the bit.
  Document dragged(const Document& start, const std::string& name, const Eigen::Vector3d& way, int events) {
    Document document = start;
    PosingRequest request;
    request.startPose = start.pose;
    const Eigen::Vector3d from = placeOf(start, name);
    for (int event = 1; event <= events; ++event) {
      request.drag = DragGoal{site(name).link, site(name).linkFromSite.translation, from + way * event / events, 1.0};
      report_ = solveToEnd(posing_, document, request);
      Pose clamped = document.pose;
      clampToLimits(document, clamped);
      EXPECT_TRUE(clamped == document.pose);
    }
    return document;
  }

  Document document_;
  Posing posing_;
  PosingReport report_;
};

TEST_F(HumanoidDrag, AFootPulledByItsToesBendsItsKnee) {
  // The pull at the toes presses a straight knee against its stop; the leg must still bend.
  for (const Eigen::Vector3d& way :
       {Eigen::Vector3d(0, 0.3, 0), Eigen::Vector3d(0, 0.2, -0.3), Eigen::Vector3d(0, 0.4, 0.4)})
    for (const int events : {1, 40}) {
      const Document document = dragged(document_, "left_ball", way, events);
      EXPECT_EQ(report_.outcome, Outcome::Reached) << report_.sentence;
      EXPECT_GT(degrees(document, "left_knee_flexion"), 40.0);
    }
}

TEST_F(HumanoidDrag, OneArmLeavesTheOtherAlone) {
  const Document first = dragged(document_, "left_palm", {0.1, 0.6, 0.3}, 30);
  const Document second = dragged(first, "right_palm", {-0.1, 0.5, 0.3}, 30);
  for (int i = 0; i < second.figure->linkCount(); ++i) {
    const Joint& joint = second.figure->joint(i);
    if (joint.name.rfind("left_", 0) == 0 && joint.type == JointType::Revolute) {
      EXPECT_NEAR(second.pose.coordinates[joint.poseIndex], first.pose.coordinates[joint.poseIndex], 1e-6)
          << joint.name;
    }
  }
}

TEST_F(HumanoidDrag, ThePelvisMovesAndTheFeetStay) {
  Kinematics kinematics;
  computeTransforms(*document_.figure, document_.pose, kinematics);
  PosingRequest request;
  request.freeRoot = true;
  request.startPose = document_.pose;
  request.holds = heldFeet(*document_.figure, kinematics);
  ASSERT_GE(request.holds.size(), 6u) << "three points of each foot";
  const Eigen::Vector3d pelvis = placeOf(document_, "pelvis_centre");
  const Eigen::Vector3d heel = placeOf(document_, "left_heel"), toe = placeOf(document_, "right_ball");
  Document document = document_;
  for (int event = 1; event <= 60; ++event) {
    request.drag = DragGoal{site("pelvis_centre").link, site("pelvis_centre").linkFromSite.translation,
                            pelvis + Eigen::Vector3d(0.05, -0.2, -0.25) * event / 60.0, 1.0};  // as one sits down
    solveToEnd(posing_, document, request);
    EXPECT_LT((placeOf(document, "left_heel") - heel).norm(), 1.75e-4);  // 1e-4 of the stature
    EXPECT_LT((placeOf(document, "right_ball") - toe).norm(), 1.75e-4);
  }
  EXPECT_LT((placeOf(document, "pelvis_centre") - request.drag->target).norm(), 0.01);
  EXPECT_GT(degrees(document, "left_knee_flexion"), 30.0);
}

TEST_F(HumanoidDrag, WildDragsKeepEveryLimit) {
  std::mt19937 random(51);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  Document document = document_;
  for (const char* name : {"left_palm", "right_fingertips", "head_top", "right_toe_tip", "left_heel"}) {
    const double x = uniform(random), y = uniform(random), z = uniform(random);
    document = dragged(document, name, {x, y, z}, 20);
    EXPECT_NE(report_.outcome, Outcome::BadInput);
  }
}

}  // namespace
}  // namespace limber::humanoid_drag_test
