// SPDX-License-Identifier: MIT
// The picture of the document: its camera, its size, and its draw list.
#pragma once

#include <cmath>
#include <optional>

#include "app/drag/gizmo_subject.h"
#include "app/settings/layout.h"
#include "app/view/camera.h"
#include "app/view/contacts_shown.h"
#include "limber/kinematics/forward_kinematics.h"
#include "render/draw_list.h"

namespace limber::app {

struct Picture {
  Camera camera;
  std::optional<CameraTurn> turn;  ///< a running animation of the camera
  Rectangle area;                  ///< pixels of the window
  double displayScale = 1.0;       ///< pixels of the picture for one pixel of a display of scale 1
  double clickReach = 3.0;         ///< pixels that the mouse may move during a click
  GizmoTool gizmo;

  // Written by refreshScene().
  Kinematics kinematics;
  ContactsShown touching;
  render::Highlight highlight;
  render::DrawList drawList;
  const Figure* framed = nullptr;  ///< the figure that the camera was last set for

  render::View view() const {
    return viewOf(camera, static_cast<int>(std::lround(area.width)), static_cast<int>(std::lround(area.height)));
  }
  /// Metres at the middle of the figure that one pixel of a display of scale 1 covers.
  double pixelSize() const {
    return displayScale * render::pixelSize(view(), 0.5 * (drawList.boundsMin + drawList.boundsMax));
  }
};

}  // namespace limber::app
