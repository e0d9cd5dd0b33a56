// SPDX-License-Identifier: MIT
// The serial arm between the world and a place on a link of a figure, as screws.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"
#include "limber/ways/screw.h"

namespace limber::ways {

struct ScrewChain {
  int count = 0;
  std::array<Screw, kMaxJoints> screws = {};     ///< world, metres; all coordinates zero
  std::array<Interval, kMaxJoints> limits = {};  ///< radians or metres
  std::array<int, kMaxJoints> joints = {};       ///< of the figure
  Transform home = {};                           ///< worldFromTip if all coordinates are zero
  std::string fault = {};                        ///< why the figure has no such chain; empty if it has one

  /// worldFromTip.
  Transform place(const Coordinates& q) const;
  /// The same, and the twists of the joints in world axes at the world's origin, in the columns of `jacobian`.
  Transform place(const Coordinates& q, ArmJacobian& jacobian) const;
};

/// The chain of the joints that move a place on a link: hinges and slides on the way from the world, at most
/// kMaxJoints. Joints that are held (one entry per joint of the figure) keep their coordinates of the pose. The fault
/// names a joint that is neither hinge nor slide, or that follows another one by an enabled coupling (one entry per
/// coupling).
ScrewChain screwChainOf(const Figure& figure, const Pose& pose, int link, const Transform& linkFromTip,
                        std::span<const char> isHeld, std::span<const char> couplingEnabled);
/// The same without held joints, with all couplings of the figure.
ScrewChain screwChainOf(const Figure& figure, int link, const Transform& linkFromTip = {});

/// Coordinates of the chain in a pose, and a pose with those of the chain.
Coordinates coordinatesOf(const ScrewChain& chain, const Figure& figure, const Pose& pose);
void setCoordinates(const ScrewChain& chain, const Figure& figure, const Coordinates& q, Pose& pose);

}  // namespace limber::ways
