// SPDX-License-Identifier: MIT
// Figure 3 of the paper: local methods on the hand, all joints observed without noise, and how their cost falls. The
// paper has the four on its penalty objective (16); here each also runs within the limits, by the same code
// (experiments/limit_goal.h), from the same starts, up to the same end.
#pragma once

#include <iosfwd>
#include <span>

#include "research/problems.h"

namespace limber::experiments {

/// How a run sees the joint limits.
struct LimitTreatment {
  std::string_view name;  ///< as in files
  double lambda = 0.0;    ///< of (16), square metres per square radian; 0: the limits are kept, and there is no penalty
};

/// The paper's lambda of 100 in either unit, which it does not give, then true limits.
std::span<const LimitTreatment> limitTreatments();

/// Names of the registry, in the paper's order: gradient descent, trust region, conjugate gradients, L-BFGS.
std::span<const std::string_view> localMethods();

struct LocalSettings {
  int problems = 8;
  int starts = 5;
  double cap = 30.0;  ///< seconds of the processor, of one run
  std::uint64_t seed = 1;
};

/// Why a run ended.
enum class LocalEnd {
  Flat,     ///< |gradient| <= 1e-6 within what limits leave free, in radians and mean link lengths: Manopt's tolerance
  Stalled,  ///< the objective fell by no more than its rounding
  Capped,   ///< the time was up
};

struct LocalRun {
  std::string_view method;  ///< one of localMethods()
  std::string_view limits;  ///< one of limitTreatments(), by name
  int problem = 0, start = 0;
  Pose pose;              ///< where it ended
  double cost = 0.0;      ///< (15) there, metres
  double overstep = 0.0;  ///< largest angle outside a limit there, radians
  double time = 0.0;      ///< of the processor, seconds
  int iterations = 0;
  LocalEnd end = LocalEnd::Flat;
  std::vector<double> costAtTime;       ///< at the times of curveTimes(), metres
  std::vector<double> costAtIteration;  ///< after so many iterations as curveIterations() says, metres
};

/// Seconds: ten a factor of ten, from ten microseconds to thirty seconds.
std::vector<double> curveTimes();
/// Whole numbers, at most ten a factor of ten, from one to a million.
std::vector<int> curveIterations();

std::vector<LocalRun> runLocalMethods(const Case& problems, const LocalSettings& settings);

/// Comma-separated, with a head: a line a run; a line a run and time, or a run and number of iterations.
void writeLocalRuns(const std::vector<LocalRun>& runs, std::ostream& out);
void writeLocalCurves(const std::vector<LocalRun>& runs, std::ostream& out);

}  // namespace limber::experiments
