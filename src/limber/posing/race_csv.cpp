// SPDX-License-Identifier: MIT
#include "limber/posing/race_csv.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace limber {

namespace {

constexpr std::string_view kHeader =
    "solver,run,iteration,phase,f [1],gradient norm [1/rad],step norm [rad],damping [1],time [ms]\r\n";

void addNumber(double value, std::string& text) {
  char digits[32];
  text += ',';
  if (!std::isfinite(value)) return;
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

std::string_view phaseName(const Summary& summary, int phase) {
  return phase >= 0 && phase < summary.phaseCount ? summary.phases[phase].phase : std::string_view();
}

}  // namespace

std::string raceCsv(const std::vector<const LaneResult*>& results) {
  std::string text(kHeader);
  for (const LaneResult* result : results)
    for (const RaceIterate& iterate : result->iterates) {
      text += result->solver;
      text += ',' + std::to_string(iterate.run) + ',' + std::to_string(iterate.iteration) + ',';
      text += phaseName(result->report.summary, iterate.record.phase);
      addNumber(iterate.record.objective, text);
      addNumber(iterate.record.gradientNorm, text);
      addNumber(iterate.record.stepNorm, text);
      addNumber(iterate.record.damping, text);
      addNumber(iterate.timeMs, text);
      text += "\r\n";
    }
  return text;
}

}  // namespace limber
