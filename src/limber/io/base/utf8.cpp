// SPDX-License-Identifier: MIT
#include "limber/io/base/utf8.h"

#include <nlohmann/json.hpp>
#include <unordered_map>

namespace limber::io {

bool isUtf8(std::string_view text) {
  try {
    nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

std::string asUtf8(std::string_view text) {
  if (isUtf8(text)) return std::string(text);
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) out += static_cast<char>(0xc0 | byte >> 6);
    out += byte < 0x80 ? c : static_cast<char>(0x80 | (byte & 0x3f));
  }
  return out;
}

void makeUnique(std::vector<std::string>& names) {
  std::unordered_map<std::string, int> count;
  for (const std::string& name : names) ++count[name];
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (count[names[i]] == 1) continue;
    std::string name = names[i] + "#" + std::to_string(i);
    while (count.contains(name)) name += "#";  // another name is equal to it
    names[i] = std::move(name);
  }
}

}  // namespace limber::io
