// SPDX-License-Identifier: MIT What an edit changed of a document: those members of its scene (io/json/scene_json.h)
// that differ. Small where a scene is large: figure, motions and timeline are told apart by their pointers, and stand
// in it only when they are others.
#pragma once

#include "limber/io/base/json.h"
#include "limber/io/base/json_format.h"
#include "limber/scene/document.h"

namespace limber::io {

/// The scene's JSON. What a document shares with `shared` of figure, timeline and motions is left out.
OrderedJson documentToJson(const Document& document, const std::filesystem::path& folder,
                           const Document* shared = nullptr);

/// The members that differ, to the last bit; null for one that is gone. Throws JsonFault for a number that is not
/// finite.
OrderedJson sceneDelta(const Document& before, const Document& after);

/// The document after it: sceneDelta(before, applySceneDelta(before, sceneDelta(before, after))) is empty, and what did
/// not change is that of `before`, pointers too. A figure that did change comes without its skin. Throws JsonFault.
Document applySceneDelta(const Document& before, const Json& delta);

}  // namespace limber::io
