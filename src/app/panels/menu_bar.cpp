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
#include "limber/body/body_map.h"
#include "limber/io/base/resources.h"
#include "limber/io/base/text.h"

namespace limber::app {

namespace {

/// A menu entry with the key of its action.
void item(const char* label, Action action, const Settings& settings, Requests& requests, bool enabled = true) {
  if (ImGui::MenuItem(label, keyOf(action, settings.keys).c_str(), false, enabled)) requests.act(action);
}

/// The same with a check mark.
void toggleItem(const char* label, Action action, bool isOn, const Settings& settings, Requests& requests) {
  if (ImGui::MenuItem(label, keyOf(action, settings.keys).c_str(), isOn)) requests.act(action);
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

/// A menu of the bar; its first letter opens it, too (UiState::menuWanted).
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
  for (const auto& [file, label] :
       {std::pair{"figures/body.json", "Body with key points"}, std::pair{"figures/hand.json", "Hand with key points"},
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

/// The title of a scene file: "tube_grouped.limber" gives "Tube grouped".
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
  if (ImGui::MenuItem("Picture ...")) ui.browser.ask(FileBrowserState::Purpose::Picture);
  tooltip("saves what the window shows as a PNG of any size, with a transparent background if you like");
  const bool moves = document.motion && document.motion->frameCount > 1;
  if (ImGui::MenuItem("PNG sequence ...", nullptr, false, moves)) ui.browser.ask(FileBrowserState::Purpose::Pictures);
  tooltip("saves the motion as pictures, one for each frame, seen by the present camera");
}

void drawFile(const Document& document, const Settings& settings, UiState& ui, Requests& requests) {
  if (!beginTopMenu("File", ui)) return;
  drawNew(ui, requests);
  item("Open ...", Action::Open, settings, requests);
  drawExamples(requests);
  if (ImGui::BeginMenu("Recent", !settings.recentFiles.empty())) {
    for (const std::string& file : settings.recentFiles) {
      if (ImGui::MenuItem(io::asUtf8(std::filesystem::path(file).filename().string()).c_str())) requests.open = file;
      tooltip(file);
    }
    ImGui::EndMenu();
  }
  ImGui::Separator();
  item("Save", Action::Save, settings, requests);
  item("Save as ...", Action::SaveAs, settings, requests);
  item("Save figure as ...", Action::SaveFigureAs, settings, requests);
  tooltip("saves only the figure, with the limits, rigidities and locks that you gave its joints");
  item("Export as ...", Action::Export, settings, requests);
  tooltip("writes the pose or the motion for other programs, in the format of the file extension");
  drawPictures(document, ui);
  ImGui::Separator();
  if (ImGui::MenuItem("Load motion ...")) ui.browser.ask(FileBrowserState::Purpose::Motion);
  tooltip(
      "gives the open figure the motions of a file: joint states, a file of the same skeleton, or one of another "
      "human body or avatar, which are carried over part by part");
  if (ImGui::MenuItem("Fit to observations ...")) ui.browser.ask(FileBrowserState::Purpose::Observations);
  tooltip("fits the figure frame by frame to markers, joint positions, or another figure's motion");
  if (ImGui::MenuItem("Reference picture ...")) ui.browser.ask(FileBrowserState::Purpose::Reference);
  tooltip("shows a photograph or drawing behind the figure, to pose it after; or drop a picture on the window");
  ImGui::Separator();
  item("Quit", Action::Quit, settings, requests);
  ImGui::EndMenu();
}

/// Applies and removes joint limits of human bodies, since files of other programs have none.
void drawHumanLimits(const Document& document, Requests& requests) {
  const bool wants = wantsAnatomicalLimits(document);
  if (ImGui::MenuItem("Apply human joint limits", nullptr, false, wants))
    requests.edit("apply human joint limits", "", AfterEdit::Nothing, [](Document& d) { applyAnatomicalLimits(d); });
  tooltip("for a human body without limits: cones for shoulders and hips, hinges for elbows and knees");
  if (ImGui::MenuItem("Remove human joint limits", nullptr, false, !wants && bodyMapOf(*document.figure).isPerson()))
    requests.edit("remove human joint limits", "", AfterEdit::Nothing, removeAnatomicalLimits);
}

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
  tooltip("gizmos and the locks X, Y, Z use the axes of the selection instead of the world's");
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

void drawEdit(const Session& session, Settings& settings, UiState& ui, Requests& requests) {
  if (!beginTopMenu("Edit", ui)) return;
  const History& history = session.editor.history();
  item(history.canUndo() ? ("Undo " + history.undoLabel()).c_str() : "Undo", Action::Undo, settings, requests,
       history.canUndo());
  item(history.canRedo() ? ("Redo " + history.redoLabel()).c_str() : "Redo", Action::Redo, settings, requests,
       history.canRedo());
  ImGui::Separator();
  item("Copy pose", Action::CopyPose, settings, requests);
  tooltip("copies joint names and values as text, which limber fk and limber convert read");
  item("Paste pose or picture", Action::PastePose, settings, requests);
  tooltip("a pose as text, or a reference picture: itself, or the path of its file");
  const Selection& selection = session.document().selection;
  item(selection.obstacle >= 0 ? "Remove obstacle" : "Remove goal", Action::DeleteGoal, settings, requests,
       selection.goal >= 0 || selection.obstacle >= 0);
  ImGui::Separator();
  drawTools(session, settings, requests);
  ImGui::Separator();
  drawHabits(settings);
  ImGui::EndMenu();
}

void drawPose(const Session& session, const Settings& settings, UiState& ui, Requests& requests) {
  if (!beginTopMenu("Pose", ui)) return;
  const Document& document = session.document();
  item("Rest pose", Action::RestPose, settings, requests);
  item("Clear place", Action::ClearPlace, settings, requests);
  tooltip("resets the selected joints, or all joints, to rest; a selected target goes to its end effector");
  item("Clear rotation", Action::ClearRotation, settings, requests);
  tooltip("the same for the rotation");
  item("Lock or unlock", Action::LockJoint, settings, requests, document.selection.joint >= 0);
  ImGui::Separator();
  item("Mirror to the other side", Action::MirrorPose, settings, requests);
  tooltip("copies the selected parts, or the left side if nothing is selected, to the other side");
  if (ImGui::MenuItem("Mirror left to right")) requests.mirrorFrom = BodySide::Left;
  if (ImGui::MenuItem("Mirror right to left")) requests.mirrorFrom = BodySide::Right;
  item("Flip left and right", Action::FlipPose, settings, requests);
  tooltip("swaps both sides; the figure stays in place");
  toggleItem("Live symmetry", Action::ToggleSymmetry, document.symmetry != nullptr, settings, requests);
  tooltip("applies each change of one side to the other side, too");
  ImGui::Separator();
  item("Solve", Action::Solve, settings, requests, !document.goals.empty() || !document.pins.empty());
  item("Pose body from targets", Action::PoseFromTargets, settings, requests, !document.goals.empty());
  tooltip("poses a whole human body naturally from its targets, independent of the present pose (4 to 6 suffice)");
  item("Relax the rest", Action::RelaxRest, settings, requests);
  tooltip("keeps pins, targets and feet on the ground, and poses the rest of a human body naturally");
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
  tooltip("the same targets give the same pose, whatever the pose was before (more in the Solver panel)");
  toggleItem("Target follows the mouse", Action::ToggleFollow, document.follow, settings, requests);
  ImGui::EndMenu();
}

void drawToolMenu(const Session& session, const Settings& settings, UiState& ui, Requests& requests) {
  if (!beginTopMenu("Tools", ui)) return;
  const bool hasGoals = !session.document().goals.empty();
  item("Nudge", Action::Nudge, settings, requests, hasGoals);
  tooltip("solves again from a slightly changed pose, and keeps the result if it is better");
  item("Find any pose", Action::FindAnyPose, settings, requests, hasGoals);
  tooltip("searches for a pose that meets the goals, also from random start poses");
  item("Find the global pose", Action::FindGlobalPose, settings, requests, hasGoals);
  tooltip("finds the best of all poses for the targets, and proves how much better any other could be");
  item("Map the workspace", Action::FindWorkspace, settings, requests);
  tooltip("maps where the end effector of the selected goal or link can go, within limits, locks and pins");
  ImGui::Separator();
  toggleItem("Race of solvers", Action::ToggleRace, settings.visible.race, settings, requests);
  tooltip("shows several solvers on the same drag as ghosts, with their times and curves");
  if (ImGui::MenuItem("Iterations of the last solve", nullptr, ui.showIterations))
    ui.showIterations = !ui.showIterations;
  tooltip("shows f, gradient and step of each iteration as curves and as a table that can be copied");
  if (ImGui::MenuItem("Check derivatives")) requests.checkDerivatives = true;
  tooltip("compares gradient and Hessian of the objective at this pose with central differences");
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
       {std::tuple{SkinView::Skin, "Skin", "only the skin; joints show when selected, at a limit or under the cursor"},
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
  for (const auto& [action, label] : {std::pair{Action::ViewFront, "Front"}, std::pair{Action::ViewBack, "Back"},
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

/// Theme, units, scale and sizes of the window.
void drawLook(Settings& settings, Requests& requests) {
  choiceMenu("Theme", settings.theme,
             std::array{std::tuple{ThemeName::Dark, "Dark", ""}, std::tuple{ThemeName::Light, "Light", ""}});
  choiceMenu("Units", settings.unit,
             std::array{std::tuple{LengthUnit::Metres, "Metres", "m; small distances in mm"},
                        std::tuple{LengthUnit::Centimetres, "Centimetres", "all lengths in cm"},
                        std::tuple{LengthUnit::Millimetres, "Millimetres", "all lengths in mm"}});
  tooltip("units of lengths in the window; files keep their own");
  drawScale(settings, requests);
  if (ImGui::MenuItem("Default sizes", nullptr, false, settings.sizes != PartSizes{})) settings.sizes = {};
  tooltip("restores the sizes of tree, panels, timeline and race, whose edges can be dragged");
}

/// All panels by tab; choosing one shows it.
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
  if (shownPicture(session.document()))
    toggleItem("Through the reference picture", Action::LookThroughReference, session.picture.camera.through.isOn,
               settings, requests);
  toggleItem("Orthographic", Action::ToggleOrthographic,
             endOf(session.picture.turn, session.picture.camera).isOrthographic, settings, requests);
  ImGui::Separator();
  PanelVisibility& visible = settings.visible;
  toggleItem("Figure tree", Action::ToggleTree, visible.tree, settings, requests);
  drawPanelMenu(settings, ui, requests);
  toggleItem("Timeline", Action::ToggleTimeline, visible.timeline, settings, requests);
  tooltip("shows keys of pose and goals over time, paths of targets, and baking to motions");
  toggleItem("Race", Action::ToggleRace, visible.race, settings, requests);
  tooltip("shows several solvers on the same drag as ghosts, with their times and curves");
  ImGui::MenuItem("Joints", nullptr, &settings.showJoints);
  ImGui::MenuItem("Onion skin", nullptr, &settings.onionSkin, hasFrames(session.document()));
  tooltip("shows ghosts of a motion 0.1 s and 0.2 s before and after the present frame");
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
    tooltip(isRecording ? "ends the recording and shows the name of its file"
                        : "records everything that you do in a file, from which it can be replayed exactly");
    ImGui::EndMenu();
  }
  ui.menuWanted = 0;
  const float height = ImGui::GetWindowSize().y;
  ImGui::EndMainMenuBar();
  return height;
}

}  // namespace limber::app
