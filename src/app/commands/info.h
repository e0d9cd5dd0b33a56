// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>

namespace limber::app {

/// `limber info`: what a file holds, for people. `file` is anything that opens.
int runInfo(const std::string& file, std::ostream& out, std::ostream& err);

}  // namespace limber::app
