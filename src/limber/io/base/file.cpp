// SPDX-License-Identifier: MIT
#include "limber/io/base/file.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "limber/io/base/json.h"
#include "limber/io/base/resources.h"

namespace limber::io {

namespace fs = std::filesystem;

namespace {

/// Which files this process reads (ReadingLimits).
struct ReadingRules {
  bool mayReadPipes = true;
  std::vector<fs::path> folders;  ///< empty: all
};
ReadingRules rules;

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

bool isInFolder(const fs::path& path, const fs::path& folder) {
  std::error_code pathError, folderError;
  const fs::path inside =
      fs::weakly_canonical(path, pathError).lexically_relative(fs::weakly_canonical(folder, folderError));
  return !pathError && !folderError && !inside.empty() && *inside.begin() != "..";
}

ReadingLimits::ReadingLimits(const std::optional<fs::path>& root) {
  rules = {.mayReadPipes = false, .folders = {}};
  if (!root) return;
  rules.folders.push_back(*root);
  if (const auto figures = findResource("figures")) rules.folders.push_back(figures->parent_path());
}

ReadingLimits::~ReadingLimits() { rules = {}; }

Result<platform::File> openToRead(const fs::path& path, std::uintmax_t maxBytes) {
  const auto fail = [&](std::string cause) { return Error{path.string(), "", std::move(cause)}; };
  const auto isInside = [&](const fs::path& folder) { return isInFolder(path, folder); };
  if (!rules.folders.empty() && std::ranges::none_of(rules.folders, isInside))
    return fail("is outside the folder to which this server is limited (--root)");
  std::string fault;
  platform::File file = platform::openToRead(path, rules.mayReadPipes, fault);
  if (!file) return fail(std::move(fault));
  std::error_code error;
  if (fs::file_size(path, error) > maxBytes && !error) return fail(tooLarge(maxBytes));
  return file;
}

std::optional<Error> findAccessFault(const fs::path& path, std::uintmax_t maxBytes) {
  const Result<platform::File> file = openToRead(path, maxBytes);
  return file ? std::nullopt : std::optional(file.error());
}

Result<std::string> readFile(const fs::path& path, std::uintmax_t maxBytes) {
  Result<platform::File> opened = openToRead(path, maxBytes);
  if (!opened) return opened.error();
  std::FILE* file = opened->get();
  std::error_code ignored;
  std::uintmax_t size = fs::file_size(path, ignored);
  if (size > maxBytes) size = 0;  // of a pipe, which has none
  std::string bytes;
  std::size_t length = 0;
  while (!std::feof(file) && !std::ferror(file)) {
    if (length == bytes.size()) bytes.resize(std::max<std::size_t>(bytes.size() * 2, size + 4096));
    length += std::fread(bytes.data() + length, 1, bytes.size() - length, file);
    if (length > maxBytes) return Error{path.string(), "", tooLarge(maxBytes)};
  }
  if (std::ferror(file)) return systemError(path, "cannot be read", platform::lastError());
  bytes.resize(length);
  return bytes;
}

Result<std::unique_ptr<platform::FileReplacement>> beginFile(const fs::path& path) {
  const auto fail = [&](std::string cause) { return Error{path.string(), "", std::move(cause)}; };
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  const bool isStream = fs::exists(status) && !fs::is_regular_file(status);  // such as /dev/stdout, a link to a pipe
  const fs::path target = isStream ? path : followLinks(path);
  if (!target.has_filename() || fs::is_directory(target, ignored)) return fail("cannot be written: is a directory");
  if (const auto folder = target.parent_path(); !folder.empty() && !fs::exists(folder, ignored) && !ignored)
    return fail("cannot be written: there is no such folder: " + inQuotes(folder.string()));
  auto file = std::make_unique<platform::FileReplacement>(target);
  if (!file->fault().empty()) return fail(file->fault());
  return file;
}

std::optional<Error> writeFileAtomically(const fs::path& path, std::string_view bytes) {
  const auto file = beginFile(path);
  if (!file) return file.error();
  if ((*file)->write(bytes) && (*file)->commit()) return std::nullopt;
  return Error{path.string(), "", (*file)->fault()};
}

}  // namespace limber::io
