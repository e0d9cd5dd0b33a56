// SPDX-License-Identifier: MIT
// Expressions of xacro, the macro language of URDF: those of Python, without lists, dictionaries and methods.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace limber::io {

inline constexpr std::size_t kMaxXacroExpression = 4096;  ///< bytes
inline constexpr std::size_t kMaxXacroText = 1u << 16;    ///< bytes of a value

/// A value of Python: None, a truth value, a whole number, a number or text.
using XacroValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Why an expression has no value.
struct XacroFault {
  std::string cause;
  bool isBeyond = false;  ///< xacro itself may evaluate it: a list, a dictionary, a file of data
};

/// The value as Python's str() writes it: 2.0, 1e-05, True.
std::string xacroText(const XacroValue& value);

/// The number or truth value that a text spells, else the text, without enclosing quotation marks.
XacroValue xacroLiteral(std::string text);

/// The truth value of a condition: text must be true, false or a number. Throws XacroFault.
bool xacroCondition(const XacroValue& value);

/// The value of a property; empty if there is no property of this name.
using XacroLookUp = std::function<std::optional<XacroValue>(std::string_view name)>;

/// The value of an expression. Properties precede constants and functions of the same name. Throws XacroFault.
XacroValue evaluateXacro(std::string_view expression, const XacroLookUp& lookUp);

}  // namespace limber::io
