// SPDX-License-Identifier: MIT
#include "limber/scene/closed_rest.h"

#include <numbers>

#include "limber/kinematics/figure_faults.h"
#include "limber/kinematics/open_loops.h"
#include "limber/objective/limits/loop_projection.h"
#include "limber/posing/outcome.h"

namespace limber {

std::shared_ptr<const Figure> withClosedRest(const std::shared_ptr<const Figure>& figure,
                                             std::vector<std::string>& notes) {
  auto closed = closedAtRest(figure);
  if (closed == figure) return figure;
  const LoopGap before = largestGap(*figure, restPose(*figure));
  notes.push_back("The rest pose was moved to close loops, which were open by up to " +
                  (before.length > LoopGap::kLength
                       ? lengthInWords(before.length)
                       : std::to_string(180.0 / std::numbers::pi * before.angle) + " degrees") +
                  ".");
  for (const OpenLoop& loop : openLoopsOf(*closed, transformsOf(*closed, restPose(*closed))))
    notes.push_back("The loop " + inQuotes(loop.name) + " cannot be closed near the rest pose: it is open by " +
                    lengthInWords(loop.gap.length) + " and " +
                    std::to_string(180.0 / std::numbers::pi * loop.gap.angle) + " degrees.");
  return closed;
}

int degreesOfFreedom(const std::shared_ptr<const Figure>& figure) { return freedomOf(figure).left(); }

}  // namespace limber
