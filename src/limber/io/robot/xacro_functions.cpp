// SPDX-License-Identifier: MIT
#include "limber/io/robot/xacro_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"

namespace limber::io::xacro {

namespace {

/// Rounds halves to even, as Python does.
double roundHalfToEven(double x) {
  const double down = std::floor(x), part = x - down;
  if (part != 0.5) return std::floor(x + 0.5);
  return std::fmod(down, 2.0) == 0.0 ? down : down + 1.0;
}

struct NumberFunction {
  std::string_view name;
  double (*of)(double);
};

constexpr double kXacroDegree = std::numbers::pi / 180.0;
constexpr std::array kNumberFunctions = {
    NumberFunction{"sin", [](double x) { return std::sin(x); }},
    NumberFunction{"cos", [](double x) { return std::cos(x); }},
    NumberFunction{"tan", [](double x) { return std::tan(x); }},
    NumberFunction{"asin", [](double x) { return std::asin(x); }},
    NumberFunction{"acos", [](double x) { return std::acos(x); }},
    NumberFunction{"atan", [](double x) { return std::atan(x); }},
    NumberFunction{"sqrt", [](double x) { return std::sqrt(x); }},
    NumberFunction{"exp", [](double x) { return std::exp(x); }},
    NumberFunction{"log", [](double x) { return std::log(x); }},
    NumberFunction{"fabs", [](double x) { return std::abs(x); }},
    NumberFunction{"radians", [](double x) { return x * kXacroDegree; }},
    NumberFunction{"degrees", [](double x) { return x / kXacroDegree; }},
};

struct PairFunction {
  std::string_view name;
  double (*of)(double, double);
};

constexpr std::array kPairFunctions = {
    PairFunction{"atan2", [](double y, double x) { return std::atan2(y, x); }},
    PairFunction{"hypot", [](double x, double y) { return std::hypot(x, y); }},
    PairFunction{"fmod", [](double x, double y) { return std::fmod(x, y); }},
    PairFunction{"pow", power},
};

struct RoundingFunction {
  std::string_view name;
  double (*of)(double);
};

constexpr std::array kRoundingFunctions = {
    RoundingFunction{"floor", [](double x) { return std::floor(x); }},
    RoundingFunction{"ceil", [](double x) { return std::ceil(x); }},
    RoundingFunction{"round", roundHalfToEven},
    RoundingFunction{"int", [](double x) { return std::trunc(x); }},
};

struct NumberConstant {
  std::string_view name;
  double value;
};

constexpr std::array kNumberConstants = {NumberConstant{"pi", std::numbers::pi}, NumberConstant{"e", std::numbers::e},
                                         NumberConstant{"tau", 2.0 * std::numbers::pi},
                                         NumberConstant{"inf", std::numeric_limits<double>::infinity()},
                                         NumberConstant{"nan", std::numeric_limits<double>::quiet_NaN()}};

template <typename Table>
auto findNamed(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, [](const auto& row) { return row.name; });
  return found == table.end() ? nullptr : &*found;
}

XacroValue numberFrom(const std::string& function, const XacroValue& value) {
  const XacroValue number = isText(value) ? xacroLiteral(std::get<std::string>(value)) : value;
  if (!isNumber(number)) fail(function + "(" + inQuotes(xacroText(value)) + ") is not a number");
  return number;
}

XacroValue callOfItems(const std::string& name, std::vector<XacroValue> items) {
  if (name == "len") return static_cast<std::int64_t>(items.size());
  if (name == "list" || name == "tuple") return xacroList(std::move(items));
  if (name == "sorted") {
    std::ranges::stable_sort(items, [](const XacroValue& a, const XacroValue& b) { return compare("<", a, b); });
    return xacroList(std::move(items));
  }
  if (name == "sum") {
    XacroValue sum = std::int64_t(0);
    for (const XacroValue& item : items) sum = combine("+", sum, item);
    return sum;
  }
  if (name == "dict") {
    std::vector<std::pair<XacroValue, XacroValue>> pairs;
    for (const XacroValue& item : items) {
      const XacroList* pair = listIn(item);
      if (!pair || pair->items.size() != 2) fail("dict() needs pairs");
      pairs.emplace_back(pair->items[0], pair->items[1]);
    }
    return xacroDictionary(std::move(pairs));
  }
  if (items.empty()) fail(name + "() of nothing");
  XacroValue best = items[0];
  for (const XacroValue& item : items)
    if (compare(name == "min" ? "<" : ">", item, best)) best = item;
  return best;
}

XacroValue rangeOfWhole(const std::vector<XacroValue>& values) {
  for (const XacroValue& value : values)
    if (!isWhole(value)) fail("range() needs whole numbers");
  const double from = values.size() > 1 ? numberIn(values[0]) : 0.0, to = numberIn(values[values.size() > 1 ? 1 : 0]),
               step = values.size() > 2 ? numberIn(values[2]) : 1.0;
  if (step == 0.0) fail("range() has a step of zero");
  if ((to - from) / step > static_cast<double>(kMaxXacroItems)) fail("a list is too long");
  std::vector<XacroValue> items;
  for (double at = from; step > 0.0 ? at < to : at > to; at += step) items.push_back(wholeValue(at));
  return xacroList(std::move(items));
}

std::string casedText(std::string text, bool isUpper) {
  if (!isUpper) return lowerCase(text);
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

XacroValue methodOfText(const std::string& text, const std::string& name, const std::vector<XacroValue>& values) {
  const auto textAt = [&](std::size_t i) -> const std::string& {
    if (i >= values.size() || !isText(values[i])) fail(name + "() needs a text");
    return std::get<std::string>(values[i]);
  };
  if (name == "lower" || name == "upper") return casedText(text, name == "upper");
  if (name == "strip" && values.empty()) return std::string(trimmed(text));
  if (name == "startswith") return text.starts_with(textAt(0));
  if (name == "endswith") return text.ends_with(textAt(0));
  if (name == "replace" && !textAt(0).empty()) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t found = std::min(text.find(textAt(0), at), text.size());
      out += text.substr(at, found - at);
      if (found < text.size()) out += textAt(1);
      at = found + (found < text.size() ? textAt(0).size() : 0);
      if (out.size() > kMaxXacroText) fail("a text is too long");
    }
    return out;
  }
  if (name == "split") {
    std::vector<XacroValue> parts;
    const std::string separator = values.empty() ? std::string() : textAt(0);
    if (separator.empty() && !values.empty()) fail("split() needs a separator");
    std::string_view rest = separator.empty() ? trimmed(text) : std::string_view(text);
    if (separator.empty() && rest.empty()) return xacroList({});
    while (true) {
      const std::size_t end = separator.empty() ? rest.find_first_of(" \t\r\n") : rest.find(separator);
      parts.emplace_back(std::string(rest.substr(0, end)));
      if (end == std::string_view::npos) return xacroList(std::move(parts));
      rest.remove_prefix(end + std::max<std::size_t>(1, separator.size()));
      if (separator.empty()) rest = trimmed(rest);
    }
  }
  if (name == "join" && values.size() == 1) {
    const std::vector<XacroValue> items = itemsOf(values[0]);
    std::string out;
    for (std::size_t i = 0; i < items.size(); ++i) {
      out += (i > 0 ? text : std::string()) + xacroText(items[i]);
      if (out.size() > kMaxXacroText) fail("a text is too long");
    }
    return out;
  }
  failBeyond("the method " + inQuotes(name) + " of a text is not evaluated here");
}

XacroValue callOne(const std::string& name, const XacroValue& value) {
  if (name == "str") return xacroText(value);
  if (name == "bool") return isTrue(value);
  if (name == "len" && isText(value)) return static_cast<std::int64_t>(std::get<std::string>(value).size());
  if (const XacroDictionary* dictionary = dictionaryIn(value); dictionary && name == "len")
    return static_cast<std::int64_t>(dictionary->items.size());
  if (const XacroDictionary* dictionary = dictionaryIn(value); dictionary && name == "dict") return value;
  if (isAmong(name, "list tuple sorted len sum min max dict")) return callOfItems(name, itemsOf(value));
  if (name == "float") return numberIn(numberFrom(name, value));
  if (const auto* function = findNamed(kRoundingFunctions, name)) {
    const double number = function->of(numberIn(name == "int" ? numberFrom(name, value) : value));
    if (!std::isfinite(number)) fail(name + "() has no value");
    return wholeValue(number);
  }
  if (name == "abs") return isWhole(value) ? wholeValue(std::abs(numberIn(value))) : std::abs(numberIn(value));
  if (const auto* function = findNamed(kNumberFunctions, name)) {
    const double number = function->of(numberIn(value));
    if (std::isnan(number)) fail(name + "(" + xacroText(value) + ") is undefined");
    return number;
  }
  failBeyond("the function " + inQuotes(name) + " is not evaluated here");
}

}  // namespace

XacroValue callFunction(const std::string& name, const std::vector<XacroValue>& values) {
  if ((name == "min" || name == "max") && values.size() > 1) return callOfItems(name, values);
  if (name == "range" && !values.empty() && values.size() <= 3) return rangeOfWhole(values);
  if ((name == "list" || name == "tuple") && values.empty()) return xacroList({});
  if (values.size() == 1) return callOne(name, values[0]);
  if (values.size() == 2 && name == "round") {
    const double scale = std::pow(10.0, numberIn(values[1]));
    const double rounded = roundHalfToEven(numberIn(values[0]) * scale) / scale;
    return std::isfinite(rounded) ? rounded : numberIn(values[0]);
  }
  if (const auto* function = findNamed(kPairFunctions, name); function && values.size() == 2)
    return function->of(numberIn(values[0]), numberIn(values[1]));
  failBeyond("the function " + inQuotes(name) + " of " + std::to_string(values.size()) + " is not evaluated here");
}

XacroValue callMethod(const XacroValue& of, const std::string& name, const std::vector<XacroValue>& values) {
  if (const std::string* text = std::get_if<std::string>(&of)) return methodOfText(*text, name, values);
  if (const XacroDictionary* dictionary = dictionaryIn(of)) {
    if (name == "get" && !values.empty()) {
      const XacroValue* found = findKey(*dictionary, values[0]);
      return found ? *found : values.size() > 1 ? values[1] : XacroValue();
    }
    std::vector<XacroValue> items;
    for (const auto& [key, value] : dictionary->items)
      items.push_back(name == "keys" ? key : name == "values" ? value : xacroList({key, value}));
    if (isAmong(name, "keys values items")) return xacroList(std::move(items));
  }
  if (const XacroList* list = listIn(of); list && values.size() == 1 && (name == "index" || name == "count")) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      if (!areEqual(list->items[i], values[0])) continue;
      if (name == "index") return static_cast<std::int64_t>(i);
      ++count;
    }
    if (name == "count") return count;
    fail(inQuotes(xacroText(values[0])) + " is not in the list");
  }
  failBeyond("the method " + inQuotes(name) + " is not evaluated here");
}

XacroValue constantNamed(const std::string& name) {
  if (name == "True") return true;
  if (name == "False") return false;
  if (name == "None") return std::monostate();
  if (const auto* constant = findNamed(kNumberConstants, name)) return constant->value;
  fail("there is no property " + inQuotes(name));
}

}  // namespace limber::io::xacro
