// SPDX-License-Identifier: MIT
// The interface of all solvers: options in, summary out. solvers/registry.h finds a solver by its name; a solver known
// by its type also takes its own options struct (solvers/typed_solver.h).
//
// A solver has no state: threads may share a solver and an objective, each with its own workspace, pose and observer.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/objective/objective.h"

namespace limber {

class LimitPenalty;

/// One option of a solver. The table of these drives its panel, its JSON, its command-line flags and its validation.
/// Rows are made from the members of the solver's options struct (solvers/option_table.h).
struct OptionInfo {
  enum class Kind { Real, LogarithmicReal, Integer, Switch };
  std::string_view name;   ///< as in files and flags: "alphaInit"
  std::string_view label;  ///< for people: "First step length"
  std::string_view unit;   ///< "", "rad", "1/coordinate", ...
  double minimum;
  double maximum;
  std::string_view tooltip;  ///< what it controls: the formula in which it occurs
  Kind kind;
  double defaultValue;
  double (*read)(const void* options);  ///< the member of the solver's options struct
  void (*write)(void* options, double acceptedValue);

  /// True for a finite value within the range, and whole if the option is an integer or a switch.
  bool accepts(double value) const;
};

/// Option values of any solver, in the order of its table.
using OptionValues = std::vector<double>;

/// How a solver treats joint limits.
enum class LimitHandling {
  Exact,    ///< every iterate is feasible, and the result is a minimum within the limits
  Penalty,  ///< limits are springs: they may be violated slightly
  None,     ///< steps ignore limits; iterates are projected into them, and the result need not be a minimum there
};
std::string_view limitHandlingName(LimitHandling handling);

enum class SolveStatus {
  Converged,     ///< the solver's convergence test holds
  BudgetSpent,   ///< the call's budget ran out; call again with Start::Resume to continue
  IterationCap,  ///< the solver's own cap was reached
  Stalled,       ///< f falls by no more than rounding, but the test does not hold
  Cancelled,     ///< the observer cancelled
  BadInput,      ///< the objective or pose has a number that is not finite, or sizes do not match
};
std::string_view solveStatusName(SolveStatus status);

/// Iterations of one part of a solver: "gdls" then "nm"; a solver has at most two.
struct PhaseCount {
  std::string_view phase = {};
  int iterations = 0;
};

/// The result of a convex relaxation of the positions, from a solver that solves one (solvers/methods/sdp_ik.h).
struct RelaxationSummary {
  int rank = 0;  ///< 1: the relaxation's minimum is a pose; more: a mean of several poses; 0: no relaxation was solved
  double cost = std::numeric_limits<double>::quiet_NaN();       ///< of the answer: root mean square, metres
  double leastCost = std::numeric_limits<double>::quiet_NaN();  ///< lower bound for all poses within the limits
  bool isTight = false;  ///< by that bound, no pose is better than the answer by more than 1 %
};

struct Summary {
  SolveStatus status = SolveStatus::BadInput;
  double objectiveBefore = std::numeric_limits<double>::quiet_NaN();
  double objective = std::numeric_limits<double>::quiet_NaN();
  double gradientNorm = std::numeric_limits<double>::quiet_NaN();  ///< max-norm of the projected gradient at the end
  std::array<PhaseCount, 2> phases = {};
  int phaseCount = 0;
  int evaluations = 0;  ///< of f
  int restarts = 0;     ///< number of runs from random poses; 0 for solvers without any
  /// Largest difference from forward differences during the solve, relative to 1 + the largest entry; NaN if they were
  /// not requested (solvers/steps/forward_differences.h).
  double gradientDifference = std::numeric_limits<double>::quiet_NaN();
  double hessianDifference = std::numeric_limits<double>::quiet_NaN();
  double overstep = 0.0;              ///< of a penalty method: violation of limits before the final projection
  RelaxationSummary relaxation = {};  ///< if the solver has one

  int iterations() const;
};

/// One iterate, for plots.
struct IterationRecord {
  int phase = 0;  ///< index into Summary::phases
  double objective = 0.0;
  double gradientNorm = 0.0;
  double stepNorm = 0.0;  ///< max-norm of the step that led here
  double damping = 0.0;   ///< alpha of a line search, or lambda of a damped solver
};

/// How a call of a solver relates to the given pose and to the last call with the same workspace.
enum class Start {
  Here,      ///< from the pose, which the answer should stay near: the first event of a drag, a change of weights
  Warm,      ///< the same, and the last solve was of nearly the same objective: the solver may keep its multipliers and
             ///< damping. The bits of the answer then also depend on that solve
  Anywhere,  ///< any good minimum, not only the nearest: a solver may begin elsewhere
  Resume,    ///< continues the solve that ended with BudgetSpent in this workspace; the objective must be the same
};

/// The limit of a call. A count, not a time, so that the same input gives the same bits.
struct Budget {
  int iterations = std::numeric_limits<int>::max();
};

/// Receives iterates, on the thread that solves, and can cancel the solve.
class Observer {
 public:
  virtual ~Observer() = default;
  /// False cancels.
  virtual bool onIteration(const IterationRecord& record, const Pose& pose) = 0;
};

/// Memory of one solver in addition to the common memory. The solver's first solve in a workspace creates it.
class SolverMemory {
 public:
  virtual ~SolverMemory() = default;
};

/// Memory of all solvers, sized once for a figure and an objective; further solves allocate nothing. It must be used by
/// one thread at a time.
struct Workspace {
  Evaluation current;  ///< at the accepted pose
  Evaluation trial;    ///< at the trial pose
  Pose trialPose;
  Eigen::VectorXd gradient;   ///< (active x 1)
  Eigen::VectorXd direction;  ///< (active x 1)
  Eigen::VectorXd step;       ///< (stepSize x 1)
  FreeSpace freeSpace;        ///< at the accepted pose
  /// Null if limits hold. Otherwise limits are springs, which are added to f; set for the duration of a call of
  /// Solver::solve (solvers/methods/penalty_methods.h).
  LimitPenalty* springs = nullptr;
  Eigen::VectorXd projected;             ///< (active x 1), gradient within the free space
  std::vector<IterationRecord> history;  ///< at most kHistoryCapacity
  std::vector<std::unique_ptr<SolverMemory>> memories;

  /// The memory of type T, which derives from SolverMemory; created at the first call.
  template <class T>
  T& memoryOf() {
    for (const auto& memory : memories)
      if (T* found = dynamic_cast<T*>(memory.get())) return *found;
    auto made = std::make_unique<T>();
    T& memory = *made;
    memories.push_back(std::move(made));
    return memory;
  }

  /// The state of a solve, so that it can continue after its budget.
  struct Progress {
    bool running = false;
    int phase = 0;
    std::array<int, 2> iterations = {0, 0};
    int evaluations = 0;
    double objectiveBefore = 0.0;
    double damping = 0.0;
    struct Compared {
      double difference = std::numeric_limits<double>::quiet_NaN();  ///< largest so far; NaN before the first
      double entry = 0.0;                                            ///< largest so far
    } gradient, hessian;                                             ///< with forward differences
  } progress;
};

/// Maximum number of history records; later iterates of a longer solve overwrite the last record.
inline constexpr std::size_t kHistoryCapacity = 4096;

/// Description of a solver.
struct SolverInfo {
  std::string_view name;         ///< as in files and flags: "newton"
  std::string_view title;        ///< for people: "Newton (globalised)"
  std::string_view description;  ///< one or two sentences, with the source
  LimitHandling limits = LimitHandling::None;
  std::span<const OptionInfo> options;                 ///< one per member of its options struct
  std::span<const std::string_view> phases = {};       ///< at most two; empty for a single one with the solver's name
  bool needsDenseHessian = false;                      ///< memory grows with the square of the coordinates
  bool isMonotone = true;                              ///< false if f may be higher at the end than at the start
  bool seesOneSidedGoals = true;                       ///< false if the solver ignores obstacles and balance
  std::string (*refusal)(const Objective&) = nullptr;  ///< null if the solver accepts every objective
  /// True if posing tries other minima after the solver has ended: off the active limits, and with a limb bent to the
  /// other side. False for a solver that runs its algorithm as published.
  bool isFollowedUp = false;
  /// Name of the solver that searches for goals that this one has missed: its own name if it starts from other poses
  /// itself; empty for none.
  std::string_view searchSolver = {};
};

class Solver {
 public:
  /// info  outlives the solver
  explicit Solver(const SolverInfo& info) : info_(info) {}
  virtual ~Solver() = default;

  std::string_view name() const { return info_.name; }
  std::string_view title() const { return info_.title; }
  std::string_view description() const { return info_.description; }
  LimitHandling limitHandling() const { return info_.limits; }
  std::span<const OptionInfo> options() const { return info_.options; }
  bool needsDenseHessian() const { return info_.needsDenseHessian; }
  bool isMonotone() const { return info_.isMonotone; }
  bool seesOneSidedGoals() const { return info_.seesOneSidedGoals; }
  bool isFollowedUp() const { return info_.isFollowedUp; }
  std::string_view searchSolver() const { return info_.searchSolver; }
  /// Empty, or a sentence that says why the solver does not support this objective ("FABRIK moves ball joints and
  /// planar chains; joint slide is prismatic"). solve() answers such an objective with BadInput.
  std::string refusal(const Objective& objective) const {
    return info_.refusal ? info_.refusal(objective) : std::string();
  }

  /// Moves `pose` to a lower f within the limits. The pose is first projected into them. BadInput if the solver refuses
  /// the objective, an option is out of range, or sizes or numbers are invalid.
  virtual Summary solve(const Objective& objective, Pose& pose, const OptionValues& options, Workspace& workspace,
                        const Budget& budget = {}, Start start = Start::Here, Observer* observer = nullptr) const = 0;

 protected:
  const SolverInfo& info_;
};

/// The default values of a solver's options.
OptionValues defaultOptions(const Solver& solver);

/// Sets the option of that name; false if the solver has none.
bool setOption(const Solver& solver, std::string_view name, double value, OptionValues& values);

/// Empty, or a sentence that names the option that is out of range or not finite.
std::string validate(const Solver& solver, const OptionValues& options);

}  // namespace limber
