// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <tuple>
#include <utility>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/settings/looks.h"
#include "limber/io/base/resources.h"
#include "limber/problem/anatomy.h"

namespace limber::app {

namespace {

/// An entry with the key that does the same.
void item(const char* label, Action action, const Settings& settings, Requests& requests, bool enabled = true) {
  if (ImGui::MenuItem(label, keyOf(action, settings.keys).c_str(), false, enabled)) requests.act(action);
}

/// The same with a tick, for what is on or off.
void toggleItem(const char* label, Action action, bool isOn, const Settings& settings, Requests& requests) {
  if (ImGui::MenuItem(label, keyOf(action, settings.keys).c_str(), isOn)) requests.act(action);
}

/// A submenu whose one entry of several is ticked.
template <typename Choice, typename Titles>
void choiceMenu(const char* label, Choice& choice, const Titles& titles) {
  if (!ImGui::BeginMenu(label)) return;
  for (const auto& [value, title, tip] : titles) {
    if (ImGui::MenuItem(title, nullptr, choice == value)) choice = value;
    if (*tip) tooltip(tip);
  }
  ImGui::EndMenu();
}

/// A menu of the bar: opened by its first letter, too (UiState::menuWanted).
bool beginTopMenu(const char* label, UiState& ui) {
  if (ui.menuWanted == label[0]) ImGui::OpenPopup(label);
  return ImGui::BeginMenu(label);
}

void drawNew(UiState& ui, Requests& requests) {
  if (!ImGui::BeginMenu("New")) return;
  if (ImGui::MenuItem("Human ...")) ui.newHumanWanted = true;
  tooltip("of any height and build, with ball joints and fingers");
  for (const auto& [kind, label] : {std::pair{NewFigure::Kind::Humanoid, "Humanoid of hinges"},
                                   std::pair{NewFigure::Kind::SpineHuman, "Human with 17 vertebrae"},
                                   std::pair{NewFigure::Kind::TorsoHuman, "Human with five torso segments"},
                                   std::pair{NewFigure::Kind::Arm, "Arm of seven joints"}})
    if (ImGui::MenuItem(label)) requests.create = NewFigure{kind, 0};
  for (const auto& [file, label] : {std::pair{"figures/body.json", "Body with key points"},
                                   std::pair{"figures/hand.json", "Hand with key points"},
                                   std::pair{"figures/pupper.json", "Quadruped Pupper"}}) {
    const auto figure = io::findResource(file);
    if (ImGui::MenuItem(label, nullptr, false, figure.has_value())) requests.openExample = figure;
  }
  ImGui::Separator();
  for (const auto& [kind, label] : {std::pair{NewFigure::Kind::PlanarChain, "Planar chain"},
                                   std::pair{NewFigure::Kind::BallChain, "Chain of ball joints"}}) {
    if (!ImGui::BeginMenu(label)) continue;
    for (const int links : {1, 2, 4, 10, 100}) {
      const std::string text = std::to_string(links) + (links == 1 ? " link" : " links");
      if (ImGui::MenuItem(text.c_str())) requests.create = NewFigure{kind, links};
    }
    if (ImGui::MenuItem("Other number ...")) {
      ui.newChainWanted = true;
      ui.newChainOfBalls = kind == NewFigure::Kind::BallChain;
    }
    ImGui::EndMenu();
  }
  ImGui::EndMenu();
}

/// "tube_grouped.limber" as words: "Tube grouped".
std::string titleOf(const std::filesystem::path& scene) {
  std::string title = scene.stem().string();
  std::ranges::replace(title, '_', ' ');
  if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

void drawExamples(Requests& requests) {
  if (!ImGui::BeginMenu("Examples")) return;
  const std::vector<std::filesystem::path> scenes = io::listResources("scenes", ".limber");
  for (const std::filesystem::path& scene : scenes)
    if (ImGui::MenuItem(titleOf(scene).c_str())) requests.openExample = scene;
  if (scenes.empty()) disabledText("resources/scenes is not installed");
  ImGui::EndMenu();
}

void drawPictures(const Document& document, UiState& ui) {
  const auto ask = [&](FileBrowserState::Purpose purpose) {
    ui.browser.purpose = purpose;
    ui.browser.wanted = true;
  };
  if (ImGui::MenuItem("Picture ...")) ask(FileBrowserState::Purpose::Picture);
  tooltip("what the window shows, as a PNG of any size, with nothing behind the figure if you like");
  const bool moves = document.motion && document.motion->frameCount > 1;
  if (ImGui::MenuItem("PNG sequence ...", nullptr, false, moves)) ask(FileBrowserState::Purpose::Pictures);
  tooltip("the motion as pictures, one a frame, seen from where you look now");
}

void drawFile(const Document& document, const Settings& settings, UiState& ui, Requests& requests) {
  if (!beginTopMenu("File", ui)) return;
  drawNew(ui, requests);
  item("Open ...", Action::Open, settings, requests);
  drawExamples(requests);
  if (ImGui::BeginMenu("Recent", !settings.recentFiles.empty())) {
    for (const std::string& file : settings.recentFiles) {
      if (ImGui::MenuItem(std::filesystem::path(file).filename().string().c_str())) requests.open = file;
      tooltip(file.c_str());
    }
    ImGui::EndMenu();
  }
  ImGui::Separator();
  item("Save", Action::Save, settings, requests);
  item("Save as ...", Action::SaveAs, settings, requests);
  item("Save figure as ...", Action::SaveFigureAs, settings, requests);
  tooltip("the figure alone, with the limits, rigidities and locks that you gave its joints");
  item("Export as ...", Action::Export, settings, requests);
  tooltip("the pose or the motion for other programs, in the format that the name's ending says");
  drawPictures(document, ui);
  ImGui::Separator();
  if (ImGui::MenuItem("Fit to observations ...")) {
    ui.browser.wanted = true;
    ui.browser.purpose = FileBrowserState::Purpose::Observations;
  }
  tooltip("markers, joint positions, or another figure's motion: the figure follows them, frame after frame");
  ImGui::Separator();
  item("Quit", Action::Quit, settings, requests);
  ImGui::EndMenu();
}

/// Human bodies from other programs have no limits of their own: given and taken away here.
void drawHumanLimits(const Document& document, Requests& requests) {
  const bool wants = wantsAnatomicalLimits(document);
  if (ImGui::MenuItem("Apply human joint limits", nullptr, false, wants))
    requests.edit("limit joints as people's", "", AfterEdit::Nothing, [](Document& d) { applyAnatomicalLimits(d); });
  tooltip("for a human body without limits: cones for shoulders and hips, hinges for elbows and knees");
  if (ImGui::MenuItem("Take these limits away", nullptr, false, !wants && !recogniseHumanoid(document).empty()))
    requests.edit("take limits away", "", AfterEdit::Nothing, removeAnatomicalLimits);
}

/// The gizmos.
void drawTools(const Session& session, const Settings& settings, Requests& requests) {
  using Kind = GizmoTool::Kind;
  for (const auto& [kind, label, action, tip] :
       {std::tuple{Kind::Move, "Move gizmo", Action::MoveTool,
                   "arrows on the selected target, link, pinned link or obstacle"},
        std::tuple{Kind::Turn, "Rotate gizmo", Action::TurnTool,
                   "rings on the selected joint, target with a direction, pinned link or obstacle"},
        std::tuple{Kind::Select, "No gizmo", Action::SelectTool, "only the rings of the selected joint"}}) {
    const bool isOn = session.picture.gizmo.kind == kind;
    if (ImGui::MenuItem(label, keyOf(action, settings.keys).c_str(), isOn) && !isOn) requests.act(action);
    tooltip(tip);
  }
  toggleItem("Own axes", Action::ToggleAxes, session.picture.gizmo.isLocal, settings, requests);
  tooltip("gizmos and the locks X, Y, Z go by the axes of what is selected, not by the world's");
}

/// Whose keys, and what scrolling does.
void drawHabits(Settings& settings) {
  if (!ImGui::BeginMenu("Keys and mouse")) return;
  for (const auto& [preset, tip] :
       {std::pair{KeyPreset::Limber, "middle drag orbits; one key for each thing"},
        std::pair{KeyPreset::Blender, "G grabs, R rotates, X deletes, I keys, N and T show panels and tree; middle drag orbits"},
        std::pair{KeyPreset::Maya, "Alt and a button moves the camera, middle drag pans, right drag looks around; "
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

void drawEdit(const Session& session, Settings& settings, UiState& ui, Requests& requests) {
  if (!beginTopMenu("Edit", ui)) return;
  const History& history = session.editor.history();
  item(history.canUndo() ? ("Undo " + history.undoLabel()).c_str() : "Undo", Action::Undo, settings, requests,
       history.canUndo());
  item(history.canRedo() ? ("Redo " + history.redoLabel()).c_str() : "Redo", Action::Redo, settings, requests,
       history.canRedo());
  ImGui::Separator();
  item("Copy pose", Action::CopyPose, settings, requests);
  tooltip("as text: joint names and values, as limber fk and limber convert take them");
  item("Paste pose", Action::PastePose, settings, requests);
  const Selection& selection = session.document().selection;
  item(selection.obstacle >= 0 ? "Remove obstacle" : "Remove goal", Action::DeleteGoal, settings, requests,
       selection.goal >= 0 || selection.obstacle >= 0);
  ImGui::Separator();
  drawTools(session, settings, requests);
  ImGui::Separator();
  drawHabits(settings);
  ImGui::EndMenu();
}

/// How the figure stands, and what moves it.
void drawPose(const Session& session, const Settings& settings, UiState& ui, Requests& requests) {
  if (!beginTopMenu("Pose", ui)) return;
  const Document& document = session.document();
  item("Rest pose", Action::RestPose, settings, requests);
  item("Clear place", Action::ClearPlace, settings, requests);
  tooltip("of what is selected, of all joints where nothing is: as at rest; a target goes to its end effector");
  item("Clear rotation", Action::ClearRotation, settings, requests);
  tooltip("likewise");
  item("Lock or unlock", Action::LockJoint, settings, requests, document.selection.joint >= 0);
  ImGui::Separator();
  item("Mirror to the other side", Action::MirrorPose, settings, requests);
  tooltip("what is selected, without a selection the left side, is copied to the other side");
  if (ImGui::MenuItem("Mirror left to right")) requests.mirrorFrom = BodySide::Left;
  if (ImGui::MenuItem("Mirror right to left")) requests.mirrorFrom = BodySide::Right;
  item("Flip left and right", Action::FlipPose, settings, requests);
  tooltip("both sides change places; the figure stays where it stands");
  toggleItem("Live symmetry", Action::ToggleSymmetry, document.symmetry != nullptr, settings, requests);
  tooltip("what is done to one side happens to the other as well, as long as this is on");
  ImGui::Separator();
  item("Solve", Action::Solve, settings, requests, !document.goals.empty() || !document.pins.empty());
  item("Pose body from targets", Action::PoseFromTargets, settings, requests, !document.goals.empty());
  tooltip("a person's whole pose from the targets that are planted, from whatever pose: as people stand (4 to 6 will do)");
  item("Relax the rest", Action::RelaxRest, settings, requests);
  tooltip("pins, planted targets and feet on the ground stay; the rest of a person stands as people do");
  ImGui::Separator();
  drawHumanLimits(document, requests);
  ImGui::Separator();
  toggleItem("Inverse kinematics", Action::ToggleMode, document.mode == Mode::Inverse, settings, requests);
  toggleItem("Keep balance", Action::ToggleBalance, document.keepsBalance, settings, requests);
  tooltip("the centre of mass stays above the planted feet while anything is dragged");
  const bool isIndependent = document.solver.pathIndependent;
  if (ImGui::MenuItem("Path-independent", nullptr, isIndependent))
    requests.edit(isIndependent ? "not path-independent" : "path-independent", "", AfterEdit::Solve,
                  [isIndependent](Document& d) { d.solver.pathIndependent = !isIndependent; });
  tooltip("the same targets give the same pose, whatever was posed before (more in the Solver panel)");
  toggleItem("Target follows the mouse", Action::ToggleFollow, document.follow, settings, requests);
  ImGui::EndMenu();
}

/// Searches, comparisons, checks.
void drawToolMenu(const Session& session, const Settings& settings, UiState& ui, Requests& requests) {
  if (!beginTopMenu("Tools", ui)) return;
  const bool hasGoals = !session.document().goals.empty();
  item("Nudge", Action::Nudge, settings, requests, hasGoals);
  tooltip("a slight push, kept if a better pose is found");
  item("Find any pose", Action::FindAnyPose, settings, requests, hasGoals);
  tooltip("one that meets the goals, from random starts, too");
  item("Find the global pose", Action::FindGlobalPose, settings, requests, hasGoals);
  tooltip("the best pose of all for the places asked for, with a proof of how much better any other could be");
  item("Map the workspace", Action::FindWorkspace, settings, requests);
  tooltip("where the end effector of the selected goal or link can go, within limits, locks and pins");
  ImGui::Separator();
  toggleItem("Race of solvers", Action::ToggleRace, settings.visible.race, settings, requests);
  tooltip("several solvers on the same drag, as ghosts, with their times and curves");
  if (ImGui::MenuItem("Iterations of the last solve", nullptr, ui.showIterations))
    ui.showIterations = !ui.showIterations;
  tooltip("f, gradient and step of each, as curves and as a table that can be copied");
  if (ImGui::MenuItem("Check derivatives")) requests.checkDerivatives = true;
  tooltip("gradient and Hessian of the objective at this pose, against central differences");
  ImGui::EndMenu();
}

void drawScale(const Settings& settings, Requests& requests) {
  if (!ImGui::BeginMenu("Scale")) return;
  if (ImGui::MenuItem("Of the display", nullptr, settings.scale == 0.0)) requests.scale = 0.0;
  for (const double scale : {1.0, 1.25, 1.5, 2.0, 3.0}) {
    char text[16];
    std::snprintf(text, sizeof text, "%.0f %%", 100.0 * scale);
    if (ImGui::MenuItem(text, nullptr, settings.scale == scale)) requests.scale = scale;
  }
  ImGui::EndMenu();
}

void drawSkinView(const Session& session, Settings& settings) {
  using render::SkinView;
  if (!ImGui::BeginMenu("Skin", session.document().skin != nullptr)) return;
  for (const auto& [view, label, tip] :
       {std::tuple{SkinView::Skin, "Skin", "the skin alone; joints show when selected, on a limit or under the cursor"},
        std::tuple{SkinView::FigureInSkin, "Figure in the skin", "the skin translucent, the figure seen through it"},
        std::tuple{SkinView::Figure, "Figure", "the figure alone, without its skin"}}) {
    if (ImGui::MenuItem(label, keyOf(Action::NextSkinView, settings.keys).c_str(), settings.skinView == view))
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

void drawSides(const Settings& settings, Requests& requests) {
  if (!ImGui::BeginMenu("Look from")) return;
  for (const auto& [action, label] :
       {std::pair{Action::ViewFront, "Front"}, std::pair{Action::ViewBack, "Back"},
        std::pair{Action::ViewRight, "Right"}, std::pair{Action::ViewLeft, "Left"},
        std::pair{Action::ViewTop, "Top"}, std::pair{Action::ViewBottom, "Bottom"}})
    item(label, action, settings, requests);
  ImGui::Separator();
  for (const auto& [action, label] :
       {std::pair{Action::TurnViewLeft, "15° to the left"}, std::pair{Action::TurnViewRight, "15° to the right"},
        std::pair{Action::TurnViewUp, "15° up"}, std::pair{Action::TurnViewDown, "15° down"}})
    item(label, action, settings, requests);
  ImGui::EndMenu();
}

/// How the window itself looks and counts.
void drawLook(Settings& settings, Requests& requests) {
  choiceMenu("Theme", settings.theme, std::array{std::tuple{ThemeName::Dark, "Dark", ""},
                                                 std::tuple{ThemeName::Light, "Light", ""}});
  choiceMenu("Units", settings.unit,
             std::array{std::tuple{LengthUnit::Metres, "Metres", "m; small distances in mm"},
                        std::tuple{LengthUnit::Centimetres, "Centimetres", "all lengths in cm"},
                        std::tuple{LengthUnit::Millimetres, "Millimetres", "all lengths in mm"}});
  tooltip("in which lengths are shown and typed; files keep their own");
  drawScale(settings, requests);
  if (ImGui::MenuItem("Usual sizes", nullptr, false, settings.sizes != PartSizes{})) settings.sizes = {};
  tooltip("tree, panels, timeline and race as large as they come; their edges can be dragged");
}

/// Where each panel is; choosing one shows it.
void drawPanelMenu(Settings& settings, UiState& ui, Requests& requests) {
  if (!ImGui::BeginMenu("Panels")) return;
  toggleItem("Shown", Action::TogglePanels, settings.visible.panels, settings, requests);
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

void drawView(const Session& session, Settings& settings, UiState& ui, Requests& requests) {
  if (!beginTopMenu("View", ui)) return;
  item("Frame selection", Action::FrameSelection, settings, requests);
  item("Frame all", Action::FrameAll, settings, requests);
  item("Home", Action::ViewHome, settings, requests);
  tooltip("the view that a file opens with");
  drawSides(settings, requests);
  toggleItem("Orthographic", Action::ToggleOrthographic, endOf(session.picture.turn, session.picture.camera).isOrthographic, settings,
             requests);
  ImGui::Separator();
  PanelVisibility& visible = settings.visible;
  toggleItem("Figure tree", Action::ToggleTree, visible.tree, settings, requests);
  drawPanelMenu(settings, ui, requests);
  toggleItem("Timeline", Action::ToggleTimeline, visible.timeline, settings, requests);
  tooltip("keys of pose and goals over time, paths of targets, and motions baked from them");
  toggleItem("Race", Action::ToggleRace, visible.race, settings, requests);
  tooltip("several solvers on the same drag, as ghosts, with their times and curves");
  ImGui::MenuItem("Joints", nullptr, &settings.showJoints);
  ImGui::MenuItem("Onion skin", nullptr, &settings.onionSkin, hasFrames(session.document()));
  tooltip("of a motion: the figure a tenth of a second and two before and after, as ghosts");
  drawLinkStyle(settings);
  drawSkinView(session, settings);
  ImGui::Separator();
  drawLook(settings, requests);
  ImGui::EndMenu();
}

}  // namespace

float drawMenuBar(const Session& session, Settings& settings, UiState& ui, Requests& requests) {
  if (!ImGui::BeginMainMenuBar()) return 0.0f;
  drawFile(session.document(), settings, ui, requests);
  drawEdit(session, settings, ui, requests);
  drawPose(session, settings, ui, requests);
  drawView(session, settings, ui, requests);
  drawToolMenu(session, settings, ui, requests);
  if (beginTopMenu("Help", ui)) {
    item("Keys", Action::Help, settings, requests);
    ImGui::Separator();
    const bool isRecording = session.outside.witness != nullptr;
    if (ImGui::MenuItem("Record a bug report", nullptr, isRecording)) requests.toggleRecording = true;
    tooltip(isRecording ? "ends the recording, and says where it is"
                        : "notes all that you do from now on in a file, from which it can be repeated exactly");
    ImGui::EndMenu();
  }
  ui.menuWanted = 0;
  const float height = ImGui::GetWindowSize().y;
  ImGui::EndMainMenuBar();
  return height;
}

}  // namespace limber::app
