// SPDX-License-Identifier: MIT
// The arrays of a new glTF file: their bytes, with the accessors and buffer views that describe them.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/json.h"

namespace limber::io {

/// Each function returns the index of the added element.
class GltfArrays {
 public:
  /// Bytes without an accessor: an image.
  int addView(std::string_view data);
  /// type, width  "VEC3", 3
  /// hasBounds    adds the least and the greatest values, which glTF requires of positions and times
  int addFloats(const std::vector<float>& values, const char* type, int width, bool hasBounds);
  int addIndices(const std::vector<std::uint32_t>& values);
  /// Joints, four for each vertex.
  int addJoints(const std::vector<std::uint16_t>& values);

  /// The file with this JSON and the arrays. Throws JsonFault when they are more than a file can hold.
  ///
  /// isBinary  true for GLB, false for JSON with a data URI
  std::string finish(OrderedJson json, bool isBinary) &&;

 private:
  int add(std::string_view data, int componentType, const char* type, std::size_t count);

  OrderedJson accessors_ = OrderedJson::array(), views_ = OrderedJson::array();
  std::string bytes_;
};

/// Appends the quaternion (x, y, z, w) with the sign nearest to the previous one, so that interpolation takes the
/// shorter way.
void appendRotation(const Eigen::Matrix3d& rotation, std::vector<float>& keys);

}  // namespace limber::io
