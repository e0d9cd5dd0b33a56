// SPDX-License-Identifier: MIT
// The centre of mass as a sum of terms of one link each:  sum_i m_i x_i / sum_i m_i,  x_i the centre of mass of link i.
#pragma once

#include <algorithm>
#include <vector>

#include "limber/goals/link_feature.h"
#include "limber/kinematics/figure.h"

namespace limber {

struct MassPart {
  int link = 0;
  double share = 0.0;           ///< of the whole mass, divided by the unit of length
  Eigen::Vector3d pointInLink;  ///< its centre of mass
};

/// One for each link that has mass.
inline std::vector<MassPart> massParts(const Figure& figure, double lengthUnit) {
  double mass = 0.0;
  for (const Link& link : figure.links()) mass += std::max(link.mass, 0.0);
  std::vector<MassPart> parts;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (const Link& link = figure.link(i); link.mass > 0.0)
      parts.push_back({i, link.mass / (mass * lengthUnit), link.centreOfMass});
  return parts;
}

/// Its place in (x, z), in units of length.
inline Eigen::Vector2d centreOnGround(const Kinematics& kinematics, const std::vector<MassPart>& parts) {
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (const MassPart& part : parts) {
    const Eigen::Vector3d x = worldFromLink(kinematics, part.link) * part.pointInLink;
    sum += part.share * Eigen::Vector2d(x.x(), x.z());
  }
  return sum;
}

/// (2 x 6): what one part adds to its Jacobian.
inline Eigen::Matrix<double, 2, 6> groundJacobian(const Kinematics& kinematics, const MassPart& part) {
  const FeatureJacobian point =
      part.share * pointJacobian(kinematics, worldFromLink(kinematics, part.link) * part.pointInLink);
  Eigen::Matrix<double, 2, 6> jacobian;
  jacobian << point.row(0), point.row(2);
  return jacobian;
}

/// The second derivative of m . (x, z) that comes of one part.
inline Matrix6d groundCurvature(const Kinematics& kinematics, const Eigen::Vector2d& m, const MassPart& part) {
  return pointCurvature(kinematics, part.share * Eigen::Vector3d(m.x(), 0.0, m.y()),
                        worldFromLink(kinematics, part.link) * part.pointInLink);
}

}  // namespace limber
