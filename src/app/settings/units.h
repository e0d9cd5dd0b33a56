// SPDX-License-Identifier: MIT
// Lengths in the unit that the user has chosen. Numbers outside the panels are in metres.
#pragma once

#include <string>
#include <string_view>

#include "app/settings/preferences.h"

namespace limber::app {

double unitsPerMetre(LengthUnit unit);
const char* unitSuffix(LengthUnit unit);  ///< "m", "cm", "mm"
const char* unitName(LengthUnit unit);    ///< "metres", "centimetres", "millimetres"

/// Static printf formats for number fields in the unit: one shows millimetres ("%.3f", "%.1f", "%.0f") and one
/// is ten times finer and names the unit ("%.4f m", "%.2f cm", "%.1f mm").
const char* placeFormat(LengthUnit unit);
const char* lengthFormat(LengthUnit unit);

/// "12.34 mm", or from one metre on "1.234 m"; always in the unit if that is centimetres or millimetres.
std::string lengthText(double metres, LengthUnit unit);

/// The same with about three digits, for sentences: "12.3 mm", "1.23 cm".
std::string shortLength(double metres, LengthUnit unit);

/// Converts the lengths in a sentence of the library to the unit: "at limits: 12.3 mm left" to "1.23 cm left". Only
/// numbers directly before m or mm are converted.
std::string inUnit(std::string_view sentence, LengthUnit unit);

}  // namespace limber::app
