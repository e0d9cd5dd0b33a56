// SPDX-License-Identifier: MIT
// Finds the item under the cursor: the ray through a pixel is intersected with the contents of the draw list.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "render/draw_list.h"
#include "render/view.h"

namespace limber::app {

struct Hit {
  int link = -1;                                    ///< the link that was hit, else -1
  int goal = -1;                                    ///< id of the goal whose mark was hit, else -1
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< on the surface; on the axis of a grip; world
  double distance = 0.0;                            ///< from the eye, metres
  render::Grip grip = render::Grip::None;           ///< the part of the mark that was hit
  int part = -1;      ///< index among several, such as points of a path; of keys, their frame
  int obstacle = -1;  ///< id of the obstacle that was hit, itself or by its handle; else -1
};

inline constexpr double kLinkReachPixels = 5.0;    ///< reach of any link
inline constexpr double kThinReachPixels = 11.0;   ///< reach of thin links
inline constexpr double kEasyRadiusPixels = 15.0;  ///< radius and reach add up to this in between
inline constexpr double kTargetReachPixels = 6.0;  ///< reach of a goal's grips

/// The nearest grip, link or obstacle under pixel (x, y) or within reach of it; empty without a hit. A grip wins over
/// any link, since a target is often inside the link that it pulls; of two grips equally near, a ball wins over a ring.
/// A link that is hit wins over one that is only near, and over the skin through which it shows. On the skin the link
/// with the largest weight is hit. An obstacle is hit where it hides the links, a ghost of a key where there is nothing
/// else. Reaches grow with `scale`.
std::optional<Hit> pick(const render::DrawList& list, const render::View& view, double x, double y, double scale = 1.0);

/// Distance along the ray (unit direction) to a capsule; empty if the ray misses it or it lies behind the eye.
std::optional<double> intersectCapsule(const render::Ray& ray, const Eigen::Vector3d& start, const Eigen::Vector3d& end,
                                       double radius);

}  // namespace limber::app
