// SPDX-License-Identifier: MIT
// Which way the parts of a human body point: what an aim or a direction of them is about.
#pragma once

#include <string_view>
#include <vector>

#include "limber/problem/new_goal.h"

namespace limber {

/// An end effector whose x is an axis that has a name.
struct NamedAxis {
  std::string_view name;  ///< "face", "fingers", "palm"
  EndEffector end;
};

/// Those of a link, the one that is meant first; of what hangs on a head, as eyes and hair, the head's. Empty for other
/// links, and where there is no human body.
///
///   face      out of the head, the way that the body faces at rest: across the line through both hips, and up
///   fingers   from the wrist to the roots of the fingers, else along the hand
///   palm      out of it: across fingers and thumb; without a thumb this is taken to point forward at rest
std::vector<NamedAxis> namedAxes(const IkProblem& problem, int link);

}  // namespace limber
