// SPDX-License-Identifier: MIT
#include "limber/ways/screw.h"

#include <cmath>

namespace limber::ways {

Eigen::Matrix3d turnAbout(const Eigen::Vector3d& axis, double angle) {
  const double s = std::sin(angle), c = std::cos(angle), v = 1.0 - c;
  const double x = axis.x(), y = axis.y(), z = axis.z();
  Eigen::Matrix3d r;
  r << c + v * x * x, v * x * y - s * z, v * x * z + s * y,  //
      v * x * y + s * z, c + v * y * y, v * y * z - s * x,   //
      v * x * z - s * y, v * y * z + s * x, c + v * z * z;
  return r;
}

Transform motionOf(const Screw& screw, double coordinate) {
  if (screw.isSlide) return Transform::fromTranslation(coordinate * screw.axis);
  const Eigen::Matrix3d turn = turnAbout(screw.axis, coordinate);
  return {turn, screw.point - turn * screw.point};
}

Eigen::Vector3d movedPoint(const Screw& screw, double coordinate, const Eigen::Vector3d& point) {
  if (screw.isSlide) return point + coordinate * screw.axis;
  const Eigen::Vector3d arm = point - screw.point;
  const double s = std::sin(coordinate), c = std::cos(coordinate);
  return screw.point + c * arm + s * screw.axis.cross(arm) + (1.0 - c) * screw.axis.dot(arm) * screw.axis;
}

Screw moved(const Transform& toFromOld, const Screw& screw) {
  return {toFromOld.rotation * screw.axis, toFromOld * screw.point, screw.isSlide};
}

}  // namespace limber::ways
