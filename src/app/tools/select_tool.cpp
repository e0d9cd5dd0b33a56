// SPDX-License-Identifier: MIT
// Selects by clicks; a movement drags the pressed item, else the camera or a box.
#include <utility>

#include "app/drag/goal_handles.h"
#include "app/features/timeline_actions.h"
#include "app/stage/commands.h"
#include "app/tools/tools.h"
#include "limber/scene/path_curve.h"

namespace limber::app {

namespace {

constexpr double kKeySolveMs = 60.0;  // for the goals at a key that is about to be dragged

/// Begins a drag of the pressed item; null if it cannot be dragged now.
std::unique_ptr<Drag> grab(const Stage& stage, const Hit& hit) {
  const Document& document = stage.document();
  const Kinematics& kinematics = stage.picture.kinematics;
  const render::View view = stage.picture.view();
  if (isGizmo(hit.grip)) {
    const auto gizmo = gizmoOf(document, kinematics, stage.picture.gizmo);
    if (!gizmo) return nullptr;
    auto drag = beginGizmoDrag(document, kinematics, *gizmo, hit, view, stage.pointer.x, stage.pointer.y);
    drag->turnTogether(turnedTogether(partsOf(document), document.selection));
    return drag;
  }
  if (!isDraggable(document, hit) || (document.mode != Mode::Inverse && hit.obstacle < 0)) return nullptr;
  return beginDrag(document, kinematics, hit, view, stage.pointer.x, stage.pointer.y);
}

/// Adds a point to the path at the hit; false when the hit is on no path.
bool addPointToPath(Stage& stage, const Hit& hit) {
  const Document& document = stage.document();
  const TargetPath* path = document.timeline ? findPath(*document.timeline, hit.goal) : nullptr;
  if (!path || hit.grip != render::Grip::PathCurve) return false;
  int point = -1;
  stage.editor.edit("add a point to the path", "", [&](Document& d) {
    point = insertPathPoint(d, hit.goal, PathCurve(*path).parameterNearest(hit.point));
    d.selection.goal = hit.goal;
  });
  stage.ui.timeline.pathGoal = hit.goal;
  stage.ui.timeline.pathPoint = point;
  return true;
}

/// Goes to the key of a dot on a path, and grabs what it keys there; null if that cannot be dragged.
std::unique_ptr<Drag> grabTrailKey(Stage& stage, Hit dot) {
  const KeyTrail& trail = stage.services.trail;
  const int goal = trail.goal(), link = trail.link();
  goToFrame(stage, dot.part);
  advanceSolving(stage, kKeySolveMs);
  stage.solving.cancel();
  if (stage.document().mode != Mode::Inverse) {
    stage.say(keyIn(stage, Command::ToggleMode) + " switches to inverse mode, in which keys can be dragged");
    return nullptr;
  }
  updateScene(stage);
  if (goal < 0) stage.pointer.pressed->link = link;
  const Hit hit = goal >= 0 ? Hit{.goal = goal, .point = dot.point, .grip = render::Grip::Target}
                            : Hit{.link = link, .point = dot.point};
  return beginDrag(stage.document(), stage.picture.kinematics, hit, stage.picture.view(), stage.pointer.pressX,
                   stage.pointer.pressY);
}

Selection clickedLinks(Stage& stage, int link, bool adds) {
  const NamedParts& parts = partsOf(stage.document());
  const Selection& present = stage.document().selection;
  if (!adds) return clickedSelection(parts, present, link);
  const int whole = parts.wholeOf(link);
  return toggledSelection(present, parts.linksOf(whole), parts.mainLinkOf(whole));
}

struct SelectTool : Tool {
  void begin(Stage& stage) override {
    if (const auto& hit = stage.pointer.pressed)
      if (auto drag = grab(stage, *hit)) grabbed_ = makeDragTool(std::move(drag));
  }
  std::unique_ptr<Tool> leave(Stage& stage, const Modifiers& held) override {
    const std::optional<Hit>& hit = stage.pointer.pressed;
    if (hit && hit->grip == render::Grip::TrailKey)
      if (auto drag = grabTrailKey(stage, *hit)) return makeDragTool(std::move(drag));
    return grabbed_ ? std::move(grabbed_) : besideTool(stage, held);
  }

  void release(Stage& stage, const Modifiers& held) override {
    const std::optional<Hit>& hit = stage.pointer.pressed;
    if (hit && isKey(hit->grip)) return goToFrame(stage, hit->part);
    if (hit && (isGizmo(hit->grip) || (held.control && addPointToPath(stage, *hit)))) return;
    choosePathPoint(stage, hit);
    Selection& selection = stage.editor.touch().selection;
    if (!hit && held.shift) return;  // the selection stays
    if (!hit) selection = {};
    else if (hit->obstacle >= 0) selection = {.obstacle = hit->obstacle};
    else if (hit->goal >= 0) selection.goal = hit->goal;
    else selection = clickedLinks(stage, hit->link, held.shift);
    stage.ui.tree.scrolls = true;
    stage.editor.endGesture();
  }

  Drag* drag() const override { return grabbed_ ? grabbed_->drag() : nullptr; }

 private:
  std::unique_ptr<Tool> grabbed_;  ///< the drag that a movement begins; null for none
};

}  // namespace

std::unique_ptr<Tool> makeSelectTool() { return std::make_unique<SelectTool>(); }

void choosePathPoint(Stage& stage, const std::optional<Hit>& hit) {
  const bool isPoint = hit && hit->grip == render::Grip::PathPoint;
  stage.ui.timeline.pathGoal = isPoint ? hit->goal : -1;
  stage.ui.timeline.pathPoint = isPoint ? hit->part : -1;
}

}  // namespace limber::app
