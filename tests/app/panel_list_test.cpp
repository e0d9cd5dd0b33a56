// SPDX-License-Identifier: MIT
// The right column: four tabs, and panels that are as high as their contents.
#include "app/settings/panel_list.h"

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string_view>

#include "headless_gui.h"
#include "standing_figure.h"

namespace limber::app::panel_list_test {
namespace {

class Column : public testing::Test, protected HeadlessWindow {
 protected:
  Column() : HeadlessWindow(makeDocument(makeStandingFigure())) { frames(2); }

  /// A click, after which the mouse moves away.
  void clickAt(float x, float y) {
    clickPanel(ImVec2(x, y));
    moveOverPanels(-1.0f, -1.0f);
    frames(1);
  }

  /// The part of the column that is scrolled away, and the most that can be.
  static ImVec2 scrolled() {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && std::string_view(window->Name).starts_with("##panels/Pose"))
        return {window->Scroll.y, window->ScrollMax.y};
    return {-1.0f, -1.0f};
  }
  /// Windows inside of the column that scroll by themselves.
  static int innerScrolling() {
    return static_cast<int>(std::ranges::count_if(ImGui::GetCurrentContext()->Windows, [](const ImGuiWindow* window) {
      const std::string_view name(window->Name);
      const bool isInner = name.starts_with("##panels/") && std::ranges::count(name, '/') > 1;
      return window->WasActive && isInner && window->ScrollMax.y > 0.0f;
    }));
  }

  float left() const {
    const float em = ImGui::GetFontSize();
    return ImGui::GetIO().DisplaySize.x - 21.5f * em + ImGui::GetStyle().WindowPadding.x;
  }
};

#if IMGUI_VERSION_NUM < 18700
TEST_F(Column, AClickOnATabShowsItsPanels) {
  Settings& settings = session_.settings;
  const float em = ImGui::GetFontSize(), part = (21.5f * em - 20.0f) / 4.0f;
  const float y = ImGui::GetFrameHeight() + ImGui::GetStyle().WindowPadding.y + 0.9f * em;
  clickAt(left() + 2.5f * part, y);
  EXPECT_EQ(settings.tab, PanelTab::Analyse);
  clickAt(left() + 3.5f * part, y);
  EXPECT_EQ(settings.tab, PanelTab::SetUp);
  clickAt(left() + 0.5f * part, y);
  EXPECT_EQ(settings.tab, PanelTab::Start);
  clickAt(left() + 1.5f * part, y);
  EXPECT_EQ(settings.tab, PanelTab::Pose);
}

#endif

TEST_F(Column, AllPanelsAreAsHighAsTheyNeedAndOnlyTheColumnScrolls) {
  ImGui::GetIO().DisplaySize = ImVec2(1280, 500);
  for (const PanelEntry& entry : panelList()) rememberPanel(session_.settings, entry.title, true);
  session_.editor.edit("goals", "", [](Document& d) {
    for (int i = 0; i < 30; ++i) addGoal(d, i % d.figure->linkCount(), Eigen::Vector3d::Zero());
  });
  frames(4);
  EXPECT_GT(scrolled().y, 100.0f);
  EXPECT_EQ(innerScrolling(), 0);
}

TEST_F(Column, TheNumbersOfANewGoalAreInSight) {
  ImGui::GetIO().DisplaySize = ImVec2(1280, 800);
  session_.editor.touch().selection = {2, -1};
  frames(3);
  session_.editor.edit("goal", "", [](Document& d) { d.selection.goal = addGoal(d, 3, {0.1, 0.2, 0.3}); });
  session_.ui.goals.scrolls = true;
  session_.ui.reveal = Panel::Goals;
  frames(4);
  EXPECT_GT(scrolled().x, 0.0f) << "the library and the joint are above";
  const float at = scrolled().x;
  frames(5);
  EXPECT_EQ(scrolled().x, at) << "it scrolls once";
  EXPECT_FALSE(session_.ui.goals.scrolls);
}

TEST_F(Column, APanelThatIsAskedForIsShownOnItsTab) {
  Settings& settings = session_.settings;
  for (const PanelEntry& entry : panelList()) {
    SCOPED_TRACE(entry.title);
    rememberPanel(settings, entry.title, false);
    settings.visible.panels = false;
    settings.tab = entry.tab == PanelTab::Pose ? PanelTab::SetUp : PanelTab::Pose;
    session_.ui.reveal = entry.panel;
    frames(2);
    EXPECT_TRUE(settings.visible.panels);
    EXPECT_EQ(settings.tab, entry.tab);
    EXPECT_TRUE(isPanelOpen(settings, entry.title, false));
  }
}

TEST_F(Column, DrawsAllPanelsOfATabUnfoldedInALowWindow) {
  ImGui::GetIO().DisplaySize = ImVec2(900, 300);
  for (const PanelEntry& entry : panelList()) rememberPanel(session_.settings, entry.title, true);
  const Document before = session_.document();
  for (const PanelTab tab : {PanelTab::Start, PanelTab::Pose, PanelTab::Analyse, PanelTab::SetUp}) {
    session_.settings.tab = tab;
    frames(3);
  }
  EXPECT_TRUE(isSameContent(before, session_.document()));
}

}  // namespace
}  // namespace limber::app::panel_list_test
