// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "limber/kinematics/figure.h"

namespace limber {

/// Each link's fraction of the figure's mass, by link; the sum is 1.
///
///   masses from the file     Link::mass
///   a person without any     the fractions of a body's segments, split over the links of a segment by volume; links of
///                            no part count with the part that carries them, fingers with their hand
///   others without any       in proportion to the volumes of their capsules
///   no mass and no volume    equal fractions for all links with a length
///
/// Masses in proportion to the links' volumes are estimates (kinematics/figure_builder.h) and count as none.
std::vector<double> massShares(const Figure& figure);

}  // namespace limber
