// SPDX-License-Identifier: MIT
// Drags of inner links within the null space: the end effectors stay, in every frame.
#include "app/drag/null_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/stage/commands.h"
#include "arm_texts.h"
#include "headless_session.h"
#include "limber/problem/new_goal.h"

namespace limber::app::null_space_test {
namespace {

constexpr double kStays = 1e-6;  // metres

struct User : HeadlessSession {
  using HeadlessSession::HeadlessSession;

  /// Where a link has been in the frames of a drag of another one, at most away from its place before.
  struct Moved {
    double end = 0.0, turn = 0.0;  ///< metres; of the rotation's matrix
    double dragged = 0.0;
  };
  /// Drags the middle of a link by pixels; `end` is the link that should stay.
  Moved dragAndWatch(int link, int end, const Pixel& by, int events = 20) {
    const Transform before = place(end);
    const Eigen::Vector3d origin = place(link).translation;
    Moved moved;
    const Pixel from = middleOf(link);
    down(from);
    for (int i = 1; i <= events; ++i) {
      move(from + by * (static_cast<double>(i) / events));
      if (isDragging()) {
        EXPECT_EQ(running().dragged->link, link) << "another link is in front";
      }
      do {
        frame();
        const Kinematics now = transformsOf(figure(), document().pose);
        moved.end = std::max(moved.end, (now.worldFromLink[end].translation - before.translation).norm());
        moved.turn = std::max(moved.turn, (now.worldFromLink[end].rotation - before.rotation).norm());
        moved.dragged = std::max(moved.dragged, (now.worldFromLink[link].translation - origin).norm());
      } while (session_.solving.isBusy());
    }
    up();
    return moved;
  }
};

int linkNamed(const User& user, const char* name) {
  const int link = user.figure().findLink(name);
  EXPECT_GE(link, 0) << name;
  return link;
}

TEST(NullSpace, TheToolOfASevenAxisArmStaysWhileItsElbowIsDragged) {
  User user(test::armDocument(test::sevenAxisText(), {0.3, 0.5, 0.2, -1.2, 0.4, 0.9, 0.1}));
  user.letter('j');
  ASSERT_TRUE(user.session().settings.dragsInNullSpace);
  const Pose before = user.document().pose;
  const int elbow = linkNamed(user, "link4"), tool = user.document().goals.front().link;
  const User::Moved moved = user.dragAndWatch(elbow, tool, {60, -20});
  EXPECT_LT(moved.end, kStays);
  EXPECT_LT(moved.turn, kStays);
  EXPECT_GT(moved.dragged, 0.02) << "the elbow follows";
  user.undo();
  EXPECT_EQ(user.document().pose, before) << "one step";
}

TEST(NullSpace, WithoutItTheToolGivesWay) {
  User user(test::armDocument(test::sevenAxisText(), {0.3, 0.5, 0.2, -1.2, 0.4, 0.9, 0.1}));
  const int elbow = linkNamed(user, "link4"), tool = user.document().goals.front().link;
  EXPECT_GT(user.dragAndWatch(elbow, tool, {60, -20}).end, 1e-4);
}

TEST(NullSpace, NeedsNoGoalForTheEndOfAChain) {
  Document document = test::armDocument(test::sevenAxisText(), {0.3, 0.5, 0.2, -1.2, 0.4, 0.9, 0.1});
  const int tool = document.goals.front().link;
  document.goals.clear();
  User user(std::move(document));
  user.letter('j');
  const User::Moved moved = user.dragAndWatch(linkNamed(user, "link4"), tool, {60, -20});
  EXPECT_LT(moved.end, kStays);
  EXPECT_GT(moved.dragged, 0.02);
}

TEST(NullSpace, ADragOfTheToolMovesIt) {
  User user(test::armDocument(test::sevenAxisText(), {0.3, 0.5, 0.2, -1.2, 0.4, 0.9, 0.1}));
  user.session().editor.touch().goals.clear();
  user.letter('j');
  const int wrist = linkNamed(user, "link7");
  user.down(user.middleOf(linkNamed(user, "link5")));
  user.lead(user.mouse() + Eigen::Vector2d(30, 10));
  ASSERT_TRUE(user.isDragging());
  EXPECT_TRUE(user.running().request.meetsHolds);
  user.letter('j');
  EXPECT_FALSE(user.running().request.meetsHolds) << "the key works during the drag";
  const Eigen::Vector3d before = user.place(wrist).translation;
  user.lead(user.mouse() + Eigen::Vector2d(30, 10));
  user.settle();
  EXPECT_GT((user.place(wrist).translation - before).norm(), 1e-3);
  user.up();
}

TEST(NullSpace, ThePersonsHandStaysWhileTheElbowIsDragged) {
  Document document = io::openAny("human")->document;
  document.mode = Mode::Inverse;
  document.solver.posing = PosingChoice::Natural;
  User user(std::move(document));
  const int hand = linkNamed(user, "left hand"), forearm = linkNamed(user, "left forearm");
  addGoal(user.session().editor.touch(), GoalType::PositionOrientation, endEffectorOf(user.figure(), hand));
  user.frame();
  user.letter('j');
  const User::Moved moved = user.dragAndWatch(forearm, hand, {20, 15});
  EXPECT_LT(moved.end, kStays);
  EXPECT_LT(moved.turn, kStays);
  EXPECT_GT(moved.dragged, 1e-3);
}

}  // namespace
}  // namespace limber::app::null_space_test
