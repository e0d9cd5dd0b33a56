// SPDX-License-Identifier: MIT
// A pelvis or a chest that is dragged keeps its orientation, until it is let turn.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "app/session/session.h"
#include "limber/io/open.h"
#include "limber/problem/limb.h"
#include "settle.h"

namespace limber::app::trunk_drag_test {
namespace {

constexpr double kDegree = 0.017453292519943295;

class TrunkDrag : public testing::Test {
 protected:
  TrunkDrag() : session_(io::openAny("humanoid")->document, {}, {}) {
    session_.picture.area = {0, 0, 800, 600};
    frame(session_);
  }

  int link(const char* name) const { return session_.document().figure->findLink(name); }
  const Transform& place(int index) const {
    return session_.picture.kinematics.worldFromLink[static_cast<std::size_t>(index)];
  }
  double turnOf(int index, const Eigen::Matrix3d& before) const {
    return Eigen::AngleAxisd(place(index).rotation * before.transpose()).angle();
  }
  /// Takes hold of the link's middle from in front.
  Eigen::Vector2d take(int index) {
    handleEvent(session_, KeyPress{Key::Digit, '1', {}, false});
    session_.ui.now += 1.0;
    frame(session_);
    const Capsule& capsule = session_.document().figure->link(index).capsules.front();
    const auto at =
        render::projectToPixel(session_.picture.view(), place(index) * (0.5 * (capsule.start + capsule.end)));
    EXPECT_TRUE(at);
    session_.pointer.isInside = true;
    handleEvent(session_, CursorMove{at->x(), at->y(), {}});
    handleEvent(session_, ButtonChange{Button::Left, true, {}, at->x(), at->y()});
    EXPECT_TRUE(session_.pointer.drag);
    if (session_.pointer.drag) {
      EXPECT_EQ(session_.pointer.drag->link, index) << "another link is before it";
    }
    return *at;
  }
  void lead(Eigen::Vector2d& at, const Eigen::Vector2d& way) {
    for (int i = 1; i <= 15; ++i) {
      const Eigen::Vector2d on = at + way * (i / 15.0);
      handleEvent(session_, CursorMove{on.x(), on.y(), {}});
      session_.ui.now += 0.02;
      settle(session_);
    }
    at += way;
  }

  Session session_;
};

TEST_F(TrunkDrag, PelvisAndChestCarryLimbsAndNothingElseDoes) {
  const Figure& figure = *session_.document().figure;
  EXPECT_TRUE(findTrunks(figure)[link("pelvis")]);
  EXPECT_TRUE(findTrunks(figure)[link("chest")]);
  for (const char* name : {"left_hand", "left_thigh", "head", "right_foot"})
    EXPECT_FALSE(findTrunks(figure)[link(name)]) << name;
}

TEST_F(TrunkDrag, ThePelvisIsNotTurnedDownSidewaysAndUp) {
  const int pelvis = link("pelvis");
  const Eigen::Matrix3d before = place(pelvis).rotation;
  const Eigen::Vector3d from = place(pelvis).translation;
  Eigen::Vector2d at = take(pelvis);
  for (const Eigen::Vector2d& way : {Eigen::Vector2d(0, 60), Eigen::Vector2d(40, 0), Eigen::Vector2d(0, -40)}) {
    lead(at, way);
    EXPECT_LT(turnOf(pelvis, before), 0.1 * kDegree);
  }
  EXPECT_GT((place(pelvis).translation - from).norm(), 0.05) << "it has moved";
  EXPECT_NE(dragStatus(session_).find("O lets it turn"), std::string::npos) << dragStatus(session_);
  handleEvent(session_, ButtonChange{Button::Left, false, {}, at.x(), at.y()});
}

TEST_F(TrunkDrag, OLetsItTurnAndKeepsItAgain) {
  const int pelvis = link("pelvis");
  const Eigen::Matrix3d before = place(pelvis).rotation;
  Eigen::Vector2d at = take(pelvis);
  lead(at, {0, 30});
  ASSERT_TRUE(keepsOrientation(*session_.pointer.drag));
  handleEvent(session_, KeyPress{Key::Letter, 'o', {}, false});
  EXPECT_FALSE(keepsOrientation(*session_.pointer.drag));
  EXPECT_NE(dragStatus(session_).find("O keeps it"), std::string::npos) << dragStatus(session_);
  lead(at, {60, 60});
  EXPECT_GT(turnOf(pelvis, before), 1.0 * kDegree) << "the legs turn it";
  handleEvent(session_, KeyPress{Key::Letter, 'o', {}, false});
  settle(session_);
  const Eigen::Matrix3d kept = place(pelvis).rotation;
  lead(at, {-40, 0});
  EXPECT_LT(turnOf(pelvis, kept), 0.1 * kDegree);
  handleEvent(session_, KeyPress{Key::Escape, 0, {}, false});
  frame(session_);
  EXPECT_EQ(turnOf(pelvis, before), 0.0);
}

TEST_F(TrunkDrag, TheChestKeepsItsOrientationAndAHandHasNone) {
  const int chest = link("chest");
  const Eigen::Matrix3d before = place(chest).rotation;
  Eigen::Vector2d at = take(chest);
  lead(at, {25, 15});
  EXPECT_LT(turnOf(chest, before), 0.1 * kDegree);
  handleEvent(session_, KeyPress{Key::Escape, 0, {}, false});
  handleEvent(session_, ButtonChange{Button::Left, false, {}, at.x(), at.y()});
  frame(session_);
  take(link("left_hand"));
  EXPECT_FALSE(session_.pointer.drag->isTrunk);
  EXPECT_TRUE(session_.pointer.drag->request.holds.empty());
}

}  // namespace
}  // namespace limber::app::trunk_drag_test
