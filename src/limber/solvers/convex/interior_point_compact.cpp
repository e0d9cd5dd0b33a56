// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/interior_point_method.h"

namespace limber {

std::unique_ptr<InteriorPointMethod> makeCompactMethod(const Relaxation& relaxation) {
  return std::make_unique<interior_point::Method<interior_point::FormSizes<12, 12, 8>>>(relaxation);
}

}  // namespace limber
