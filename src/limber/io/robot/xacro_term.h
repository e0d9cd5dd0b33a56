// SPDX-License-Identifier: MIT
// The terms of an expression of xacro, as a tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "limber/io/robot/xacro_value.h"

namespace limber::io::xacro {

enum class TermType {
  Value,
  Name,
  Call,       ///< of a function by its name
  Method,     ///< of the first part
  Keyword,    ///< name=value among the arguments of a call
  Member,     ///< of a dictionary, by its name
  Subscript,  ///< the first part at the second
  Slice,      ///< the first part from the second to the third; None for an open end
  List,
  Unary,
  Binary,
  Compare,
  And,
  Or,
  Not,
  Choice
};

struct Term {
  TermType type = TermType::Value;
  std::string name;  ///< of a property or function; an operator
  XacroValue value;
  std::vector<Term> parts;
};

/// Throws XacroFault.
Term parseTerm(std::string_view expression);

}  // namespace limber::io::xacro
