// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/interior_point_method.h"

namespace limber {

std::unique_ptr<InteriorPointMethod> makeHullMethod(const Relaxation& relaxation) {
  return std::make_unique<interior_point::Method<interior_point::FormSizes<24, 26, 10>>>(relaxation);
}

}  // namespace limber
