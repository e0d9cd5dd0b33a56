// SPDX-License-Identifier: MIT
// Dialogs by the keyboard alone, and within the window.
#include "app/panels/dialog.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "headless_gui.h"
#include "limber/kinematics/standard_figures.h"
#include "standing_figure.h"

namespace limber::app::dialog_test {
namespace {

class Dialogs : public testing::Test, protected HeadlessWindow {
 protected:
  Dialogs() : HeadlessWindow(makeDocument(makePlanarChain(4))) { frames(2); }

  void tabs(int count, bool isBack = false) {
    for (int i = 0; i < count; ++i) keyOverPanels(ImGuiKey_Tab, isBack);
  }
  bool isDialogOpen() const { return session_.ui.popups.isOpen; }
  int linkCount() const { return session_.document().figure->linkCount(); }
};

TEST_F(Dialogs, TheNumberOfLinksHasTheKeyboardAndEnterCreates) {
  session_.ui.newChain.isWanted = true;
  frames(4);
  ASSERT_TRUE(isDialogOpen());
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  typeOverPanels("7");
  keyOverPanels(ImGuiKey_Enter);
  EXPECT_FALSE(isDialogOpen());
  EXPECT_EQ(linkCount(), 7);
}

TEST_F(Dialogs, TabGoesThroughFieldsAndButtonsAndEnterPressesTheOneThatHasIt) {
  session_.ui.newChain.isWanted = true;
  session_.ui.newChain.links = 5;
  frames(4);
  tabs(2);  // the field; 1, 2
  keyOverPanels(ImGuiKey_Enter);
  EXPECT_TRUE(isDialogOpen());
  EXPECT_EQ(session_.ui.newChain.links, 2) << "the button 2";
  tabs(5);  // 4, 10, 100, 1000, Create
  tabs(1);  // Human
  tabs(1);  // Cancel
  keyOverPanels(ImGuiKey_Enter);
  EXPECT_FALSE(isDialogOpen());
  EXPECT_EQ(linkCount(), 4) << "cancelled";
}

TEST_F(Dialogs, NoTooltipCoversAFieldWhileOneTypes) {
  const auto tips = [] {
    return std::ranges::count_if(ImGui::GetCurrentContext()->Windows, [](const ImGuiWindow* window) {
      return window->WasActive && (window->Flags & ImGuiWindowFlags_Tooltip);
    });
  };
  session_.ui.newHuman.isWanted = true;
  frames(4);
  const ImGuiWindow* dialog = ImGui::GetCurrentContext()->NavWindow;
  ASSERT_TRUE(dialog && ImGui::GetIO().WantTextInput);
  const auto sweep = [&] {
    std::ptrdiff_t most = 0;
    for (float y = dialog->Pos.y; y < dialog->Pos.y + dialog->Size.y; y += 8.0f) {
      moveOverPanels(dialog->Pos.x + 0.6f * dialog->Size.x, y);
      frames(2);
      most = std::max(most, tips());
    }
    return most;
  };
  EXPECT_EQ(sweep(), 0);
  tabs(2);  // a check box
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
  EXPECT_GT(sweep(), 0);
}

TEST_F(Dialogs, ShiftTabGoesBackAndAround) {
  session_.ui.askUnsaved = true;
  session_.editor.edit("rest", "", [](Document& d) { d.pose.coordinates[0] = 0.1; });
  frames(4);
  tabs(1, true);  // from Save to Stay
  keyOverPanels(ImGuiKey_Enter);
  EXPECT_FALSE(isDialogOpen());
  EXPECT_FALSE(session_.ui.quit);
  EXPECT_FALSE(session_.ui.browser.isOpen);
}

TEST_F(Dialogs, ArrowsMoveBetweenButtonsAndSpacePresses) {
  session_.editor.edit("rest", "", [](Document& d) { d.pose.coordinates[0] = 0.1; });
  session_.ui.askUnsaved = true;
  frames(4);
  keyOverPanels(ImGuiKey_RightArrow);
  keyOverPanels(ImGuiKey_Space);
  EXPECT_TRUE(session_.ui.quit) << "Quit anyway";
}

TEST_F(Dialogs, EnterIsTheFirstAnswerAndEscNone) {
  session_.editor.edit("rest", "", [](Document& d) { d.pose.coordinates[0] = 0.1; });
  session_.ui.askUnsaved = true;
  frames(4);
  keyOverPanels(ImGuiKey_Escape);
  EXPECT_FALSE(isDialogOpen());
  session_.ui.askUnsaved = true;
  frames(4);
  keyOverPanels(ImGuiKey_Enter);
  EXPECT_TRUE(session_.ui.browser.isOpen) << "Save asks for a file";
  keyOverPanels(ImGuiKey_Escape);
  EXPECT_FALSE(isDialogOpen());
}

TEST_F(Dialogs, TheEnterThatOpensADialogDoesNotAnswerIt) {
#if IMGUI_VERSION_NUM < 18700
  ImGui::GetIO().KeysDown[ImGuiKey_Enter] = true;
#else
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, true);
#endif
  session_.ui.newChain.isWanted = true;
  frames(3);
  EXPECT_TRUE(isDialogOpen());
  EXPECT_EQ(linkCount(), 4);
}

TEST_F(Dialogs, FilesAreChosenByArrowsAndReplacedOnlyOnPurpose) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "limber_dialogs";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "old.limber") << "{}";
  session_.settings.lastFolder = folder.string();
  perform(session_, Command::SaveAs);
  frames(5);
  ASSERT_TRUE(session_.ui.browser.isOpen);
  keyOverPanels(ImGuiKey_DownArrow);
  EXPECT_EQ(session_.ui.browser.typed, "old.limber");
  keyOverPanels(ImGuiKey_Enter);
  ASSERT_TRUE(session_.ui.browser.overwrite);
  keyOverPanels(ImGuiKey_Enter);
  EXPECT_FALSE(session_.ui.browser.overwrite) << "Keep it";
  EXPECT_TRUE(session_.ui.browser.isOpen);
  EXPECT_EQ(std::filesystem::file_size(folder / "old.limber"), 2u);
  keyOverPanels(ImGuiKey_Escape);
  EXPECT_FALSE(isDialogOpen());
  std::filesystem::remove_all(folder);
}

TEST_F(Dialogs, EveryCommandThatTakesAFileHasAQuestion) {
  for (const CommandInfo& info : allCommands()) {
    if (!info.takesFile()) continue;
    perform(session_, info.command);
    frames(4);
    EXPECT_TRUE(session_.ui.browser.isOpen);
    keyOverPanels(ImGuiKey_Escape);
    EXPECT_FALSE(isDialogOpen());
  }
}

/// Windows that extend beyond the display, and dialogs whose contents are cut at the side.
std::string outside() {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  std::string names;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (!window->WasActive || (window->Flags & ImGuiWindowFlags_ChildWindow)) continue;
    const bool isDialog = (window->Flags & ImGuiWindowFlags_Modal) != 0;
    const bool isOut = window->Pos.x < 0.0f || window->Pos.y < 0.0f || window->Pos.x + window->Size.x > display.x ||
                       window->Pos.y + window->Size.y > display.y;
    if (isDialog &&
        (isOut || window->ScrollMax.x > 1.0f || window->ContentSize.x > window->InnerRect.GetWidth() + 1.0f))
      names += std::string(window->Name) + " ";
  }
  return names;
}

TEST_F(Dialogs, StayWithinASmallWindowAtDoubleScale) {
  ImGui::GetIO().DisplaySize = ImVec2(1000, 700);
  applyTheme(2.0);
  ImGui::GetIO().FontGlobalScale = 30.0f / 13.0f;  // the height of the text that the window has at this scale
  session_.editor.open(makeDocument(makeStandingFigure()), {}, "open");
  session_.editor.edit("rest", "", [](Document& d) { d.pose.coordinates[0] = 0.1; });
  UiState& ui = session_.ui;
  ui.error = std::string(400, 'x') + " " + std::string(300, 'y');
  const std::vector<std::function<void()>> all = {
      [&] { ui.newChain.isWanted = true; },
      [&] { ui.newHuman.isWanted = true; },
      [&] { ui.showError = true; },
      [&] { queue_.add(Command::CheckDerivatives); },
      [&] { ui.askUnsaved = true; },
      [&] { ui.guide.showsAbout = true; },
      [&] { ui.figure.newLinkWanted = true; },
      [&] { ui.figure.removeWanted = true; },
      [&] { ui.poses.renameWanted = true; },
      [&] { ui.poses.removeWanted = true; },
      [&] { ui.askLost = true; },
      [&] { perform(session_, Command::SavePictures); },
      [&] { perform(session_, Command::SaveAs); },
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i]();
    frames(5);
    EXPECT_EQ(outside(), "") << i;
    keyOverPanels(ImGuiKey_Escape);
    EXPECT_FALSE(isDialogOpen()) << i;
  }
}

}  // namespace
}  // namespace limber::app::dialog_test
