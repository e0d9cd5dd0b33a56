// SPDX-License-Identifier: MIT
// Key points in JSON, as programs that find people in pictures write them; docs/from_pictures.md lists them.
#pragma once

#include <string_view>

#include "limber/io/base/json.h"
#include "limber/io/points/key_point_builder.h"

namespace limber::io {

/// Adds the frames that the value holds, and takes the size of the pictures if it gives one and none is known. Returns
/// the name of the format, for people. Throws a JsonFault.
std::string_view addKeyPointJson(const JsonValue& value, PictureSize& size, KeyPointBuilder& builder);

}  // namespace limber::io
