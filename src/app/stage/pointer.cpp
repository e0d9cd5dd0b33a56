// SPDX-License-Identifier: MIT
#include "app/stage/pointer.h"

#include "app/stage/stage.h"

namespace limber::app {

bool cancelTool(Stage& stage) {
  Pointer& pointer = stage.pointer;
  const bool isCancelled =
      (pointer.tool && pointer.tool->cancel(stage)) || (pointer.following && pointer.following->cancel(stage));
  if (!isCancelled) return false;
  pointer.tool.reset();
  pointer.following.reset();
  pointer.isModal = false;
  return true;
}

void plantFollowed(Stage& stage) {
  stage.editor.touch().follow = false;
  pauseFollow(stage);
}

void pauseFollow(Stage& stage) {
  if (const auto following = std::move(stage.pointer.following)) following->release(stage, {});
}

std::string toolStatus(const Stage& stage) {
  return stage.pointer.tool ? stage.pointer.tool->status(stage) : std::string();
}

}  // namespace limber::app
