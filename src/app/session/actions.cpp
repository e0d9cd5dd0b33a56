// SPDX-License-Identifier: MIT
#include "app/session/actions.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "app/drag/null_space.h"
#include "app/session/documents.h"
#include "app/session/reference_picture.h"
#include "app/session/witness.h"
#include "app/settings/units.h"
#include "limber/body/balance.h"
#include "limber/io/json/pose_json.h"
#include "limber/posing/loops_along.h"
#include "limber/problem/joint_turn.h"

namespace limber::app {

namespace {

constexpr double kRadiansPerDegree = std::numbers::pi / 180.0;
constexpr double kTurnDegrees = 5.0, kFineTurnDegrees = 1.0;
constexpr double kSlideShare = 0.05, kFineSlideShare = 0.01;  // of a mean link length

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
  session.ui.tree.scrolls = true;
}

/// The coordinate of the joint that the keys turn; for a free joint at first a rotation.
int chosenCoordinate(Session& session, int joint) {
  UiState& ui = session.ui;
  if (ui.joint.owner != joint) {
    ui.joint.owner = joint;
    ui.joint.coordinate = session.document().figure->joint(joint).type == JointType::Free ? 3 : 0;
  }
  return ui.joint.coordinate;
}

/// Turns or slides a joint by one key step, in the coordinate with this index, or the joint's last one.
void turnByKey(Document& document, int joint, int coordinate, double sign, bool fine) {
  const Joint& j = document.figure->joint(joint);
  const int own = std::min(coordinate, stepSize(j.type) - 1);
  if (own < 0) return;
  const bool slides = j.type == JointType::Prismatic || (j.type == JointType::Free && own < 3);
  const double amount = slides ? (fine ? kFineSlideShare : kSlideShare) * document.figure->meanLinkLength()
                               : (fine ? kFineTurnDegrees : kTurnDegrees) * kRadiansPerDegree;
  const Pose before = document.pose;
  turnJoint(document, joint, own, sign * amount);
  bringLoopsAlong(before, std::span(&joint, 1), document);
}

/// "left elbow: 35.0°": the value of a joint; for one with several axes its whole rotation.
std::string valueInWords(const Session& session, int joint, int coordinate) {
  const Document& document = session.document();
  const Joint& j = document.figure->joint(joint);
  const int own = std::min(coordinate, stepSize(j.type) - 1);
  const bool isScalar = stepSize(j.type) == 1;
  if (isScalar && j.type == JointType::Prismatic)
    return j.name + ": " + lengthText(document.pose.coordinates[j.poseIndex], session.settings.unit);
  if (j.type == JointType::Free && own < 3)
    return j.name + ": " + lengthText(document.pose.coordinates[j.poseIndex + own], session.settings.unit);
  const double angle = isScalar ? document.pose.coordinates[j.poseIndex]
                                : Eigen::AngleAxisd(jointRotation(*document.figure, document.pose, joint)).angle();
  char text[32];
  std::snprintf(text, sizeof text, ": %.1f°", angle / kRadiansPerDegree);
  return j.name + text;
}

std::string selectedInWords(Session& session) {
  const Document& document = session.document();
  return selectionInWords(document, partsOf(document), document.selection);
}

/// The links to pin: the dragged one, else the selected ones, else the one under the cursor.
std::vector<int> linksToPin(Session& session) {
  const Document& document = session.document();
  const NamedParts& parts = partsOf(document);
  if (const Drag* drag = session.pointer.drag()) {
    if (drag->request.drag) return {drag->request.drag->link};
    if (const GoalItem* goal = findGoal(document, drag->dragged->goal)) return {goal->link};
  }
  if (document.selection.joint >= 0) return leadingLinks(parts, document.selection);
  if (const GoalItem* goal = findGoal(document, document.selection.goal)) return {goal->link};
  const int hovered = session.picture.highlight.hoveredLink;
  return hovered < 0 ? std::vector<int>{} : std::vector<int>{parts.mainLinkOf(parts.wholeOf(hovered))};
}

/// The pin after a key press. The key for both kinds pins a link that is not fully pinned, else unpins it; the key for
/// one kind toggles that kind.
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

/// Removes the chosen point of the selected goal's path; false if no point is chosen.
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

/// Ends all running operations, and the wait for clicks, before the document is replaced.
void endAllThatMoves(Session& session) {
  session.stop();
  session.ui.planting.reset();
}

/// Stops a running solve; false if none is running.
bool cancelSolve(Session& session) {
  if (!session.solving.isBusy()) return false;
  session.solving.cancel();
  session.say("stopped; the best pose so far stays, Ctrl+Z undoes");
  return true;
}

}  // namespace

void toggleMode(Session& session) {
  if (session.pointer.isDragging()) return;
  session.playing.stop();
  session.solving.cancel();
  const Mode mode = session.document().mode == Mode::Forward ? Mode::Inverse : Mode::Forward;
  session.editor.edit(mode == Mode::Forward ? "forward mode" : "inverse mode", "",
                      [&](Document& d) { setMode(d, mode); });
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
  const std::vector<int> joints = turnedTogether(partsOf(session.document()), session.document().selection);
  session.editor.edit(joints.size() > 1 ? "turn several" : "turn " + j.name,
                      "turn " + std::to_string(joint) + "/" + std::to_string(coordinate), [&](Document& d) {
                        for (const int each : joints) turnByKey(d, each, coordinate, sign, fine);
                      });
  session.say(valueInWords(session, joint, coordinate), 2.0);
}

void cycleJoint(Session& session, int direction) {
  if (session.document().mode != Mode::Forward)
    return session.say("Tab chooses a joint in forward mode: Space switches");
  selectJoint(session, nextJoint(session.document(), session.document().selection.joint, direction));
}

void select(Session& session, const Selection& wanted) {
  const std::vector<int> links = wanted.allLinks();
  if (!links.empty() && links.back() >= session.document().figure->linkCount()) return;  // for an earlier figure
  session.editor.touch().selection = wanted;
  session.editor.endGesture();
}

void resetToRest(Session& session) {
  session.stop();
  session.editor.edit("rest pose", "", [](Document& d) { resetPose(d); });
  session.say("rest pose, Ctrl+Z undoes");
}

void lockSelected(Session& session) {
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
  const NamedParts& parts = partsOf(session.document());
  const std::string name = links.size() == 1 ? heldName(session.document(), parts, links[0]) : selectedInWords(session);
  session.say(name + (wanted.position && wanted.rotation ? ": pinned"
                      : wanted.position                  ? ": position pinned"
                      : wanted.rotation                  ? ": rotation pinned"
                                                         : ": free"));
}

void grab(Session& session, Grabbed what) {
  const bool isOtherDrag = session.pointer.isDragging() && !session.pointer.isModal;
  if (!isOtherDrag) grabSelected(session, what);
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

void togglePathIndependent(Session& session) {
  const bool isOn = !session.document().solver.pathIndependent;
  applyEdit(session, {isOn ? "path-independent" : "not path-independent", "",
                      [isOn](Document& d) { d.solver.pathIndependent = isOn; }, AfterEdit::Solve});
}

void toggleFollow(Session& session) {
  if (session.pointer.isDragging()) return;
  if (session.document().follow) return plantFollowed(session);
  if (session.document().mode != Mode::Inverse) toggleMode(session);
  if (session.document().goals.empty()) session.editor.edit("add goal", "", addGoalAtFirstTip);
  session.editor.touch().follow = true;
  session.say("the target follows the mouse: click to leave it there, Esc cancels");
}

void removeSelected(Session& session) {
  if (!removeChosenPoint(session)) removeSelectedGoal(session);
}

void solveNow(Session& session) {
  const Document& document = session.document();
  if (document.mode != Mode::Inverse)
    return session.say(keyIn(session, Command::Solve) + " solves in inverse mode: Space switches");
  if (document.goals.empty() && document.pins.empty()) return session.say("there are no goals to solve");
  session.editor.beginStep("solve");  // the pose comes in slices, frame by frame
  requestSolve(session, true);
}

void nudgePose(Session& session) {
  const Document& document = session.document();
  if (document.mode != Mode::Inverse)
    return session.say(keyIn(session, Command::Nudge) + " looks for a better pose in inverse mode: Space switches");
  if (document.goals.empty()) return session.say("there are no goals to find a better pose for");
  Solving::Nudged nudged;
  session.editor.edit("nudge", "",
                      [&](Document& d) { nudged = session.solving.nudge(d, session.ui.nudgeSeed++, session.ui.now); });
  if (!nudged.fault.empty()) return session.fail(nudged.fault);
  char text[64];
  std::snprintf(text, sizeof text, "nudged: f %.3g -> %.3g", nudged.before, nudged.after);
  session.say(nudged.isBetter ? text : "no better pose found; another nudge searches elsewhere");
}

void findAnyPose(Session& session) {
  const Document& document = session.document();
  if (document.mode != Mode::Inverse)
    return session.say(keyIn(session, Command::FindAnyPose) + " looks for a pose in inverse mode: Space switches");
  if (document.goals.empty()) return session.say("there are no goals to find a pose for");
  session.editor.beginStep("find any pose");  // it comes in slices, frame by frame
  session.solving.request({.solver = "multi-start"});
}

void findGlobalPose(Session& session) {
  if (session.document().goals.empty()) return session.say("there are no goals to find a pose for");
  session.ui.reveal = Panel::Global;
  session.services.global.start(session.document(), session.settings.unit);
}

void findWorkspace(Session& session) {
  session.ui.reveal = Panel::Workspace;
  session.services.reaching.start(session.document(), session.settings);
}

void goToGlobalPose(Session& session) {
  const GlobalAnswer* answer = session.services.global.answer();
  if (!answer) return;
  session.solving.cancel();
  session.editor.endGesture();
  session.editor.edit("go to the global pose", "", [&](Document& d) { d.pose = answer->pose; });
}

void findWays(Session& session) {
  session.ui.reveal = Panel::Ways;
  session.ui.ways.path = -1;
  session.services.ways.start(session.document());
}

void takeWay(Session& session, int way) {
  const Pose* pose = session.services.ways.poseOfWay(way);
  if (!pose) return;
  session.stop();
  session.editor.endGesture();
  session.editor.edit("take a way", "", [&](Document& d) { d.pose = *pose; });
}

void slideAlongWay(Session& session, const WayPosition& position) {
  const auto pose = session.services.ways.poseAlong(position.path, position.at, session.document().pose);
  if (!pose) return;
  session.stop();
  session.ui.ways.path = position.path;
  session.editor.edit("move along the self-motion", position.gesture, [&](Document& d) { d.pose = *pose; });
}

void toggleNullSpace(Session& session) {
  const bool isOn = session.settings.dragsInNullSpace = !session.settings.dragsInNullSpace;
  if (Drag* drag = session.pointer.drag(); drag && drag->request.drag) holdEnds(*drag, session.document(), isOn);
  session.say(isOn ? "drags of links leave the end effectors in place; " + keyIn(session, Command::ToggleNullSpace) +
                         " ends it"
                   : "drags of links move the end effectors, too");
}

void cancel(Session& session) {
  Services& services = session.services;
  if (services.job.isRunning()) return services.job.cancel();
  if (cancelTool(session) || cancelSolve(session)) return;
  if (services.global.isRunning()) return services.global.cancel();
  if (services.reaching.isRunning()) return services.reaching.finishEarly();
  if (services.ways.isRunning()) return services.ways.forget();
  services.drawing.cancel();
  session.ui.planting.reset();
  session.ui.keySheet.isShown = false;
  session.editor.touch().follow = false;
}

void showNextSkinView(Session& session) {
  if (!session.document().skin) return session.say("this figure has no skin");
  static constexpr const char* kShown[] = {"the skin alone, ", "the figure, seen through its skin, ",
                                           "the figure alone, "};  // in the order of SkinView
  const int next = (static_cast<int>(session.settings.skinView) + 1) % 3;
  session.settings.skinView = static_cast<render::SkinView>(next);
  session.say(kShown[next] + keyIn(session, Command::NextSkinView) + " changes");
}

void stepRace(Session& session, int by) {
  RaceView& view = session.ui.race;
  session.services.racing.stepTo(view, session.services.racing.shownStep(view) + by);
}

void play(Session& session) {
  if (!session.playing.toggle(session.editor, session.ui.now))
    session.say("nothing to play yet: K keys the pose, and a goal can follow a path");
}

void checkAllDerivatives(Session& session) {
  session.ui.derivatives.check = checkDerivatives(session.document());
  const bool isShown = session.ui.derivatives.check->gradient.size() <= kMostShownCoordinates;
  session.ui.derivatives.ofPoint = isShown ? pointDerivatives(session.document()) : std::vector<PointDerivatives>{};
  session.ui.derivatives.isShown = true;
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

void goToStep(Session& session, int step) {
  endAllThatMoves(session);
  const int before = session.editor.history().presentStep();
  if (step == before || !session.editor.goTo(step)) return;
  session.editor.touch().follow = false;
  const int count = std::abs(step - before);
  session.say(std::to_string(count) + (count == 1 ? " step " : " steps ") + (step < before ? "undone" : "redone"), 2.0);
}

void copyPose(Session& session) {
  if (!session.outside.isReplay)
    session.outside.clipboard.write(io::formatPose(*session.document().figure, session.document().pose));
  session.say("pose copied as text");
}

void paste(Session& session) {
  const std::string text = session.outside.clipboard.read();
  if (session.outside.witness) session.outside.witness->noteClipboard(text);
  if (text.empty())
    return session.fail(
        "the clipboard holds neither a pose nor a picture; for pictures xclip or wl-clipboard is needed");
  if (!pasteReference(session, text)) pastePose(session, text);
}

void save(Session& session) {
  const std::filesystem::path file = session.editor.file();
  if (file.extension() == ".limber") saveFile(session, file);
  else session.ui.browser.ask(Command::SaveAs);
}

void quit(Session& session) {
  if (!session.editor.unsaved().document) session.ui.quit = true;
  else session.ui.askUnsaved = true;
}

void useLive(Session& session, LiveWish wish) {
  Live& live = session.services.live;
  const bool begins = wish == LiveWish::Receive || wish == LiveWish::Send;
  if (begins && (session.outside.witness || session.outside.isReplay))
    return session.fail("live avatars are off while a bug report is recorded");
  std::string fault;
  switch (wish) {
    case LiveWish::Receive: fault = live.startReceiving(session.settings.live); break;
    case LiveWish::Send: fault = live.startSending(session.settings.live, session.document()); break;
    case LiveWish::StopReceiving: live.stopReceiving(); break;
    case LiveWish::StopSending: live.stopSending(); break;
    case LiveWish::Calibrate: live.calibrate(session.document()); break;
  }
  if (!fault.empty()) session.fail(fault);
  session.editor.endGesture();
}

}  // namespace limber::app
