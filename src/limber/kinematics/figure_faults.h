// SPDX-License-Identifier: MIT
// The faults of limits and couplings that FigureBuilder reports. Each function returns a sentence that names the place
// and the fault, or an empty string.
#pragma once

#include <span>
#include <string>

#include "limber/kinematics/figure.h"

namespace limber {

/// A rest may be outside its limits by this much, as rounding. Radians or metres.
inline constexpr double kRestTolerance = 1e-9;

/// The name in quotation marks.
std::string inQuotes(const std::string& name);

/// Axes that are not unit (within 1e-6), a swing outside [0, pi], a twist outside [-pi, pi], or a lower twist limit
/// above the upper one.
std::string findFault(const BallLimits& limits);
/// A rest outside the cone or the twist limits.
std::string findRestFault(const BallLimits& limits, const Eigen::Quaterniond& rest);

/// Empty names, joints that do not exist or have a wrong type, numbers that are not finite, no driver, one driver
/// twice, a follower of two couplings, a driver that is a follower, limits that a ball joint can drive its follower
/// beyond.
std::string findFault(std::span<const Coupling> couplings, std::span<const Joint> joints);

/// Empty or duplicate names, joints that do not exist or are not scalar, one joint twice, coefficients that are not
/// finite or all zero, a lower bound above the upper one.
std::string findFault(std::span<const LinearLimit> limits, std::span<const Joint> joints);
/// A rest pose outside a linear limit. The limits must have no other fault.
std::string findRestFault(std::span<const LinearLimit> limits, std::span<const Joint> joints,
                          const Eigen::VectorXd& restPose);

/// Empty or duplicate names, links that do not exist, a link joined to itself, frames that are not finite or no
/// rotation.
std::string findFault(std::span<const LoopClosure> loops, int linkCount);

}  // namespace limber
