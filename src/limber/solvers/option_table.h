// SPDX-License-Identifier: MIT
// The options that methods share, so that panel, files and flags name them alike: first those of the assignment.
#pragma once

#include "limber/solvers/solver.h"

namespace limber {

inline constexpr OptionInfo kGdlsIterations{
    "gdlsIterationsPerCoordinate", "GDLS iteration cap", "per coordinate", 1, 1000, 10,
    "GDLS stops after this many iterations times the number of active coordinates (assignment: 10 n).",
    OptionInfo::Kind::Integer};
inline constexpr OptionInfo kGdlsAlphaInit{
    "alphaInit", "First step length", "", 1e-12, 1e3, 1e-4,
    "Factor of the gradient in the first trial step of GDLS (assignment: 1e-4).", OptionInfo::Kind::LogarithmicReal};
inline constexpr OptionInfo kGdlsTol{
    "gdlsTol", "GDLS tolerance", "rad", 0.0, 1.0, 1e-6,
    "GDLS stops when no coordinate moves by more than this in one step.", OptionInfo::Kind::LogarithmicReal};
inline constexpr OptionInfo kGdlsCarryAlpha{
    "carryAlpha", "Carry step length over", "", 0, 1, 1,
    "On: each iteration starts from twice the last step length that worked. Off: each starts from the first one.",
    OptionInfo::Kind::Switch};
inline constexpr OptionInfo kNmIterations{
    "nmIterationsPerCoordinate", "NM iteration cap", "per coordinate", 1, 1000, 10,
    "Newton's method stops after this many iterations times the number of active coordinates (assignment: 10 n).",
    OptionInfo::Kind::Integer};
inline constexpr OptionInfo kNmTol{
    "nmTol", "NM tolerance", "rad", 0.0, 1.0, 1e-6,
    "Newton's method stops when no coordinate moves by more than this in one step.",
    OptionInfo::Kind::LogarithmicReal};
inline constexpr OptionInfo kForwardDifferences{
    "forwardDifferences", "Forward differences", "", 0, 1, 0,
    "On: each iteration compares the gradient, and in Newton's method the Hessian, with forward differences of step 1e-7 "
    "(assignment: Debugging the Derivatives) and keeps the largest difference.",
    OptionInfo::Kind::Switch};

// Those of the local methods of Yenamandra et al. (2019), who leave them at Manopt's defaults.
inline constexpr OptionInfo kLocalIterations{
    "maxIterations", "Iteration cap", "", 1, 100000, 1000, "Stop after this many iterations (Manopt: 1000).",
    OptionInfo::Kind::Integer};
inline constexpr OptionInfo kGradientTolerance{
    "tolerance", "Gradient tolerance", "f per rad", 0.0, 1.0, 1e-6,
    "Converged when the gradient within the limits, measured in the metric, is no longer than this (Manopt: 1e-6).",
    OptionInfo::Kind::LogarithmicReal};
inline constexpr OptionInfo kMemory{
    "memory", "Memory", "steps", 1, 200, 30, "Past steps from which the curvature is known (Manopt: 30).",
    OptionInfo::Kind::Integer};

}  // namespace limber
