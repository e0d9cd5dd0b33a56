// SPDX-License-Identifier: MIT
// Expressions of xacro, the macro language of URDF: those of Python with its texts, lists and dictionaries, without
// comprehensions and functions of one's own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace limber::io {

inline constexpr std::size_t kMaxXacroExpression = 4096;  ///< bytes
inline constexpr std::size_t kMaxXacroText = 1u << 16;    ///< bytes of a value

inline constexpr std::size_t kMaxXacroItems = 100'000;  ///< of a list or a dictionary
inline constexpr int kMaxXacroValueDepth = 100;         ///< of lists in lists

struct XacroList;
struct XacroDictionary;

/// A value of Python: None, a truth value, a whole number, a number, text, a list (or tuple) or a dictionary.
using XacroValue = std::variant<std::monostate, bool, std::int64_t, double, std::string,
                                std::shared_ptr<const XacroList>, std::shared_ptr<const XacroDictionary>>;

struct XacroList {
  std::vector<XacroValue> items;
};

/// In the order of insertion.
struct XacroDictionary {
  std::vector<std::pair<XacroValue, XacroValue>> items;
};

XacroValue xacroList(std::vector<XacroValue> items);
XacroValue xacroDictionary(std::vector<std::pair<XacroValue, XacroValue>> items);

/// Why an expression has no value.
struct XacroFault {
  std::string cause;
  bool isBeyond = false;  ///< xacro itself may evaluate it
};

/// The value as Python's str() writes it: 2.0, 1e-05, True.
std::string xacroText(const XacroValue& value);

/// The number or truth value that a text spells, else the text, without enclosing quotation marks.
XacroValue xacroLiteral(std::string text);

/// The truth value of a condition: text must be true, false or a number. Throws XacroFault.
bool xacroCondition(const XacroValue& value);

/// What an expression can use of the file that it stands in.
struct XacroSurroundings {
  /// The value of a property; empty if there is no property of this name.
  std::function<std::optional<XacroValue>(std::string_view name)> lookUp;
  /// The value of xacro.load_yaml(file) and of xacro.arg(name).
  std::function<XacroValue(const std::string& file)> loadYaml;
  std::function<XacroValue(const std::string& name)> argument;
};

/// The value of an expression. Properties precede constants and functions of the same name. Throws XacroFault.
XacroValue evaluateXacro(std::string_view expression, const XacroSurroundings& surroundings);

}  // namespace limber::io
