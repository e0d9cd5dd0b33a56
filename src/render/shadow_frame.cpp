// SPDX-License-Identifier: MIT
#include "render/shadow_frame.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace limber::render {

namespace {

constexpr double kSeenRadius = 2.5;  // in distances from eye to centre: farther casters are omitted
constexpr double kMargin = 0.12;     // relative to the box's width, on each side, for the blur

}  // namespace

Plane groundPlane(const DrawList& list) {
  Plane plane;
  if (list.planar) {
    plane.v = Eigen::Vector3d::UnitY();
    plane.normal = Eigen::Vector3d::UnitZ();
    plane.point.z() = list.boundsMin.z();  // touches the limbs from behind
  } else {
    plane.point.y() = list.groundHeight;
  }
  return plane;
}

Eigen::Vector3d lightDirection(const DrawList& list) {
  return (list.planar ? Eigen::Vector3d(-0.45, 0.75, 1.0) : Eigen::Vector3d(-0.50, 1.0, 0.55)).normalized();
}

ShadowFrame fitShadow(const DrawList& list, const View& view) {
  ShadowFrame frame;
  const double seen = kSeenRadius * viewDistance(view);
  const Eigen::Vector3d low = (list.boundsMin - view.centre).cwiseMax(-seen);
  const Eigen::Vector3d high = (list.boundsMax - view.centre).cwiseMin(seen);
  if (!list.showGround || !((high - low).minCoeff() > 0.0)) return frame;

  Eigen::Matrix3d lightFromWorld;  // rows: across, across, away from the light
  lightFromWorld.row(2) = -lightDirection(list);
  lightFromWorld.row(0) = lightFromWorld.row(2).cross(Eigen::RowVector3d::UnitZ()).normalized();
  lightFromWorld.row(1) = lightFromWorld.row(2).cross(lightFromWorld.row(0));

  Eigen::Vector3d boxMin = Eigen::Vector3d::Constant(1e300), boxMax = -boxMin;
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3d p =
        lightFromWorld * Eigen::Vector3d(corner & 1 ? low.x() : high.x(), corner & 2 ? low.y() : high.y(),
                                         corner & 4 ? low.z() : high.z());
    boxMin = boxMin.cwiseMin(p);
    boxMax = boxMax.cwiseMax(p);
  }
  frame.width = (1.0 + 2.0 * kMargin) * std::max(boxMax.x() - boxMin.x(), boxMax.y() - boxMin.y());
  frame.depth = boxMax.z() - boxMin.z();
  const Eigen::Vector3d size(frame.width, frame.width, frame.depth);
  const Eigen::Vector3d corner = 0.5 * (boxMin + boxMax - size);
  const Eigen::Matrix3d scaled = size.cwiseInverse().asDiagonal() * lightFromWorld;
  frame.shadowFromWorld.topLeftCorner<3, 3>() = scaled;
  frame.shadowFromWorld.topRightCorner<3, 1>() = -corner.cwiseQuotient(size);

  const Eigen::Vector2d margin = Eigen::Vector2d::Constant(kMargin / (1.0 + 2.0 * kMargin));
  frame.usedMin = ((boxMin - corner).head<2>() / frame.width - margin).cwiseMax(0.0);
  frame.usedMax = ((boxMax - corner).head<2>() / frame.width + margin).cwiseMin(1.0);

  // A chain of a hundred links casts less than two texels if all of it is visible.
  const double thinnest = frame.width / kShadowMapSize;
  const bool skinCasts = list.skin.isShown && !list.skin.isTranslucent;
  const auto isThick = [&](const DrawCapsule& capsule) {
    return capsule.layer == Layer::Scene && capsule.radius > thinnest;
  };
  frame.isEmpty = !skinCasts && list.blocks.empty() && std::ranges::none_of(list.capsules, isThick);

  // Points of the plane: normal . x = distance; with x = inverse * (s - offset) solve for the depth of s.
  const Plane plane = groundPlane(list);
  const Eigen::RowVector3d row = plane.normal.transpose() * scaled.inverse();
  const double distance =
      plane.normal.dot(plane.point - view.centre) + row.dot(frame.shadowFromWorld.topRightCorner<3, 1>());
  frame.planeDepth = Eigen::Vector3d(-row.x(), -row.y(), distance) / row.z();
  return frame;
}

}  // namespace limber::render
