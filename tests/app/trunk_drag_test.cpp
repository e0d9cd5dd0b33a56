// SPDX-License-Identifier: MIT
// A dragged pelvis or chest keeps its orientation until O lets it turn.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "headless_session.h"
#include "limber/body/body_map.h"
#include "limber/io/open.h"

namespace limber::app::trunk_drag_test {
namespace {

constexpr double kDegree = 0.017453292519943295;

class TrunkDrag : public testing::Test, protected HeadlessSession {
 protected:
  TrunkDrag() : HeadlessSession(io::openAny("humanoid")->document) {}

  int link(const char* name) const { return figure().findLink(name); }
  double turnOf(int index, const Eigen::Matrix3d& before) const {
    return Eigen::AngleAxisd(place(index).rotation * before.transpose()).angle();
  }
  /// Presses on the link's middle, seen from the front.
  void take(int index) {
    press(Key::Digit, '1');
    session_.ui.now += 1.0;
    frame();
    down(middleOf(index));
    ASSERT_TRUE(session_.pointer.tool->drag());
    EXPECT_EQ(session_.pointer.tool->drag()->dragged->link, index) << "another link is before it";
  }
  void leadBy(const Eigen::Vector2d& way) {
    lead(mouse() + way, {}, 15);
    settle();
  }
};

TEST_F(TrunkDrag, PelvisAndChestCarryLimbsAndNothingElseDoes) {
  EXPECT_TRUE(bodyMapOf(figure()).trunks()[link("pelvis")]);
  EXPECT_TRUE(bodyMapOf(figure()).trunks()[link("chest")]);
  for (const char* name : {"left_hand", "left_thigh", "head", "right_foot"})
    EXPECT_FALSE(bodyMapOf(figure()).trunks()[link(name)]) << name;
}

TEST_F(TrunkDrag, ThePelvisIsNotTurnedDownSidewaysAndUp) {
  const int pelvis = link("pelvis");
  const Eigen::Matrix3d before = place(pelvis).rotation;
  const Eigen::Vector3d from = place(pelvis).translation;
  take(pelvis);
  for (const Eigen::Vector2d& way : {Eigen::Vector2d(0, 60), Eigen::Vector2d(40, 0), Eigen::Vector2d(0, -40)}) {
    leadBy(way);
    EXPECT_LT(turnOf(pelvis, before), 0.1 * kDegree);
  }
  EXPECT_GT((place(pelvis).translation - from).norm(), 0.05) << "it has moved";
  EXPECT_NE(toolStatus(session_).find("O lets it turn"), std::string::npos) << toolStatus(session_);
  up();
}

TEST_F(TrunkDrag, OLetsItTurnAndKeepsItAgain) {
  const int pelvis = link("pelvis");
  const Eigen::Matrix3d before = place(pelvis).rotation;
  take(pelvis);
  leadBy({0, 30});
  ASSERT_TRUE(keepsOrientation(running()));
  letter('o');
  EXPECT_FALSE(keepsOrientation(running()));
  EXPECT_NE(toolStatus(session_).find("O keeps it"), std::string::npos) << toolStatus(session_);
  leadBy({60, 60});
  EXPECT_GT(turnOf(pelvis, before), 1.0 * kDegree) << "the legs turn it";
  letter('o');
  settle();
  const Eigen::Matrix3d kept = place(pelvis).rotation;
  leadBy({-40, 0});
  EXPECT_LT(turnOf(pelvis, kept), 0.1 * kDegree);
  press(Key::Escape);
  frame();
  EXPECT_EQ(turnOf(pelvis, before), 0.0);
}

TEST_F(TrunkDrag, TheChestKeepsItsOrientationAndAHandHasNone) {
  const int chest = link("chest");
  const Eigen::Matrix3d before = place(chest).rotation;
  take(chest);
  leadBy({25, 15});
  EXPECT_LT(turnOf(chest, before), 0.1 * kDegree);
  press(Key::Escape);
  up();
  frame();
  take(link("left_hand"));
  EXPECT_FALSE(session_.pointer.tool->drag()->dragged->isTrunk());
  EXPECT_TRUE(session_.pointer.tool->drag()->request.holds.empty());
}

}  // namespace
}  // namespace limber::app::trunk_drag_test
