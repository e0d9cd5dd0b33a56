// SPDX-License-Identifier: MIT
#include "app/panels/panels.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/editing/figure_editing.h"
#include "headless_gui.h"
#include "limber/kinematics/standard_figures.h"
#include "standing_figure.h"

namespace limber::app::figure_editor_panel_test {
namespace {

/// The editor alone in a window of its own.
class FigureEditorPanel : public testing::Test, protected HeadlessWindow {
 protected:
  FigureEditorPanel() : HeadlessWindow(makeDocument(makeStandingFigure())) {}

  void drawFrame() override {
    carryOut(session_, queue_);
    refreshScene(session_);
    ImGui::NewFrame();
    ImGui::SetNextWindowSize(ImVec2(500, 800));
    ImGui::Begin("editor");
    drawFigureEditor(session_, session_.ui, queue_);
    ImGui::End();
    drawFigureDialogs(session_, session_.ui, queue_);
    ImGui::Render();
  }
};

TEST_F(FigureEditorPanel, AsksForNothingWhenNobodyTouchesIt) {
  const Document before = session_.document();
  for (int link = -1; link < before.figure->linkCount(); ++link) {
    session_.editor.touch().selection.joint = link;
    frames(2);
  }
  EXPECT_TRUE(isSameContent(before, session_.document()));
  EXPECT_FALSE(session_.editor.history().canUndo());
  EXPECT_TRUE(session_.ui.message.text.empty()) << session_.ui.message.text;
}

TEST_F(FigureEditorPanel, DialogsOpenCloseAndAskForNothing) {
  const Document before = session_.document();
  FigureEditorState& state = session_.ui.figure;
  state.newLink = continuationOf(*before.figure, 0);
  state.newLink.name = "hand";
  for (const JointType type : {JointType::Revolute, JointType::Ball, JointType::Fixed}) {
    state.newLink.type = type;
    state.newLinkWanted = true;
    frames(2);
    EXPECT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
    session_.ui.popups.closes = true;
    frames(2);
    session_.ui.popups.closes = false;
  }
  state.removed = before.figure->link(1).name;
  state.going = {"the link \"a\" goes"};
  state.removeWanted = true;
  frames(2);
  EXPECT_TRUE(isSameContent(before, session_.document()));
}

TEST_F(FigureEditorPanel, TheUnitOfABvhFileIsOneStepThatUndoes) {
  Document document = makeDocument(makeStandingFigure());
  document.source = std::make_shared<SourceFile>(SourceFile{SourceFormat::Bvh, "walk.bvh", {}, {}});
  addGoal(document, 3, {0.1, 0, 0});
  const Document before = document;
  session_.editor.open(std::move(document), {}, "open");
  frames(2);
  EXPECT_TRUE(isSameContent(before, session_.document())) << "the row asks for nothing by itself";
  const double unit = before.figure->fileFrame().metresPerUnit;
  setFileUnit(session_.document(), 2.0 * unit, "", session_.ui, queue_);
  frames(1);
  const Document& now = session_.document();
  EXPECT_EQ(now.figure->fileFrame().metresPerUnit, 2.0 * unit);
  EXPECT_NEAR(now.figure->meanLinkLength(), 2.0 * before.figure->meanLinkLength(), 1e-12);
  EXPECT_LT((now.goals[0].target - 2.0 * before.goals[0].target).norm(), 1e-12);
  perform(session_, Command::Undo);
  EXPECT_TRUE(isSameContent(before, session_.document()));
}

}  // namespace
}  // namespace limber::app::figure_editor_panel_test
