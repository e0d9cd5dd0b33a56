// SPDX-License-Identifier: MIT
// Mirror, flip and live symmetry by keys, menus and the mouse.
#include "app/features/pose_actions.h"

#include <gtest/gtest.h>

#include "headless_session.h"
#include "limber/body/body_map.h"
#include "limber/body/mirror.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::app::mirroring_test {
namespace {

class Mirroring : public testing::Test, protected HeadlessSession {
 protected:
  Mirroring() : HeadlessSession(io::openAny("humanoid")->document) {}

  double& at(Document& d, const char* joint) {
    return d.pose.coordinates[figure().joint(figure().findJoint(joint)).poseIndex];
  }
  double angle(const char* joint) const {
    return document().pose.coordinates[figure().joint(figure().findJoint(joint)).poseIndex];
  }
  void bendLeftElbow() {
    session_.editor.edit("bend", "", [&](Document& d) {
      at(d, "left_elbow_flexion") = 1.2;
      at(d, "left_shoulder_abduction") = 0.9;
      at(d, "neck_lateral") = 0.3;
    });
  }
  double asymmetryNow() const { return asymmetry(figure(), *bodyMapOf(figure()).symmetry().symmetry, document().pose); }
};

TEST_F(Mirroring, MCopiesTheLeftSideAndUndoBringsItBack) {
  bendLeftElbow();
  const Pose before = document().pose;
  letter('m');
  EXPECT_DOUBLE_EQ(angle("right_elbow_flexion"), 1.2);
  EXPECT_DOUBLE_EQ(angle("right_shoulder_abduction"), 0.9);
  EXPECT_DOUBLE_EQ(angle("neck_lateral"), 0.3) << "the middle stays";
  EXPECT_EQ(session_.editor.history().undoLabel(), "mirror left to right");
  letter('z', {.control = true});
  EXPECT_EQ(document().pose, before);
}

TEST_F(Mirroring, MCopiesWhatIsSelectedToItsOtherSide) {
  bendLeftElbow();
  session_.editor.touch().selection = {figure().findLink("right_elbow_flexion"), -1};
  letter('m');
  EXPECT_EQ(session_.editor.history().undoLabel(), "mirror right to left");
  EXPECT_EQ(angle("left_elbow_flexion"), angle("right_elbow_flexion"));
  EXPECT_LT(angle("left_elbow_flexion"), 0.1);
  EXPECT_DOUBLE_EQ(angle("left_shoulder_abduction"), 0.9) << "is not selected";
}

TEST_F(Mirroring, OfTheMiddleMCopiesTheLeftSide) {
  bendLeftElbow();
  session_.editor.touch().selection = {figure().findLink("chest"), -1};
  letter('m');
  EXPECT_DOUBLE_EQ(angle("right_elbow_flexion"), 1.2);
  EXPECT_DOUBLE_EQ(angle("right_shoulder_abduction"), 0.9);
}

TEST_F(Mirroring, ShiftMExchangesTheSidesAndTwiceIsThePoseItself) {
  bendLeftElbow();
  const Pose before = document().pose;
  letter('m', {.shift = true});
  EXPECT_DOUBLE_EQ(angle("right_elbow_flexion"), 1.2);
  EXPECT_LT(angle("left_elbow_flexion"), 0.1);
  EXPECT_DOUBLE_EQ(angle("neck_lateral"), -0.3);
  letter('m', {.shift = true});
  EXPECT_LT((document().pose.coordinates - before.coordinates).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(Mirroring, TargetsComeAlong) {
  session_.editor.edit("plant", "", [&](Document& d) { addGoal(d, figure().findLink("right_hand"), {0, 0, 0}); });
  bendLeftElbow();
  letter('m', {.shift = true});
  const Kinematics kinematics = transformsOf(figure(), document().pose);
  const GoalItem& goal = document().goals[0];
  const Eigen::Vector3d point = kinematics.worldFromLink[static_cast<std::size_t>(goal.link)] * goal.pointInLink;
  EXPECT_LT((point - goal.target).norm(), 1e-12);
}

TEST_F(Mirroring, ASecondMirrorSaysThatThereIsNothingToDo) {
  bendLeftElbow();
  letter('m');
  letter('m');
  EXPECT_NE(session_.ui.message.text.find("alike"), std::string::npos) << session_.ui.message.text;
  EXPECT_EQ(session_.editor.history().undoLabel(), "mirror left to right");
}

TEST_F(Mirroring, SaysWhereTheOtherSidesLimitIsAnother) {
  bendLeftElbow();
  session_.editor.edit("limit", "", [&](Document& d) {
    d.joints[static_cast<std::size_t>(figure().findJoint("right_elbow_flexion"))].limits = {0.0, 0.7};
  });
  letter('m');
  EXPECT_DOUBLE_EQ(angle("right_elbow_flexion"), 0.7);
  EXPECT_NE(session_.ui.message.text.find("right_elbow_flexion stops at its limit"), std::string::npos)
      << session_.ui.message.text;
}

TEST_F(Mirroring, AFigureWithoutTwoSidesGetsASentence) {
  Session chain(makeDocument(makePlanarChain(4)), {}, {});
  const Document before = chain.document();
  for (const Command action : {Command::MirrorPose, Command::FlipPose, Command::ToggleSymmetry}) {
    perform(chain, action);
    EXPECT_TRUE(chain.ui.message.isError);
    EXPECT_NE(chain.ui.message.text.find("no two sides"), std::string::npos) << chain.ui.message.text;
  }
  EXPECT_TRUE(isSameContent(before, chain.document()));
  EXPECT_FALSE(chain.editor.history().canUndo());
}

TEST_F(Mirroring, LiveSymmetryTakesForwardEditsOver) {
  letter('m', {.control = true});
  ASSERT_TRUE(document().symmetry);
  perform(session_, Command::ToggleMode);
  session_.editor.touch().selection = {figure().findLink("right_shank"), -1};
  for (int i = 0; i < 4; ++i) perform(session_, Command::TurnUp);
  EXPECT_GT(angle("right_knee_flexion"), 0.3);
  EXPECT_DOUBLE_EQ(angle("right_knee_flexion"), angle("left_knee_flexion"));
  session_.editor.touch().selection = {figure().findLink("neck_lateral"), -1};
  perform(session_, Command::TurnUp);
  EXPECT_NEAR(angle("neck_lateral"), 0.0, 1e-12) << "a tilt to one side has no symmetric form";
  EXPECT_LT(asymmetryNow(), 1e-9);
  letter('m', {.control = true});
  EXPECT_FALSE(document().symmetry);
  session_.editor.touch().selection = {figure().findLink("right_shank"), -1};
  perform(session_, Command::TurnUp);
  EXPECT_GT(angle("right_knee_flexion"), angle("left_knee_flexion") + 0.05);
}

TEST_F(Mirroring, LiveSymmetryIsOneStepAndUndoTakesItBack) {
  bendLeftElbow();
  const Pose before = document().pose;
  letter('m', {.control = true});
  EXPECT_LT(asymmetryNow(), 1e-9);
  EXPECT_DOUBLE_EQ(angle("right_elbow_flexion"), 1.2);
  letter('z', {.control = true});
  EXPECT_FALSE(document().symmetry);
  EXPECT_EQ(document().pose, before);
}

TEST_F(Mirroring, LiveSymmetryMovesBothHandsWithOne) {
  letter('m', {.control = true});
  const int hand = figure().findLink("left_hand");
  const auto placeOf = [&](int link) {
    return session_.picture.kinematics.worldFromLink[static_cast<std::size_t>(link)].translation;
  };
  const Eigen::Vector3d from = placeOf(hand);
  const Eigen::Vector2d start = pixel(from), end = pixel(from + Eigen::Vector3d(0.2, 0.5, 0.0));
  down(start);
  for (int i = 1; i <= 12; ++i) {
    move(start + (end - start) * (i / 12.0));
    EXPECT_LT(asymmetryNow(), 1e-9) << "event " << i;
  }
  up();
  EXPECT_GT((placeOf(hand) - from).norm(), 0.3);
  EXPECT_GT((placeOf(figure().findLink("right_hand")) - Eigen::Vector3d(-from.x(), from.y(), from.z())).norm(), 0.3);
  EXPECT_LT(asymmetryNow(), 1e-9);
  EXPECT_EQ(session_.editor.history().undoLabel(), "drag");
  Pose inside = document().pose;
  clampToLimits(document(), inside);
  EXPECT_LT((inside.coordinates - document().pose.coordinates).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(Mirroring, LiveSymmetryIsKeptByAFile) {
  letter('m', {.control = true});
  const auto text = io::formatScene(document());
  ASSERT_TRUE(text) << text.error().message();
  const auto read = io::parseScene(*text, "scene.limber");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(read->symmetry);
  EXPECT_EQ(*io::formatScene(*read), *text);
}

}  // namespace
}  // namespace limber::app::mirroring_test
