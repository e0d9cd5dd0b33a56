// SPDX-License-Identifier: MIT
#include "limber/io/json/posing_json.h"

namespace limber::io {

void readPosing(const JsonValue& value, SolverSettings& settings) {
  if (const auto posing = value.find("posing")) {
    const auto choice = findPosing(posing->text());
    if (!choice) posing->fail("must be \"natural\", \"still\" or \"even\"");
    settings.posing = *choice;
  }
  if (const auto follows = value.find("body_follows")) settings.bodyFollows = follows->numberIn(0.0, 1.0);
}

void appendPosing(const SolverSettings& settings, OrderedJson& out) {
  if (settings.posing != PosingChoice::Even) out["posing"] = posingName(settings.posing);
  if (settings.bodyFollows != 0.0) out["body_follows"] = toJson(settings.bodyFollows);
}

}  // namespace limber::io
