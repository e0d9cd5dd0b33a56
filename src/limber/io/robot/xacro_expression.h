// SPDX-License-Identifier: MIT
// Expressions of xacro, the macro language of URDF: those of Python with its texts, lists and dictionaries, without
// comprehensions and functions of one's own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "limber/io/robot/xacro_value.h"

namespace limber::io {

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
