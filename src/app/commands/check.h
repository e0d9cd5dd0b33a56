// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

/// `limber check FILE`: gradient and Hessian against central differences. Says the worst entry of each; the exit code
/// tells whether both agree.
int runCheck(const std::string& file, std::ostream& out, std::ostream& err,
             std::optional<BaseChoice> base = std::nullopt);

}  // namespace limber::app
