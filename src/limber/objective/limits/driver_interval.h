// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include "limber/kinematics/figure.h"

namespace limber {

/// The part of a driver's interval in which its follower, offset + c1 q + c2 q^2 + c3 q^3 + c4 q^4, is within its
/// limits: of several parts the one that contains `near`, else the one nearest to it. Its ends are exact for a linear
/// follower, else bisected to the last bit. Nothing if the follower is outside its limits everywhere.
std::optional<Interval> narrowDriver(const std::array<double, 4>& coefficients, double offset, const Interval& follower,
                                     const Interval& driver, double near);

}  // namespace limber
