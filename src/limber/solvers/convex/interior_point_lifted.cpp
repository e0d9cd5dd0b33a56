// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/interior_point_method.h"

namespace limber {

std::unique_ptr<InteriorPointMethod> makeLiftedMethod(const Relaxation& relaxation) {
  return std::make_unique<interior_point::Method<interior_point::FormSizes<16, 16, 9>>>(relaxation);
}

}  // namespace limber
