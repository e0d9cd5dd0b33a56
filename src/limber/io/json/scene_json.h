// SPDX-License-Identifier: MIT
// A scene (.limber): the whole document with its figure and motion inside. Numbers survive bit for bit. The file that
// the figure came from is named, not held: its skin is read again (io/source_skin.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

class JsonValue;

/// Names of solvers and options are not looked up: a scene of a newer Limber still opens. The document's source has the
/// path and format of the file that the figure came from, relative to the scene's folder, but nothing of it is read.
Result<Document> parseScene(std::string_view text, const std::string& file);
Result<Document> readScene(const std::filesystem::path& path);

/// The same from parsed JSON. Throws JsonFault. What the scene lacks of figure, timeline and motions is that of
/// `shared`, where one is given.
Document documentFromJson(const JsonValue& scene, const std::filesystem::path& folder,
                          const Document* shared = nullptr);

/// Fails only on a document with a number that is not finite. folder: where the scene will stand.
Result<std::string> formatScene(const Document& document, const std::filesystem::path& folder = {});

/// Atomically; the old file stays when anything fails.
std::optional<Error> writeScene(const std::filesystem::path& path, const Document& document);

/// A scene that was kept for the user, not by him: like any other, and it says what it stands for.
struct KeptNote {
  std::string file;          ///< where the document came from or was saved to; empty while it has no name
  std::int64_t keptAt = 0;   ///< seconds since 1970
  std::string figure;        ///< its name
};
std::optional<Error> writeKeptScene(const std::filesystem::path& path, const Document& document, const KeptNote& note);
Result<KeptNote> readKeptNote(const std::filesystem::path& path);

}  // namespace limber::io
