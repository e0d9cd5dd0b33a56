// SPDX-License-Identifier: MIT
// Input of the vector code of solvers/batch/batch.h: plain numbers, so that it can be compiled for several processors;
// and the entry points of the vector code per processor.
#pragma once

#include <cstdint>

namespace limber {

inline constexpr int kMaxBatchJoints = 64, kMaxBatchGoals = 8;

/// The joints above the goals of a figure, each turning about or sliding along the z axis of its own frame.
struct BatchPlan {
  int joints = 0;                  ///< number of moving joints; parents come before their children
  const int* parents = nullptr;    ///< parent joint, -1 for the world
  const double* frames = nullptr;  ///< 12 per joint: its frame at zero in the parent's; rotation by rows, translation
  bool isSerial = false;           ///< one chain of hinges with one goal at its end
  const char* slides = nullptr;    ///< 1 for a prismatic joint
  const double* lower = nullptr;   ///< radians, lengths; infinite without a limit
  const double* upper = nullptr;
  const double* restartLower = nullptr;  ///< range of restarts, finite
  const double* restartUpper = nullptr;

  int goals = 0;
  const int* goalJoints = nullptr;             ///< joint that moves the goal
  const double* goalFrames = nullptr;          ///< 12 per goal, in that joint's frame
  const double* positionWeights = nullptr;     ///< 1 / lengths^2; 0: the position is free
  const double* orientationWeights = nullptr;  ///< 0: the orientation is free
  const int* pathStarts = nullptr;             ///< size goals + 1: start of each goal's path in `paths`
  const int* paths = nullptr;                  ///< joints above each goal, root first
};

struct BatchLimits {
  double positionTolerance = 0.0, angleTolerance = 0.0;
  int maxIterations = 0;  ///< cap of one run
  int restarts = 0;
  double firstDamping = 0.0;  ///< of a run, relative to the matrix's diagonal
  double maxSlow = 0.0;       ///< iterations in a row without progress that end a run
};

/// Problems begin to end of flat arrays.
struct BatchRange {
  std::int64_t begin = 0, end = 0;
  const double* starts = nullptr;        ///< `joints` per problem
  const double* targets = nullptr;       ///< 12 per goal, `goals` per problem: world from goal
  const std::uint64_t* seeds = nullptr;  ///< one per problem: seed of its restarts
  double* answers = nullptr;             ///< `joints` per problem
  int* iterations = nullptr;             ///< one per problem, sum of all runs
  int* runs = nullptr;                   ///< one per problem: number of runs
};

/// Solves all problems of the range, several side by side: <float, 8> or <double, 4>. Call the avx2 versions only if
/// hasAvx2().
namespace baseline {
template <class T, int lanes>
void runBatch(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range);
}
namespace avx2 {
template <class T, int lanes>
void runBatch(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range);
}

}  // namespace limber
