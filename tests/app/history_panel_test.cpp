// SPDX-License-Identifier: MIT
// The list of the steps, and the question about lost work.
#include <gtest/gtest.h>
#include <imgui.h>

#include <set>

#include "headless_gui.h"
#include "limber/io/json/scene_json.h"
#include "limber/kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app::history_panel_test {
namespace {

class HistoryPanel : public test::TemporaryFolder, protected HeadlessWindow {
 protected:
  HistoryPanel() : HeadlessWindow(makeDocument(makePlanarChain(3))) {}

  void draw(const ImVec2& mouse, bool isDown) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = mouse;
    io.MouseDown[0] = isDown;
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(300, 400));
    if (ImGui::Begin("history", nullptr, ImGuiWindowFlags_NoTitleBar)) drawHistory(session_, queue_);
    ImGui::End();
    ImGui::Render();
  }
  void weight(double value) {
    session_.editor.edit("weight", "", [=](Document& d) { d.solver.targetWeight = value; });
  }
};

TEST_F(HistoryPanel, AClickOnAStepAsksForItAndGoesThere) {
  draw({-1, -1}, false);
  for (int i = 1; i <= 4; ++i) weight(i);
  session_.editor.undo();
  for (int i = 0; i < 3; ++i) draw({-1, -1}, false);
  std::set<int> asked;
  for (float y = 0; y < 400; y += 5) {
    for (const bool isDown : {false, true, false}) draw({80, y}, isDown);
    for (const CommandCall& call : queue_.calls) asked.insert(std::get<int>(call.argument));
    queue_ = {};
  }
  EXPECT_EQ(asked, (std::set<int>{0, 1, 2, 4})) << "all but the present one";
  queue_.add(Command::GoToStep, 1);
  carryOut(session_, queue_);
  EXPECT_EQ(session_.document().solver.targetWeight, 1.0);
  EXPECT_EQ(session_.editor.history().presentStep(), 1);
}

TEST_F(HistoryPanel, LostWorkIsAskedAboutOnceAndLaterLeavesIt) {
  {
    std::string fault;
    const auto folder = KeptFolder::create(folder_, fault);
    ASSERT_TRUE(folder) << fault;
    ASSERT_FALSE(io::writeKeptScene(folder->scene(), session_.document(), {"/home/me/arm.limber", 1700000000, "arm"}));
  }
  session_.services.autosave.begin(folder_);
  session_.services.autosave.lookForLost();
  ASSERT_TRUE(session_.services.autosave.job().wait(60.0));
  frames(3);
  ASSERT_EQ(session_.services.autosave.lost().size(), 1u);
  EXPECT_TRUE(session_.ui.popups.isOpen);
  EXPECT_FALSE(session_.ui.askLost) << "it is open";
  session_.ui.popups.closes = true;
  frames(3);
  EXPECT_FALSE(session_.ui.popups.isOpen);
  EXPECT_EQ(session_.services.autosave.lost().size(), 1u);
  EXPECT_EQ(findLostWork(folder_).size(), 0u) << "still held";
  session_.services.autosave.end();
  EXPECT_EQ(findLostWork(folder_).size(), 1u) << "offered at the next start";
}

}  // namespace
}  // namespace limber::app::history_panel_test
