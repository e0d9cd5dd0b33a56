// SPDX-License-Identifier: MIT
#include "app/commands/report_json.h"

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

io::OrderedJson certificateJson(const PoseCertificate& result, bool isSearched) {
  const Certificate& certificate = result.certificate;
  io::OrderedJson json;
  json["certified"] = certificate.isCertified;
  json["out_of_reach"] = certificate.isOutOfReach;
  json["badge"] = badgeOf(certificate);
  json["sentence"] = sentenceOf(certificate, isSearched);
  json["cost_mm"] = numberOrNull(1e3 * certificate.cost());
  json["bound_mm"] = numberOrNull(1e3 * certificate.leastCost());
  json["gap_mm"] = numberOrNull(1e3 * certificate.gap());
  json["points"] = certificate.points;
  json["regions"] = certificate.regions;
  json["left_out"] = result.leftOut;
  return json;
}

}  // namespace limber::app
