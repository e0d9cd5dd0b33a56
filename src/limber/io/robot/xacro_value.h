// SPDX-License-Identifier: MIT
// The values of xacro, which are those of Python, and what its operators do with them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace limber::io {

inline constexpr std::size_t kMaxXacroText = 1u << 16;    ///< bytes of a text
inline constexpr std::size_t kMaxXacroItems = 100'000;    ///< of a list or a dictionary
inline constexpr std::size_t kMaxXacroWeight = 1u << 20;  ///< of a list or a dictionary, see xacroWeight
inline constexpr int kMaxXacroValueDepth = 100;           ///< of lists in lists

struct XacroList;
struct XacroDictionary;

/// A value of Python: None, a truth value, a whole number, a number, text, a list (or tuple) or a dictionary.
using XacroValue = std::variant<std::monostate, bool, std::int64_t, double, std::string,
                                std::shared_ptr<const XacroList>, std::shared_ptr<const XacroDictionary>>;

struct XacroList {
  std::vector<XacroValue> items;
  int depth = 1;  ///< of lists in lists
};

/// In the order of insertion.
struct XacroDictionary {
  std::vector<std::pair<XacroValue, XacroValue>> items;
  int depth = 1;
};

/// Throw XacroFault if a bound above is exceeded.
XacroValue xacroList(std::vector<XacroValue> items);
XacroValue xacroDictionary(std::vector<std::pair<XacroValue, XacroValue>> items);

/// The items of a list or dictionary; 1 for other values.
std::size_t xacroSize(const XacroValue& value);
/// The bytes of a text; of a list or dictionary those of its own texts, and 1 for each item. What lists in it hold is
/// shared, and does not count.
std::size_t xacroWeight(const XacroValue& value);

/// Why an expression has no value.
struct XacroFault {
  std::string cause;
  bool isBeyond = false;  ///< xacro itself may evaluate it
};

/// The value as Python's str() writes it: 2.0, 1e-05, True.
std::string xacroText(const XacroValue& value);

/// The number or truth value that a text spells, else the text, without enclosing quotation marks.
XacroValue xacroLiteral(std::string text);

namespace xacro {

[[noreturn]] void fail(std::string cause);
[[noreturn]] void failBeyond(std::string cause);

bool isText(const XacroValue& value);
bool isNumber(const XacroValue& value);  ///< or a truth value
bool isWhole(const XacroValue& value);
const XacroList* listIn(const XacroValue& value);              ///< null for other values
const XacroDictionary* dictionaryIn(const XacroValue& value);  ///< the same
double numberIn(const XacroValue& value);
bool isTrue(const XacroValue& value);  ///< as in a condition of Python

/// As Python's ==: numbers and truth values by their values, lists and dictionaries by their contents.
bool areEqual(const XacroValue& a, const XacroValue& b);
/// The value of a key; null for none.
const XacroValue* findKey(const XacroDictionary& dictionary, const XacroValue& key);
/// whole[key], with negative places from the end.
XacroValue itemAt(const XacroValue& whole, const XacroValue& key);
/// whole[from:to]; None leaves an end open.
XacroValue sliceOf(const XacroValue& whole, const XacroValue& from, const XacroValue& to);
/// The items that Python's iteration gives.
std::vector<XacroValue> itemsOf(const XacroValue& value);

/// A whole number, if it is small enough to be exact.
XacroValue wholeValue(double number);
double power(double base, double exponent);
/// The binary operators + - * / // % **.
XacroValue combine(std::string_view name, const XacroValue& a, const XacroValue& b);
/// < <= > >= == !=, "in", "notin", "is" and "isnot".
bool compare(std::string_view comparison, const XacroValue& a, const XacroValue& b);

}  // namespace xacro

}  // namespace limber::io
