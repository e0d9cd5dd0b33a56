// SPDX-License-Identifier: MIT
// UTF-8 for names, which Limber's formats and its window require.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limber::io {

bool isUtf8(std::string_view text);

/// The text itself if it is UTF-8, else its bytes read as Latin-1, so that different texts stay different.
std::string asUtf8(std::string_view text);

/// Appends "#" and the index to names that occur more than once.
void makeUnique(std::vector<std::string>& names);

}  // namespace limber::io
