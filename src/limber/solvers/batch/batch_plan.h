// SPDX-License-Identifier: MIT
// What the vector code of solvers/batch/batch.h is given: plain numbers, so that it can be compiled for several
// processors; and the vector code by processor.
#pragma once

#include <cstdint>

namespace limber {

inline constexpr int kMaxBatchJoints = 64, kMaxBatchGoals = 8;

/// A figure as its goals see it: the joints above them, each turning or sliding along the z axis of its own frame.
struct BatchPlan {
  int joints = 0;                  ///< that move, a parent before its children
  const int* parents = nullptr;    ///< joint above, -1 for the world
  const double* frames = nullptr;  ///< 12 a joint: its frame at zero in the one above, rotation by rows, translation
  bool isSerial = false;           ///< one chain of hinges with one goal at its end
  const char* slides = nullptr;    ///< 1 for a prismatic joint
  const double* lower = nullptr;   ///< radians, lengths; infinite where there is no limit
  const double* upper = nullptr;
  const double* restartLower = nullptr;  ///< from where restarts are drawn, finite
  const double* restartUpper = nullptr;

  int goals = 0;
  const int* goalJoints = nullptr;             ///< joint that carries it
  const double* goalFrames = nullptr;          ///< 12 a goal, in that joint's frame
  const double* positionWeights = nullptr;     ///< 1 / lengths^2; 0: the position is free
  const double* orientationWeights = nullptr;  ///< 0: the orientation is free
  const int* pathStarts = nullptr;             ///< goals + 1: where its path begins in `paths`
  const int* paths = nullptr;                  ///< joints above each goal, root first
};

struct BatchLimits {
  double positionTolerance = 0.0, angleTolerance = 0.0;
  int maxIterations = 0;  ///< of a run
  int restarts = 0;
  double firstDamping = 0.0;  ///< of a run, beside the matrix's diagonal
  double maxSlow = 0.0;       ///< turns in a row without headway that end a run
};

/// Problems begin to end of flat arrays.
struct BatchRange {
  std::int64_t begin = 0, end = 0;
  const double* starts = nullptr;        ///< joints a problem
  const double* targets = nullptr;       ///< 12 a goal, goals a problem: world from goal
  const std::uint64_t* seeds = nullptr;  ///< one a problem: of its restarts
  double* answers = nullptr;             ///< joints a problem
  int* iterations = nullptr;             ///< one a problem, all runs together
  int* runs = nullptr;                   ///< one a problem: runs that were begun
};

/// Solves all problems of the range, so many side by side: <float, 8> or <double, 4>. Call those of avx2 only where
/// hasAvx2() says so.
namespace baseline {
template <class T, int lanes>
void runBatch(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range);
}
namespace avx2 {
template <class T, int lanes>
void runBatch(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range);
}

}  // namespace limber
