// SPDX-License-Identifier: MIT
// The fingers of a hand: the links of their phalanges, and the axes of the hand.
//
// Fingers are recognised by names (VRM, Mixamo, MakeHuman, WebXR, Biped, SMPL-X, CMU), else by shape: four or five
// chains on a palm, side by side except for the thumb, which diverges. The index finger is the one next to the thumb.
//
// The axes of a hand, as columns, point to the thumb's side, along the fingers, and out of the palm. Those of a left
// hand are the mirror image of a right hand's, and left-handed, so that a rotation in them means the same for both
// hands.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "limber/body/body_words.h"
#include "limber/kinematics/figure.h"

namespace limber {

inline constexpr std::size_t kDigitCount = 5;  ///< thumb, index, middle, ring and little finger
inline BodyPart digitAt(std::size_t i) { return static_cast<BodyPart>(static_cast<std::size_t>(BodyPart::Thumb) + i); }

/// The directions of the bones of a straight thumb and a straight finger, in the hand's axes.
inline const Eigen::Vector3d kStraightThumb = Eigen::Vector3d(0.55, 0.8, 0.25).normalized();
inline const Eigen::Vector3d kStraightFinger = Eigen::Vector3d::UnitY();

struct HandParts {
  int palm = -1;                                     ///< link to which all digits are attached
  BodySide side = BodySide::Right;                   ///< by the body, by names, or by the way the fingers bend
  std::array<std::vector<int>, kDigitCount> digits;  ///< outward: at most three links that move a phalanx
  std::vector<int> mitten;                           ///< one block instead of four fingers; else empty
  Eigen::Matrix3d palmFromHand;                      ///< the hand's axes in the palm link; determinant 1 or -1
  std::map<int, Eigen::Matrix3d> linkFromStraight;   ///< by link of a phalanx: the hand's axes while it is straight
};

class BodyMap;

/// The hand of a body; nothing where neither names nor shape show fingers.
/// palmFromHand   the axes of the hand that the body suggests: used where fewer than two fingers show them
std::optional<HandParts> findHandParts(const BodyMap& body, int palm, BodySide side,
                                       const Eigen::Matrix3d& palmFromHand);

/// The hand of a figure that is a hand, or an arm that ends in one; empty for other figures.
std::optional<HandParts> findLoneHand(const BodyMap& body);

/// True for a joint that can turn its link: it counts in a finger, a spine or a neck.
inline bool turnsLink(const Joint& joint) { return joint.type == JointType::Revolute || hasRotation(joint); }

}  // namespace limber
