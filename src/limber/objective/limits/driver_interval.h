// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include "limber/kinematics/figure.h"

namespace limber {

/// Where a driver may stand so that its follower, offset + c1 q + c2 q^2 + c3 q^3 + c4 q^4, stays within its limits:
/// of the driver's interval the part that contains `near`, else the part nearest to it. Exact for a straight line; of a
/// curve the ends are its roots to the last bit. Nothing when the follower is outside everywhere.
std::optional<Interval> narrowDriver(const std::array<double, 4>& coefficients, double offset, const Interval& follower,
                                     const Interval& driver, double near);

}  // namespace limber
