// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <tuple>
#include <utility>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/settings/looks.h"
#include "limber/body/body_map.h"
#include "limber/io/base/resources.h"
#include "limber/io/base/text.h"
#include "limber/scene/clock.h"

namespace limber::app {

namespace {

/// The commands of a group, in the order of the table.
void drawGroup(Menu group, const Session& session, CommandQueue& queue) {
  for (const CommandInfo& info : allCommands())
    if (info.item.menu == group) commandItem(info.command, session, queue);
}

/// The commands of several groups, with a line between them.
void drawGroups(std::initializer_list<Menu> groups, const Session& session, CommandQueue& queue) {
  for (const Menu group : groups) {
    if (group != *groups.begin()) ImGui::Separator();
    drawGroup(group, session, queue);
  }
}

/// A submenu in which exactly one entry is checked.
template <typename Choice, typename Titles>
void choiceMenu(const char* label, Choice& choice, const Titles& titles) {
  if (!ImGui::BeginMenu(label)) return;
  for (const auto& [value, title, tip] : titles) {
    if (ImGui::MenuItem(title, nullptr, choice == value)) choice = value;
    if (*tip) tooltip(tip);
  }
  ImGui::EndMenu();
}

/// A menu of the bar; its first letter opens it, too (PopupState::menuWanted).
bool beginTopMenu(const char* label, UiState& ui) {
  if (ui.popups.menuWanted == label[0]) ImGui::OpenPopup(label);
  return ImGui::BeginMenu(label);
}

void drawNew(UiState& ui, CommandQueue& queue) {
  if (!ImGui::BeginMenu("New")) return;
  if (ImGui::MenuItem("Human ...")) ui.newHuman.isWanted = true;
  tooltip("of any height and build, with ball joints and fingers");
  for (const auto& [kind, label] : {std::pair{NewFigure::Kind::Humanoid, "Humanoid of hinges"},
                                    std::pair{NewFigure::Kind::SpineHuman, "Human with 17 vertebrae"},
                                    std::pair{NewFigure::Kind::TorsoHuman, "Human with five torso segments"},
                                    std::pair{NewFigure::Kind::Arm, "Arm of seven joints"}})
    if (ImGui::MenuItem(label)) queue.add(Command::CreateFigure, NewFigure{kind, 0});
  for (const auto& [file, label] :
       {std::pair{"figures/body.json", "Body with key points"}, std::pair{"figures/hand.json", "Hand with key points"},
        std::pair{"figures/pupper.json", "Quadruped Pupper"}}) {
    const auto figure = io::findResource(file);
    if (ImGui::MenuItem(label, nullptr, false, figure.has_value())) queue.add(Command::OpenExample, *figure);
  }
  ImGui::Separator();
  for (const auto& [kind, label] : {std::pair{NewFigure::Kind::PlanarChain, "Planar chain"},
                                    std::pair{NewFigure::Kind::BallChain, "Chain of ball joints"}}) {
    if (!ImGui::BeginMenu(label)) continue;
    for (const int links : {1, 2, 4, 10, 100}) {
      const std::string text = std::to_string(links) + (links == 1 ? " link" : " links");
      if (ImGui::MenuItem(text.c_str())) queue.add(Command::CreateFigure, NewFigure{kind, links});
    }
    if (ImGui::MenuItem("Other number ...")) {
      ui.newChain.isWanted = true;
      ui.newChain.ofBalls = kind == NewFigure::Kind::BallChain;
    }
    ImGui::EndMenu();
  }
  ImGui::EndMenu();
}

void drawFile(const Session& session, UiState& ui, CommandQueue& queue) {
  if (!beginTopMenu("File", ui)) return;
  drawNew(ui, queue);
  drawGroup(Menu::Open, session, queue);
  if (ImGui::MenuItem("Examples")) ui.reveal = Panel::Examples;
  tooltip("shows the scenes that ship with Limber as pictures");
  if (ImGui::BeginMenu("Recent", !session.settings.recentFiles.empty())) {
    for (const std::string& file : session.settings.recentFiles) {
      if (ImGui::MenuItem(io::asUtf8(std::filesystem::path(file).filename().string()).c_str()))
        queue.add(Command::Open, file);
      tooltip(file);
    }
    ImGui::EndMenu();
  }
  ImGui::Separator();
  drawGroups({Menu::Save, Menu::Import, Menu::Quit}, session, queue);
  ImGui::EndMenu();
}

/// Key preset and scrolling.
void drawHabits(Settings& settings) {
  if (!ImGui::BeginMenu("Keys and mouse")) return;
  for (const auto& [preset, tip] :
       {std::pair{KeyPreset::Limber, "middle drag orbits; one key for each thing"},
        std::pair{KeyPreset::Blender,
                  "G grabs, R rotates, X deletes, I keys, N and T show panels and tree; middle drag orbits"},
        std::pair{KeyPreset::Maya,
                  "Alt and a button moves the camera, middle drag pans, right drag looks around; "
                  "S keys, A frames all, Z undoes"}}) {
    if (ImGui::MenuItem(titleOf(preset), nullptr, settings.keys == preset)) settings.keys = preset;
    tooltip(tip);
  }
  ImGui::Separator();
  for (const auto& [scrolling, label, tip] :
       {std::tuple{Scrolling::Zooms, "Mouse: the wheel zooms", "every scroll zooms to the cursor"},
        std::tuple{Scrolling::Orbits, "Trackpad: two fingers orbit",
                   "with Shift they pan, with Ctrl, as a pinch does, they zoom"}}) {
    if (ImGui::MenuItem(label, nullptr, settings.scrolling == scrolling)) settings.scrolling = scrolling;
    tooltip(tip);
  }
  ImGui::Separator();
  disabledText("F1 shows every key");
  ImGui::EndMenu();
}

void drawEdit(const Session& session, Settings& settings, UiState& ui, CommandQueue& queue) {
  if (!beginTopMenu("Edit", ui)) return;
  const History& history = session.editor.history();
  commandItem(Command::Undo, session, queue, ("Undo " + history.undoLabel()).c_str());
  commandItem(Command::Redo, session, queue, ("Redo " + history.redoLabel()).c_str());
  ImGui::Separator();
  drawGroup(Menu::Clipboard, session, queue);
  const bool isObstacle = session.document().selection.obstacle >= 0;
  commandItem(Command::DeleteGoal, session, queue, isObstacle ? "Remove obstacle" : "Remove goal");
  ImGui::Separator();
  drawGroup(Menu::Gizmos, session, queue);
  ImGui::Separator();
  drawHabits(settings);
  ImGui::EndMenu();
}

void drawPose(const Session& session, UiState& ui, CommandQueue& queue) {
  if (!beginTopMenu("Pose", ui)) return;
  drawGroups({Menu::Reset, Menu::Mirror, Menu::Solve, Menu::HumanLimits, Menu::Modes}, session, queue);
  ImGui::EndMenu();
}

void drawToolMenu(const Session& session, UiState& ui, CommandQueue& queue) {
  if (!beginTopMenu("Tools", ui)) return;
  drawGroup(Menu::Search, session, queue);
  ImGui::Separator();
  commandItem(Command::ToggleRace, session, queue);
  if (ImGui::MenuItem("Iterations of the last solve", nullptr, ui.convergence.hasWindow))
    ui.convergence.hasWindow = !ui.convergence.hasWindow;
  tooltip("shows f, gradient and step of each iteration as curves and as a table that can be copied");
  drawGroup(Menu::Checks, session, queue);
  ImGui::EndMenu();
}

void drawScale(const Settings& settings, CommandQueue& queue) {
  if (!ImGui::BeginMenu("Scale")) return;
  if (ImGui::MenuItem("Of the display", nullptr, settings.scale == 0.0)) queue.add(Command::Scale, 0.0);
  for (const double scale : {1.0, 1.25, 1.5, 2.0, 3.0}) {
    char text[16];
    std::snprintf(text, sizeof text, "%.0f %%", 100.0 * scale);
    if (ImGui::MenuItem(text, nullptr, settings.scale == scale)) queue.add(Command::Scale, scale);
  }
  ImGui::EndMenu();
}

void drawSkinView(const Session& session, Settings& settings) {
  using render::SkinView;
  if (!ImGui::BeginMenu("Skin", session.document().skin != nullptr)) return;
  for (const auto& [view, label, tip] :
       {std::tuple{SkinView::Skin, "Skin", "only the skin; joints show when selected, at a limit or under the cursor"},
        std::tuple{SkinView::FigureInSkin, "Figure in the skin", "the skin translucent, the figure seen through it"},
        std::tuple{SkinView::Figure, "Figure", "the figure alone, without its skin"}}) {
    if (ImGui::MenuItem(label, keyIn(session, Command::NextSkinView).c_str(), settings.skinView == view))
      settings.skinView = view;
    tooltip(tip);
  }
  ImGui::EndMenu();
}

void drawLinkStyle(Settings& settings) {
  if (!ImGui::BeginMenu("Links as")) return;
  for (const LinkLook& look : kLinkLooks) {
    if (ImGui::MenuItem(look.label, nullptr, settings.linkStyle == look.style)) settings.linkStyle = look.style;
    tooltip(look.tip);
  }
  ImGui::EndMenu();
}

void drawSides(const Session& session, CommandQueue& queue) {
  if (!ImGui::BeginMenu("Look from")) return;
  drawGroups({Menu::LookFrom, Menu::TurnView}, session, queue);
  ImGui::EndMenu();
}

/// Theme, units, scale and sizes of the window.
void drawLook(Settings& settings, CommandQueue& queue) {
  choiceMenu("Theme", settings.theme,
             std::array{std::tuple{ThemeName::Dark, "Dark", ""}, std::tuple{ThemeName::Light, "Light", ""}});
  choiceMenu("Units", settings.unit,
             std::array{std::tuple{LengthUnit::Metres, "Metres", "m; small distances in mm"},
                        std::tuple{LengthUnit::Centimetres, "Centimetres", "all lengths in cm"},
                        std::tuple{LengthUnit::Millimetres, "Millimetres", "all lengths in mm"}});
  tooltip("units of lengths in the window; files keep their own");
  choiceMenu("World axes", settings.worldAxes,
             std::array{std::tuple{WorldAxes::OfFile, "As in the file", "z up for robots, y up for most motions"},
                        std::tuple{WorldAxes::YUp, "y up", ""}, std::tuple{WorldAxes::ZUp, "z up", ""}});
  tooltip("axes of places and directions in the window; files keep their own");
  drawScale(settings, queue);
  if (ImGui::MenuItem("Default sizes", nullptr, false, settings.sizes != PartSizes{})) settings.sizes = {};
  tooltip("restores the sizes of tree, panels, timeline and race, whose edges can be dragged");
}

/// All panels by tab; choosing one shows it.
void drawPanelMenu(const Session& session, UiState& ui, CommandQueue& queue) {
  if (!ImGui::BeginMenu("Panels")) return;
  commandItem(Command::TogglePanels, session, queue);
  for (std::size_t i = 0; i < std::size(kTabTitles); ++i) {
    ImGui::Separator();
    disabledText("%s", kTabTitles[i]);
    for (const PanelEntry& entry : panelList()) {
      if (entry.tab != static_cast<PanelTab>(i)) continue;
      if (ImGui::MenuItem(entry.title)) ui.reveal = entry.panel;
      tooltip(entry.tip);
    }
  }
  ImGui::EndMenu();
}

void drawView(const Session& session, Settings& settings, UiState& ui, CommandQueue& queue) {
  if (!beginTopMenu("View", ui)) return;
  drawGroup(Menu::Frame, session, queue);
  drawSides(session, queue);
  drawGroups({Menu::Projection, Menu::Parts}, session, queue);
  drawPanelMenu(session, ui, queue);
  ImGui::MenuItem("Joints", nullptr, &settings.showJoints);
  ImGui::MenuItem("Onion skin", nullptr, &settings.onionSkin, canPlay(session.document()));
  tooltip(
      "shows ghosts of the keys before and after the present frame, or of a motion without keys 0.1 s and 0.2 s before "
      "and after; a click on one goes there");
  drawLinkStyle(settings);
  drawSkinView(session, settings);
  ImGui::Separator();
  drawLook(settings, queue);
  ImGui::EndMenu();
}

void drawHelp(const Session& session, UiState& ui, CommandQueue& queue) {
  if (ImGui::MenuItem("Guide", nullptr, ui.guide.isShown)) ui.guide.isShown = !ui.guide.isShown;
  drawGroup(Menu::Help, session, queue);
  if (ImGui::MenuItem("Tour")) ui.reveal = Panel::Tour;
  tooltip("four tasks for the first minutes; it goes on where you left it");
  ImGui::Separator();
  drawGroup(Menu::Record, session, queue);
  ImGui::Separator();
  if (ImGui::MenuItem("About")) ui.guide.showsAbout = true;
}

}  // namespace

float drawMenuBar(const Session& session, Settings& settings, UiState& ui, CommandQueue& queue) {
  if (!ImGui::BeginMainMenuBar()) return 0.0f;
  drawFile(session, ui, queue);
  drawEdit(session, settings, ui, queue);
  drawPose(session, ui, queue);
  drawView(session, settings, ui, queue);
  drawToolMenu(session, ui, queue);
  if (beginTopMenu("Help", ui)) {
    drawHelp(session, ui, queue);
    ImGui::EndMenu();
  }
  ui.popups.menuWanted = 0;
  const float height = ImGui::GetWindowSize().y;
  ImGui::EndMainMenuBar();
  return height;
}

}  // namespace limber::app
