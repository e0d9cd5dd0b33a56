// SPDX-License-Identifier: MIT
// The figure's centre of mass as a sum over links:  sum_i m_i x_i / sum_i m_i,  x_i the centre of mass of link i.
#pragma once

#include <algorithm>
#include <vector>

#include "limber/goals/link_feature.h"
#include "limber/kinematics/figure.h"

namespace limber {

struct MassPart {
  int link = 0;
  double fraction = 0.0;        ///< of the figure's mass, divided by the unit of length
  Eigen::Vector3d pointInLink;  ///< centre of mass
};

/// One part for each link that has mass.
inline std::vector<MassPart> massParts(const Figure& figure, double lengthUnit) {
  double mass = 0.0;
  for (const Link& link : figure.links()) mass += std::max(link.mass, 0.0);
  std::vector<MassPart> parts;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (const Link& link = figure.link(i); link.mass > 0.0)
      parts.push_back({i, link.mass / (mass * lengthUnit), link.centreOfMass});
  return parts;
}

/// The centre of mass in (x, z), in units of length.
inline Eigen::Vector2d centreOnGround(const Kinematics& kinematics, const std::vector<MassPart>& parts) {
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (const MassPart& part : parts) {
    const Eigen::Vector3d x = kinematics.worldFromLink[part.link] * part.pointInLink;
    sum += part.fraction * Eigen::Vector2d(x.x(), x.z());
  }
  return sum;
}

/// The Jacobian (2 x 6) of centreOnGround by the twist of one link.
inline Eigen::Matrix<double, 2, 6> groundJacobian(const Kinematics& kinematics, const MassPart& part) {
  const FeatureJacobian point =
      part.fraction * pointJacobian(kinematics, kinematics.worldFromLink[part.link] * part.pointInLink);
  Eigen::Matrix<double, 2, 6> jacobian;
  jacobian << point.row(0), point.row(2);
  return jacobian;
}

/// The second derivative of m . centreOnGround along the twist of one link.
inline Matrix6d groundCurvature(const Kinematics& kinematics, const Eigen::Vector2d& m, const MassPart& part) {
  return pointCurvature(kinematics, part.fraction * Eigen::Vector3d(m.x(), 0.0, m.y()),
                        kinematics.worldFromLink[part.link] * part.pointInLink);
}

}  // namespace limber
