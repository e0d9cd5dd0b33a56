// SPDX-License-Identifier: MIT
// Panels without a window, which Dear ImGui does not need.
#include "app/panels/panels.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <functional>

#include "app/panels/joint_ties.h"
#include "app/panels/vector_rows.h"
#include "app/panels/widgets.h"
#include "headless_gui.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/goal_types.h"
#include "standing_figure.h"
#include "support/built_figure.h"

namespace limber::app::panels_test {
namespace {

class Panels : public testing::Test, protected HeadlessWindow {
 protected:
  Panels() : HeadlessWindow(makeDocument(makePlanarChain(4))) {}

  void open(Document document) { session_.editor.open(std::move(document), {}, "open"); }
};

TEST_F(Panels, AskForNothingWhenNobodyTouchesThem) {
  const Document before = session_.document();
  frames(5);
  EXPECT_TRUE(isSameContent(before, session_.document()));
  EXPECT_FALSE(session_.editor.history().canUndo());
}

TEST_F(Panels, DrawEveryJointTypeAndEveryDialog) {
  open(makeDocument(makeStandingFigure()));
  addGoal(session_.editor.touch(), 3, {0, 0, 0});
  for (int joint = -1; joint < session_.document().figure->linkCount(); ++joint) {
    session_.editor.touch().selection = {joint, 1};
    frames(1);
  }
  session_.ui.keySheet.isShown = true;
  session_.ui.newChain.isWanted = true;
  frames(2);
  session_.ui.popups.closes = true;
  frames(2);
  session_.ui.browser.wanted = true;
  frames(3);
  session_.ui.popups.closes = true;
  frames(2);
  session_.ui.error = "arm.json: joints[3]: no such parent";
  session_.ui.showError = true;
  queue_.add(Command::CheckDerivatives);
  frames(3);
  EXPECT_TRUE(session_.ui.derivatives.check);
}

TEST_F(Panels, FilesThatWereNotFoundBlockNothing) {
  session_.ui.notes = "2 meshes not found: package://arm/base.stl, hand.stl";
  session_.ui.missing = {"robot.urdf", {"package://arm/base.stl", "hand.stl"}};
  frames(3);
  EXPECT_FALSE(session_.ui.popups.isOpen);
  EXPECT_EQ(session_.ui.missing.names.size(), 2u) << "they are told until somebody has understood";
  session_.ui.browser.command = Command::LookIn;
  session_.ui.browser.wanted = true;
  frames(3);
  EXPECT_TRUE(session_.ui.browser.isOpen);
  EXPECT_EQ(session_.ui.browser.typed, "");
}

TEST_F(Panels, DrawEveryTypeOfGoalAndAskForNothing) {
  open(makeDocument(makeStandingFigure()));
  for (const GoalTypeInfo& info : goalTypes()) {
    SCOPED_TRACE(info.name);
    Document& document = session_.editor.touch();
    for (const bool withOther : {false, true}) {
      const std::optional<EndEffector> other = withOther ? std::optional(EndEffector{7}) : std::nullopt;
      document.selection = {-1, addGoal(document, info.type, {3, {0.1, 0.2, 0.3}}, other)};
      document.goals.back().anyOf = withOther ? 0 : -1;
      document.goals.back().chain = withOther ? std::vector<int>{1, 5} : std::vector<int>{2, 3};
      document.goals.back().directionScale = {0.0, withOther ? 1.0 : 0.0};
      const Document before = session_.document();
      session_.ui.goals.scrolls = true;
      frames(3);
      EXPECT_TRUE(isSameContent(before, session_.document()));
      EXPECT_TRUE(session_.ui.message.text.empty()) << session_.ui.message.text;
    }
  }
}

TEST_F(Panels, DrawPinsAndWhyAPoseStops) {
  open(makeDocument(makeStandingFigure()));
  Document& document = session_.editor.touch();
  for (const int link : {1, 2, 4, 5, 6, 8}) pinLink(document, link, link % 2 == 0, true);
  document.joints[2].limits = {-0.1, 0.1};
  addGoal(document, 4, {0, 0, 0});
  document.goals[0].target += Eigen::Vector3d(0.4, 0.6, 0.3);
  session_.solving.request();
  frames(20);
  EXPECT_TRUE(session_.solving.reportFor(session_.document()));
}

/// Three hinges of which the second follows the first, a linear limit over first and last, and a limited ball.
std::shared_ptr<const Figure> makeTiedFigure() {
  FigureBuilder builder("tied");
  for (int i = 0; i < 4; ++i) {
    Link link{.name = "link" + std::to_string(i), .parent = i - 1};
    link.capsules = {{{0, 0, 0}, {1, 0, 0}, 0.1}};
    Joint joint{.type = i == 3 ? JointType::Ball : JointType::Revolute};
    joint.parentFromJoint = Transform::fromTranslation({i == 0 ? 0.0 : 1.0, 0, 0});
    joint.limits = i == 3 ? Interval{} : Interval{-1, 1};
    if (i == 3) joint.ballLimits.swing = 0.5;
    builder.addLink(link, joint);
  }
  builder.addCoupling({.name = "spine", .follower = 1, .offset = 0.0, .terms = {{0, {0.5, 0, 0, 0}}}});
  builder.addLinearLimit({.name = "polygon", .terms = {{0, 1.0}, {2, 1.0}}, .bounds = {-1, 1}});
  return test::built(builder);
}

TEST_F(Panels, DrawTiedJointsAndAskForNothing) {
  open(makeDocument(makeTiedFigure()));
  const Document before = session_.document();
  for (int joint = 0; joint < 4; ++joint) {
    session_.editor.touch().selection = {joint, -1};
    frames(2);
  }
  EXPECT_TRUE(isSameContent(before, session_.document()));
}

TEST(JointTies, UntieAndTieAWholeGroup) {
  Document document = makeDocument(makeTiedFigure());
  EXPECT_TRUE(follows(document, 1));
  EXPECT_FALSE(follows(document, 0));
  setGroupEnabled(document, "spine", false);
  EXPECT_FALSE(follows(document, 1));
  document.pose.coordinates[0] = 0.8;
  setGroupEnabled(document, "spine", true);
  EXPECT_NEAR(document.pose.coordinates[1], 0.4, 1e-12);
}

TEST_F(Panels, TheKeysThatTurnAJointTellItsAngle) {
  perform(session_, Command::ToggleMode);
  perform(session_, Command::NextJoint);
  perform(session_, Command::TurnUp);
  perform(session_, Command::TurnUp);
  EXPECT_NE(session_.ui.message.text.find(": 10.0°"), std::string::npos) << session_.ui.message.text;
  perform(session_, Command::TurnDownFine);
  EXPECT_NE(session_.ui.message.text.find(": 9.0°"), std::string::npos) << session_.ui.message.text;
}

TEST_F(Panels, DrawTheConvergenceAboveItsLowestValueToo) {
  addGoal(session_.editor.touch(), 3, {0, 0, 0});
  session_.editor.touch().goals.back().target = {1.0, 2.0, 0.0};
  perform(session_, Command::Solve);
  frames(20);
  session_.settings.tab = PanelTab::Analyse;
  for (const bool isAbove : {false, true}) {
    session_.ui.convergence.isAboveLowest = isAbove;
    session_.ui.convergence.hasWindow = true;
    frames(3);
    EXPECT_EQ(session_.ui.convergence.isAboveLowest, isAbove);
  }
}

TEST_F(Panels, DrawManyGoalsOfWhichMostScrolledAway) {
  for (int i = 0; i < 300; ++i) addGoal(session_.editor.touch(), i % 4, {0, 0, 0});
  session_.editor.touch().selection.goal = 200;
  session_.ui.goals.scrolls = true;
  frames(3);
  EXPECT_FALSE(session_.ui.goals.scrolls);
}

#if IMGUI_VERSION_NUM >= 18700
void pressEnter(ImGuiIO& io, bool down) { io.AddKeyEvent(ImGuiKey_Enter, down); }
#else
void pressEnter(ImGuiIO& io, bool down) {
  io.KeyMap[ImGuiKey_Enter] = 13;
  io.KeysDown[13] = down;
}
#endif

/// A single number field in a window at the corner, edited as a person does: double-click, text, Enter.
class NumberField : public Panels {
 protected:
  void show(std::function<void(ImGuiIO&)> act = {}) {
    if (act) act(ImGui::GetIO());
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(300, 100));
    ImGui::Begin("field");
    ImGui::SetNextItemWidth(200);
    ImGui::SetCursorPos(ImVec2(20, 40));
    editNumber("##number", value_, style_, session_.ui);
    ImGui::End();
    ImGui::Render();
  }
  void type(const char* text) {
    for (int i = 0; i < 60; ++i) show();  // the last click is long ago
    show([](ImGuiIO&) { moveOverPanels(60, 50); });
    for (const bool down : {true, false, true, false}) show([down](ImGuiIO&) { pressOverPanels(down); });
    show();
    show([text](ImGuiIO& io) { io.AddInputCharactersUTF8(text); });
    show();
    for (const bool down : {true, false}) show([down](ImGuiIO& io) { pressEnter(io, down); });
    show();
  }

  double value_ = 2.0;
  NumberStyle style_;
};

TEST_F(NumberField, TakesWhatIsTyped) {
  type("3.5");
  EXPECT_EQ(value_, 3.5);
  EXPECT_FALSE(session_.ui.message.isError);
}

TEST_F(NumberField, RefusesWhatIsNotFinite) {
  for (const char* text : {"1e999", "-1e999"}) {
    session_.ui.message = {};
    type(text);
    EXPECT_EQ(value_, 2.0) << text;
    EXPECT_TRUE(session_.ui.message.isError) << text;
  }
}

TEST_F(NumberField, TakesNoLetters) {
  for (const char* text : {"nan", "inf", "-nan", ""}) {
    type(text);
    EXPECT_EQ(value_, 2.0) << text;
  }
}

TEST_F(NumberField, StopsAtTheEndsOfItsRange) {
  style_ = {.minimum = 0.0, .maximum = 100.0, .logarithmic = true};
  type("1e9");
  EXPECT_EQ(value_, 100.0);
  type("-4");
  EXPECT_EQ(value_, 0.0);
}

TEST(DirectionRow, KeepsFramesOrthonormalAndRefusesNoDirection) {
  const Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
  const auto x = frameWithAxis(frame, 0, {0, 3, 4});
  ASSERT_TRUE(x);
  EXPECT_LT((x->col(0) - Eigen::Vector3d(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_LT((x->transpose() * *x - frame).norm(), 1e-12);
  const auto y = frameWithAxis(*x, 1, {1, 1, 1});
  ASSERT_TRUE(y);
  EXPECT_EQ(y->col(0), x->col(0));
  EXPECT_NEAR(y->determinant(), 1.0, 1e-12);
  EXPECT_FALSE(frameWithAxis(frame, 0, {0, 0, 0}));
  EXPECT_FALSE(frameWithAxis(frame, 1, {2, 0, 0}));
  EXPECT_TRUE(frameWithAxis(frame, 0, {-1, 0, 0}));
}

TEST_F(Panels, DrawALongChainAndATinyWindow) {
  open(makeDocument(makePlanarChain(1000)));
  frames(2);
  for (const float size : {900.0f, 300.0f, 60.0f, 1.0f}) {
    ImGui::GetIO().DisplaySize = ImVec2(size, size);
    frames(2);
  }
}

TEST_F(Panels, DrawAMotionAndPlayIt) {
  auto motion = std::make_shared<Motion>();
  auto figure = makeBallChain(2);
  motion->channels = {{0, ChannelType::ZRotation}};
  motion->values = {0, 10, 20, 30};
  motion->frameCount = 4;
  motion->frameTime = 0.02;
  open(makeDocument(figure, motion));
  session_.playing.loop = false;
  session_.playing.start(session_.document(), session_.ui.now);
  frames(10);
  EXPECT_EQ(session_.document().frame, 3);
  EXPECT_FALSE(session_.playing.isPlaying());
  session_.editor.undo();
  EXPECT_EQ(session_.document().frame, 0);
}

TEST_F(Panels, ShowTheLastSolve) {
  session_.editor.touch().goals[0].target = {2, 2, 0};
  session_.solving.request();
  frames(5);
  EXPECT_FALSE(session_.solving.historyFor(session_.document()).empty());
  EXPECT_TRUE(session_.solving.reportFor(session_.document()));
}

TEST_F(Panels, ShowNoSolveOfAFigureThatHasGone) {
  session_.editor.touch().goals[0].target = {2, 2, 0};
  session_.solving.request();
  frames(5);
  EXPECT_FALSE(session_.solving.historyFor(session_.document()).empty());
  open(makeDocument(makePlanarChain(3)));
  frames(1);
  EXPECT_TRUE(session_.solving.historyFor(session_.document()).empty());
  session_.editor.undo();
  EXPECT_FALSE(session_.solving.historyFor(session_.document()).empty()) << "the figure is back, and so is its solve";
}

}  // namespace
}  // namespace limber::app::panels_test
