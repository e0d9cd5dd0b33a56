// SPDX-License-Identifier: MIT
// The functions, methods and constants that expressions of xacro can use. All throw XacroFault.
#pragma once

#include <string>
#include <vector>

#include "limber/io/robot/xacro_value.h"

namespace limber::io::xacro {

XacroValue callFunction(const std::string& name, const std::vector<XacroValue>& values);
XacroValue callMethod(const XacroValue& of, const std::string& name, const std::vector<XacroValue>& values);
/// "pi", "True" ...
XacroValue constantNamed(const std::string& name);

}  // namespace limber::io::xacro
