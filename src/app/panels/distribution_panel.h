// SPDX-License-Identifier: MIT
// How a bend is distributed along the joints of a row, such as the vertebrae of a spine: figures 4 and 5 of Zhao and
// Badler (1994).
#pragma once

#include <string>
#include <vector>

#include "app/editing/requests.h"
#include "app/session/session.h"
#include "limber/problem/joint_group.h"

namespace limber::app {

/// Curves over the same joints: flexion, lateral bending and axial rotation of one spine.
struct Distribution {
  std::vector<std::string> labels;  ///< along the axis, the outermost first: "T1" ... "L5"
  std::vector<JointGroup> curves;   ///< rows of as many joints each
};

/// The rows of three and more hinges, those with the same labels together: joints' names up to their last "_".
std::vector<Distribution> distributions(const Figure& figure);

void drawDistributions(const Document& document, const std::vector<Distribution>& distributions, Requests& requests);

}  // namespace limber::app
