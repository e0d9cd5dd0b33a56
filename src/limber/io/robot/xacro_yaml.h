// SPDX-License-Identifier: MIT
// Files of YAML for xacro.load_yaml().
#pragma once

#include <string>

#include "limber/io/robot/xacro_value.h"

namespace limber::io {

inline constexpr std::size_t kMaxXacroYamlNodes = 100'000;  ///< with those that aliases repeat

/// The value of a document. The tags !degrees and !radians give radians; other tags are ignored. Throws XacroFault.
XacroValue readXacroYaml(const std::string& text);

}  // namespace limber::io
