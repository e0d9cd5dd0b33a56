// SPDX-License-Identifier: MIT
// Pinned feet under a dragged pelvis: the humanoid as a person would pose it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/posing.h"

namespace limber::pins_test {
namespace {

constexpr double kBodyHeight = 1.75;  // metres, of the humanoid

class Pins : public testing::Test {
 protected:
  void SetUp() override {
    const auto opened = io::openAny("humanoid");
    ASSERT_TRUE(opened) << opened.error().message();
    document_ = opened->document;
    document_.mode = Mode::Inverse;
    for (const char* name : {"left_foot", "right_foot"})
      pinLink(document_, document_.figure->findLink(name), true, true);
    ASSERT_EQ(document_.pins.size(), 2u);
    request_.freeRoot = true;
    request_.startPose = document_.pose;
    const Kinematics kinematics = transformsOf(*document_.figure, document_.pose);
    pelvis_ = kinematics.worldFromLink[0].translation;
  }

  PosingReport dragPelvis(const Eigen::Vector3d& way) {
    request_.drag = DragGoal{0, Eigen::Vector3d::Zero(), pelvis_ + way, 1.0};
    return solveToEnd(posing_, document_, request_);
  }

  /// The largest error of a pin in position and angle, by forward kinematics of the document.
  std::pair<double, double> worstPin() const {
    const Kinematics kinematics = transformsOf(*document_.figure, document_.pose);
    double length = 0.0, angle = 0.0;
    for (const Pin& pin : document_.pins) {
      const Transform& now = kinematics.worldFromLink[static_cast<std::size_t>(pin.link)];
      length = std::max(length, (now * pin.pointInLink - pin.worldFromLink * pin.pointInLink).norm());
      angle = std::max(angle, Eigen::AngleAxisd(now.rotation.transpose() * pin.worldFromLink.rotation).angle());
    }
    return {length, angle};
  }

  Document document_;
  Posing posing_;
  PosingRequest request_;
  Eigen::Vector3d pelvis_ = Eigen::Vector3d::Zero();
};

TEST_F(Pins, HoldTheFeetThroughThreeHundredFramesOfThePelvis) {
  for (int frame = 1; frame <= 300; ++frame) {
    const double t = 2.0 * std::numbers::pi * frame / 300.0;
    // Round in the horizontal and down by up to 12 cm: sitting down a little, and swaying.
    const PosingReport report = dragPelvis({0.05 * std::sin(2 * t), -0.06 * (1 - std::cos(t)), -0.06 * std::sin(t)});
    const auto [length, angle] = worstPin();
    EXPECT_LT(length, 1e-4 * kBodyHeight) << "frame " << frame << ": " << report.sentence;
    EXPECT_LT(angle, 1e-3) << "frame " << frame;
    for (const GoalReport& goal : report.goals) {
      if (goal.pinnedLink < 0) continue;
      EXPECT_TRUE(goal.reached) << "frame " << frame;
      EXPECT_LE(goal.error, length);
    }
  }
}

TEST_F(Pins, OutOfReachTheySayByHowMuchAndStayCalm) {
  // The feet stay where they were while the pelvis is carried off in one step, a metre up: legs straight, and 1 m is
  // more than any pose can make up, so the drag misses its target, not the pins.
  for (int frame = 0; frame < 30; ++frame) dragPelvis({0.0, 1.0, 0.0});
  EXPECT_LT(worstPin().first, 1e-4 * kBodyHeight);

  // A pin that no pose meets: a metre under the floor, both feet, and the root locked.
  for (Pin& pin : document_.pins) pin.worldFromLink.translation.y() -= 1.0;
  request_.freeRoot = false;
  request_.drag.reset();
  PosingReport report;
  Pose last;
  for (int frame = 0; frame < 30; ++frame) {
    report = solveToEnd(posing_, document_, request_);
    EXPECT_TRUE(isValid(*document_.figure, document_.pose));
    if (frame >= 5) {
      EXPECT_LT((document_.pose.coordinates - last.coordinates).cwiseAbs().maxCoeff(), 1e-4) << frame;
    }
    last = document_.pose;
  }
  int told = 0;
  for (const GoalReport& goal : report.goals) {
    if (goal.pinnedLink < 0) continue;
    ++told;
    EXPECT_FALSE(goal.reached);
    EXPECT_NEAR(goal.error, worstPin().first, 0.05);
    EXPECT_GT(goal.error, 0.5);
  }
  EXPECT_EQ(told, 2);
  EXPECT_NE(report.sentence.find("the pin on "), std::string::npos) << report.sentence;
}

}  // namespace
}  // namespace limber::pins_test
