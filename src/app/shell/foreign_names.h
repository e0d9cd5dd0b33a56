// SPDX-License-Identifier: MIT
// Characters of shown names that the interface's own font does not have: Chinese, Japanese and Korean ones. They are
// rasterised only once a name needs them.
#pragma once

#include <memory>
#include <set>
#include <string_view>

#include "app/session/session.h"

namespace limber::app {

/// The characters from U+2E80 to U+FFFF of UTF-8 text are added to `out`; other bytes are ignored.
void addForeign(std::string_view text, std::set<char16_t>& out);

/// All such characters of names that the window has shown.
class ForeignNames {
 public:
  /// Call once a frame. The names of the figure are read only when it has changed.
  const std::set<char16_t>& of(const Session& session);

 private:
  std::set<char16_t> characters_;
  std::weak_ptr<const Figure> figure_;
};

}  // namespace limber::app
