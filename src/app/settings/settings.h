// SPDX-License-Identifier: MIT
// The settings that survive a restart, in a text file of "key value" lines in the user's configuration folder.
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
  bool race = false;  ///< the race runs only while it is shown

  bool operator==(const PanelVisibility&) const = default;
};

/// A folder in which the user found meshes or textures that a file names.
struct LocatedFolder {
  std::string file, folder;  ///< absolute paths

  bool operator==(const LocatedFolder&) const = default;
};

inline constexpr int kReachCells = 40;  ///< default number of cells across a map of the workspace

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
  std::vector<FoldedPanel> folded;  ///< those that the user has folded or unfolded
  double scale = 0.0;               ///< of text and panels; 0 for the display's
  KeyPreset keys = KeyPreset::Limber;
  Scrolling scrolling = Scrolling::Zooms;
  LengthUnit unit = LengthUnit::Metres;
  ThemeName theme = ThemeName::Dark;
  WorldAxes worldAxes = WorldAxes::OfFile;
  RotationView rotations = RotationView::Axes;
  bool showJoints = true;
  bool onionSkin = false;                              ///< shows ghosts of the previous and next frames of a motion
  bool showBalance = false;                            ///< shows centre of mass and support even if balance is not kept
  render::SkinView skinView = render::SkinView::Skin;  ///< of figures that have a skin
  render::LinkStyle linkStyle = render::LinkStyle::Parts;
  bool dragsInNullSpace = false;  ///< a dragged link leaves the end effectors in place (app/drag/null_space.h)
  PanelVisibility visible;
  int reachCells = kReachCells;
  double reachOpacity = 0.5;                            ///< of the workspace's shell, in (0, 1]
  std::optional<std::vector<std::string>> raceSolvers;  ///< names; not set until the user has chosen
  std::vector<std::string> recentFiles;                 ///< newest first, absolute paths
  std::string lastFolder;                               ///< of the file browser
  int tourTask = 0;                                     ///< the task of the tour under way
  std::vector<LocatedFolder> located;                   ///< newest first
  LiveSettings live;

  bool operator==(const Settings&) const = default;
};

inline constexpr std::size_t kMaxRecentFiles = 12;
inline constexpr std::size_t kMaxLocated = 50;
inline constexpr std::size_t kMaxFolded = 100;
inline constexpr double kMinScale = 0.5;
inline constexpr double kMaxScale = 4.0;

/// $XDG_CONFIG_HOME/limber/settings, else ~/.config/limber/settings; empty when there is no home.
std::filesystem::path settingsPath();

/// Write and parse the text of a settings file. Unknown keys and invalid values are ignored.
std::string settingsText(const Settings& settings);
Settings parseSettings(const std::string& text);

/// Returns the defaults if the file cannot be read.
Settings loadSettings(const std::filesystem::path& path);
/// Replaces the file atomically. Returns false, and keeps the old file, if it cannot be written.
bool saveSettings(const Settings& settings, const std::filesystem::path& path);

/// Get and set whether the panel with this title is open.
bool isPanelOpen(const Settings& settings, std::string_view title, bool byDefault);
void rememberPanel(Settings& settings, std::string_view title, bool isOpen);

/// Puts a file first in the list of recent ones.
void rememberFile(Settings& settings, const std::filesystem::path& file);

/// Get and add the folders in which the user found what `file` names, newest first.
std::vector<std::filesystem::path> foldersFor(const Settings& settings, const std::filesystem::path& file);
void rememberFolder(Settings& settings, const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace limber::app
