// SPDX-License-Identifier: MIT
// The figure of a human with ball joints (docs/humanoid.md), scaled by height and mass.
//
//   lengths   proportional to the height, by the table of Drillis and Contini
//   masses    proportional to the body's mass, by Dempster's fractions
//   girth     of trunk and limbs, from mass = density x height x girth^2; of head, hands and feet proportional to the
//             height
#pragma once

#include <string>

#include "limber/io/json/figure_json.h"

namespace limber::io {

struct HumanShape {
  double height = 1.75;    ///< metres, from kLeastHeight to kMostHeight
  double mass = 75.0;      ///< kilograms, from lightestMass() to heaviestMass()
  bool hasFingers = true;  ///< false: the four fingers are one link
  bool operator==(const HumanShape&) const = default;
};

inline constexpr double kLeastHeight = 1.4, kMostHeight = 2.1;
/// Masses in kilograms for a height in metres: for the body mass index of 75 kg at 1.75 m, for 16 and for 40.
double usualMass(double height);
double lightestMass(double height);
double heaviestMass(double height);

/// True for "human" and "human-without-fingers", with or without a colon and parameters, even invalid ones.
bool isHuman(const std::string& name);
/// Parses human[:HEIGHT[:MASS]] and human-without-fingers[:HEIGHT[:MASS]]. The mass defaults to usualMass().
Result<HumanShape> parseHuman(const std::string& name);
/// The figure of a shape within its ranges. Errors: the program's resources are missing.
Result<FigurePointer> makeHuman(const HumanShape& shape);

}  // namespace limber::io
