// SPDX-License-Identifier: MIT
#include "limber/scene/closed_motion.h"

#include <algorithm>
#include <iterator>

#include "limber/posing/loops_along.h"

namespace limber {

std::vector<std::string> closePose(IkProblem& problem) { return closeLoops(problem); }

std::shared_ptr<const Motion> closedMotion(const IkProblem& problem, std::shared_ptr<const Motion> motion,
                                           std::vector<std::string>& notes) {
  if (!motion || problem.figure->loops().empty()) return motion;
  LoopCloser closer(problem);
  auto closed = std::make_shared<Motion>();
  closed->name = motion->name;
  closed->frameTime = motion->frameTime;
  closed->isBaked = motion->isBaked;
  bool isChanged = false;
  for (int frame = 0; frame < motion->frameCount; ++frame) {
    const Pose stored = motion->storedPose(*problem.figure, frame);
    Pose pose = stored;
    closer.follow(pose);
    isChanged = isChanged || pose != stored;
    closed->append(pose);
  }
  std::ranges::move(closer.notes(), std::back_inserter(notes));
  if (!isChanged) return motion;
  return closed;
}

}  // namespace limber
