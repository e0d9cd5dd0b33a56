// SPDX-License-Identifier: MIT
// Newton's method on the full equations of an arm: it removes the rounding of closed forms, and decides which of their
// answers are ones.
#pragma once

#include <array>

#include "limber/ways/screw_chain.h"

namespace limber::ways {

/// What an answer must meet of the goal.
enum class Aspect { Place, Position };

/// Rows of the error: 6 of a place, 3 of a position.
inline int rowsOf(Aspect aspect) { return aspect == Aspect::Place ? 6 : 3; }

using Error = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

/// The twist (angular; linear) that moves the tip to its goal, or the vector between them; its derivatives by the
/// coordinates, negated, in `jacobian`. Returns its norm, with the distance of the tips in place of the linear part.
double errorOf(const ScrewChain& chain, Aspect aspect, const Transform& goal, const Coordinates& q, Error& error,
               ArmJacobian& jacobian);

/// Moves q to a solution near it, by Newton's method with the damping of Levenberg and Marquardt. Returns the error
/// that is left, whose unit is that of the chain, or radians. Joints that `held` has as a bit stay.
double polish(const ScrewChain& chain, Aspect aspect, const Transform& goal, Coordinates& q, unsigned held = 0);

/// Squared singular values of a Jacobian, ascending, with unit directions of the coordinates.
struct SingularDirections {
  std::array<double, kMaxJoints> square = {};
  std::array<Coordinates, kMaxJoints> direction = {};
};
SingularDirections singularDirectionsOf(const ArmJacobian& jacobian, Aspect aspect);

/// Product of the singular values of the Jacobian of the tip: metres and radians.
double manipulabilityOf(const ScrewChain& chain, Aspect aspect, const Coordinates& q);

}  // namespace limber::ways
