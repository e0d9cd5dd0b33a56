// SPDX-License-Identifier: MIT
// Keys over a motion (scene/motion_layer.h): a pose made at a frame is keyed there.
#pragma once

#include <memory>

#include "app/editing/editing.h"

namespace limber::app {

/// Keys a pose made at a frame of the motion, within the undo step of that pose.
class AutoKey {
 public:
  bool isOn = true;

  /// Call once per frame of the window. `isInHand`: the pose is still being changed. Returns a warning if the user has
  /// left a frame whose pose was not keyed.
  std::optional<Notice> update(Editor& editor, bool isInHand);

 private:
  // The document at the last update.
  std::weak_ptr<const Figure> figure_;
  std::weak_ptr<const Motion> motion_;
  int frame_ = -1;
  Pose pose_;
  bool wasUnkeyed_ = false;
};

// Actions of documents whose poses are keyed over a motion (keysLayer()).
void keyOverMotion(Editing& editing);
void removeKeyOverMotion(Editing& editing);

}  // namespace limber::app
