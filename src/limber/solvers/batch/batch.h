// SPDX-License-Identifier: MIT
// Solves many problems of one figure at once: the same goals with different targets, in vector registers and threads.
//
// Figures of revolute and prismatic joints with interval limits are solved by projected Levenberg-Marquardt with
// restarts, eight problems per register in single precision or four in double (solvers/batch/batch_kernel.h). An arm of
// up to seven joints that they do not bring to its target gets the nearest pose of its closed form (limber/ways), if
// there is one within the limits. Anything
// else (ball joints, couplings, linear limits, an unlocked free joint) is solved one by one by the solver
// "multi-start", and refusal() says why. Every answer is checked by forward kinematics in double precision before it
// counts as reached. The bits of an answer do not depend on the index of its problem, its neighbours, the number of
// threads and the processor: restarts are seeded by the problem's own numbers. Couplings and linear limits without a
// joint above a goal do not affect the search. Problems of a figure with closed loops are left unsolved:
// keepClear() (posing/clear_batch.h) solves them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "limber/objective/objective.h"

namespace limber {

/// A frame on a link for which each problem has a target: its position, its orientation, or both.
struct BatchGoal {
  int link = 0;
  Transform linkFromFrame = {};
  bool position = true, orientation = true;
};

struct BatchOptions {
  double positionTolerance = 1e-4;  ///< metres: largest distance of a reached frame's origin from its target
  double angleTolerance = 1e-3;     ///< radians: largest rotation of a reached frame from its target
  int restarts = 200;               ///< maximum number of random starts within the limits, after the given one
  int maxIterations = 100;          ///< cap of one run
  bool doublePrecision = false;     ///< solve in double precision; else in single, which is twice as fast
  bool polish = false;              ///< refines reached answers in double precision to 1e-9 metres and radians
  int threads = 1;                  ///< 0: all threads of the machine
  std::uint64_t seed = 1;           ///< of the restarts, combined with start and targets of each problem
};

/// Problem i: column i of starts, targets [i * goals, (i + 1) * goals).
struct BatchProblems {
  Eigen::MatrixXd starts = {};          ///< (poseSize x count); projected into the limits
  std::vector<Transform> targets = {};  ///< world from frame
};

struct BatchAnswer {
  bool isSolved = false;       ///< false if the solve ended before this problem
  bool reached = false;        ///< by forward kinematics in double
  double positionError = 0.0;  ///< metres, of the worst goal
  double angleError = 0.0;     ///< radians, of the worst goal
  int iterations = 0;          ///< sum of all runs
  int restarts = 0;            ///< an answer by a closed form has the number after which it was tried
};

struct BatchAnswers {
  Eigen::MatrixXd poses = {};             ///< (poseSize x count); if not reached, the nearest pose found
  std::vector<BatchAnswer> answers = {};  ///< one per problem
};

/// Several threads may use its const functions at once.
class BatchSolver {
 public:
  /// base: pose of the inactive joints. isLocked: one entry per joint. The goals' links must exist.
  BatchSolver(std::shared_ptr<const Figure> figure, std::vector<BatchGoal> goals, Limits limits, Pose base,
              std::vector<char> isLocked);
  /// Uses the figure's own limits, locks and rest pose.
  BatchSolver(std::shared_ptr<const Figure> figure, std::vector<BatchGoal> goals);
  ~BatchSolver();

  /// Empty, or why the problems are solved one by one: "joint hip is a ball joint".
  const std::string& refusal() const { return refusal_; }
  const std::vector<BatchGoal>& goals() const { return goals_; }

  /// Empty, or the fault of options or problems (sizes, numbers that are not finite).
  std::string fault(const BatchProblems& problems, const BatchOptions& options) const;

  /// Solves all problems, which must have no fault(). goesOn, if given, is called regularly by one thread at a time;
  /// false cancels the solve.
  void solve(const BatchProblems& problems, const BatchOptions& options, BatchAnswers& answers,
             const std::function<bool()>& goesOn = {}) const;

 private:
  struct Plan;
  struct Scratch;
  void makePlan();
  bool isAboveGoal(int joint) const;
  bool isMoved(int joint) const;  ///< above a goal and active
  std::string findRefusal() const;
  void solveBlock(const BatchProblems& problems, const BatchOptions& options, Eigen::Index begin, Eigen::Index end,
                  Scratch& scratch, BatchAnswers& answers) const;
  void runKernel(const BatchOptions& options, double positionTolerance, double angleTolerance, bool doublePrecision,
                 bool isPolish, std::int64_t count, Scratch& scratch) const;
  Objective makeObjective(const BatchProblems& problems, Eigen::Index i) const;
  bool answerByClosedForm(const BatchProblems& problems, const BatchOptions& options, Eigen::Index i, Scratch& scratch,
                          BatchAnswers& answers) const;
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
