// SPDX-License-Identifier: MIT
// Plots how a bend is distributed along a row of joints, such as the vertebrae of a spine: figures 4 and 5 of Zhao and
// Badler (1994).
#pragma once

#include <string>
#include <vector>

#include "app/editing/command.h"
#include "app/session/session.h"
#include "limber/problem/joint_group.h"

namespace limber::app {

/// Curves over the same joints: flexion, lateral bending and axial rotation of one spine.
struct Distribution {
  std::vector<std::string> labels;  ///< along the axis, the outermost first: "T1" ... "L5"
  std::vector<JointGroup> curves;   ///< rows with one joint for each label
};

/// The rows of at least three hinges. Rows with the same labels (joint names up to the last "_") share a plot.
std::vector<Distribution> distributions(const Figure& figure);

void drawDistributions(const Document& document, const std::vector<Distribution>& distributions, CommandQueue& queue);

}  // namespace limber::app
