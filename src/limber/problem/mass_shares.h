// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "limber/problem/ik_problem.h"

namespace limber {

/// How the figure's mass is shared among its links: one a link, summing to 1.
///
///   masses from the file     as they are in Link::mass
///   a person without any     the fractions of a body's segments, split over the links of a part by volume; what hangs on
///                            a part and is none itself counts with it, fingers with their hand
///   others without any       in proportion to their capsules' volumes
///   no mass and no volume    all links with a length alike
///
/// Masses in proportion to the links' volumes count as none: they are estimates (kinematics/figure_builder.h).
std::vector<double> massShares(const IkProblem& problem);

}  // namespace limber
