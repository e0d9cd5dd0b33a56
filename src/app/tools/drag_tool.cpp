// SPDX-License-Identifier: MIT
// The drag of a link, target, handle, pin, obstacle or joint, with keys that lock axes, typed numbers, and the wheel.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/drag/drag_chain.h"
#include "app/drag/free_drag.h"
#include "app/drag/null_space.h"
#include "app/tools/tools.h"
#include "limber/body/mirror.h"
#include "limber/scene/clock.h"

namespace limber::app {

namespace {

constexpr double kSettleMs = 60.0;          // time for a solve to finish after the drag of a link
constexpr double kSettleWhollyMs = 2000.0;  // the same for a path-independent solve, which shows only its end
constexpr const char* kAxisNames[] = {"X", "Y", "Z"};

std::optional<AxisLock> lockOf(Command command) {
  switch (command) {
    case Command::LockX: return AxisLock{0, false};
    case Command::LockY: return AxisLock{1, false};
    case Command::LockZ: return AxisLock{2, false};
    case Command::LockPlaneX: return AxisLock{0, true};
    case Command::LockPlaneY: return AxisLock{1, true};
    case Command::LockPlaneZ: return AxisLock{2, true};
    default: return std::nullopt;
  }
}

struct DragTool : Tool {
  explicit DragTool(std::unique_ptr<Drag> begun) : drag_(std::move(begun)), free_(drag_->asFree()) {}

  void begin(Stage& stage) override {
    stage.playing.stop();
    const Hit& pressed = *stage.pointer.pressed;
    if (pressed.grip == render::Grip::PathPoint) {
      choosePathPoint(stage, pressed);
      stage.editor.touch().selection.goal = pressed.goal;
    }
    stage.services.racing.endGesture();
    stage.editor.endGesture();
    if (free_) free_->measureIn(stage.settings.unit, stage.picture.drawList.figureSize);
    if (drag_->dragged->setsPose()) stage.solving.cancel();
    if (stage.settings.dragsInNullSpace && drag_->request.drag && !holdEnds(*drag_, stage.document(), true))
      stage.say("null space: no end effector stays, because the dragged link moves none");
    if (pressed.obstacle >= 0) stage.editor.touch().selection = {.obstacle = pressed.obstacle};
    const NamedParts& parts = partsOf(stage.document());
    const auto name = [&] { return parts[parts.wholeOf(pressed.link)].name; };
    if (drag_->dragged->isTrunk())  // the status bar may have no room for it
      stage.say(name() + " keeps its orientation: O lets it turn", 3.0);
    if (pressed.link >= 0 && findPin(stage.document(), pressed.link)) stage.say(name() + " is pinned: P unpins it");
  }

  void move(Stage& stage, const Modifiers& held, const Eigen::Vector2d&) override { update(stage, held); }

  void release(Stage& stage, const Modifiers&) override {
    if (drag_->request.drag) {
      // The solve for the last movement finishes now, so that the pose stays as it is afterwards.
      advanceSolving(stage, stage.document().solver.pathIndependent ? kSettleWhollyMs : kSettleMs);
      stage.solving.cancel();
    }
    if (stage.pointer.pressed->grip == render::Grip::TrailKey) keyAgain(stage.editor.touch());
    const std::string label = drag_->dragged->label(*drag_->before.figure, free_ && free_->isTurn());
    stage.editor.commit(std::move(drag_->before), label);
  }

  bool key(Stage& stage, const InputEvent& event) override {
    if (const auto* press = std::get_if<KeyPress>(&event)) return takeKey(stage, *press);
    if (const auto* wheel = std::get_if<WheelTurn>(&event)) {
      turnWheel(stage, *wheel);
      return true;
    }
    const auto* typed = std::get_if<Typed>(&event);
    if (!typed || !free_ || !free_->typed.type(typed->character)) return false;
    update(stage);
    return true;
  }

  bool cancel(Stage& stage) override {
    cancelDrag(stage, *drag_);
    return true;
  }

  void highlight(const Stage& stage, render::Highlight& h) const override {
    const Document& document = stage.document();
    const Dragged& dragged = *drag_->dragged;
    const Hit& pressed = *stage.pointer.pressed;
    h.hoveredGoal = dragged.goal;
    h.hoveredGrip = pressed.grip;
    h.hoveredPart = pressed.part;
    h.hoveredObstacle = pressed.obstacle;
    h.draggedLink = dragged.setsPose() ? dragged.link : -1;
    if (const auto& asked = drag_->request.drag) {
      h.draggedLink = h.dragTargetLink = asked->link;
      h.hasDragTarget = true;
      h.dragPointInLink = asked->pointInLink;
      h.dragTarget = asked->target;
    }
    if (const PosingReport* report = stage.solving.reportFor(document)) h.heldFeet = report->heldFeet;
    if (const std::vector<int> joints = dragged.chosenFollowers(); !joints.empty())
      h.follows = byLink(document, joints);
    else if (dragged.needsSolve(document) && dragged.link >= 0) h.follows = limbThatReaches(document, dragged.link);
  }

  std::string status(const Stage& stage) const override {
    const Document& document = stage.document();
    std::vector<std::string> words;
    if (free_ && free_->lock)
      words.push_back(std::string(kAxisNames[free_->lock->axis]) + (free_->lock->isPlane ? " kept" : " locked") +
                      (stage.picture.gizmo.isLocal || free_->hasOwnAxes ? ", own axes" : ""));
    if (free_) words.push_back(free_->measureWords(stage.settings.unit));
    drag_->dragged->appendWords(*drag_, document, words);
    if (const PosingReport* report = stage.solving.reportFor(document)) {
      words.push_back(limbWords(document, report->limb, report->bodyMoved));
      if (!report->heldFeet.empty()) words.emplace_back("Alt releases the feet");
    }
    if (drag_->request.meetsHolds) words.emplace_back("null space: the end stays");
    words.emplace_back(stage.pointer.isModal ? "a click accepts, right click or Esc cancels" : "Esc cancels");
    std::string text;
    for (const std::string& part : words)
      if (!part.empty()) text += (text.empty() ? "" : "   ") + part;
    return text;
  }

  Drag* drag() const override { return drag_.get(); }

 private:
  /// Sets the key whose dot was dragged to what the drag has made.
  void keyAgain(Document& document) const {
    if (drag_->dragged->goal >= 0) keyGoals(document, drag_->dragged->goal);
    else if (keysLayer(document)) keyLayer(document);
    else keyPose(document);
  }

  /// Moves the dragged item by cursor, lock and typed number, and requests a solve for the resulting pose.
  void update(Stage& stage, const Modifiers& held = {}) {
    const Pose before = stage.document().pose;
    if (!drag_->move(stage.editor.touch(), stage.picture.view(), stage.pointer.x, stage.pointer.y, held)) return;
    keepSymmetry(before, stage.editor.touch());
    keepSeenGoals(drag_->before, stage.editor.touch());
    if (drag_->dragged->needsSolve(stage.document())) stage.solving.request(drag_->request);
  }

  bool takeKey(Stage& stage, const KeyPress& press) {
    if (press.key == Key::Backspace) {
      if (free_ && free_->typed.erase()) update(stage);
      return true;
    }
    if (press.key == Key::Digit || press.key == Key::Numpad) return true;  // their characters follow as Typed events
    const auto command = dragCommandOf(press);
    const auto wanted = command ? lockOf(*command) : std::nullopt;
    const bool isLetTurn = command == Command::LetTurn;
    if (press.isRepeat || !(wanted || isLetTurn)) return wanted || isLetTurn;
    if (wanted) lock(stage, *wanted);
    else if (toggleOrientation(*drag_, stage.picture.kinematics)) update(stage);
    else stage.say("this has no orientation to keep: O is for a pelvis or a chest");
    return true;
  }

  /// Sets the axes of the locks to those at the start of the drag. A gizmo has its own axes.
  void orientLocks(const Stage& stage) {
    if (isGizmo(drag_->grip)) return;
    free_->axes = stage.picture.gizmo.world;
    if (!stage.picture.gizmo.isLocal && !free_->hasOwnAxes) return;
    Kinematics kinematics;
    computeTransforms(*drag_->before.figure, drag_->before.pose, kinematics);
    free_->axes = drag_->dragged->axes(drag_->before, kinematics);
  }

  void lock(Stage& stage, const AxisLock& wanted) {
    if (!free_ || !free_->canLock(wanted))
      return stage.say("this cannot be locked to " + std::string(kAxisNames[wanted.axis]));
    // In Blender's preset a second press takes the local axes, and a third removes the lock.
    const bool isAgain = free_->lock == wanted, isBlender = stage.settings.keys == KeyPreset::Blender;
    const bool takesOwn =
        isAgain && isBlender && !free_->hasOwnAxes && !stage.picture.gizmo.isLocal && !isGizmo(drag_->grip);
    if (takesOwn) free_->lock.reset();
    free_->hasOwnAxes = takesOwn;
    orientLocks(stage);
    free_->toggleLock(wanted);
    update(stage);
  }

  /// Fractions of a step, as trackpads send them, are accumulated.
  void turnWheel(Stage& stage, const WheelTurn& turn) {
    if (turn.modifiers.control) {
      if (drag_->pushAway(turn.steps)) update(stage);
      else stage.say("this does not move along the view");
      return;
    }
    wheel_ += turn.steps;
    const double whole = std::trunc(wheel_);
    wheel_ -= whole;
    if (whole == 0.0) return;
    if (drag_->dragged->changeFollowers(*drag_, stage.editor.touch(), static_cast<int>(whole))) update(stage);
    else stage.say("this has no following joints to add or remove");
  }

  std::unique_ptr<Drag> drag_;
  FreeDrag* free_;      ///< the same drag; null if locks and numbers do not apply to it
  double wheel_ = 0.0;  ///< accumulated fraction of a wheel step
};

}  // namespace

std::unique_ptr<Tool> makeDragTool(std::unique_ptr<Drag> drag) { return std::make_unique<DragTool>(std::move(drag)); }

void cancelDrag(Stage& stage, Drag& drag) {
  stage.solving.cancel();
  stage.editor.restore(std::move(drag.before));
  stage.editor.touch().follow = false;
  stage.say("cancelled");
}

}  // namespace limber::app
