// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

/// `limber info`: prints what a file holds, for people. `file` is anything that opens. Returns the exit code.
int runInfo(const std::string& file, std::ostream& out, std::ostream& err,
            std::optional<BaseChoice> base = std::nullopt);

}  // namespace limber::app
