// SPDX-License-Identifier: MIT
// A human of ball joints (docs/humanoid.md), of any height and build.
//
//   lengths   all in proportion to the height, as the table of Drillis and Contini has them
//   masses    all in proportion to the body's, as Dempster's fractions are
//   girth     of trunk and limbs: mass = density x height x girth^2. Head, hands and feet grow with the height alone.
#pragma once

#include <string>

#include "limber/io/json/figure_json.h"

namespace limber::io {

struct HumanShape {
  double height = 1.75;      ///< metres, from kLeastHeight to kMostHeight
  double mass = 75.0;        ///< kilograms, as lightestMass() and heaviestMass() allow
  bool hasFingers = true;    ///< else the four fingers are one part
  bool operator==(const HumanShape&) const = default;
};

inline constexpr double kLeastHeight = 1.4, kMostHeight = 2.1;
/// Of that height: of a body mass index as that of 75 kg at 1.75 m, of 16 and of 40.
double usualMass(double height);
double lightestMass(double height);
double heaviestMass(double height);

/// True for "human" and "human-without-fingers", whether what follows the colon is sound or not.
bool isHuman(const std::string& name);
/// human[:HEIGHT[:MASS]], human-without-fingers[:HEIGHT[:MASS]]; the usual mass of the height where none is given.
Result<HumanShape> parseHuman(const std::string& name);
/// Of a shape within its ranges. Fails where the program's resources are not there.
Result<FigurePointer> makeHuman(const HumanShape& shape);

}  // namespace limber::io
