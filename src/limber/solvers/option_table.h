// SPDX-License-Identifier: MIT
// Helpers to make a solver's table of options from the members of its options struct, and rows that several solvers
// share, so that panel, files and flags use the same names.
#pragma once

#include <type_traits>

#include "limber/solvers/solver.h"

namespace limber {

template <auto member>
struct OptionMember;

/// A member of an options struct as a number.
template <class Options, class Value, Value Options::*member>
struct OptionMember<member> {
  static constexpr auto kKind = std::is_same_v<Value, bool> ? OptionInfo::Kind::Switch
                                : std::is_integral_v<Value> ? OptionInfo::Kind::Integer
                                                            : OptionInfo::Kind::Real;

  static constexpr double read(const void* options) {
    return static_cast<double>(static_cast<const Options*>(options)->*member);
  }
  static void write(void* options, double value) {
    static_cast<Options*>(options)->*member = static_cast<Value>(value);
  }
  static constexpr double defaultValue() { return static_cast<double>(Options{}.*member); }
};

/// A row for a member. The default is that of the struct; the member's type makes it a switch, an integer or a real.
template <auto member>
consteval OptionInfo option(std::string_view name, std::string_view label, std::string_view unit, double minimum,
                            double maximum, std::string_view tooltip,
                            OptionInfo::Kind kind = OptionMember<member>::kKind) {
  using Member = OptionMember<member>;
  return {name, label, unit, minimum, maximum, tooltip, kind, Member::defaultValue(), Member::read, Member::write};
}

inline constexpr OptionInfo::Kind kLogarithmic = OptionInfo::Kind::LogarithmicReal;  ///< of a slider

template <auto member, int most = 100000>
inline constexpr OptionInfo kIterationCap = option<member>("maxIterations", "Iteration cap", "", 1, most,
                                                           "Stop after this many iterations.");

// Options of the assignment's solvers.
template <auto member>
inline constexpr OptionInfo kGdlsIterations =
    option<member>("gdlsIterationsPerCoordinate", "GDLS iteration cap per joint", "", 1, 1000,
                   "GDLS stops after this many iterations per active coordinate.");
template <auto member>
inline constexpr OptionInfo kGdlsAlphaInit = option<member>("alphaInit", "First step length", "", 1e-12, 1e3,
                                                            "Factor of the gradient in the first trial step of GDLS.",
                                                            kLogarithmic);
template <auto member>
inline constexpr OptionInfo kGdlsTol =
    option<member>("gdlsTol", "GDLS tolerance", "rad", 0.0, 1.0,
                   "GDLS stops when no coordinate moves by more than this in one step.", kLogarithmic);
template <auto member>
inline constexpr OptionInfo kGdlsCarryAlpha = option<member>(
    "carryAlpha", "Carry step length over", "", 0, 1,
    "On: each iteration starts with twice the last successful step length. Off: each starts with the first one.");
template <auto member>
inline constexpr OptionInfo kNmIterations =
    option<member>("nmIterationsPerCoordinate", "NM iteration cap per joint", "", 1, 1000,
                   "Newton's method stops after this many iterations per active coordinate.");
template <auto member>
inline constexpr OptionInfo kNmTol =
    option<member>("nmTol", "NM tolerance", "rad", 0.0, 1.0,
                   "Newton's method stops when no coordinate moves by more than this in one step.", kLogarithmic);
template <auto member>
inline constexpr OptionInfo kForwardDifferences =
    option<member>("forwardDifferences", "Forward differences", "", 0, 1,
                   "On: each iteration compares the gradient, and in Newton's method the Hessian, with forward "
                   "differences of step 1e-7 "
                   "and keeps the largest difference.");

// Options of the local solvers of Yenamandra et al. (2019), who use Manopt's defaults.
template <auto member>
inline constexpr OptionInfo kLocalIterations = option<member>("maxIterations", "Iteration cap", "", 1, 100000,
                                                              "Stop after this many iterations (Manopt: 1000).");
template <auto member>
inline constexpr OptionInfo kGradientTolerance = option<member>(
    "tolerance", "Gradient tolerance", "f per rad", 0.0, 1.0,
    "Converged when the gradient within the limits, measured in the metric, is no longer than this (Manopt: 1e-6).",
    kLogarithmic);
template <auto member>
inline constexpr OptionInfo kMemory = option<member>(
    "memory", "Memory", "steps", 1, 200, "Number of past steps that the curvature estimate uses (Manopt: 30).");
template <auto member>
inline constexpr OptionInfo kFirstRadius =
    option<member>("firstRadius", "First radius", "of the root of n", 1e-6, 100.0,
                   "Radius of the first step, n the number of active coordinates (Manopt: 1/8).", kLogarithmic);
template <auto member>
inline constexpr OptionInfo kLargestRadius = option<member>("largestRadius", "Largest radius", "of the root of n", 1e-6,
                                                            100.0, "No step is longer than this (Manopt: 1).",
                                                            kLogarithmic);

}  // namespace limber
