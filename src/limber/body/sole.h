// SPDX-License-Identifier: MIT
// The soles of a human body: the points of each foot that carry it, and how far they are below the ankle.
//
// A foot is level if its link has the rotation B Y F' in the world, where B are the body's axes at rest, F is
// PoseParts::linkFromStraight of the foot, and Y is a turn about the vertical: the yaw.
#pragma once

#include <vector>

#include "limber/body/pose_parts.h"

namespace limber {

/// A sphere of a sole: the end of a capsule, or a point.
struct SolePoint {
  int link = 0;
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< metres, in the link
  double radius = 0.0;                              ///< metres
};

struct Sole {
  BodySide side = BodySide::Left;
  int foot = 0, toes = -1;                         ///< links; -1 for a foot without toes that move
  Eigen::Vector3d heel = Eigen::Vector3d::Zero();  ///< metres, in the foot: on the ground if the foot is level on it
  /// Metres, in the foot: the joint of the toes, about which the foot rolls while they lie flat; without toes the front
  /// end, on the ground.
  Eigen::Vector3d ball = Eigen::Vector3d::Zero();
  double ballHeight = 0.0;        ///< metres: of the ball above the ground, of a level foot
  double length = 0.0;            ///< metres from heel to ball; 0 for a foot that touches in one point
  std::vector<SolePoint> points;  ///< of the foot and all links below it
};

/// At most one per side: the feet of the parts. Empty for figures without a human body.
std::vector<Sole> solesOf(const Figure& figure, const PoseParts& parts);

/// Metres above y = 0 of a sole's lowest point.
double lowestOf(const Sole& sole, const Kinematics& kinematics);

}  // namespace limber
