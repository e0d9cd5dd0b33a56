// SPDX-License-Identifier: MIT
// An independent implementation of the relaxations of solvers/convex/relaxation.h: every quantity is an affine
// expression of one list of numbers, without reduction or elimination, written in the SDPA sparse format and solved by
// CSDP.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "limber/solvers/convex/relaxation.h"

namespace limber::test {

/// The reason why CSDP is not available; else empty.
std::string csdpAbsence();

/// The optimal value in square metres for a figure of hinges below one free or fixed root; nothing when CSDP fails.
std::optional<double> relaxedValueByCsdp(const Figure& figure, std::span<const Relaxation::Point> points,
                                         std::span<const Eigen::Vector3d> targets, RelaxationForm form);

/// The optimal value in the exact form (14) of the paper: each of R_j, R_rel and R_can has its own lifted 10 x 10
/// matrix; M is not reduced, and the unit disc and the chord are included.
std::optional<double> literalValueByCsdp(const Figure& figure, std::span<const Relaxation::Point> points,
                                         std::span<const Eigen::Vector3d> targets);

}  // namespace limber::test
