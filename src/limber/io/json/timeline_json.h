// SPDX-License-Identifier: MIT
// The timeline of a scene (the table is in docs/formats.md). Readers throw JsonFault.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "limber/scene/document.h"

namespace limber::io {

class JsonValue;

/// `document` must already have its figure and goals.
std::shared_ptr<const Timeline> timelineFromJson(const JsonValue& value, const Document& document);
nlohmann::ordered_json timelineToJson(const Timeline& timeline);

}  // namespace limber::io
