// SPDX-License-Identifier: MIT
// What stands under the cursor: the ray through a pixel against the draw list's capsules.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "render/draw_list.h"
#include "render/view.h"

namespace limber::app {

struct Hit {
  int link = -1;  ///< the link hit, -1 when a target was
  int goal = -1;  ///< id of the goal whose target was hit, -1 when a link was
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< on the surface; the target's centre for a target; world
  double distance = 0.0;                            ///< from the eye, metres
};

inline constexpr double kLinkReachPixels = 5.0;    ///< a thin link may be missed by this much
inline constexpr double kTargetReachPixels = 6.0;  ///< the same for a target

/// The nearest link or target under pixel (x, y). A target within reach wins over any link, since it often stands
/// inside the one that it pulls; a link that is hit wins over one that is only near.
std::optional<Hit> pick(const render::DrawList& list, const render::View& view, double x, double y);

/// Distance along the ray (unit direction) to a capsule; nothing when it misses or lies behind.
std::optional<double> intersectCapsule(const render::Ray& ray, const Eigen::Vector3d& start,
                                       const Eigen::Vector3d& end, double radius);

}  // namespace limber::app
