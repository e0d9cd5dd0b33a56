// SPDX-License-Identifier: MIT
// The right column: three tabs, and panels whose positions do not depend on the figure.
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

TEST(SharedHeights, GiveEachWhatItWantsWhereThereIsRoom) {
  const std::vector<PanelHeight> panels = {{10.0}, {4.0, 3.0}, {7.0}};
  EXPECT_EQ(sharedHeights(panels, 30.0, 2.0), (std::vector<double>{10.0, 4.0, 7.0}));
}

TEST(SharedHeights, ShareTheRoomAndHandOnWhatTheModestLeave) {
  const std::vector<PanelHeight> panels = {{40.0}, {4.0}, {30.0, 3.0}};
  EXPECT_EQ(sharedHeights(panels, 24.0, 2.0), (std::vector<double>{5.0, 4.0, 15.0}));
}

TEST(SharedHeights, LeaveNobodyLessThanTheLeast) {
  const std::vector<PanelHeight> panels = {{40.0}, {3.0}, {30.0}};
  EXPECT_EQ(sharedHeights(panels, 2.0, 5.0), (std::vector<double>{5.0, 3.0, 5.0}));
  EXPECT_EQ(sharedHeights(std::span(panels).first(1), -7.0, 5.0), (std::vector<double>{5.0}));
  EXPECT_TRUE(sharedHeights({}, 5.0, 5.0).empty());
}

class Column : public testing::Test, protected HeadlessWindow {
 protected:
  Column() : HeadlessWindow(makeDocument(makeStandingFigure())) { frames(2); }

  /// A click, after which the mouse moves away.
  void clickAt(float x, float y) {
    clickPanel(ImVec2(x, y));
    moveOverPanels(-1.0f, -1.0f);
    frames(1);
  }

  /// The positions of the open panels' contents, from the top.
  static std::vector<ImVec4> places() {
    std::vector<ImVec4> all;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && std::string_view(window->Name).find("/contents_") != std::string_view::npos &&
          std::string_view(window->Name).rfind('/') == std::string_view(window->Name).find("/contents_"))
        all.push_back({window->Pos.x, window->Pos.y, window->SizeFull.x, window->SizeFull.y});
    std::ranges::sort(all, {}, &ImVec4::y);
    return all;
  }

  float left() const {
    const float em = ImGui::GetFontSize();
    return ImGui::GetIO().DisplaySize.x - 21.5f * em + ImGui::GetStyle().WindowPadding.x;
  }
};

#if IMGUI_VERSION_NUM < 18700
TEST_F(Column, AClickOnATabShowsItsPanels) {
  Settings& settings = session_.settings;
  const float em = ImGui::GetFontSize(), third = (21.5f * em - 20.0f) / 3.0f;
  const float y = ImGui::GetFrameHeight() + ImGui::GetStyle().WindowPadding.y + 0.9f * em;
  clickAt(left() + 1.5f * third, y);
  EXPECT_EQ(settings.tab, PanelTab::Analyse);
  clickAt(left() + 2.5f * third, y);
  EXPECT_EQ(settings.tab, PanelTab::SetUp);
  clickAt(left() + 0.5f * third, y);
  EXPECT_EQ(settings.tab, PanelTab::Pose);
}

#endif

TEST_F(Column, NoPanelMovesWhenSomethingIsPinnedPlantedOrSelected) {
  rememberPanel(session_.settings, "Poses", false);
  for (const char* title : {"Joint", "Goals", "Pins", "World"}) rememberPanel(session_.settings, title, true);
  frames(2);
  const std::vector<ImVec4> before = places();
  ASSERT_EQ(before.size(), 4u);
  session_.editor.edit("pins", "", [](Document& d) {
    for (const int link : {1, 2, 3, 4}) pinLink(d, link, true, true);
  });
  session_.editor.edit("goals", "", [](Document& d) {
    for (const int link : {2, 3}) addGoal(d, link, Eigen::Vector3d::Zero());
  });
  session_.editor.touch().selection = {2, session_.document().goals.front().id};
  frames(3);
  const std::vector<ImVec4> after = places();
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].y, before[i].y);
    EXPECT_EQ(after[i].w, before[i].w);
  }
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
  for (const PanelTab tab : {PanelTab::Pose, PanelTab::Analyse, PanelTab::SetUp}) {
    session_.settings.tab = tab;
    frames(3);
  }
  EXPECT_TRUE(isSameContent(before, session_.document()));
}

}  // namespace
}  // namespace limber::app::panel_list_test
