// SPDX-License-Identifier: MIT
// Expands xacro, the macro language in which most robots of ROS are written, into URDF.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/robot/xml.h"

namespace limber::io {

inline constexpr std::size_t kMaxXacroFiles = 200;             ///< included files
inline constexpr std::size_t kMaxXacroFileBytes = 16u << 20;   ///< of all these together
inline constexpr std::size_t kMaxXacroSteps = 1'000'000;       ///< elements that are read or made
inline constexpr std::size_t kMaxXacroCharacters = 16u << 20;  ///< of all evaluated texts
inline constexpr int kMaxXacroNesting = 1000;                  ///< of elements and of macros in macros

struct ExpandedXacro {
  std::unique_ptr<XmlFile> file;    ///< its elements name the places in the files that they come from
  std::vector<std::string> macros;  ///< names of all that are defined
  std::vector<std::string> notes;
};

/// True when some element is one of xacro.
bool usesXacro(const XmlElement& element);

/// Expands properties, expressions (xacro_expression.h), files of YAML, macros with their blocks, conditions, arguments
/// (with their defaults) and includes, whose files are found as meshes are (resolveMesh). Errors name file, line and
/// expression; those that xacro itself would not report also name the command that expands the file. Throws an Error.
ExpandedXacro expandXacro(const XmlFile& file, const OpenContext& context);

}  // namespace limber::io
