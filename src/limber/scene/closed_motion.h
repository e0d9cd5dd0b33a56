// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/problem/ik_problem.h"
#include "limber/scene/motion.h"

namespace limber {

/// Closes the loops of a problem's pose, and returns notes: by how much they were open, and which ones stay open.
std::vector<std::string> closePose(IkProblem& problem);

/// The motion with the loops of the problem's figure closed in each frame, continuously from frame to frame
/// (LoopCloser::follow). Notes say by how much they were open, and which ones stay open. The same motion if all loops
/// are closed already.
std::shared_ptr<const Motion> closedMotion(const IkProblem& problem, std::shared_ptr<const Motion> motion,
                                           std::vector<std::string>& notes);

}  // namespace limber
