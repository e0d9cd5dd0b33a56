// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/lbfgs.h"

#include <algorithm>

#include "limber/solvers/methods/projected_descent.h"
#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/limited_memory.h"

namespace limber {

namespace {

constexpr OptionInfo kLbfgsOptions[] = {
    kLocalIterations<&LbfgsOptions::maxIterations>,
    kGradientTolerance<&LbfgsOptions::tolerance>,
    kMemory<&LbfgsOptions::memory>,
};
constexpr SolverInfo kLbfgsInfo{
    .name = "lbfgs",
    .title = "L-BFGS with limits",
    .description =
        "Quasi-Newton steps from the last gradients, within the limits. Iterations are cheap, but more than "
        "Newton's method needs; never raises f.",
    .limits = LimitHandling::Exact,
    .options = kLbfgsOptions,
};

constexpr int kLbfgsBlockedRounds = 20;

struct LbfgsMemory final : SolverMemory {
  ProjectedDescentMemory descent;
  LimitedMemory pairs;
  Eigen::VectorXd relieved, change;  ///< (active x 1), the gradient minus the forces of active cones and twists; y
  std::vector<int> curved;           ///< indices of the active cones and twists
  std::vector<int> curvedBefore;
};

class LbfgsRun : public SolverRun<LbfgsOptions> {
 public:
  using SolverRun::SolverRun;

  SolveStatus iterate() {
    if (loop_.iterationsOfPhase() == 0) memory_.pairs.reset(objective_.activeCount(), options_.memory);
    return descent_.iterate(*this, options_.maxIterations, options_.tolerance);
  }

  double findDirection() {
    std::vector<char>& free = workspace_.freeSpace.free;
    own_.free = free;
    bool isFound = false;
    for (int round = 0; round < kLbfgsBlockedRounds; ++round) {
      memory_.change = own_.gradient;
      workspace_.freeSpace.project(memory_.change);
      isFound = memory_.pairs.apply(workspace_.freeSpace, own_.metric, memory_.change, own_.direction);
      own_.direction = -own_.direction;
      if (!isFound || !takeBlocked(objective_, pose_, workspace_, own_.direction, 0.0, free)) break;
    }
    free = own_.free;
    own_.isFresh = !(isFound && own_.direction.dot(own_.gradient) < 0.0);
    return own_.isFresh ? 0.0 : std::min(1.0, descent_.longestStep());
  }

  void forget() {
    memory_.pairs.clear();
    relieve();
  }

  void learn() {
    memory_.change.swap(memory_.relieved);
    memory_.curvedBefore.swap(memory_.curved);
    relieve();
    memory_.change = memory_.relieved - memory_.change;
    if (memory_.curved == memory_.curvedBefore) memory_.pairs.add(own_.taken, memory_.change);
  }

 private:
  void relieve() {
    memory_.relieved = workspace_.gradient;
    memory_.curved.clear();
    for (const FreeSpace::Block& block : workspace_.freeSpace.blocks) {
      if (block.ball < 0) continue;
      memory_.curved.push_back(2 * block.twistSide + (block.holdsSwing ? 1 : 0));
      if (block.held == 0) continue;
      auto part = memory_.relieved.segment<3>(block.active[0]);
      part = (Eigen::Matrix3d(block.projector) * part).eval();
    }
  }

  LbfgsMemory& memory_ = workspace_.memoryOf<LbfgsMemory>();
  ProjectedDescentMemory& own_ = memory_.descent;
  ProjectedDescent descent_{objective_, pose_, workspace_, loop_, own_};
};

}  // namespace

SolveStatus descendByLbfgs(const Objective& objective, Pose& pose, const LbfgsOptions& options, Workspace& workspace,
                           SolveLoop& loop) {
  return iterate<LbfgsRun>(objective, pose, options, workspace, loop);
}

const TypedSolver<LbfgsOptions>& LbfgsOptions::solver() {
  static const TypedSolver solver(kLbfgsInfo, descendByLbfgs);
  return solver;
}

}  // namespace limber
