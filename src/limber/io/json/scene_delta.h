// SPDX-License-Identifier: MIT
// The difference between two documents: the members of the scene (io/json/scene_json.h) that an edit changed. It is
// small even for large scenes, because figure, motions and timeline are compared by pointer and included only when
// replaced.
#pragma once

#include "limber/io/base/json.h"
#include "limber/scene/document.h"

namespace limber::io {

/// The scene's JSON, without figure, timeline and motions that the document shares with `shared`.
OrderedJson documentToJson(const Document& document, const std::filesystem::path& folder,
                           const Document* shared = nullptr);

/// The members that differ in any bit; null for a member that is gone. Throws JsonFault for a number that is not
/// finite.
OrderedJson sceneDelta(const Document& before, const Document& after);

/// The document after the edit: sceneDelta(before, applySceneDelta(before, delta)) is `delta` again. Unchanged parts
/// share the pointers of `before`. A figure that changed comes without its skin. Throws JsonFault.
Document applySceneDelta(const Document& before, const Json& delta);

}  // namespace limber::io
