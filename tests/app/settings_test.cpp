// SPDX-License-Identifier: MIT
#include "app/settings/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "support/temporary_folder.h"

namespace limber::app::settings_test {
namespace {

namespace fs = std::filesystem;

using SettingsFile = test::TemporaryFolder;

TEST(Settings, SurviveARoundTrip) {
  Settings settings;
  settings.window = {.width = 1234, .height = 800, .x = -20, .y = 40, .isRemembered = true, .isMaximised = true};
  settings.sizes = {.tree = 20.5, .race = 12.0};
  settings.folded = {{"Why does it stop here?", false}, {"Workspace", true}};
  settings.keys = KeyPreset::Maya;
  settings.scrolling = Scrolling::Orbits;
  settings.unit = LengthUnit::Millimetres;
  settings.theme = ThemeName::Light;
  settings.scale = 1.5;
  settings.tab = PanelTab::Analyse;
  settings.showJoints = false;
  settings.skinView = render::SkinView::FigureInSkin;
  settings.linkStyle = render::LinkStyle::Boxes;
  settings.recentFiles = {"/a b/c.bvh", "/d.limber"};
  settings.lastFolder = "/some folder";
  settings.located = {{"/a b/robot.urdf", "/meshes of it"}, {"/c.gltf", "/t"}};
  EXPECT_EQ(parseSettings(settingsText(settings)), settings);
  EXPECT_EQ(parseSettings(settingsText(Settings{})), Settings{});
}

TEST_F(SettingsFile, IsSavedAndLoaded) {
  const fs::path path = folder_ / "deep/settings";
  Settings settings;
  settings.window.height = 777;
  ASSERT_TRUE(saveSettings(settings, path));
  EXPECT_EQ(loadSettings(path), settings);
  EXPECT_FALSE(fs::exists(path.string() + ".new"));
}

TEST(Settings, BrokenLinesArePassedOver) {
  const Settings settings = parseSettings(
      "link_style balloons\nwindow_width -4\nwindow_height banana\nscale nan\nshow_joints 7\nnonsense\nunknown 3\n\n"
      "panel_tab kitchen\nkeys emacs\ntheme purple\nlength_unit furlong\ntree_ems -3\nrace_ems 1e9\nopen \nclosed\n");
  EXPECT_EQ(settings, Settings{});
}

TEST(Settings, AMissingFileOrAFolderGivesTheDefaults) {
  EXPECT_EQ(loadSettings("/nowhere/at/all"), Settings{});
  EXPECT_EQ(loadSettings(fs::path(testing::TempDir())), Settings{});
  EXPECT_FALSE(saveSettings(Settings{}, {}));
}

TEST(Settings, RecentFilesHaveTheNewestFirstAndNoneTwice) {
  Settings settings;
  for (int i = 0; i < 20; ++i) rememberFile(settings, std::filesystem::path("/f") / std::to_string(i));
  EXPECT_EQ(settings.recentFiles.size(), kMaxRecentFiles);
  EXPECT_EQ(settings.recentFiles.front(), "/f/19");
  rememberFile(settings, "/f/15");
  EXPECT_EQ(settings.recentFiles.front(), "/f/15");
  EXPECT_EQ(settings.recentFiles.size(), kMaxRecentFiles);
}

TEST(Settings, StandInTheConfigurationFolder) {
  setenv("XDG_CONFIG_HOME", "/tmp/xdg", 1);
  EXPECT_EQ(settingsPath(), "/tmp/xdg/limber/settings");
  unsetenv("XDG_CONFIG_HOME");
}

}  // namespace
}  // namespace limber::app::settings_test
