// SPDX-License-Identifier: MIT
// What survives a restart: window, look, habits, recent files. A text file of "key value" lines in the user's
// configuration folder, written atomically.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/panel_list.h"
#include "app/settings/preferences.h"
#include "render/draw_list.h"

namespace limber::app {

/// Which parts of the window are shown.
struct PanelVisibility {
  bool tree = true;
  bool panels = true;
  bool timeline = false;
  bool race = false;         ///< shown is on: what is not shown does not run

  bool operator==(const PanelVisibility&) const = default;
};

/// Where the user found what a file names: meshes, textures.
struct LocatedFolder {
  std::string file, folder;  ///< absolute paths

  bool operator==(const LocatedFolder&) const = default;
};

inline constexpr int kReachCells = 40;  ///< across a map of the workspace, unless the user wants others

/// A panel that the user has opened or closed by its header.
struct FoldedPanel {
  std::string title;
  bool isOpen = true;

  bool operator==(const FoldedPanel&) const = default;
};

struct Settings {
  WindowPlace window;
  PartSizes sizes;
  PanelTab tab = PanelTab::Pose;    ///< of the right column
  std::vector<FoldedPanel> folded;  ///< those that are not as they come
  double scale = 0.0;       ///< of text and panels; 0: the display's own
  KeyPreset keys = KeyPreset::Limber;
  Scrolling scrolling = Scrolling::Zooms;
  LengthUnit unit = LengthUnit::Metres;
  ThemeName theme = ThemeName::Dark;
  bool showJoints = true;
  bool onionSkin = false;    ///< ghosts of the frames of a motion before and after
  bool showBalance = false;  ///< the centre of mass and what it stands on, also where balance is not kept
  render::SkinView skinView = render::SkinView::Skin;  ///< of figures that have a skin
  render::LinkStyle linkStyle = render::LinkStyle::Capsules;
  PanelVisibility visible;
  int reachCells = kReachCells;
  double reachOpacity = 0.5;  ///< of the workspace's shell, in (0, 1]
  std::optional<std::vector<std::string>> raceSolvers;  ///< names; not set until the user has chosen
  std::vector<std::string> recentFiles;  ///< newest first, absolute paths
  std::string lastFolder;                ///< of the file browser
  std::vector<LocatedFolder> located;    ///< newest first

  bool operator==(const Settings&) const = default;
};

inline constexpr std::size_t kMaxRecentFiles = 12;
inline constexpr std::size_t kMaxLocated = 50;
inline constexpr std::size_t kMaxFolded = 100;
inline constexpr double kMinScale = 0.5;
inline constexpr double kMaxScale = 4.0;

/// $XDG_CONFIG_HOME/limber/settings, else ~/.config/limber/settings; empty when there is no home.
std::filesystem::path settingsPath();

/// The text of a settings file, and settings from it; unknown keys and broken values are passed over.
std::string settingsText(const Settings& settings);
Settings parseSettings(const std::string& text);

/// Defaults when there is no readable file.
Settings loadSettings(const std::filesystem::path& path);
/// False when it could not be written; the old file is then untouched.
bool saveSettings(const Settings& settings, const std::filesystem::path& path);

/// Whether a panel is open, and that it is from now on.
bool isPanelOpen(const Settings& settings, std::string_view title, bool byDefault);
void rememberPanel(Settings& settings, std::string_view title, bool isOpen);

/// Puts a file first in the list of recent ones.
void rememberFile(Settings& settings, const std::filesystem::path& file);

/// The folders that were pointed at for a file, newest first; and one more.
std::vector<std::filesystem::path> foldersFor(const Settings& settings, const std::filesystem::path& file);
void rememberFolder(Settings& settings, const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace limber::app
