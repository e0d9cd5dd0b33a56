// SPDX-License-Identifier: MIT
// The styles in which links are drawn, for the menu, the settings file and `limber render`.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "render/draw_list.h"

namespace limber::app {

struct LinkLook {
  render::LinkStyle style;
  std::string_view name;  ///< in files and on the command line
  const char* label;      ///< in the menu
  const char* tip;
};

inline constexpr std::array<LinkLook, 4> kLinkLooks = {{
    {render::LinkStyle::Parts, "parts", "Parts", "capsules; robots without meshes as tubes, motors, base and feet"},
    {render::LinkStyle::Capsules, "capsules", "Capsules", "rounded limbs: the capsules that collide"},
    {render::LinkStyle::Boxes, "boxes", "Boxes", "a tapered box around each link, which shows how it is twisted"},
    {render::LinkStyle::Bones, "bones", "Bones", "thin octahedra from joint to joint"},
}};

constexpr std::string_view nameOf(render::LinkStyle style) {
  return kLinkLooks[static_cast<std::size_t>(style)].name;  // in the order of the enumeration
}

constexpr std::optional<render::LinkStyle> findLinkStyle(std::string_view name) {
  for (const LinkLook& look : kLinkLooks)
    if (look.name == name) return look.style;
  return std::nullopt;
}

}  // namespace limber::app
