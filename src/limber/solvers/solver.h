// SPDX-License-Identifier: MIT
// The interface of all solvers: options in, summary out. A solver is found by name in solvers/registry.h; one that is
// known by its type takes its own options struct, too (solvers/typed_solver.h).
//
// A solver keeps nothing: threads may share one and an objective, each with a workspace, a pose and an observer of its
// own.
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

/// One option of a solver: the table of these makes its panel, its JSON, its command-line flags and its validation.
/// Rows are made from the members of the solver's options struct (solvers/option_table.h).
struct OptionInfo {
  enum class Kind { Real, LogarithmicReal, Integer, Switch };
  std::string_view name;   ///< as in files and flags: "alphaInit"
  std::string_view label;  ///< for people: "First step length"
  std::string_view unit;   ///< "", "rad", "1/coordinate", ...
  double minimum;
  double maximum;
  std::string_view tooltip;  ///< what it controls: the inequality it stands in
  Kind kind;
  double defaultValue;
  double (*read)(const void* options);  ///< the member of an options struct of the solver
  void (*write)(void* options, double acceptedValue);

  /// True for a finite value within the range, whole where it must be.
  bool accepts(double value) const;
};

/// Option values of any solver, in the order of its table.
using OptionValues = std::vector<double>;

/// How a solver treats joint limits.
enum class LimitHandling {
  Exact,    ///< every iterate is feasible, and the end is a minimum within the limits
  Penalty,  ///< limits pull back like springs: they may be overstepped a little
  None,     ///< the step knows no limits; iterates are brought back inside, and the end may be no minimum there
};
std::string_view limitHandlingName(LimitHandling handling);

enum class SolveStatus {
  Converged,     ///< the solver's own test holds
  BudgetSpent,   ///< the call's budget ran out; call again with Start::Resume to go on
  IterationCap,  ///< the solver's own cap was reached
  Stalled,       ///< f no longer falls by more than rounding, yet the test does not hold
  Cancelled,     ///< the observer said stop
  BadInput,      ///< the objective or pose holds a number that is not finite, or sizes do not match
};
std::string_view solveStatusName(SolveStatus status);

/// Iterations of one part of a solver: "gdls" then "nm"; a solver has at most two.
struct PhaseCount {
  std::string_view phase;
  int iterations = 0;
};

/// What is known of a convex relaxation of the places, from a solver that solves one (solvers/methods/sdp_ik.h).
struct RelaxationSummary {
  int rank = 0;  ///< 1: the relaxation's minimum is a pose; more: a mean of several; 0: no relaxation was solved
  double cost = std::numeric_limits<double>::quiet_NaN();       ///< of the answer: root mean square, metres
  double leastCost = std::numeric_limits<double>::quiet_NaN();  ///< of any pose within the limits, at least
  bool isTight = false;  ///< the answer comes so near to that bound that no pose is better by more than 1 %
};

struct Summary {
  SolveStatus status = SolveStatus::BadInput;
  double objectiveBefore = std::numeric_limits<double>::quiet_NaN();
  double objective = std::numeric_limits<double>::quiet_NaN();
  double gradientNorm = std::numeric_limits<double>::quiet_NaN();  ///< max-norm of the projected gradient at the end
  std::array<PhaseCount, 2> phases;
  int phaseCount = 0;
  int evaluations = 0;  ///< of f
  int restarts = 0;     ///< runs from random poses that were begun; 0 for a solver without any
  /// Largest difference of the solve to forward differences, of 1 + the largest entry of the solve; NaN where they are
  /// not asked for (solvers/steps/forward_differences.h).
  double gradientDifference = std::numeric_limits<double>::quiet_NaN();
  double hessianDifference = std::numeric_limits<double>::quiet_NaN();
  double overstep = 0.0;  ///< of a penalty method: how far its own end lay outside limits before it was brought inside
  RelaxationSummary relaxation;  ///< of a solver that solves one

  int iterations() const;
};

/// One iterate, for plots.
struct IterationRecord {
  int phase = 0;  ///< index into Summary::phases
  double objective = 0.0;
  double gradientNorm = 0.0;
  double stepNorm = 0.0;  ///< max-norm of the step that led here
  double damping = 0.0;   ///< alpha of a line search, lambda of a damped solver
};

/// How a call of a solver relates to the pose it is given and to the call before it in the same workspace.
enum class Start {
  Here,      ///< from the pose, which the answer should stay near: the first event of a drag, a change of weights
  Warm,      ///< the same, and the last solve was of nearly the same objective: what it learnt (multipliers, damping)
             ///< may be kept. The bits of the answer then depend on that solve, too
  Anywhere,  ///< any good minimum will do, and the nearest is not asked for: a solver may begin elsewhere
  Resume,    ///< goes on with the solve that last ended with BudgetSpent in this workspace, same objective
};

/// What a call may spend. A count, not a time: the same input gives the same bits.
struct Budget {
  int iterations = std::numeric_limits<int>::max();
};

/// Sees iterates, on the thread that solves, and can stop the solve.
class Observer {
 public:
  virtual ~Observer() = default;
  /// False cancels.
  virtual bool onIteration(const IterationRecord& record, const Pose& pose) = 0;
};

/// What one solver keeps beside the common memory. It is made by the solver's first solve in a workspace.
class SolverMemory {
 public:
  virtual ~SolverMemory() = default;
};

/// Memory of all solvers, sized once for a figure and an objective; solving again allocates nothing. It belongs to one
/// thread at a time.
struct Workspace {
  Evaluation current;  ///< at the accepted pose
  Evaluation trial;    ///< at the pose on trial
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

  /// The memory of type T, which derives from SolverMemory: made when there is none yet.
  template <class T>
  T& memoryOf() {
    for (const auto& memory : memories)
      if (T* found = dynamic_cast<T*>(memory.get())) return *found;
    auto made = std::make_unique<T>();
    T& memory = *made;
    memories.push_back(std::move(made));
    return memory;
  }

  /// Where a solver stands, so that a solve can go on after its budget.
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

/// Most records of history that are kept; later iterates of a longer solve overwrite the last record.
inline constexpr std::size_t kHistoryCapacity = 4096;

/// What a solver says of itself.
struct SolverInfo {
  std::string_view name;         ///< as in files and flags: "newton"
  std::string_view title;        ///< for people: "Newton (globalised)"
  std::string_view description;  ///< one or two sentences, with the source
  LimitHandling limits = LimitHandling::None;
  std::span<const OptionInfo> options;            ///< one a member of its options struct
  std::span<const std::string_view> phases = {};  ///< at most two; empty for one, of the solver's name
  bool needsDenseHessian = false;                 ///< memory grows with the square of the coordinates
  bool isMonotone = true;  ///< false for one whose steps do not look at f, which may be higher in the end
  bool seesOneSidedGoals =
      true;  ///< false for one that goes by points and lengths: obstacles, balance are nothing to it
  std::string (*refusal)(const Objective&) = nullptr;  ///< null for one that takes everything
  /// True where posing tries other minima once the solver has ended: off the limits that hold a joint, and with a limb
  /// bent otherwise. False for a solver that is to be seen as it was published.
  bool isFollowedUp = false;
  /// Name of the solver that looks for goals which this one has missed: its own where it begins from other poses
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
  /// Empty, or a sentence that says why the solver cannot take this objective at all ("FABRIK moves ball joints and
  /// planar chains; joint slide is prismatic"). solve() answers such an objective with BadInput.
  std::string refusal(const Objective& objective) const {
    return info_.refusal ? info_.refusal(objective) : std::string();
  }

  /// Moves `pose` to a lower f within the limits. The pose is first projected into them. BadInput where the solver
  /// refuses the objective, an option is out of range, or nothing can be solved.
  virtual Summary solve(const Objective& objective, Pose& pose, const OptionValues& options, Workspace& workspace,
                        const Budget& budget = {}, Start start = Start::Here, Observer* observer = nullptr) const = 0;

 protected:
  const SolverInfo& info_;
};

/// The defaults of a solver's table.
OptionValues defaultOptions(const Solver& solver);

/// Sets the option of that name; false when the solver has none.
bool setOption(const Solver& solver, std::string_view name, double value, OptionValues& values);

/// Empty, or a sentence that names the option that is out of range or not finite.
std::string validate(const Solver& solver, const OptionValues& options);

}  // namespace limber
