// SPDX-License-Identifier: MIT
// Names from files and of files as UTF-8, which Limber's own formats and its window want.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limber::io {

bool isUtf8(std::string_view text);

/// The text itself where it is UTF-8, else each of its bytes as the Latin-1 character that it stands for: nothing is
/// lost, and texts that differ still do.
std::string asUtf8(std::string_view text);

/// Adds "#" and the index to names that several have.
void makeUnique(std::vector<std::string>& names);

}  // namespace limber::io
