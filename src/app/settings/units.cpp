// SPDX-License-Identifier: MIT
#include "app/settings/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace limber::app {

namespace {

struct UnitEntry {
  double perMetre;
  const char* suffix;
  const char* name;
  const char* place;
  const char* length;
};

constexpr std::array<UnitEntry, 3> kUnits{{{1.0, "m", "metres", "%.3f", "%.4f m"},
                                           {100.0, "cm", "centimetres", "%.1f", "%.2f cm"},
                                           {1000.0, "mm", "millimetres", "%.0f", "%.1f mm"}}};

const UnitEntry& entryOf(LengthUnit unit) { return kUnits[static_cast<std::size_t>(unit)]; }

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The end of the number that begins at `from`; `from` itself where none does.
std::size_t numberEnd(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && (isDigit(text[end]) || (text[end] == '.' && end > from))) ++end;
  if (end == from) return from;
  std::size_t exponent = end;
  if (exponent < text.size() && text[exponent] == 'e') {
    ++exponent;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (exponent < text.size() && isDigit(text[exponent])) {
      while (exponent < text.size() && isDigit(text[exponent])) ++exponent;
      return exponent;
    }
  }
  return end;
}

}  // namespace

double unitsPerMetre(LengthUnit unit) { return entryOf(unit).perMetre; }
const char* unitSuffix(LengthUnit unit) { return entryOf(unit).suffix; }
const char* unitName(LengthUnit unit) { return entryOf(unit).name; }
const char* placeFormat(LengthUnit unit) { return entryOf(unit).place; }
const char* lengthFormat(LengthUnit unit) { return entryOf(unit).length; }

std::string lengthText(double metres, LengthUnit unit) {
  char text[48];
  if (unit == LengthUnit::Metres && std::abs(metres) >= 1.0) std::snprintf(text, sizeof text, "%.3f m", metres);
  else if (unit == LengthUnit::Centimetres) std::snprintf(text, sizeof text, "%.3f cm", 100.0 * metres);
  else std::snprintf(text, sizeof text, "%.2f mm", 1000.0 * metres);
  return text;
}

std::string shortLength(double metres, LengthUnit unit) {
  const bool isLong = unit == LengthUnit::Metres && std::abs(metres) >= 1.0;
  const LengthUnit shown = isLong || unit == LengthUnit::Centimetres ? unit : LengthUnit::Millimetres;
  const double value = unitsPerMetre(shown) * metres;
  char text[48];
  // Three digits, but never an exponent: 1234 mm is clearer than 1.23e+03 mm.
  std::snprintf(text, sizeof text, std::abs(value) < 999.5 ? "%.3g %s" : "%.0f %s", value, unitSuffix(shown));
  return text;
}

std::string inUnit(std::string_view sentence, LengthUnit unit) {
  if (unit == LengthUnit::Metres) return std::string(sentence);
  std::string told;
  for (std::size_t at = 0; at < sentence.size();) {
    const bool isStart =
        isDigit(sentence[at]) &&
        (at == 0 || (!isLetter(sentence[at - 1]) && !isDigit(sentence[at - 1]) && sentence[at - 1] != '.'));
    const std::size_t end = isStart ? numberEnd(sentence, at) : at;
    const std::string_view rest = sentence.substr(end);
    const std::size_t suffix = end == at ? 0 : rest.starts_with(" mm") ? 3 : rest.starts_with(" m") ? 2 : 0;
    if (suffix == 0 ||
        (suffix < rest.size() && (isLetter(rest[suffix]) || isDigit(rest[suffix]) || rest[suffix] == '^'))) {
      told += sentence.substr(at, std::max(end, at + 1) - at);
      at = std::max(end, at + 1);
      continue;
    }
    const double number = std::strtod(std::string(sentence.substr(at, end - at)).c_str(), nullptr);
    told += shortLength(suffix == 3 ? 1e-3 * number : number, unit);
    at = end + suffix;
  }
  return told;
}

}  // namespace limber::app
