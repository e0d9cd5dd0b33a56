// SPDX-License-Identifier: MIT
// Lengths as people want to see them. Everything behind the panels is in metres.
#pragma once

#include <string>
#include <string_view>

#include "app/settings/preferences.h"

namespace limber::app {

double unitsPerMetre(LengthUnit unit);
const char* unitSuffix(LengthUnit unit);  ///< "m", "cm", "mm"
const char* unitName(LengthUnit unit);    ///< "metres", "centimetres", "millimetres"

/// How a number field shows a length that is told to a millimetre ("%.3f", "%.1f", "%.0f"), or ten times finer with its
/// unit ("%.4f m", "%.2f cm", "%.1f mm"). They live as long as the program.
const char* placeFormat(LengthUnit unit);
const char* lengthFormat(LengthUnit unit);

/// "12.34 mm", "1.234 m"; in centimetres or millimetres, where these were chosen, also what is long.
std::string lengthText(double metres, LengthUnit unit);

/// The same with about three digits, as sentences have it: "12.3 mm", "1.23 cm".
std::string shortLength(double metres, LengthUnit unit);

/// What the rooms below say in metres and millimetres, in the unit: "at limits: 12.3 mm left" as "1.23 cm left". Only
/// numbers that stand right before m or mm are touched.
std::string inUnit(std::string_view sentence, LengthUnit unit);

}  // namespace limber::app
