// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "limber/kinematics/figure_builder.h"

namespace limber::test {

/// The figure of a builder. Throws the builder's fault, which fails the test.
inline std::shared_ptr<const Figure> built(FigureBuilder& builder) {
  std::string error;
  auto figure = builder.build(error);
  if (!figure) throw std::runtime_error(error);
  return figure;
}

}  // namespace limber::test
