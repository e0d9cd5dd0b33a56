// SPDX-License-Identifier: MIT
// The fingers of a hand: which links are which phalanges, and the hand's own axes.
//
// Fingers are known by names (VRM, Mixamo, MakeHuman, WebXR, Biped, SMPL-X, CMU). Where names say nothing, by shape: four
// or five chains on a palm, side by side but for the thumb, which diverges; the index finger is the one next to it.
//
// The axes of a hand, as columns: to the thumb's side, along the fingers, out of the palm. Those of a left hand are the
// mirror image of a right hand's, left-handed, so that a turn told in them means the same on both.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "limber/problem/anatomy.h"

namespace limber {

enum class Digit { Thumb, Index, Middle, Ring, Little };
inline constexpr std::size_t kDigitCount = 5;

/// Where the bones of a straight thumb and finger point, in the hand's axes.
inline const Eigen::Vector3d kStraightThumb = Eigen::Vector3d(0.55, 0.8, 0.25).normalized();
inline const Eigen::Vector3d kStraightFinger = Eigen::Vector3d::UnitY();

struct HandParts {
  int palm = -1;                                     ///< link that all digits hang on
  BodySide side = BodySide::Right;                   ///< by the body, by names, or by which way the fingers bend
  std::array<std::vector<int>, kDigitCount> digits;  ///< by Digit, outward: at most three links that move a phalanx
  std::vector<int> mitten;                           ///< one block in place of four fingers; else empty
  Eigen::Matrix3d palmFromHand;                      ///< the hand's axes in the palm link; determinant 1 or -1
  std::map<int, Eigen::Matrix3d> linkFromStraight;   ///< by link of a phalanx: the hand's axes in it, were it straight

  bool hasDigits() const;
};

/// The hand of a body. `names` are one a link. Nothing where no finger moves.
/// palmFromHand   its axes as the body has them: taken where fewer than two fingers show any
std::optional<HandParts> findHandParts(const Figure& figure, const std::vector<std::string>& names, int palm,
                                       BodySide side, const Eigen::Matrix3d& palmFromHand);

/// A hand that is a figure of its own, or ends an arm; nothing for other figures.
std::optional<HandParts> findLoneHand(const Figure& figure, const std::vector<std::string>& names);

/// The names by which to know a problem's links: that of the file's bone where there is one, else the link's own.
std::vector<std::string> partNames(const IkProblem& problem);

}  // namespace limber
