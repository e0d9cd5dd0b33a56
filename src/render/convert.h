// SPDX-License-Identifier: MIT
// Conversion from Eigen to GLM, from double to float. Subtract a nearby origin first.
#pragma once

#include <Eigen/Core>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace limber::render {

/// Converts a vector of 2 or 3 numbers, or a 4 x 4 matrix.
template <typename Derived>
auto toGlm(const Eigen::MatrixBase<Derived>& expression) {
  const auto m = expression.template cast<float>().eval();
  if constexpr (Derived::SizeAtCompileTime == 2) {
    return glm::vec2(m[0], m[1]);
  } else if constexpr (Derived::SizeAtCompileTime == 3) {
    return glm::vec3(m[0], m[1], m[2]);
  } else {
    static_assert(Derived::RowsAtCompileTime == 4 && Derived::ColsAtCompileTime == 4);
    glm::mat4 out;
    for (int column = 0; column < 4; ++column)
      for (int row = 0; row < 4; ++row) out[column][row] = m(row, column);
    return out;
  }
}

}  // namespace limber::render
