// SPDX-License-Identifier: MIT
// Solves for a thousand targets of an arm's tool at once, in the lanes of vector registers.
#include <limber/ik.h>
#include <limber/solvers/batch/batch.h>

#include <algorithm>
#include <iostream>

int main() {
  constexpr int kCount = 1000;
  const auto arm = limber::makeArm();
  const limber::Site& tool = arm->sites()[static_cast<std::size_t>(arm->findSite("tool"))];
  limber::BatchProblems problems;
  problems.starts = limber::restPose(*arm).coordinates.replicate(1, kCount);
  for (int i = 0; i < kCount; ++i) {
    const double angle = 0.001 * i;
    const Eigen::Vector3d place(0.6 * std::cos(angle), 0.5 + 0.0003 * i, 0.6 * std::sin(angle));
    problems.targets.push_back(limber::Transform::fromTranslation(place));
  }
  const limber::BatchSolver solver(arm,
                                   {{.link = tool.link, .linkFromFrame = tool.linkFromSite, .orientation = false}});
  limber::BatchAnswers answers;
  solver.solve(problems, {}, answers);
  const auto reached = std::ranges::count_if(answers.answers, &limber::BatchAnswer::reached);
  std::cout << reached << " of " << kCount << " reached\n";
  return reached == kCount ? 0 : 1;
}
