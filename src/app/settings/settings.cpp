// SPDX-License-Identifier: MIT
#include "app/settings/settings.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "app/settings/looks.h"
#include "limber/io/base/file.h"
#include "limber/io/base/resources.h"
#include "limber/proof/reach_search.h"

namespace limber::app {

namespace {
namespace fs = std::filesystem;

constexpr std::size_t kMaxRacedSolvers = 100;
constexpr std::string_view kSkinViews[] = {"skin", "figure_in_skin", "figure"};  // in the order of SkinView

/// Calls `visit(key, value, names)` for every choice among names.
template <typename SettingsLike, typename Visit>
void visitChoices(SettingsLike& settings, Visit visit) {
  visit("keys", settings.keys, std::span(kPresetNames));
  visit("scrolling", settings.scrolling, std::span(kScrollingNames));
  visit("length_unit", settings.unit, std::span(kUnitNames));
  visit("theme", settings.theme, std::span(kThemeNames));
  visit("world_axes", settings.worldAxes, std::span(kWorldAxesNames));
  visit("rotations", settings.rotations, std::span(kRotationNames));
  visit("skin_view", settings.skinView, std::span(kSkinViews));
  visit("panel_tab", settings.tab, std::span(kTabNames));
}

/// Calls `visit(key, value, lowest, highest)` for every number. A number out of range is not read, so a default may be
/// out of range, too.
template <typename SettingsLike, typename Visit>
void visitNumbers(SettingsLike& settings, Visit visit) {
  visit("window_width", settings.window.width, 200, 30000);
  visit("window_height", settings.window.height, 150, 30000);
  visit("window_x", settings.window.x, -100000, 100000);
  visit("window_y", settings.window.y, -100000, 100000);
  visit("scale", settings.scale, kMinScale, kMaxScale);
  visit("tour_task", settings.tourTask, 0, 100);
  visit("reach_cells", settings.reachCells, kMinReachCells, kMaxReachCells);
  visit("reach_opacity", settings.reachOpacity, 0.05, 1.0);
  visit("live_receive_port", settings.live.receivePort, 1, 65535);
  visit("live_send_port", settings.live.sendPort, 1, 65535);
  visit("tree_ems", settings.sizes.tree, 0.0, kMaxPartEms);
  visit("panels_ems", settings.sizes.panels, 0.0, kMaxPartEms);
  visit("timeline_ems", settings.sizes.timeline, 0.0, kMaxPartEms);
  visit("race_ems", settings.sizes.race, 0.0, kMaxPartEms);
}

/// Calls `visit(key, value)` for every switch of the settings: one list for reading and writing.
template <typename SettingsLike, typename Visit>
void visitSwitches(SettingsLike& settings, Visit visit) {
  visit("window_is_placed", settings.window.isRemembered);
  visit("window_is_maximised", settings.window.isMaximised);
  visit("show_joints", settings.showJoints);
  visit("panel_tree", settings.visible.tree);
  visit("panel_column", settings.visible.panels);
  visit("onion_skin", settings.onionSkin);
  visit("show_balance", settings.showBalance);
  visit("panel_timeline", settings.visible.timeline);
  visit("panel_race", settings.visible.race);
  visit("drags_in_null_space", settings.dragsInNullSpace);
  visit("live_from_anywhere", settings.live.fromAnywhere);
  visit("live_exact", settings.live.areExact);
}

void readLine(const std::string& key, const std::string& value, Settings& settings) {
  visitNumbers(settings, [&](const char* name, auto& out, double lowest, double highest) {
    if (key != name) return;
    char* end = nullptr;
    const double parsed = std::strtod(value.c_str(), &end);
    if (end == value.c_str() || !std::isfinite(parsed) || parsed < lowest || parsed > highest) return;
    out = static_cast<std::remove_reference_t<decltype(out)>>(parsed);
  });
  if (key == "live_send_address") settings.live.sendAddress = value;
  if (key == "last_folder") settings.lastFolder = value;
  if (const auto style = findLinkStyle(value); key == "link_style" && style) settings.linkStyle = *style;
  if ((key == "open" || key == "closed") && !value.empty()) rememberPanel(settings, value, key == "open");
  visitChoices(settings, [&](const char* name, auto& choice, std::span<const std::string_view> names) {
    const auto found = std::ranges::find(names, value);
    if (key == name && found != names.end())
      choice = static_cast<std::remove_reference_t<decltype(choice)>>(found - names.begin());
  });
  if (key == "race") {
    std::istringstream names(value);
    settings.raceSolvers.emplace();
    for (std::string name; names >> name && settings.raceSolvers->size() < kMaxRacedSolvers;)
      settings.raceSolvers->push_back(name);
  }
  if (key == "recent" && !value.empty() && settings.recentFiles.size() < kMaxRecentFiles)
    settings.recentFiles.push_back(value);
  if (key == "located_for" && !value.empty() && settings.located.size() < kMaxLocated)
    settings.located.push_back({value, {}});
  if (key == "located_in" && !settings.located.empty() && settings.located.back().folder.empty())
    settings.located.back().folder = value;
  visitSwitches(settings, [&](const char* name, bool& on) {
    if (key == name && (value == "0" || value == "1")) on = value == "1";
  });
}

std::string absoluteName(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  return (error ? path : absolute).lexically_normal().string();
}

bool isOneLine(const std::string& text) { return text.find_first_of("\r\n") == std::string::npos; }

}  // namespace

fs::path settingsPath() { return io::inUserFolder("XDG_CONFIG_HOME", ".config", "limber/settings"); }

std::string settingsText(const Settings& settings) {
  std::ostringstream out;
  visitNumbers(settings, [&](const char* name, auto value, double, double) { out << name << ' ' << value << '\n'; });
  out << "link_style " << nameOf(settings.linkStyle) << '\n';
  visitChoices(settings, [&](const char* name, auto choice, std::span<const std::string_view> names) {
    out << name << ' ' << names[static_cast<std::size_t>(choice)] << '\n';
  });
  for (const FoldedPanel& panel : settings.folded)
    if (isOneLine(panel.title)) out << (panel.isOpen ? "open " : "closed ") << panel.title << '\n';
  visitSwitches(settings, [&](const char* name, bool on) { out << name << ' ' << (on ? 1 : 0) << '\n'; });
  if (settings.raceSolvers) {
    out << "race ";
    for (const std::string& solver : *settings.raceSolvers) out << solver << ' ';
    out << '\n';
  }
  if (!settings.lastFolder.empty() && isOneLine(settings.lastFolder))
    out << "last_folder " << settings.lastFolder << '\n';
  if (isOneLine(settings.live.sendAddress)) out << "live_send_address " << settings.live.sendAddress << '\n';
  for (const std::string& file : settings.recentFiles)
    if (isOneLine(file)) out << "recent " << file << '\n';
  for (const LocatedFolder& located : settings.located)
    if (isOneLine(located.file) && isOneLine(located.folder))
      out << "located_for " << located.file << "\nlocated_in " << located.folder << '\n';
  return out.str();
}

Settings parseSettings(const std::string& text) {
  Settings settings;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    if (space != std::string::npos) readLine(line.substr(0, space), line.substr(space + 1), settings);
  }
  std::erase_if(settings.located, [](const LocatedFolder& located) { return located.folder.empty(); });
  return settings;
}

Settings loadSettings(const fs::path& path) {
  const auto text = io::readFile(path);
  return text ? parseSettings(*text) : Settings{};
}

bool saveSettings(const Settings& settings, const fs::path& path) {
  if (path.empty()) return false;
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  return !io::writeFileAtomically(path, settingsText(settings));
}

std::vector<fs::path> foldersFor(const Settings& settings, const fs::path& file) {
  std::vector<fs::path> folders;
  for (const LocatedFolder& located : settings.located)
    if (located.file == absoluteName(file)) folders.emplace_back(located.folder);
  return folders;
}

void rememberFolder(Settings& settings, const fs::path& file, const fs::path& folder) {
  const LocatedFolder located{absoluteName(file), absoluteName(folder)};
  std::erase(settings.located, located);
  settings.located.insert(settings.located.begin(), located);
  if (settings.located.size() > kMaxLocated) settings.located.resize(kMaxLocated);
}

bool isPanelOpen(const Settings& settings, std::string_view title, bool byDefault) {
  const auto found = std::ranges::find(settings.folded, title, &FoldedPanel::title);
  return found == settings.folded.end() ? byDefault : found->isOpen;
}

void rememberPanel(Settings& settings, std::string_view title, bool isOpen) {
  const auto found = std::ranges::find(settings.folded, title, &FoldedPanel::title);
  if (found != settings.folded.end()) found->isOpen = isOpen;
  else if (settings.folded.size() < kMaxFolded) settings.folded.push_back({std::string(title), isOpen});
}

void rememberFile(Settings& settings, const fs::path& file) {
  const std::string name = absoluteName(file);
  std::erase(settings.recentFiles, name);
  settings.recentFiles.insert(settings.recentFiles.begin(), name);
  if (settings.recentFiles.size() > kMaxRecentFiles) settings.recentFiles.resize(kMaxRecentFiles);
}

}  // namespace limber::app
