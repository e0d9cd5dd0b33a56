// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>
#include <random>

namespace limber::test {

/// Coordinates uniform in [-size, size].
inline Eigen::Vector3d randomVector(std::mt19937& random, double size = 1.0) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

}  // namespace limber::test
