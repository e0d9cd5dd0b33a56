// SPDX-License-Identifier: MIT
// The text form of USD (.usda): prims with their properties. Values are kept as flat lists of numbers and texts,
// because their types say how many numbers belong together. Composition (references, payloads, variants) is not carried
// out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limber::io {

struct UsdaValue {
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};  ///< strings, tokens, paths, names of assets
};

struct UsdaProperty {
  UsdaValue value = {};                                    ///< of no time
  std::vector<std::pair<double, UsdaValue>> samples = {};  ///< by time code, ascending
  std::size_t line = 0;

  /// The value, else the first sample.
  const UsdaValue& first() const { return value.numbers.empty() && !samples.empty() ? samples.front().second : value; }
};

struct UsdaPrim {
  std::string type = {};  ///< empty for none
  std::string name = {};
  std::string path = {};  ///< "/World/Arm"
  int parent = -1;
  std::size_t line = 0;
  std::map<std::string, UsdaProperty, std::less<>> properties = {};

  const UsdaProperty* find(std::string_view name) const;
  /// The numbers of a property, or of its first sample; nothing unless there are `count` of them.
  std::optional<std::vector<double>> numbers(std::string_view name, std::size_t count) const;
  double number(std::string_view name, double otherwise) const;
  std::string text(std::string_view name, const std::string& otherwise) const;
};

struct UsdaText {
  UsdaPrim layer;                      ///< its properties are the metadata of the file
  std::vector<UsdaPrim> prims;         ///< parents before children
  std::vector<std::string> arcs = {};  ///< what refers to other files or prims and is not followed: "references", ...
};

inline constexpr std::size_t kMaxUsdaPrims = 100'000;
inline constexpr std::size_t kMaxUsdaNumbers = 16'000'000;

/// Throws a Fault that names the line.
UsdaText parseUsda(std::string_view text);

}  // namespace limber::io
