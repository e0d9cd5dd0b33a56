// SPDX-License-Identifier: MIT
// Keys over a motion in the window (scene/motion_layer.h): what is posed over a frame is keyed there, and the frames
// before and after are shown as ghosts.
#pragma once

#include <memory>

#include "limber/kinematics/pose.h"
#include "limber/scene/document.h"

namespace limber::render {
struct DrawList;
}

namespace limber::app {

struct Session;

/// True when the document shows its motion's frames, and no timeline of keys and paths plays.
bool showsMotion(const Document& document);

/// Keys what is posed over a frame, as a part of the step that posed it; says so where it is switched off and an unkeyed
/// pose is left.
class AutoKey {
 public:
  bool isOn = true;

  /// Once a frame of the window.
  void update(Session& session);

 private:
  /// The document as it was seen last.
  std::weak_ptr<const Figure> figure_;
  std::weak_ptr<const Motion> motion_;
  int frame_ = -1;
  Pose pose_;
  bool wasUnkeyed_ = false;
};

// Actions, while a motion is shown.
void keyOverMotion(Session& session);
void removeKeyOverMotion(Session& session);
void goToKeyOverMotion(Session& session, int direction);

/// The figure some frames before and after the present one.
void appendOnionSkin(const Session& session, render::DrawList& list);

}  // namespace limber::app
