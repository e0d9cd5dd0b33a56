// SPDX-License-Identifier: MIT
#include "app/commands/certificate_json.h"

#include "app/commands/summary_json.h"

namespace limber::app {

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
