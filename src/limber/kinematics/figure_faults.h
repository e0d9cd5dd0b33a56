// SPDX-License-Identifier: MIT
// What can be wrong with the limits and couplings that a FigureBuilder was given. Each returns a sentence that names
// the place, empty when all is well.
#pragma once

#include <span>
#include <string>

#include "limber/kinematics/figure.h"

namespace limber {

/// How far outside its limits a rest may be: this much is rounding, not a mistake. Radians or metres.
inline constexpr double kRestTolerance = 1e-9;

/// A name between quotation marks.
std::string inQuotes(const std::string& name);

/// Axes that are not unit (within 1e-6), a swing outside [0, pi], a twist outside [-pi, pi] or upside down.
std::string findFault(const BallLimits& limits);
/// The rest of a ball joint outside its cone or twist.
std::string findRestFault(const BallLimits& limits, const Eigen::Quaterniond& rest);

/// Names, joints that are not there or not scalar, numbers that are not finite, no drivers, one driver twice, a
/// follower of two couplings, a driver that itself follows.
std::string findFault(std::span<const Coupling> couplings, std::span<const Joint> joints);

/// Names (unique), joints that are not there or not scalar, coefficients that are not finite or all zero, one joint
/// twice, bounds upside down.
std::string findFault(std::span<const LinearLimit> limits, std::span<const Joint> joints);
/// A rest pose outside a linear limit. Assumes sound limits.
std::string findRestFault(std::span<const LinearLimit> limits, std::span<const Joint> joints,
                          const Eigen::VectorXd& restPose);

}  // namespace limber
