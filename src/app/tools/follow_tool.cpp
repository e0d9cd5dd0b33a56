// SPDX-License-Identifier: MIT
// The target of a goal follows the cursor while no button is pressed.
#include <utility>

#include "app/drag/free_drag.h"
#include "app/drag/goal_handles.h"
#include "app/tools/tools.h"

namespace limber::app {

namespace {

struct FollowTool : Tool {
  explicit FollowTool(std::unique_ptr<Drag> begun) : drag_(std::move(begun)) {}

  void move(Stage& stage, const Modifiers&, const Eigen::Vector2d&) override {
    if (!drag_->move(stage.editor.touch(), stage.picture.view(), stage.pointer.x, stage.pointer.y)) return;
    keepSeenGoals(drag_->before, stage.editor.touch());
    stage.solving.request(drag_->request);
  }
  void release(Stage& stage, const Modifiers&) override {
    drag_->before.follow &= stage.document().follow;
    stage.editor.commit(std::move(drag_->before), "follow the mouse");
  }
  bool cancel(Stage& stage) override {
    cancelDrag(stage, *drag_);
    return true;
  }
  void highlight(const Stage&, render::Highlight& h) const override {
    h.hoveredGoal = drag_->dragged->goal;
    h.hoveredGrip = render::Grip::Target;
  }
  Drag* drag() const override { return drag_.get(); }

 private:
  std::unique_ptr<Drag> drag_;
};

}  // namespace

std::unique_ptr<Tool> makeFollowTool(Stage& stage) {
  const Document& document = stage.document();
  const int id =
      document.selection.goal >= 0 || document.goals.empty() ? document.selection.goal : document.goals.back().id;
  const GoalItem* goal = findGoal(document, id);
  if (!goal || !hasMovableTarget(*goal)) return nullptr;
  const render::View view = stage.picture.view();
  const auto at = render::projectToPixel(view, goal->target);
  if (!at) return nullptr;
  auto drag = beginDrag(document, stage.picture.kinematics, {-1, id, goal->target, 0.0, render::Grip::Target}, view,
                        at->x(), at->y());
  drag->asFree()->isUnderCursor = true;
  stage.services.racing.endGesture();
  return std::make_unique<FollowTool>(std::move(drag));
}

}  // namespace limber::app
