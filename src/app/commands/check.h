// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

/// `limber check FILE`: compares gradient and Hessian with central differences and prints the worst entry of each.
/// Returns kSuccess if both agree, else kDisagreement; kBadInput if there is nothing to compare.
int runCheck(const std::string& file, std::ostream& out, std::ostream& err,
             std::optional<BaseChoice> base = std::nullopt);

}  // namespace limber::app
