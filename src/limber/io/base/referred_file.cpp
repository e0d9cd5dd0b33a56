// SPDX-License-Identifier: MIT
#include "limber/io/base/referred_file.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"

namespace limber::io {

namespace fs = std::filesystem;

namespace {

Error fault(std::string cause) { return {"", "", std::move(cause)}; }

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The value of a base64 digit, -1 for any other character.
constexpr std::array<std::int8_t, 256> makeDigits() {
  std::array<std::int8_t, 256> out{};
  out.fill(-1);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    out[static_cast<unsigned char>(kDigits[i])] = static_cast<std::int8_t>(i);
  return out;
}
constexpr std::array<std::int8_t, 256> kDigitOf = makeDigits();

Result<std::string> decodeBase64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string out;
  out.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int digit = kDigitOf[static_cast<unsigned char>(c)];
    if (digit < 0) return fault("holds a character that is not base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

/// "http" for "http://..."; empty for a relative path. A drive letter with a colon counts as a scheme.
std::string_view schemeOf(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos || uri.substr(0, colon).find_first_of("/?#") != std::string_view::npos) return {};
  return uri.substr(0, colon);
}

/// The bytes of a "data:...;base64,..." URI.
Result<std::string> readDataUri(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos || !uri.substr(0, comma).ends_with(";base64"))
    return fault("is a data URI without base64 data");
  return decodeBase64(uri.substr(comma + 1));
}

}  // namespace

fs::path withoutLeading(const fs::path& path) {
  fs::path rest;
  for (const fs::path& part : path.lexically_normal().relative_path())
    if (!(rest.empty() && part == "..")) rest /= part;
  return rest;
}

std::string percentDecoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool isEncoded =
        text[i] == '%' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 && hexDigit(text[i + 2]) >= 0;
    out += isEncoded ? static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2])) : text[i];
    if (isEncoded) i += 2;
  }
  return out;
}

std::string makeDataUri(std::string_view bytes) {
  std::string out = "data:application/octet-stream;base64,";
  out.reserve(out.size() + bytes.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view three = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < three.size() ? static_cast<unsigned char>(three[k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k > three.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
  }
  return out;
}

Result<fs::path> findUri(std::string_view uri, const fs::path& from, const OpenContext& context) {
  if (const std::string_view scheme = schemeOf(uri); !scheme.empty())
    return fault("refers to " + inQuotes(uri) + ": only files beside this one and data URIs are read");
  const std::string name = percentDecoded(uri);
  if (name.empty() || name.find('\0') != std::string::npos) return fault("is not the name of a file");
  const fs::path folder = from.has_parent_path() ? from.parent_path() : fs::path(".");
  std::error_code status;
  const bool isAllowed = context.mayLeaveFolder || isInFolder(folder / name, folder);
  if (isAllowed && fs::exists(folder / name, status)) return folder / name;
  for (const fs::path& pointedAt : context.folders)
    for (const fs::path& candidate : {pointedAt / withoutLeading(name), pointedAt / fs::path(name).filename()})
      if (fs::is_regular_file(candidate, status)) return candidate;
  Error error = fault(isAllowed ? inQuotes(name) + " cannot be opened: there is no such file or folder"
                                : "refers to " + inQuotes(name) + ", outside the folder of the file");
  error.missing = {name};
  return error;
}

Result<std::string> readUri(std::string_view uri, const fs::path& from, const OpenContext& context,
                            std::uintmax_t maxBytes) {
  if (uri.starts_with("data:")) return readDataUri(uri);
  const Result<fs::path> path = findUri(uri, from, context);
  if (!path) return path.error();
  Result<std::string> bytes = readFile(*path, maxBytes);
  if (!bytes) return fault(inQuotes(percentDecoded(uri)) + " " + bytes.error().cause);
  return bytes;
}

}  // namespace limber::io
