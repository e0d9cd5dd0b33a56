// SPDX-License-Identifier: MIT
// Many problems of one figure at once: the same goals with other targets, side by side in vector registers and over
// threads.
//
// Figures of revolute and prismatic joints with limits of their own are solved by projected Levenberg-Marquardt with
// restarts, eight problems a register in single precision or four in double (solvers/batch/batch_kernel.h). Anything
// else (ball joints, couplings, linear limits, an unlocked free joint) is solved one by one by the solver
// "multi-start", and refusal() says why. Every answer is measured by forward kinematics in double before it is called
// reached. The same problem has the same bits whatever its place, its neighbours, the number of threads and the
// processor: its restarts are drawn from its own numbers. Couplings and linear limits that tie no joint above a goal
// are no part of the search.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "limber/objective/objective.h"

namespace limber {

/// A frame on a link that each problem has a target for: its place, its orientation, or both.
struct BatchGoal {
  int link = 0;
  Transform linkFromFrame;
  bool position = true, orientation = true;
};

struct BatchOptions {
  double positionTolerance = 1e-4;  ///< metres: reached when the frame's origin is so near
  double angleTolerance = 1e-3;     ///< radians: and turned by no more than this
  int restarts = 200;               ///< random starts within the limits, at most, after the given one
  int maxIterations = 100;          ///< of one run
  bool doublePrecision = false;     ///< all of the solve; else single, which is twice as fast
  bool polish = false;              ///< ends each answer in double, to 1e-9 metres and radians; loses none
  int threads = 1;                  ///< 0: as many as the machine has
  std::uint64_t seed = 1;           ///< of the restarts, beside start and targets of each problem
};

/// Problem i: column i of starts, targets [i * goals, (i + 1) * goals).
struct BatchProblems {
  Eigen::MatrixXd starts;          ///< (poseSize x count); brought within the limits
  std::vector<Transform> targets;  ///< world from frame
};

struct BatchAnswer {
  bool isSolved = false;       ///< false when the solve was ended before its turn
  bool reached = false;        ///< by forward kinematics in double
  double positionError = 0.0;  ///< metres, of the worst goal
  double angleError = 0.0;     ///< radians, of the worst goal
  int iterations = 0;          ///< of all runs
  int restarts = 0;
};

struct BatchAnswers {
  Eigen::MatrixXd poses;             ///< (poseSize x count); what is not reached has the nearest pose that was found
  std::vector<BatchAnswer> answers;  ///< one a problem
};

/// Several threads may use its const functions at once.
class BatchSolver {
 public:
  /// base: where the joints stand that may not move. isLocked: one a joint. The goals' links must exist.
  BatchSolver(std::shared_ptr<const Figure> figure, std::vector<BatchGoal> goals, Limits limits, Pose base,
              std::vector<char> isLocked);
  /// The figure's own limits, locks and rest pose.
  BatchSolver(std::shared_ptr<const Figure> figure, std::vector<BatchGoal> goals);
  ~BatchSolver();

  /// Empty, or why the problems are solved one by one: "joint hip is a ball joint".
  const std::string& refusal() const { return refusal_; }
  const std::vector<BatchGoal>& goals() const { return goals_; }

  /// Empty, or what is wrong with options or problems (sizes, numbers that are not finite).
  std::string fault(const BatchProblems& problems, const BatchOptions& options) const;

  /// Solves all; the problems must be sound. goesOn, when given, is asked now and then by one thread at a time: false
  /// ends the solve.
  void solve(const BatchProblems& problems, const BatchOptions& options, BatchAnswers& answers,
             const std::function<bool()>& goesOn = {}) const;

 private:
  struct Plan;
  struct Scratch;
  void makePlan();
  bool isAboveGoal(int joint) const;
  bool isMoved(int joint) const;  ///< above a goal and free to move
  std::string findRefusal() const;
  void solveBlock(const BatchProblems& problems, const BatchOptions& options, Eigen::Index begin, Eigen::Index end,
                  Scratch& scratch, BatchAnswers& answers) const;
  void runKernel(const BatchOptions& options, double positionTolerance, double angleTolerance, bool doublePrecision,
                 bool isPolish, std::int64_t count, Scratch& scratch) const;
  Objective makeObjective(const BatchProblems& problems, Eigen::Index i) const;
  void finishPolish(const BatchProblems& problems, const BatchOptions& options, Eigen::Index i, Scratch& scratch,
                    BatchAnswers& answers) const;
  void solveSingly(const BatchProblems& problems, const BatchOptions& options, Eigen::Index i, Scratch& scratch,
                   BatchAnswers& answers) const;
  void measure(const BatchProblems& problems, const BatchOptions& options, Eigen::Index i, Scratch& scratch,
               BatchAnswers& answers) const;

  std::shared_ptr<const Figure> figure_;
  std::vector<BatchGoal> goals_;
  Limits limits_;
  Pose base_;
  std::vector<char> isLocked_;
  std::string refusal_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace limber
