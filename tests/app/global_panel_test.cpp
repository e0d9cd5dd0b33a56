// SPDX-License-Identifier: MIT
// The global pose in the window: found in the background, applied in one step, certified; an answer to another problem
// is discarded.
#include <gtest/gtest.h>

#include "app/panels/panels.h"
#include "arm_that_misses.h"
#include "headless_gui.h"

namespace limber::app::global_panel_test {
namespace {

class GlobalPanel : public testing::Test, protected HeadlessWindow {
 protected:
  GlobalPanel() : HeadlessWindow(armThatMisses()) { frames(2); }

  void search() {
    perform(session_, Command::FindGlobalPose);
    settle();
  }
  void settle() {
    while (session_.services.global.isRunning()) {
      session_.services.global.job().wait(10.0);
      frames(1);
    }
    frames(2);
  }
};

TEST_F(GlobalPanel, FindsThePoseAndGoesThereInOneStep) {
  const Pose before = session_.document().pose;
  search();
  ASSERT_TRUE(session_.services.global.answer()) << session_.ui.message.text;
  EXPECT_EQ(session_.document().pose, before) << "the figure waits to be told";
  const auto there = session_.services.global.judge(session_.document());
  ASSERT_TRUE(there);
  EXPECT_FALSE(there->isCertified);
  EXPECT_GT(there->gap(), 0.1);

  queue_.add(Command::GoToGlobalPose);
  frames(2);
  EXPECT_EQ(session_.document().pose, session_.services.global.answer()->pose);
  const auto here = session_.services.global.judge(session_.document());
  ASSERT_TRUE(here);
  EXPECT_TRUE(here->isCertified) << session_.services.global.answer()->sentence();
  EXPECT_EQ(here->value, session_.services.global.answer()->result.certificate.value);
  perform(session_, Command::Undo);
  EXPECT_EQ(session_.document().pose, before);
}

TEST_F(GlobalPanel, ProvesWhatIsOutOfReach) {
  session_.editor.edit("target", "", [](Document& d) { d.goals[0].target = {0.0, 5.0, 0.0}; });
  search();
  ASSERT_TRUE(session_.services.global.answer());
  const Certificate& certificate = session_.services.global.answer()->result.certificate;
  EXPECT_TRUE(certificate.isOutOfReach);
  EXPECT_GT(certificate.leastCost(), 1.9);
  EXPECT_LE(certificate.leastCost(), 2.0 + 1e-9);  // three links of one metre
  EXPECT_TRUE(certificate.isCertified) << session_.services.global.answer()->sentence();
}

TEST_F(GlobalPanel, ComesIntoViewWhenItIsAskedFor) {
  Settings& settings = session_.settings;
  settings.visible.panels = false;
  settings.tab = PanelTab::SetUp;
  rememberPanel(settings, "Global", false);
  search();
  EXPECT_TRUE(settings.visible.panels);
  EXPECT_EQ(settings.tab, PanelTab::Analyse);
  EXPECT_TRUE(isPanelOpen(settings, "Global", false));
  EXPECT_FALSE(session_.ui.reveal) << "done";
}

TEST_F(GlobalPanel, TheBadgeGoesWithThePose) {
  search();
  queue_.add(Command::GoToGlobalPose);
  frames(2);
  ASSERT_TRUE(session_.services.global.judge(session_.document())->isCertified);
  session_.editor.edit("turn", "", [](Document& d) { d.pose.coordinates[0] -= 0.3; });
  frames(1);
  ASSERT_TRUE(session_.services.global.answer());
  EXPECT_FALSE(session_.services.global.judge(session_.document())->isCertified);
}

TEST_F(GlobalPanel, AnAnswerToAnotherQuestionIsDropped) {
  search();
  ASSERT_TRUE(session_.services.global.answer());
  session_.editor.edit("target", "", [](Document& d) { d.goals[0].target.x() += 0.1; });
  frames(1);
  EXPECT_FALSE(session_.services.global.answer());
  EXPECT_FALSE(session_.services.global.judge(session_.document()));

  perform(session_, Command::FindGlobalPose);
  session_.editor.edit("limits", "", [](Document& d) { d.joints[0].limits = {-1.0, 1.0}; });
  frames(1);
  EXPECT_FALSE(session_.services.global.isRunning());
  settle();
  EXPECT_FALSE(session_.services.global.answer());
}

TEST_F(GlobalPanel, IsCancelledByEscapeAndByItsButton) {
  perform(session_, Command::FindGlobalPose);
  perform(session_, Command::Cancel);
  EXPECT_FALSE(session_.services.global.isRunning());
  perform(session_, Command::FindGlobalPose);
  queue_.add(Command::CancelGlobal);
  frames(1);
  EXPECT_FALSE(session_.services.global.isRunning());
  settle();
  EXPECT_FALSE(session_.services.global.answer());
}

TEST_F(GlobalPanel, SaysWhyThereIsNoGlobalPose) {
  session_.editor.edit("no goals", "", [](Document& d) { d.goals.clear(); });
  perform(session_, Command::FindGlobalPose);
  EXPECT_FALSE(session_.services.global.isRunning());
  EXPECT_NE(session_.ui.message.text.find("there are no goals"), std::string::npos);

  session_.editor.edit("a direction", "", [](Document& d) {
    addGoal(d, 2, Eigen::Vector3d::Zero());
    d.goals[0].type = GoalType::Direction;
  });
  search();
  EXPECT_FALSE(session_.services.global.answer());
  EXPECT_TRUE(session_.ui.message.isError) << session_.ui.message.text;
}

}  // namespace
}  // namespace limber::app::global_panel_test
