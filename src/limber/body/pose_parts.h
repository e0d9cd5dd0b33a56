// SPDX-License-Identifier: MIT
// The parts of a body and its hands by which a pose is retargeted to another figure: the links that turn each part, and
// the orientation of each link when the body is in the T-pose with straight fingers.
//
// Limbs are those of body/body_roles.h. The trunk is between legs and arms, and the neck between arms and head,
// whatever their links are called. Fingers are those of body/hand_parts.h.
//
// With W the rotation of a link in some pose, F its linkFromStraight and B the body's axes at rest, the part's turn is
//
//   R = B' W F          the identity in the T-pose, whatever the figure's frames and its rest pose
//
// and for a phalanx R = H' W F, with W in the axes of the palm and H the axes of the hand (mirrored for a left hand).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "limber/body/hand_parts.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

struct PoseParts {
  std::map<BodyPlace, std::vector<int>> links;    ///< that turn the part, from the hips or the palm outward
  std::vector<Eigen::Matrix3d> linkFromStraight;  ///< F, per link; for links without a part the identity, or as at rest
  /// B: left, up, ahead; of a figure that is a hand, the hand's axes at rest.
  Eigen::Matrix3d worldFromBody = Eigen::Matrix3d::Identity();
  std::map<BodySide, HandParts> hands;  ///< a body's own, or the one that the figure is
  bool hasBody = false;
  double legLength = 0.0;  ///< metres, from hip to sole; 0 without a body

  bool isEmpty() const { return links.empty(); }
  /// The hand to which a link belongs, as its palm or below it; null for other links.
  std::optional<BodySide> handOf(const Figure& figure, int link) const;
};

/// Metres above y = 0 of the lowest point of the body's parts.
double lowestPoint(const Figure& figure, const PoseParts& parts, const Kinematics& kinematics);
/// The same for one foot with its toes; empty without such a foot.
std::optional<double> lowestOfFoot(const Figure& figure, const PoseParts& parts, const Kinematics& kinematics,
                                   BodySide side);
/// Metres above y = 0 of the ground on which the body stands at rest: its lowest point, or y = 0 if that is far below
/// it.
double groundOf(const Figure& figure, const PoseParts& parts);

/// A pose by the parts of a body instead of the joints of one figure, so that it can be retargeted to others.
///
/// Every rotation is relative to the T-pose with straight fingers. Rotations of the body's parts are in the body's axes
/// at rest, those of fingers in the axes of the hand, which are mirrored for a left hand, so that both hands have the
/// same numbers. Lengths are in lengths of the leg, from hip to sole.
struct RolePose {
  /// Per part: the rotations of its links, outward; at least one each.
  std::map<BodyPlace, std::vector<Eigen::Quaterniond>> turns;
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();  ///< of the hips, to the left and ahead; 0 at rest
  double clearance = 0.0;                           ///< of the body's lowest point above the ground; 0 standing
  std::map<BodySide, double> feet;                  ///< height of the lowest point of each above that at rest

  bool hasBody() const { return turns.contains({BodyPart::Hips, BodySide::Middle}); }
  bool hasHand(BodySide side) const;
  bool isEmpty() const { return turns.empty(); }
};

/// A pose of a figure, by parts; empty if the figure has none.
RolePose rolePoseOf(const Figure& figure, const PoseParts& parts, const Pose& pose);

/// The rotation at a fraction `place` in (0, 1] of the way from `from` through a part's links, interpolated along the
/// shortest turns.
Eigen::Quaterniond turnAlong(const Eigen::Quaterniond& from, const std::vector<Eigen::Quaterniond>& turns,
                             double place);

}  // namespace limber
