// SPDX-License-Identifier: MIT
#include "app/tools/tools.h"

#include <cmath>
#include <utility>

#include "app/stage/picture_view.h"

namespace limber::app {

std::unique_ptr<Tool> clickTool(const std::optional<Planting>& planting) {
  using Clicks = Planting::Clicks;
  if (!planting) return makeSelectTool();
  switch (planting->clicks) {
    case Clicks::Goal: return makePlantTool();
    case Clicks::Join: return makeJoinTool();
    case Clicks::Joints: return makeMarkTool();
    case Clicks::Edges: return makeEdgesTool();
    case Clicks::Stature: return makeStatureTool();
  }
  return nullptr;
}

std::unique_ptr<Tool> besideTool(const Stage& stage, const Modifiers& held) {
  if (!stage.pointer.pressed && drawsBox(held)) return makeBoxTool();
  return makeCameraTool(besideGestureOf(held));
}

void pressButton(Stage& stage, const ButtonChange& change) {
  Pointer& pointer = stage.pointer;
  pointer.x = change.x;
  pointer.y = change.y;
  if (change.button == Button::Right && pointer.tool && !pointer.following && cancelTool(stage)) return;
  if (pointer.isModal && change.button == Button::Left) return releaseButton(stage, change);
  if (pointer.tool) return;  // another button is down already
  pointer.button = change.button;
  pointer.pressX = change.x;
  pointer.pressY = change.y;
  pointer.isClick = false;
  if (const auto gesture = cameraGestureOf(change.button, change.modifiers, stage.settings.keys)) {
    pointer.tool = makeCameraTool(*gesture);
    return;
  }
  if (change.button != Button::Left) return;
  if (pointer.following) return plantFollowed(stage);
  pointer.isClick = true;
  pointer.tool = clickTool(stage.ui.planting);
  updateScene(stage);
  pointer.pressed = pick(stage.picture.drawList, stage.picture.view(), change.x, change.y, stage.picture.displayScale);
  pointer.tool->begin(stage);
}

void releaseButton(Stage& stage, const ButtonChange& change) {
  Pointer& pointer = stage.pointer;
  if (!pointer.tool || change.button != pointer.button) return;
  auto tool = std::move(pointer.tool);                       // a job that ends meanwhile may replace the pointer
  if (pointer.isClick) tool = clickTool(stage.ui.planting);  // Esc may have ended what waited for the click
  pointer.isModal = false;
  tool->release(stage, change.modifiers);
}

void moveCursor(Stage& stage, const CursorMove& move) {
  Pointer& pointer = stage.pointer;
  const Eigen::Vector2d by(move.x - pointer.x, move.y - pointer.y);
  pointer.x = move.x;
  pointer.y = move.y;
  const bool hasLeft = std::hypot(move.x - pointer.pressX, move.y - pointer.pressY) > stage.picture.clickReach;
  if (pointer.tool && pointer.isClick && hasLeft) {
    pointer.isClick = false;
    if (auto next = pointer.tool->leave(stage, move.modifiers)) {
      pointer.tool = std::move(next);
      pointer.tool->begin(stage);
    }
  }
  if (pointer.tool) return pointer.tool->move(stage, move.modifiers, by);
  clickTool(stage.ui.planting)->move(stage, move.modifiers, by);
  const bool follows = stage.document().follow && stage.document().mode == Mode::Inverse && pointer.isInside;
  if (follows && !pointer.following) pointer.following = makeFollowTool(stage);
  if (follows && pointer.following) pointer.following->move(stage, move.modifiers, by);
}

bool offerToTool(Stage& stage, const InputEvent& event) {
  const Pointer& pointer = stage.pointer;
  if (!pointer.tool) return false;
  const auto* press = std::get_if<KeyPress>(&event);
  if (!press || press->key != Key::Enter || !pointer.isDragging()) return pointer.tool->key(stage, event);
  releaseButton(stage, {pointer.button, false, {}, pointer.x, pointer.y});
  return true;
}

Overlay overlayOf(const Stage& stage) {
  Overlay overlay;
  clickTool(stage.ui.planting)->draw(stage, overlay);
  if (stage.pointer.tool) stage.pointer.tool->draw(stage, overlay);
  return overlay;
}

void startShowingCamera(Stage& stage, Planting::Clicks clicks) {
  if (!hasReference(stage)) return;
  stage.ui.reference.isShown = true;
  stage.ui.planting = Planting{.clicks = clicks};
  stage.ui.message = {};
  stage.editor.endGesture();
  if (!stage.picture.camera.through.isOn) toggleLookThrough(stage);
}

void PictureTool::release(Stage& stage, const Modifiers&) {
  if (stage.ui.planting && shownPicture(stage.document())) click(stage);
  else stage.ui.planting.reset();
}

std::optional<Eigen::Vector2d> clickedPixel(Stage& stage, const char* fault) {
  const auto pixel = shownPixelAt(stage, stage.pointer.x, stage.pointer.y);
  if (!pixel) stage.fail(fault);
  return pixel;
}

std::string plantingHint(const Planting& planting) { return clickTool(planting)->hint(planting); }

}  // namespace limber::app
