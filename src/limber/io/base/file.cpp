// SPDX-License-Identifier: MIT
#include "limber/io/base/file.h"

#include <algorithm>
#include <fstream>

#include "limber/io/base/json.h"
#include "limber/io/base/platform.h"

namespace limber::io {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxSymbolicLinks = 40;  // as the kernel has it

Error systemError(const fs::path& path, const std::string& what, std::error_code error) {
  return {path.string(), "", what + ": " + platform::causeOf(error)};
}

/// The file that a chain of symbolic links ends at, whether it exists or not.
fs::path followLinks(fs::path path) {
  std::error_code error;
  for (int i = 0; i < kMaxSymbolicLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

std::string tooLarge(std::uintmax_t maxBytes) { return "is larger than " + std::to_string(maxBytes >> 20) + " MiB"; }

}  // namespace

std::optional<Error> findAccessFault(const fs::path& path, std::uintmax_t maxBytes) {
  const auto fail = [&](std::string cause) { return Error{path.string(), "", std::move(cause)}; };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return systemError(path, "cannot be opened", error);
  if (fs::is_directory(status)) return fail("is a folder, not a file");
  if (fs::is_fifo(status)) return std::nullopt;
  if (!fs::is_regular_file(status)) return fail("is not a file");
  if (!std::ifstream(path)) return systemError(path, "cannot be opened", platform::lastError());
  if (fs::file_size(path, error) > maxBytes && !error) return fail(tooLarge(maxBytes));
  return std::nullopt;
}

Result<std::string> readFile(const fs::path& path, std::uintmax_t maxBytes) {
  if (auto fault = findAccessFault(path, maxBytes)) return *std::move(fault);
  std::ifstream file(path, std::ios::binary);
  if (!file) return systemError(path, "cannot be opened", platform::lastError());
  std::error_code ignored;
  std::uintmax_t size = fs::file_size(path, ignored);
  if (size > maxBytes) size = 0;  // of a pipe, which has none
  std::string bytes;
  std::size_t length = 0;
  while (file) {
    if (length == bytes.size()) bytes.resize(std::max<std::size_t>(bytes.size() * 2, size + 4096));
    file.read(bytes.data() + length, static_cast<std::streamsize>(bytes.size() - length));
    length += static_cast<std::size_t>(file.gcount());
    if (length > maxBytes) return Error{path.string(), "", tooLarge(maxBytes)};
  }
  if (file.bad()) return systemError(path, "cannot be read", platform::lastError());
  bytes.resize(length);
  return bytes;
}

std::optional<Error> writeFileAtomically(const fs::path& path, std::string_view bytes) {
  const auto fail = [&](std::string cause) { return Error{path.string(), "", std::move(cause)}; };
  const fs::path target = followLinks(path);
  std::error_code ignored;
  if (!target.has_filename() || fs::is_directory(target, ignored)) return fail("cannot be written: is a directory");
  if (const auto folder = target.parent_path(); !folder.empty() && !fs::exists(folder, ignored) && !ignored)
    return fail("cannot be written: there is no such folder: " + inQuotes(folder.string()));
  if (std::string fault = platform::replaceFile(target, bytes); !fault.empty()) return fail(std::move(fault));
  return std::nullopt;
}

}  // namespace limber::io
