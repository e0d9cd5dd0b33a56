// SPDX-License-Identifier: MIT
// Keyed numbers over time: what the curve editor shows and changes.
#include "limber/scene/key_curves.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/kinematics/standard_figures.h"
#include "limber/scene/clock.h"
#include "limber/scene/motion_layer.h"

namespace limber::key_curves_test {
namespace {

/// An arm with two keys, its second joint selected.
Document keyedArm() {
  Document document = makeDocument(makeArm());
  for (const double time : {0.0, 2.0}) {
    document.time = time;
    document.pose.coordinates[1] = 0.2 + 0.2 * time;
    keyPose(document);
  }
  document.selection = {1, -1};
  return document;
}

TEST(KeyCurves, OfAHingeAreItsAngleWithADotPerKey) {
  const std::vector<KeyCurve> curves = keyCurvesOf(keyedArm());
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_TRUE(curves[0].isAngle);
  std::vector<int> keys;
  for (const KeyCurve::Point& point : curves[0].points)
    if (point.isKey) keys.push_back(point.frame);
  EXPECT_EQ(keys, (std::vector<int>{0, 60}));
  EXPECT_NEAR(curves[0].points.front().value, 0.2, 1e-12);
  EXPECT_NEAR(curves[0].points.back().value, 0.6, 1e-12);
}

TEST(KeyCurves, AValueIsSetWithinTheLimitsOfTheJoint) {
  Document document = keyedArm();
  const KeyedNumber number{.joint = 1};
  ASSERT_TRUE(setKeyedNumber(document, number, 60, 0.35));
  EXPECT_NEAR(document.timeline->keys[1].pose.coordinates[1], 0.35, 1e-12);
  ASSERT_TRUE(setKeyedNumber(document, number, 60, 1e3));
  EXPECT_LE(document.timeline->keys[1].pose.coordinates[1], document.joints[1].limits.upper + 1e-12);
  EXPECT_FALSE(setKeyedNumber(document, number, 30, 0.0)) << "there is no key";
}

TEST(KeyCurves, OfAGoalAreThePlaceOfItsTarget) {
  Document document = makeDocument(makePlanarChain(3));
  document.time = 1.0;
  keyGoals(document);
  document.selection = {-1, 1};
  std::vector<KeyCurve> curves = keyCurvesOf(document);
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_EQ(curves[0].name, "x");
  EXPECT_FALSE(curves[0].isAngle);
  ASSERT_TRUE(setKeyedNumber(document, curves[1].number, 30, 0.7));
  EXPECT_EQ(document.timeline->keys[0].goals[0].target.y(), 0.7);
}

TEST(KeyCurves, OverAMotionOnlyKeysOfTheJointAreDots) {
  const auto figure = makeBallChain(3);
  auto motion = std::make_shared<Motion>();
  for (int frame = 0; frame < 40; ++frame) motion->append(restPose(*figure));
  Document document = makeDocument(figure, motion);
  showFrame(document, 20);
  setJointRotation(*figure, 1, exponential({0.3, 0.0, 0.0}), document.pose);
  keyLayer(document);
  document.selection = {0, -1};
  EXPECT_TRUE(keyCurvesOf(document).empty());
  document.selection = {1, -1};
  const std::vector<KeyCurve> curves = keyCurvesOf(document);
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_EQ(std::ranges::count_if(curves[0].points, &KeyCurve::Point::isKey), 1);
  ASSERT_TRUE(setKeyedNumber(document, curves[2].number, 20, 0.1));
  const Eigen::Vector3d turn = logarithm(jointRotation(*figure, document.motion->poseAt(*figure, 20), 1));
  EXPECT_LT((turn - Eigen::Vector3d(0.3, 0.0, 0.1)).norm(), 1e-9);
}

}  // namespace
}  // namespace limber::key_curves_test
