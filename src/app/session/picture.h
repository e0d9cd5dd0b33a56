// SPDX-License-Identifier: MIT
// The picture of the document: from where it is seen, how large it is, and what stands in it.
#pragma once

#include <optional>

#include "app/drag/gizmo_subject.h"
#include "app/settings/layout.h"
#include "app/view/camera.h"
#include "app/view/camera_turn.h"
#include "app/view/contacts_shown.h"
#include "limber/kinematics/forward_kinematics.h"
#include "render/draw_list.h"

namespace limber::app {

struct Picture {
  Camera camera;
  std::optional<CameraTurn> turn;  ///< of the camera, under way
  Rectangle area;                  ///< pixels of the window
  double displayScale = 1.0;       ///< pixels of the picture for one of a plain display
  double clickReach = 3.0;         ///< pixels that a click may move
  GizmoTool gizmo;

  // Of the document as it was at the last refreshScene().
  Kinematics kinematics;
  ContactsShown touching;
  render::Highlight highlight;
  render::DrawList drawList;
  const Figure* framed = nullptr;  ///< the figure that the camera was last set for

  render::View view() const;
  /// Metres that one pixel of a plain display covers at the middle of the figure.
  double pixelSize() const;
};

}  // namespace limber::app
