// SPDX-License-Identifier: MIT
// The arrays of a new glTF file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/json.h"

namespace limber::io {

/// The bytes of all arrays of buffer 0, with their accessors and buffer views. The functions return the index of what
/// they add.
struct GltfArrays {
  OrderedJson accessors = OrderedJson::array(), views = OrderedJson::array();
  std::string bytes;

  /// Bytes without an accessor: an image.
  int addView(std::string_view data);
  /// type, width  "VEC3", 3
  /// hasBounds    adds the least and the greatest values, which glTF requires of positions and times
  int addFloats(const std::vector<float>& values, const char* type, int width, bool hasBounds);
  int addIndices(const std::vector<std::uint32_t>& values);
  /// Joints, four a vertex.
  int addJoints(const std::vector<std::uint16_t>& values);

  /// Moves accessors, buffer views and the buffer into the JSON of the file; the bytes stay here. Nothing without
  /// bytes. Throws JsonFault when they are more than a file can hold.
  void moveInto(OrderedJson& json);

 private:
  int add(std::string_view data, int componentType, const char* type, std::size_t count);
};

}  // namespace limber::io
