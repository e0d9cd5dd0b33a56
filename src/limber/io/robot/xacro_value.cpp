// SPDX-License-Identifier: MIT
#include "limber/io/robot/xacro_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/problem/decimal.h"

namespace limber::io {

namespace xacro {

namespace {

constexpr std::size_t kMostCompared = 1'000'000;      // values
constexpr double kLargestWhole = 0x1p53;              // larger whole numbers become doubles
constexpr double kPlainFrom = 1e-4, kPlainTo = 1e16;  // numbers that Python writes without an exponent

}  // namespace

void fail(std::string cause) { throw XacroFault{std::move(cause)}; }
void failBeyond(std::string cause) { throw XacroFault{std::move(cause), true}; }

bool isText(const XacroValue& value) { return std::holds_alternative<std::string>(value); }
bool isNumber(const XacroValue& value) {
  return std::holds_alternative<bool>(value) || std::holds_alternative<std::int64_t>(value) ||
         std::holds_alternative<double>(value);
}
const XacroList* listIn(const XacroValue& value) {
  const auto* list = std::get_if<std::shared_ptr<const XacroList>>(&value);
  return list ? list->get() : nullptr;
}
const XacroDictionary* dictionaryIn(const XacroValue& value) {
  const auto* dictionary = std::get_if<std::shared_ptr<const XacroDictionary>>(&value);
  return dictionary ? dictionary->get() : nullptr;
}
bool isWhole(const XacroValue& value) { return isNumber(value) && !std::holds_alternative<double>(value); }

double numberIn(const XacroValue& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? 1.0 : 0.0;
  if (const std::int64_t* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const double* number = std::get_if<double>(&value)) return *number;
  fail(inQuotes(xacroText(value)) + " is not a number");
}

bool isTrue(const XacroValue& value) {
  if (const std::string* text = std::get_if<std::string>(&value)) return !text->empty();
  if (const XacroList* list = listIn(value)) return !list->items.empty();
  if (const XacroDictionary* dictionary = dictionaryIn(value)) return !dictionary->items.empty();
  return isNumber(value) && numberIn(value) != 0.0;
}

namespace {

/// Lists may share lists, so that comparing them takes time beyond their size: `left` bounds it.
bool areEqualWithin(std::size_t& left, const XacroValue& a, const XacroValue& b) {
  if (left-- == 0) fail("lists take too long to compare");
  if (isNumber(a) && isNumber(b)) return numberIn(a) == numberIn(b);
  const auto areSame = [&](const XacroValue& p, const XacroValue& q) { return areEqualWithin(left, p, q); };
  if (const XacroList* x = listIn(a), *y = listIn(b); x && y) return std::ranges::equal(x->items, y->items, areSame);
  if (const XacroDictionary* x = dictionaryIn(a), *y = dictionaryIn(b); x && y)
    return std::ranges::equal(x->items, y->items, [&](const auto& p, const auto& q) {
      return areSame(p.first, q.first) && areSame(p.second, q.second);
    });
  return a == b;
}

}  // namespace

bool areEqual(const XacroValue& a, const XacroValue& b) {
  std::size_t left = kMostCompared;
  return areEqualWithin(left, a, b);
}

const XacroValue* findKey(const XacroDictionary& dictionary, const XacroValue& key) {
  for (const auto& [name, value] : dictionary.items)
    if (areEqual(name, key)) return &value;
  return nullptr;
}

namespace {

bool contains(const XacroValue& whole, const XacroValue& part) {
  if (isText(whole) && isText(part))
    return std::get<std::string>(whole).find(std::get<std::string>(part)) != std::string::npos;
  if (const XacroList* list = listIn(whole))
    return std::ranges::any_of(list->items, [&](const XacroValue& item) { return areEqual(item, part); });
  if (const XacroDictionary* dictionary = dictionaryIn(whole)) return findKey(*dictionary, part);
  fail(inQuotes(xacroText(whole)) + " is neither text, list nor dictionary");
}

/// The place in a text or list of this size; negative numbers count from its end.
std::size_t placeIn(std::size_t size, const XacroValue& index) {
  if (!isWhole(index)) fail(inQuotes(xacroText(index)) + " is not a whole number");
  const double at = numberIn(index), fromStart = at < 0.0 ? at + static_cast<double>(size) : at;
  if (!(fromStart >= 0.0 && fromStart < static_cast<double>(size)))
    fail("there is no place " + xacroText(index) + " among " + std::to_string(size));
  return static_cast<std::size_t>(fromStart);
}

}  // namespace

XacroValue itemAt(const XacroValue& whole, const XacroValue& key) {
  if (const XacroDictionary* dictionary = dictionaryIn(whole)) {
    if (const XacroValue* found = findKey(*dictionary, key)) return *found;
    fail("the dictionary has no key " + inQuotes(xacroText(key)));
  }
  if (const XacroList* list = listIn(whole)) return list->items[placeIn(list->items.size(), key)];
  if (const std::string* text = std::get_if<std::string>(&whole))
    return std::string(1, (*text)[placeIn(text->size(), key)]);
  fail(inQuotes(xacroText(whole)) + " has no items");
}

XacroValue sliceOf(const XacroValue& whole, const XacroValue& from, const XacroValue& to) {
  const auto cut = [&](const auto& items) {
    const auto size = static_cast<double>(items.size());
    const auto end = [&](const XacroValue& value, double otherwise) {
      if (std::holds_alternative<std::monostate>(value)) return static_cast<std::ptrdiff_t>(otherwise);
      if (!isWhole(value)) fail(inQuotes(xacroText(value)) + " is not a whole number");
      const double at = numberIn(value);
      return static_cast<std::ptrdiff_t>(std::clamp(at < 0.0 ? at + size : at, 0.0, size));
    };
    const std::ptrdiff_t first = end(from, 0.0), last = std::max(first, end(to, size));
    return std::decay_t<decltype(items)>(items.begin() + first, items.begin() + last);
  };
  if (const XacroList* list = listIn(whole)) return xacroList(cut(list->items));
  if (const std::string* text = std::get_if<std::string>(&whole)) return cut(*text);
  fail(inQuotes(xacroText(whole)) + " has no items");
}

XacroValue wholeValue(double number) {
  if (std::abs(number) <= kLargestWhole) return static_cast<std::int64_t>(number);
  return number;
}

double power(double base, double exponent) {
  const double result = std::pow(base, exponent);
  if (std::isnan(result) || (base == 0.0 && exponent < 0.0)) fail("a power is undefined");
  return result;
}

XacroValue combine(std::string_view name, const XacroValue& a, const XacroValue& b) {
  if (name == "+" && isText(a) && isText(b)) {
    std::string text = std::get<std::string>(a) + std::get<std::string>(b);
    if (text.size() > kMaxXacroText) fail("a text is too long");
    return text;
  }
  if (const XacroList* first = listIn(a), *second = listIn(b); name == "+" && first && second) {
    if (first->items.size() + second->items.size() > kMaxXacroItems) fail("a list is too long");
    std::vector<XacroValue> items = first->items;
    items.insert(items.end(), second->items.begin(), second->items.end());
    return xacroList(std::move(items));
  }
  if (!isNumber(a) || !isNumber(b))
    fail("there is no " + inQuotes(xacroText(a)) + " " + std::string(name) + " " + inQuotes(xacroText(b)));
  const double x = numberIn(a), y = numberIn(b);
  if (y == 0.0 && (name == "/" || name == "//" || name == "%")) fail("it divides by zero");
  const bool isExact = isWhole(a) && isWhole(b);
  const auto valueOf = [&](double result) { return isExact ? wholeValue(result) : XacroValue(result); };
  if (name == "+") return valueOf(x + y);
  if (name == "-") return valueOf(x - y);
  if (name == "*") return valueOf(x * y);
  if (name == "/") return x / y;
  if (name == "//") return valueOf(std::floor(x / y));
  if (name == "%") return valueOf(x - y * std::floor(x / y));
  return isExact && y >= 0.0 ? wholeValue(power(x, y)) : XacroValue(power(x, y));
}

namespace {

template <typename T>
bool holds(std::string_view comparison, const T& a, const T& b) {
  if (comparison == "<") return a < b;
  if (comparison == "<=") return a <= b;
  if (comparison == ">") return a > b;
  if (comparison == ">=") return a >= b;
  return (a == b) == (comparison == "==");
}

}  // namespace

bool compare(std::string_view comparison, const XacroValue& a, const XacroValue& b) {
  if (comparison == "in") return contains(b, a);
  if (comparison == "notin") return !contains(b, a);
  if (comparison == "is" || comparison == "isnot") return areEqual(a, b) == (comparison == "is");
  if (isText(a) && isText(b)) return holds(comparison, std::get<std::string>(a), std::get<std::string>(b));
  if (isNumber(a) && isNumber(b)) return holds(comparison, numberIn(a), numberIn(b));
  if (comparison == "==" || comparison == "!=") return areEqual(a, b) == (comparison == "==");
  fail(inQuotes(xacroText(a)) + " and " + inQuotes(xacroText(b)) + " cannot be compared");
}

std::vector<XacroValue> itemsOf(const XacroValue& value) {
  std::vector<XacroValue> items;
  if (const XacroList* list = listIn(value)) return list->items;
  if (const XacroDictionary* dictionary = dictionaryIn(value)) {
    for (const auto& [key, item] : dictionary->items) items.push_back(key);
    return items;
  }
  if (!isText(value)) fail(inQuotes(xacroText(value)) + " has no items");
  for (const char c : std::get<std::string>(value)) items.emplace_back(std::string(1, c));
  return items;
}

namespace {

std::string numberText(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0.0 ? "-inf" : "inf";
  const double size = std::abs(number);
  const bool isPlain = number == 0.0 || (size >= kPlainFrom && size < kPlainTo);
  const auto format = isPlain ? std::chars_format::fixed : std::chars_format::scientific;
  std::string text;
  appendDecimal(number, format, text);
  if (isPlain && text.find('.') == std::string::npos) text += ".0";
  return text;
}

/// Appends a value within a list as Python's repr() writes it.
void appendItems(const XacroValue& value, std::string& text) {
  if (text.size() > kMaxXacroText) fail("a text is too long");
  const XacroList* list = listIn(value);
  const XacroDictionary* dictionary = dictionaryIn(value);
  if (isText(value)) text += "'" + std::get<std::string>(value) + "'";
  else if (!list && !dictionary) text += xacroText(value);
  if (list) {
    text += '[';
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      if (i > 0) text += ", ";
      appendItems(list->items[i], text);
    }
    text += ']';
  }
  if (dictionary) {
    text += '{';
    for (std::size_t i = 0; i < dictionary->items.size(); ++i) {
      if (i > 0) text += ", ";
      appendItems(dictionary->items[i].first, text);
      text += ": ";
      appendItems(dictionary->items[i].second, text);
    }
    text += '}';
  }
}

/// The number that the whole text represents; empty for any other text.
std::optional<XacroValue> spelledNumber(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  const char *first = text.data(), *last = first + text.size();
  std::int64_t whole = 0;
  if (const auto [end, status] = std::from_chars(first, last, whole);
      status == std::errc() && end == last && std::abs(static_cast<double>(whole)) <= kLargestWhole)
    return whole;
  double number = 0.0;
  if (const auto [end, status] = readDecimal(first, last, number); status == std::errc() && end == last) return number;
  return std::nullopt;
}

}  // namespace

namespace {

int depthOf(const XacroValue& value) {
  if (const XacroList* list = listIn(value)) return list->depth;
  const XacroDictionary* dictionary = dictionaryIn(value);
  return dictionary ? dictionary->depth : 0;
}

/// The value, if it keeps the bounds of lists and dictionaries. Deeper ones would need too much of the stack.
XacroValue checked(XacroValue value) {
  if (xacroSize(value) > kMaxXacroItems) fail("a list or dictionary is too long");
  if (xacroWeight(value) > kMaxXacroWeight) fail("the texts of a list or dictionary are too long");
  if (depthOf(value) > kMaxXacroValueDepth) fail("lists are nested too deep");
  return value;
}

}  // namespace

}  // namespace xacro

std::size_t xacroSize(const XacroValue& value) {
  if (const XacroList* list = xacro::listIn(value)) return list->items.size();
  if (const XacroDictionary* dictionary = xacro::dictionaryIn(value)) return dictionary->items.size();
  return 1;
}

std::size_t xacroWeight(const XacroValue& value) {
  const auto textsIn = [](const XacroValue& item) {
    const std::string* text = std::get_if<std::string>(&item);
    return text ? text->size() : 0;
  };
  std::size_t weight = xacroSize(value) + textsIn(value);
  if (const XacroList* list = xacro::listIn(value))
    for (const XacroValue& item : list->items) weight += textsIn(item);
  if (const XacroDictionary* dictionary = xacro::dictionaryIn(value))
    for (const auto& [key, item] : dictionary->items) weight += textsIn(key) + textsIn(item);
  return weight;
}

XacroValue xacroList(std::vector<XacroValue> items) {
  int depth = 0;
  for (const XacroValue& item : items) depth = std::max(depth, xacro::depthOf(item));
  return xacro::checked(std::make_shared<const XacroList>(XacroList{std::move(items), depth + 1}));
}

XacroValue xacroDictionary(std::vector<std::pair<XacroValue, XacroValue>> items) {
  int depth = 0;
  for (const auto& [key, item] : items) depth = std::max({depth, xacro::depthOf(key), xacro::depthOf(item)});
  return xacro::checked(std::make_shared<const XacroDictionary>(XacroDictionary{std::move(items), depth + 1}));
}

std::string xacroText(const XacroValue& value) {
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "True" : "False";
  if (const std::int64_t* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const double* number = std::get_if<double>(&value)) return xacro::numberText(*number);
  if (std::holds_alternative<std::monostate>(value)) return "None";
  std::string text;
  xacro::appendItems(value, text);
  return text;
}

XacroValue xacroLiteral(std::string text) {
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') return text.substr(1, text.size() - 2);
  if (const auto number = xacro::spelledNumber(text)) return *number;
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  return text;
}

}  // namespace limber::io
