// SPDX-License-Identifier: MIT
// The names of enumerators as the code spells them, for files that later versions must read. They come from the
// compiler, so that there is no second list to maintain. Values must lie in [0, kMostEnumerators).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace limber::app {

inline constexpr int kMostEnumerators = 200;

/// The name of a value, such as "Undo"; empty if the enumeration has no such value. The compiler's text is
/// "... [with auto Value = limber::app::Command::Undo; ..." or "... = (limber::app::Command)57; ...".
template <auto Value>
constexpr std::string_view enumeratorName() {
  constexpr std::string_view all = __PRETTY_FUNCTION__;
  constexpr std::size_t start = all.find("Value = ") + 8;
  constexpr std::string_view value = all.substr(start, all.find_first_of(";]", start) - start);
  if constexpr (value.find('(') != std::string_view::npos) return {};
  else return value.substr(value.rfind(':') + 1);
}

template <typename Enum>
constexpr auto enumeratorNames() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, sizeof...(I)>{enumeratorName<static_cast<Enum>(I)>()...};
  }
  (std::make_index_sequence<kMostEnumerators>());
}

template <typename Enum>
std::string_view nameOf(Enum value) {
  static constexpr auto kNames = enumeratorNames<Enum>();
  return kNames[static_cast<std::size_t>(value)];
}

template <typename Enum>
std::optional<Enum> enumeratorNamed(std::string_view name) {
  static constexpr auto kNames = enumeratorNames<Enum>();
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (!name.empty() && kNames[i] == name) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace limber::app
