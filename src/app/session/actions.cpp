// SPDX-License-Identifier: MIT
// The actions of keys and menus.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "app/features/pose_actions.h"
#include "app/features/timeline_actions.h"
#include "app/session/reference_picture.h"
#include "app/session/session.h"
#include "app/session/witness.h"
#include "app/stage/picture_view.h"
#include "app/stage/viewing.h"
#include "app/tools/tools.h"
#include "limber/body/balance.h"
#include "limber/io/json/pose_json.h"
#include "limber/problem/joint_turn.h"

namespace limber::app {

namespace {

constexpr double kRadiansPerDegree = std::numbers::pi / 180.0;
constexpr double kTurnDegrees = 5.0, kFineTurnDegrees = 1.0;
constexpr double kSlideShare = 0.05, kFineSlideShare = 0.01;  // of a mean link length

/// The name of the key for an action in the present key preset.
std::string keyIn(const Session& session, Action action) { return keyOf(action, session.settings.keys); }

bool isMoving(const Document& document, int joint) {
  return stepSize(document.figure->joint(joint).type) > 0 && !document.joints[joint].locked;
}

/// The next movable joint after `from` in a direction, wrapping around; `from` when there is no other.
int nextJoint(const Document& document, int from, int direction) {
  const int count = document.figure->linkCount();
  int joint = from < 0 && direction < 0 ? count : from;
  for (int i = 0; i < count; ++i) {
    joint = (joint + direction + count) % count;
    if (isMoving(document, joint)) return joint;
  }
  return from;
}

void selectJoint(Session& session, int joint) {
  session.editor.touch().selection = {joint, -1};
  session.editor.endGesture();
  session.ui.scrollTree = true;
}

void cycleJoint(Session& session, int direction) {
  if (session.document().mode != Mode::Forward)
    return session.say("Tab chooses a joint in forward mode: Space switches");
  selectJoint(session, nextJoint(session.document(), session.document().selection.joint, direction));
}

/// The coordinate of the joint that the keys turn; for a free joint at first a rotation.
int chosenCoordinate(Session& session, int joint) {
  UiState& ui = session.ui;
  if (ui.coordinateJoint != joint) {
    ui.coordinateJoint = joint;
    ui.coordinate = session.document().figure->joint(joint).type == JointType::Free ? 3 : 0;
  }
  return ui.coordinate;
}

/// Turns or slides a joint by one key step, in the coordinate with this index, or the joint's last one.
void turnByKey(Document& document, int joint, int coordinate, double sign, bool fine) {
  const Joint& j = document.figure->joint(joint);
  const int own = std::min(coordinate, stepSize(j.type) - 1);
  if (own < 0) return;
  const bool slides = j.type == JointType::Prismatic || (j.type == JointType::Free && own < 3);
  const double amount = slides ? (fine ? kFineSlideShare : kSlideShare) * document.figure->meanLinkLength()
                               : (fine ? kFineTurnDegrees : kTurnDegrees) * kRadiansPerDegree;
  turnJoint(document, joint, own, sign * amount);
}

void turn(Session& session, double sign, bool fine) {
  if (session.document().mode != Mode::Forward)
    return session.say(". and , turn the selected joint in forward mode: Space switches");
  if (session.document().selection.joint < 0) selectJoint(session, nextJoint(session.document(), -1, 1));
  const int joint = session.document().selection.joint;
  if (joint < 0) return;
  const Joint& j = session.document().figure->joint(joint);
  if (stepSize(j.type) == 0) return session.say(j.name + " is fixed: Tab chooses a joint that moves");
  const int coordinate = chosenCoordinate(session, joint);
  const std::vector<int> joints = turnedTogether(session.parts.of(session.document()), session.document().selection);
  session.editor.edit(joints.size() > 1 ? "turn several" : "turn " + j.name,
                      "turn " + std::to_string(joint) + "/" + std::to_string(coordinate), [&](Document& d) {
                        for (const int each : joints) turnByKey(d, each, coordinate, sign, fine);
                      });
}

std::string selectedInWords(Session& session) {
  const Document& document = session.document();
  return selectionInWords(document, session.parts.of(document), document.selection);
}

/// Locks all selected joints; unlocks them when all are locked already.
void toggleLock(Session& session) {
  const std::vector<int> selected = session.document().selection.allLinks();
  if (selected.empty()) return session.say("select a part first: click on the figure");
  const auto isLocked = [&](int joint) {
    return session.document().joints[joint].locked || stepSize(session.document().figure->joint(joint).type) == 0;
  };
  const bool locks = !std::ranges::all_of(selected, isLocked);
  session.editor.edit(locks ? "lock" : "unlock", "", [&](Document& d) {
    for (const int joint : selected)
      if (stepSize(d.figure->joint(joint).type) > 0) d.joints[joint].locked = locks;
  });
  session.say(selectedInWords(session) + (locks ? ": locked" : ": unlocked"));
}

/// The links to pin: the dragged one, else the selected ones, else the one under the cursor.
std::vector<int> linksToPin(Session& session) {
  const Document& document = session.document();
  const NamedParts& parts = session.parts.of(document);
  if (const Drag* drag = session.pointer.drag()) {
    if (drag->request.drag) return {drag->request.drag->link};
    if (const GoalItem* goal = findGoal(document, drag->dragged->goal)) return {goal->link};
  }
  if (document.selection.joint >= 0) return leadingLinks(parts, document.selection);
  if (const GoalItem* goal = findGoal(document, document.selection.goal)) return {goal->link};
  const int hovered = session.picture.highlight.hoveredLink;
  return hovered < 0 ? std::vector<int>{} : std::vector<int>{parts.mainLinkOf(parts.wholeOf(hovered))};
}

/// The pin after a key press. For both kinds the key pins whatever is not fully pinned, else unpins; for one kind it
/// toggles that kind.
struct WantedPin {
  bool position = false, rotation = false;
};

WantedPin wantedPin(const Document& document, const std::vector<int>& links, bool position, bool rotation) {
  const auto all = [&](auto has) {
    return std::ranges::all_of(links, [&](int link) {
      const Pin* pin = findPin(document, link);
      return pin && has(*pin);
    });
  };
  const bool hasPosition = all([](const Pin& pin) { return pin.position; });
  const bool hasRotation = all([](const Pin& pin) { return pin.rotation; });
  if (position && rotation) return {!(hasPosition && hasRotation), !(hasPosition && hasRotation)};
  return position ? WantedPin{!hasPosition, hasRotation} : WantedPin{hasPosition, !hasRotation};
}

void togglePin(Session& session, bool position, bool rotation) {
  const std::vector<int> links = linksToPin(session);
  if (links.empty()) return session.say("select a part first: click on the figure");
  const WantedPin wanted = wantedPin(session.document(), links, position, rotation);
  const auto change = [&](Document& d) {
    for (const int link : links) {
      const Pin* pin = findPin(d, link);
      const Eigen::Vector3d point = pin ? pin->pointInLink : Eigen::Vector3d(Eigen::Vector3d::Zero());
      pinLink(d, link, wanted.position, wanted.rotation, point);
    }
  };
  const bool isDragging = session.pointer.isDragging();
  if (isDragging) change(session.editor.touch());  // a part of the drag's step
  else session.editor.edit(wanted.position || wanted.rotation ? "pin" : "unpin", "", change);
  if (isDragging) session.solving.request(session.pointer.drag()->request);
  const NamedParts& parts = session.parts.of(session.document());
  const std::string name = links.size() == 1 ? heldName(session.document(), parts, links[0]) : selectedInWords(session);
  session.say(name + (wanted.position && wanted.rotation ? ": pinned"
                      : wanted.position                  ? ": position pinned"
                      : wanted.rotation                  ? ": rotation pinned"
                                                         : ": free"));
}

/// Adds a goal to follow the mouse: at the figure's first site, else at the end of its first leaf link.
void addGoalAtFirstTip(Document& document) {
  const Figure& figure = *document.figure;
  if (!figure.sites().empty()) {
    addGoal(document, figure.sites()[0].link, figure.sites()[0].linkFromSite.translation);
    return;
  }
  int leaf = 0;
  while (!figure.children(leaf).empty()) leaf = figure.children(leaf)[0];
  const auto& capsules = figure.link(leaf).capsules;
  addGoal(document, leaf, capsules.empty() ? Eigen::Vector3d(Eigen::Vector3d::Zero()) : capsules.back().end);
}

void toggleFollow(Session& session) {
  if (session.document().follow) return plantFollowed(session);
  if (session.document().mode != Mode::Inverse) perform(session, Action::ToggleMode);
  if (session.document().goals.empty()) session.editor.edit("add goal", "", addGoalAtFirstTip);
  session.editor.touch().follow = true;
  session.say("the target follows the mouse: click to leave it there, Esc cancels");
}

void showNextSkinView(Session& session) {
  if (!session.document().skin) return session.say("this figure has no skin");
  static constexpr const char* kShown[] = {"the skin alone, ", "the figure, seen through its skin, ",
                                           "the figure alone, "};  // in the order of SkinView
  const int next = (static_cast<int>(session.settings.skinView) + 1) % 3;
  session.settings.skinView = static_cast<render::SkinView>(next);
  session.say(kShown[next] + keyIn(session, Action::NextSkinView) + " changes");
}

void toggleBalance(Session& session) {
  const bool keeps = !session.document().keepsBalance;
  session.solving.cancel();
  session.editor.edit(keeps ? "keep balance" : "stop balance", "", [=](Document& d) { d.keepsBalance = keeps; });
  if (!keeps) return session.say("balance is no longer kept");
  const bool stands = !plantedLinks(session.document(), session.picture.kinematics).empty();
  session.say(stands ? "balance is kept: the feet are held, the pelvis moves"
                     : "this figure does not stand on the ground: there is no balance to keep");
}

void removeSelectedGoal(Session& session) {
  if (const int obstacle = session.document().selection.obstacle; findObstacle(session.document(), obstacle)) {
    session.solving.cancel();
    session.editor.edit("remove obstacle", "", [&](Document& d) { removeObstacle(d, obstacle); });
    return;
  }
  const int id = session.document().selection.goal;
  if (!findGoal(session.document(), id)) return session.say("select a goal or an obstacle first: click on it");
  session.solving.cancel();
  session.editor.edit("remove goal", "", [&](Document& d) { removeGoal(d, id); });
}

/// Removes the chosen point of the selected goal's path; false when there is none.
bool removeChosenPoint(Session& session) {
  const Document& document = session.document();
  TimelineState& chosen = session.ui.timeline;
  const TargetPath* path = document.timeline ? findPath(*document.timeline, chosen.pathGoal) : nullptr;
  if (!path || chosen.pathGoal != document.selection.goal || chosen.pathPoint < 0 ||
      chosen.pathPoint >= std::ssize(path->points))
    return false;
  const int goal = chosen.pathGoal, point = chosen.pathPoint;
  session.editor.edit("remove a point of the path", "", [&](Document& d) {
    removePathPoint(d, goal, point);
    followPath(d, goal);
  });
  chosen.pathGoal = chosen.pathPoint = -1;
  return true;
}

void resetToRest(Session& session) {
  session.stop();
  session.editor.edit("rest pose", "", [](Document& d) { resetPose(d); });
  session.say("rest pose, Ctrl+Z undoes");
}

void copyPose(Session& session) {
  if (!session.outside.isReplay)
    session.outside.clipboard.write(io::formatPose(*session.document().figure, session.document().pose));
  session.say("pose copied as text");
}

/// Joints that the text does not name stay where they are.
void pastePose(Session& session, const std::string& text) {
  const Figure& figure = *session.document().figure;
  const auto pose = io::parsePose(text, "clipboard", figure, session.document().pose);
  if (!pose) return session.fail("no pose to paste: " + pose.error().message());
  session.stop();
  session.editor.edit("paste pose", "", [&](Document& d) {
    d.pose = *pose;
    clampToLimits(d, d.pose);
    moveTargetsToEndEffectors(d);
  });
  session.say("pose pasted, Ctrl+Z undoes");
}

void paste(Session& session) {
  const std::string text = session.outside.clipboard.read();
  if (session.outside.witness) session.outside.witness->noteClipboard(text);
  if (text.empty())
    return session.fail(
        "the clipboard holds neither a pose nor a picture; for pictures xclip or wl-clipboard is needed");
  if (!pasteReference(session, text)) pastePose(session, text);
}

void toggleMode(Session& session) {
  session.playing.stop();
  session.solving.cancel();
  const Mode mode = session.document().mode == Mode::Forward ? Mode::Inverse : Mode::Forward;
  session.editor.edit(mode == Mode::Forward ? "forward mode" : "inverse mode", "",
                      [&](Document& d) { setMode(d, mode); });
}

/// Ends whatever is in progress before the document is replaced.
void endAllThatMoves(Session& session) {
  session.stop();
  session.ui.planting.reset();
}

void goThroughHistory(Session& session, bool back) {
  endAllThatMoves(session);
  const History& history = session.editor.history();
  const std::string label = back ? history.undoLabel() : history.redoLabel();
  const bool done = back ? session.editor.undo() : session.editor.redo();
  session.editor.touch().follow = false;  // an undone step must not make the target follow again
  if (!done) session.say(back ? "nothing to undo" : "nothing to redo");
  else session.say((back ? "undone: " : "redone: ") + label, 2.0);
}

void save(Session& session) {
  const std::filesystem::path file = session.editor.file();
  if (file.extension() != ".limber") {
    session.ui.browser.ask(FileBrowserState::Purpose::Save);
    return;
  }
  Requests requests;
  requests.save = file;
  carryOut(session, requests);
}

void quit(Session& session) {
  if (!session.editor.unsaved().document) session.ui.quit = true;
  else session.ui.askUnsaved = true;
}

void solveNow(Session& session) {
  const Document& document = session.document();
  if (document.mode != Mode::Inverse)
    return session.say(keyIn(session, Action::Solve) + " solves in inverse mode: Space switches");
  if (document.goals.empty() && document.pins.empty()) return session.say("there are no goals to solve");
  session.editor.beginStep("solve");  // the pose comes in slices, frame by frame
  requestSolve(session, true);
}

void nudgePose(Session& session) {
  const Document& document = session.document();
  if (document.mode != Mode::Inverse)
    return session.say(keyIn(session, Action::Nudge) + " looks for a better pose in inverse mode: Space switches");
  if (document.goals.empty()) return session.say("there are no goals to find a better pose for");
  Solving::Nudged nudged;
  session.editor.edit("nudge", "",
                      [&](Document& d) { nudged = session.solving.nudge(d, session.ui.nudgeSeed++, session.ui.now); });
  if (!nudged.fault.empty()) return session.fail(nudged.fault);
  char text[64];
  std::snprintf(text, sizeof text, "nudged: f %.3g -> %.3g", nudged.before, nudged.after);
  session.say(nudged.isBetter ? text : "no better pose found; another nudge searches elsewhere");
}

void play(Session& session) {
  if (!session.playing.toggle(session.editor, session.ui.now))
    session.say("nothing to play yet: K keys the pose, and a goal can follow a path");
}

void stepRace(Session& session, int by) {
  RaceView& view = session.ui.race;
  session.services.racing.stepTo(view, session.services.racing.shownStep(view) + by);
}

void findAnyPose(Session& session) {
  const Document& document = session.document();
  if (document.mode != Mode::Inverse)
    return session.say(keyIn(session, Action::FindAnyPose) + " looks for a pose in inverse mode: Space switches");
  if (document.goals.empty()) return session.say("there are no goals to find a pose for");
  session.editor.beginStep("find any pose");  // it comes in slices, frame by frame
  session.solving.request({.solver = "multi-start"});
}

void findGlobalPose(Session& session) {
  if (session.document().goals.empty()) return session.say("there are no goals to find a pose for");
  session.ui.reveal = Panel::Global;
  session.services.global.start(session.document(), session.settings.unit);
}

/// Stops a running solve; false when there is none.
bool cancelSolve(Session& session) {
  if (!session.solving.isBusy()) return false;
  session.solving.cancel();
  session.say("stopped; the best pose so far stays, Ctrl+Z undoes");
  return true;
}

bool isAllowedWhileDragging(Action action) {
  return action == Action::Cancel || action == Action::ToggleRace || action == Action::ToggleTimeline ||
         action == Action::FrameAll || action == Action::ViewHome || action == Action::FrameSelection ||
         action == Action::Pin || action == Action::PinPosition || action == Action::PinRotation;
}

}  // namespace

void goToStep(Session& session, int step) {
  if (session.pointer.isDragging()) return;
  if (session.pointer.following) plantFollowed(session);
  endAllThatMoves(session);
  const int before = session.editor.history().presentStep();
  if (step == before || !session.editor.goTo(step)) return;
  session.editor.touch().follow = false;
  const int count = std::abs(step - before);
  session.say(std::to_string(count) + (count == 1 ? " step " : " steps ") + (step < before ? "undone" : "redone"), 2.0);
}

void perform(Session& session, Action action) {
  const Recorded recorded(session, action);
  const bool isOtherGrab = session.pointer.isModal && (action == Action::Grab || action == Action::Rotate);
  if (session.pointer.isDragging() && !isOtherGrab && !isAllowedWhileDragging(action)) return;
  if (session.pointer.following && action == Action::ToggleMode) {
    pauseFollow(session);  // the target follows again when inverse mode is back
  } else if (session.pointer.following && !isAllowedWhileDragging(action)) {
    plantFollowed(session);
    if (action == Action::ToggleFollow) return;
  }
  switch (action) {
    case Action::ToggleMode: toggleMode(session); break;
    case Action::TurnUp: turn(session, 1.0, false); break;
    case Action::TurnDown: turn(session, -1.0, false); break;
    case Action::TurnUpFine: turn(session, 1.0, true); break;
    case Action::TurnDownFine: turn(session, -1.0, true); break;
    case Action::RestPose: resetToRest(session); break;
    case Action::MirrorPose: mirrorPose(session); break;
    case Action::FlipPose: flipPose(session); break;
    case Action::ToggleSymmetry: toggleSymmetry(session); break;
    case Action::NextJoint: cycleJoint(session, 1); break;
    case Action::PreviousJoint: cycleJoint(session, -1); break;
    case Action::LockJoint: toggleLock(session); break;
    case Action::Pin: togglePin(session, true, true); break;
    case Action::PinPosition: togglePin(session, true, false); break;
    case Action::PinRotation: togglePin(session, false, true); break;
    case Action::ToggleBalance: toggleBalance(session); break;
    case Action::Grab: grabSelected(session, Grabbed::Place); break;
    case Action::Rotate: grabSelected(session, Grabbed::Turn); break;
    case Action::ClearPlace: clearSelected(session, Grabbed::Place); break;
    case Action::ClearRotation: clearSelected(session, Grabbed::Turn); break;
    case Action::SelectTool: chooseTool(session, GizmoTool::Kind::Select); break;
    case Action::MoveTool: chooseTool(session, GizmoTool::Kind::Move); break;
    case Action::TurnTool: chooseTool(session, GizmoTool::Kind::Turn); break;
    case Action::ToggleAxes: toggleAxes(session); break;
    case Action::LockX:
    case Action::LockY:
    case Action::LockZ:
    case Action::LockPlaneX:
    case Action::LockPlaneY:
    case Action::LockPlaneZ:
    case Action::LetTurn: break;  // of a drag: tools/drag_tool.cpp
    case Action::DeleteGoal:
      if (!removeChosenPoint(session)) removeSelectedGoal(session);
      break;
    case Action::ToggleFollow: toggleFollow(session); break;
    case Action::Solve: solveNow(session); break;
    case Action::Nudge: nudgePose(session); break;
    case Action::PoseFromTargets: poseBodyFromTargets(session); break;
    case Action::RelaxRest: relaxRest(session); break;
    case Action::FindAnyPose: findAnyPose(session); break;
    case Action::FindGlobalPose: findGlobalPose(session); break;
    case Action::FindWorkspace:
      session.ui.reveal = Panel::Workspace;
      session.services.reaching.start(session.document(), session.settings);
      break;
    case Action::ToggleTree: session.settings.visible.tree = !session.settings.visible.tree; break;
    case Action::TogglePanels: session.settings.visible.panels = !session.settings.visible.panels; break;
    case Action::FrameSelection:
    case Action::FrameAll:
    case Action::ViewHome:
    case Action::ViewFront:
    case Action::ViewBack:
    case Action::ViewRight:
    case Action::ViewLeft:
    case Action::ViewTop:
    case Action::ViewBottom:
    case Action::TurnViewLeft:
    case Action::TurnViewRight:
    case Action::TurnViewUp:
    case Action::TurnViewDown:
    case Action::ToggleOrthographic: performViewing(session, action); break;
    case Action::ToggleRace: session.settings.visible.race = !session.settings.visible.race; break;
    case Action::NextSkinView: showNextSkinView(session); break;
    case Action::ToggleReference: toggleReference(session); break;
    case Action::LookThroughReference: toggleLookThrough(session); break;
    case Action::RaceStepBack: stepRace(session, -1); break;
    case Action::RaceStepForward: stepRace(session, 1); break;
    case Action::ToggleTimeline: session.settings.visible.timeline = !session.settings.visible.timeline; break;
    case Action::PlayOrPause: play(session); break;
    case Action::FrameBack: stepFrame(session, -1); break;
    case Action::FrameForward: stepFrame(session, 1); break;
    case Action::PreviousKey: goToKey(session, -1); break;
    case Action::NextKey: goToKey(session, 1); break;
    case Action::KeyPose: keyPresentPose(session); break;
    case Action::KeyGoals: keyPresentGoals(session); break;
    case Action::RemoveKey: removePresentKey(session); break;
    case Action::Undo: goThroughHistory(session, true); break;
    case Action::Redo: goThroughHistory(session, false); break;
    case Action::New: session.ui.newChainWanted = true; break;
    case Action::Open: session.ui.browser.ask(FileBrowserState::Purpose::Open); break;
    case Action::Save: save(session); break;
    case Action::SaveAs: session.ui.browser.ask(FileBrowserState::Purpose::Save); break;
    case Action::SaveFigureAs: session.ui.browser.ask(FileBrowserState::Purpose::SaveFigure); break;
    case Action::Export: session.ui.browser.ask(FileBrowserState::Purpose::Export); break;
    case Action::CopyPose: copyPose(session); break;
    case Action::PastePose: paste(session); break;
    case Action::Quit: quit(session); break;
    case Action::OpenMenu: session.ui.menuWanted = 'F'; break;
    case Action::Help: session.ui.showKeys = !session.ui.showKeys; break;
    case Action::Cancel:
      if (session.services.job.isRunning()) {
        session.services.job.cancel();
      } else if (cancelTool(session) || cancelSolve(session)) {
        break;
      } else if (session.services.global.isRunning()) {
        session.services.global.cancel();
      } else if (session.services.reaching.isRunning()) {
        session.services.reaching.finishEarly();
      } else {
        session.services.drawing.cancel();
        session.ui.planting.reset();
        session.ui.showKeys = false;
        session.editor.touch().follow = false;
      }
      break;
  }
}

}  // namespace limber::app
