// SPDX-License-Identifier: MIT
#include "app/panels/iteration_table.h"

#include "limber/problem/decimal.h"

namespace limber::app {

namespace {

void addNumber(double value, std::string& text) {
  text += '\t';
  appendDecimal(value, text);
}

}  // namespace

std::string partOf(const IterationRecord& record, const Summary& summary) {
  if (record.phase < 0 || record.phase >= summary.phaseCount) return {};
  return std::string(summary.phases[record.phase].phase);
}

std::string iterationTable(std::span<const IterationRecord> history, const Summary& summary) {
  std::string text = "iteration\tpart\tf\tgradient norm\tstep norm\tdamping\n";
  for (std::size_t i = 0; i < history.size(); ++i) {
    const IterationRecord& record = history[i];
    text += std::to_string(i) + '\t' + partOf(record, summary);
    for (const double value : {record.objective, record.gradientNorm, record.stepNorm, record.damping})
      addNumber(value, text);
    text += '\n';
  }
  return text;
}

}  // namespace limber::app
