// SPDX-License-Identifier: MIT
// What stands under the cursor: the ray through a pixel against the draw list's capsules and its skin.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "render/draw_list.h"
#include "render/view.h"

namespace limber::app {

struct Hit {
  int link = -1;  ///< the link hit, -1 when a goal's mark was
  int goal = -1;  ///< id of the goal whose mark was hit, -1 when a link was
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< on the surface; the centre of a ball, the nearest point of a
                                                    ///< ring's or line's middle for a goal; world
  double distance = 0.0;                            ///< from the eye, metres
  render::Grip grip = render::Grip::None;           ///< what of the mark was hit
  int part = -1;                                    ///< which of several, as the point of a path
  int obstacle = -1;  ///< id of the obstacle, or of that whose handle was hit; -1 when something else was
};

inline constexpr double kLinkReachPixels = 5.0;    ///< any link may be missed by this much ...
inline constexpr double kThinReachPixels = 11.0;   ///< ... and a thin one by this much
inline constexpr double kEasyRadiusPixels = 15.0;  ///< half as thick, a link is no longer thin
inline constexpr double kTargetReachPixels = 6.0;  ///< the same for a goal's grips

/// The nearest link or grip of a goal's mark under pixel (x, y), or within reach of it. A grip within reach wins over any link, since a target
/// often stands inside the one that it pulls; of two grips as near to the cursor, a ball wins over a ring around it. A
/// link that is hit wins over one that is only near, and over the skin that it shows through. On the skin it is the
/// link that moves that place the most. An obstacle is hit where it hides what is behind it. `scale` is the
/// display's: reaches grow with it.
std::optional<Hit> pick(const render::DrawList& list, const render::View& view, double x, double y, double scale = 1.0);

/// Distance along the ray (unit direction) to a capsule; nothing when it misses or lies behind.
std::optional<double> intersectCapsule(const render::Ray& ray, const Eigen::Vector3d& start,
                                       const Eigen::Vector3d& end, double radius);

}  // namespace limber::app
