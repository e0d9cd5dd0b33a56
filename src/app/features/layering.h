// SPDX-License-Identifier: MIT
// Keys over a motion in the window (scene/motion_layer.h): what is posed over a frame is keyed there, and the frames
// before and after are shown as ghosts.
#pragma once

#include <memory>

#include "app/editing/editing.h"

namespace limber::render {
struct DrawList;
}

namespace limber::app {

/// True when the document shows its motion's frames, and no timeline of keys and paths plays.
bool showsMotion(const Document& document);

/// Keys what is posed over a frame, as a part of the step that posed it; says so where it is switched off and an unkeyed
/// pose is left.
class AutoKey {
 public:
  bool isOn = true;

  /// Once a frame of the window. isInHand: the pose is still being changed. What is to be said of a pose that was left.
  std::optional<Notice> update(Editor& editor, bool isInHand);

 private:
  /// The document as it was seen last.
  std::weak_ptr<const Figure> figure_;
  std::weak_ptr<const Motion> motion_;
  int frame_ = -1;
  Pose pose_;
  bool wasUnkeyed_ = false;
};

// Actions, while a motion is shown.
void keyOverMotion(Editing& editing);
void removeKeyOverMotion(Editing& editing);
void goToKeyOverMotion(Editing& editing, int direction);

/// The figure some frames before and after the present one, which `kinematics` are of, where it differs by a pixel that
/// is so large there.
void appendOnionSkin(const Document& document, const Kinematics& kinematics, double pixel, render::DrawList& list);

}  // namespace limber::app
