// SPDX-License-Identifier: MIT
#include "app/commands/summary_json.h"

#include <algorithm>
#include <cmath>

namespace limber::app {

io::OrderedJson numberOrNull(double value) {
  return std::isfinite(value) ? io::OrderedJson(value) : io::OrderedJson(nullptr);
}

io::OrderedJson iterationsOf(const Summary& summary) {
  io::OrderedJson iterations = io::OrderedJson::object();
  for (int i = 0; i < summary.phaseCount; ++i) {
    const PhaseCount& phase = summary.phases[i];
    iterations[std::string(phase.phase)] = phase.iterations;
  }
  return iterations;
}

io::OrderedJson relaxationJson(const RelaxationSummary& relaxation) {
  return {{"rank", relaxation.rank},
          {"tight", relaxation.isTight},
          {"cost_mm", numberOrNull(1e3 * relaxation.cost)},
          {"bound_mm", numberOrNull(1e3 * relaxation.leastCost)},
          {"gap_mm", numberOrNull(1e3 * std::max(0.0, relaxation.cost - relaxation.leastCost))}};
}

}  // namespace limber::app
