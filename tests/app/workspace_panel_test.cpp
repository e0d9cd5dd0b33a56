// SPDX-License-Identifier: MIT
// The reachable workspace in the window: mapped in the background, kept while it is valid, then discarded.
#include <gtest/gtest.h>

#include <fstream>

#include "app/panels/panels.h"
#include "headless_gui.h"
#include "limber/kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app::workspace_panel_test {
namespace {

class WorkspacePanel : public test::TemporaryFolder, protected HeadlessWindow {
 protected:
  WorkspacePanel() : HeadlessWindow(makeDocument(makePlanarChain(3))) {
    session_.settings.reachCells = 20;
    session_.ui.reveal = Panel::Workspace;
    frames(2);
  }

  void find() {
    perform(session_, Command::FindWorkspace);
    settle();
  }
  void settle() {
    while (session_.services.reaching.isRunning()) {
      session_.services.reaching.job().wait(10.0);
      frames(1);
    }
    frames(2);
  }
  void edit(const Change& change) {
    session_.editor.edit("edit", "", change);
    frames(1);
  }
};

TEST_F(WorkspacePanel, SaysItsResolutionBeforeItStarts) {
  EXPECT_EQ(session_.services.reaching.plan().fault, "");
  EXPECT_NEAR(session_.services.reaching.plan().grid.edge, 6.0 / 20.0, 1e-5);
  session_.settings.reachCells = 40;
  frames(1);
  EXPECT_NEAR(session_.services.reaching.plan().grid.edge, 6.0 / 40.0, 1e-5);
  EXPECT_FALSE(session_.services.reaching.found());
}

TEST_F(WorkspacePanel, MapsDrawsAndSaysWhatItFound) {
  const Pose before = session_.document().pose;
  find();
  ASSERT_TRUE(session_.services.reaching.found()) << session_.ui.message.text;
  EXPECT_GT(session_.services.reaching.found()->answer.map.counts()[1], 200);
  EXPECT_EQ(session_.document().pose, before);
  EXPECT_NE(session_.ui.message.text.find("cells reachable"), std::string::npos);
  ASSERT_TRUE(session_.picture.drawList.shell.shell);
  EXPECT_FALSE(session_.picture.drawList.shell.shell->triangles.empty());
  EXPECT_EQ(session_.settings.tab, PanelTab::Analyse);
  EXPECT_TRUE(isPanelOpen(session_.settings, "Workspace", false) && session_.settings.visible.panels);
  EXPECT_FALSE(session_.ui.reveal) << "done";
  EXPECT_FALSE(session_.editor.history().canUndo()) << "nothing of the document has changed";

  session_.ui.workspace.showsShell = false;
  frames(1);
  EXPECT_FALSE(session_.picture.drawList.shell.shell);
  EXPECT_TRUE(session_.services.reaching.found());
  queue_.add(Command::ForgetWorkspace);
  frames(1);
  EXPECT_FALSE(session_.services.reaching.found());
}

TEST_F(WorkspacePanel, IdlesOnceItIsFound) {
  find();
  session_.ui.message.text.clear();
  frames(3);
  EXPECT_FALSE(sleepTime(session_)) << "only an event can change the picture";
}

TEST_F(WorkspacePanel, StaysWithThePoseAndGoesWithTheLimits) {
  find();
  const auto shell = session_.services.reaching.found()->shell;
  edit([](Document& d) { d.pose.coordinates[1] = 0.7; });
  ASSERT_TRUE(session_.services.reaching.found());
  EXPECT_EQ(session_.services.reaching.found()->shell, shell);
  edit([](Document& d) { d.goals[0].target.x() += 0.5; });
  EXPECT_TRUE(session_.services.reaching.found()) << "goals play no part";
  edit([](Document& d) { d.joints[2].limits = {-1.0, 1.0}; });
  EXPECT_FALSE(session_.services.reaching.found());
  find();
  ASSERT_TRUE(session_.services.reaching.found());
  edit([](Document& d) { d.joints[0].locked = true; });
  EXPECT_FALSE(session_.services.reaching.found());
  find();
  ASSERT_TRUE(session_.services.reaching.found());
  edit([](Document& d) { d.pose.coordinates[0] += 0.2; });
  EXPECT_FALSE(session_.services.reaching.found()) << "a locked joint stands elsewhere";
  find();
  edit([](Document& d) { pinLink(d, 1, true, false, {1.0, 0.0, 0.0}); });
  EXPECT_FALSE(session_.services.reaching.found());
}

TEST_F(WorkspacePanel, IsOfWhatIsSelected) {
  EXPECT_EQ(session_.services.reaching.plan().question.link, 2) << "the goal's";
  session_.editor.touch().selection = {.joint = 1};
  frames(1);
  EXPECT_EQ(session_.services.reaching.plan().question.link, 1);
  EXPECT_NEAR(session_.services.reaching.plan().grid.edge, 4.0 / 20.0, 1e-5);
  find();
  EXPECT_EQ(session_.services.reaching.found()->question.link, 1);
}

TEST_F(WorkspacePanel, EscapeAndCancelEndItEarly) {
  session_.settings.reachCells = 160;
  for (const bool byKey : {true, false}) {
    perform(session_, Command::FindWorkspace);
    EXPECT_TRUE(session_.services.reaching.isRunning());
    if (byKey) perform(session_, Command::Cancel);
    else {
      queue_.add(Command::CancelWorkspace);
      frames(1);
    }
    settle();
    EXPECT_FALSE(session_.services.reaching.isRunning());
    const FoundReach* found = session_.services.reaching.found();
    if (found) {
      EXPECT_TRUE(found->answer.isCancelled);
    }
  }
}

TEST_F(WorkspacePanel, AnEditDropsTheSearchUnderWay) {
  session_.settings.reachCells = 160;
  perform(session_, Command::FindWorkspace);
  edit([](Document& d) { d.joints[1].locked = true; });
  EXPECT_FALSE(session_.services.reaching.isRunning());
  settle();
  EXPECT_FALSE(session_.services.reaching.found());
}

TEST_F(WorkspacePanel, SavesTheShell) {
  find();
  queue_.add(Command::SaveShell, folder_ / "shell.ply");
  frames(1);
  std::ifstream in(folder_ / "shell.ply");
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "ply");
  EXPECT_NE(session_.ui.message.text.find("shell.ply saved"), std::string::npos);
  queue_.add(Command::SaveShell, folder_ / "nowhere" / "shell.ply");
  frames(1);
  EXPECT_NE(session_.ui.error.find("nowhere"), std::string::npos) << session_.ui.error;
}

}  // namespace
}  // namespace limber::app::workspace_panel_test
