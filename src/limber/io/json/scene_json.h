// SPDX-License-Identifier: MIT
// The scene format (.limber): the whole document with its figure and motions. Numbers survive bit for bit. The file
// that the figure was imported from is stored as a path; its skin is read again from there (io/open.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

class JsonValue;

/// Names of solvers and options are not checked, so that a scene of a newer Limber still opens. The document's source
/// gets the path, resolved from the scene's folder, and the format of the figure's file, which is not read. `shared`:
/// as in documentFromJson().
Result<Document> parseScene(std::string_view text, const std::string& file, const Document* shared = nullptr);
Result<Document> readScene(const std::filesystem::path& path);

/// A scene from parsed JSON. Figure, timeline and motions that it lacks are those of `shared`, if given. Throws
/// JsonFault.
Document documentFromJson(const JsonValue& scene, const std::filesystem::path& folder,
                          const Document* shared = nullptr);

/// The scene's JSON, without figure, timeline and motions that the document shares with `shared`. Throws JsonFault.
nlohmann::ordered_json documentToJson(const Document& document, const std::filesystem::path& folder,
                                      const Document* shared = nullptr);

/// Fails only for a document with a number that is not finite. `folder` is the scene's future folder, to which the path
/// of the figure's file is made relative.
Result<std::string> formatScene(const Document& document, const std::filesystem::path& folder = {},
                                const Document* shared = nullptr);

/// Writes atomically: an existing file is kept on failure.
std::optional<Error> writeScene(const std::filesystem::path& path, const Document& document);

/// A scene that Limber saves automatically, for recovery: an ordinary scene with a note about the document.
struct KeptNote {
  std::string file;         ///< the document's file; empty while it has none
  std::int64_t keptAt = 0;  ///< seconds since 1970
  std::string figure;       ///< the figure's name
};
std::optional<Error> writeKeptScene(const std::filesystem::path& path, const Document& document, const KeptNote& note);
Result<KeptNote> readKeptNote(const std::filesystem::path& path);

// The difference between two documents: the members of the scene that an edit changed. It is small even for large
// scenes, because figure, motions and timeline are compared by pointer and included only when replaced.

/// The members that differ in any bit; null for a member that is gone. Throws JsonFault for a number that is not
/// finite.
nlohmann::ordered_json sceneDelta(const Document& before, const Document& after);

/// The document after the edit: sceneDelta(before, applySceneDelta(before, delta)) is `delta` again. Unchanged parts
/// share the pointers of `before`. A figure that changed comes without its skin. Throws JsonFault.
Document applySceneDelta(const Document& before, const nlohmann::json& delta);

}  // namespace limber::io
