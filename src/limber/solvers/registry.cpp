// SPDX-License-Identifier: MIT
#include "limber/solvers/registry.h"

#include <algorithm>

#include "limber/solvers/methods/conjugate_gradient.h"
#include "limber/solvers/methods/cyclic_descent.h"
#include "limber/solvers/methods/damped_least_squares.h"
#include "limber/solvers/methods/fabrik.h"
#include "limber/solvers/methods/fixed_step_descent.h"
#include "limber/solvers/methods/gdls_then_newton.h"
#include "limber/solvers/methods/global.h"
#include "limber/solvers/methods/globalised_newton.h"
#include "limber/solvers/methods/gradient_descent.h"
#include "limber/solvers/methods/lbfgs.h"
#include "limber/solvers/methods/levenberg_marquardt.h"
#include "limber/solvers/methods/multi_start.h"
#include "limber/solvers/methods/newtons_method.h"
#include "limber/solvers/methods/penalty_methods.h"
#include "limber/solvers/methods/sdp_ik.h"
#include "limber/solvers/methods/trust_region.h"
#include "limber/solvers/methods/variable_metric.h"

namespace limber {

std::span<const Solver* const> allSolvers() {
  static const Solver* const table[] = {
      &GlobalisedNewtonOptions::solver(),
      &VariableMetricOptions::solver(),
      &GdlsThenNewtonOptions::solver(),
      &GradientDescentOptions::solver(),
      &NewtonsMethodOptions::solver(),
      &LevenbergMarquardtOptions::solver(),
      &DampedLeastSquaresOptions::solver(),
      &FixedStepDescentOptions::solver(),
      &CyclicDescentOptions::solver(),
      &FabrikOptions::solver(),
      &TrustRegionOptions::solver(),
      &LbfgsOptions::solver(),
      &ConjugateGradientOptions::solver(),
      &LbfgsPenaltyOptions::solver(),
      &MultiStartOptions::solver(),
      &GlobalSearchOptions::solver(),
      &SdpIkOptions::solver(),
      &GradientDescentPenaltyOptions::solver(),
      &TrustRegionPenaltyOptions::solver(),
      &ConjugateGradientPenaltyOptions::solver(),
  };
  return table;
}

const Solver* findSolver(std::string_view name) {
  const auto solvers = allSolvers();
  const auto found = std::find_if(solvers.begin(), solvers.end(), [&](const Solver* s) { return s->name() == name; });
  return found == solvers.end() ? nullptr : *found;
}

}  // namespace limber
