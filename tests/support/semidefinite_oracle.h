// SPDX-License-Identifier: MIT
// The relaxations of solvers/convex/relaxation.h once more, by other means: every quantity an affine expression of one
// list of numbers, no reduction, no elimination, written to the standard SDPA sparse format and solved by CSDP.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "limber/solvers/convex/relaxation.h"

namespace limber::test {

/// Empty, or why CSDP cannot be asked.
std::string csdpAbsence();

/// The optimal value for a figure of hinges below one root, free or fixed, square metres; nothing when CSDP does not
/// end well.
std::optional<double> relaxedValueByCsdp(const Figure& figure, std::span<const Relaxation::Point> points,
                                         std::span<const Eigen::Vector3d> targets, RelaxationForm form);

/// The same of the paper's form, letter by letter (14): each of R_j, R_rel and R_can with a lifted 10 x 10 matrix of
/// its own, M whole, the unit disc and the chord.
std::optional<double> literalValueByCsdp(const Figure& figure, std::span<const Relaxation::Point> points,
                                         std::span<const Eigen::Vector3d> targets);

}  // namespace limber::test
