// SPDX-License-Identifier: MIT
// The one place that turns a problem's goals into an objective, runs a solver within a budget, keeps its warm state,
// and says in words how it went. Window, command line and tests all pose through it.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/problem/ik_problem.h"
#include "limber/solvers/solver.h"

namespace limber {

/// A goal that lives only as long as a drag.
struct DragGoal {
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< world, metres
  double weight = 1.0;
  std::vector<int> chain = {};  ///< joints that it may use; empty: all of them
};

/// Mean link lengths and radians: what multiplier updates leave of a hold or pin.
inline constexpr double kHoldTolerance = 1e-5;

/// Something that keeps its place while others move, and is no pin of the user's: a foot on the ground.
struct Hold {
  GoalItem goal;  ///< what it asks; its id and name do not count
  /// A hold is exact. One with a finite force, in the unit of GoalReport::force, gives way to a larger one, as a heel
  /// does that rises; it is then no failure, and is not reported.
  double force = std::numeric_limits<double>::infinity();
  double tolerance = kHoldTolerance;  ///< that multiplier updates leave; infinite: the goal's weight alone holds it
};
/// Holds for a point of a link, and for a link's rotation.
Hold holdPoint(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& target);
Hold holdRotation(int link, const Eigen::Matrix3d& worldFromLink);

/// What is asked beyond the problem.
struct PosingRequest {
  std::optional<DragGoal> drag;
  std::vector<Hold> holds;  ///< met by multiplier updates
  /// Goals that are asked for beside the problem's, as long as this request: where both sides are posed alike, what
  /// one side is asked as the other sees it.
  std::vector<GoalItem> images;
  std::string solver;             ///< a name in place of the problem's; empty: the problem's
  bool searches = false;          ///< where goals that might be met are missed, looks farther: the default solver from
                                  ///< random poses, the answer nearest to the start first. For a solve that is asked
                                  ///< for once; a drag stays near its pose. "multi-start" and "global" always do
  bool anywhere = false;          ///< any good pose will do, the nearest is not asked for (Start::Anywhere)
  bool followsLast = false;       ///< the next event of the drag that the last request was part of: a solver may
                                  ///< keep what it learnt there, and the answer then depends on it (Start::Warm)
  int leadingLink = -1;           ///< where both sides are posed alike and no link is dragged: that of the side which
                                  ///< the other one takes after
  bool freeRoot = false;          ///< unlock the root's free joint for this solve
  int draggedGoal = -1;           ///< id of the planted goal whose target is dragged
  int draggedPin = -1;            ///< link of the pin that is dragged; without these three all goals count as dragged
  bool letsFeetGo = false;        ///< feet on the ground are not held
  bool letsTrunkTurn = false;     ///< in Natural, a dragged trunk does not keep its orientation
  std::optional<Pose> startPose;  ///< reference of the regulariser under RestReference::StartPose (the pose at
                                  ///< mouse-down); the problem's pose when not set
  bool pullsToStart = false;      ///< to startPose, whatever the problem's reference
  /// True for an event of a drag.
  bool drags() const { return drag || draggedGoal >= 0 || draggedPin >= 0; }
  bool natural = false;  ///< poses a human body by the problem's prior, from its mean, with a free root:
                         ///< as RestReference::Natural, whatever the problem's reference
};

/// Reached and OutOfReach are facts of the pose, whatever the solver says of itself. AtLimits and NearestFound say that
/// no better pose is near: the solver has converged, and the pose is a local minimum (posing/local_minimum.h). All else
/// that ended is Stalled, or IterationCap where the solver might have gone on.
enum class Outcome {
  Idle,
  Reached,
  AtLimits,
  NearestFound,
  OutOfReach,
  Stalled,
  IterationCap,
  BudgetSpent,
  Cancelled,
  BadInput
};
std::string_view outcomeName(Outcome outcome);  ///< "reached", "at limits", "nearest found", "out of reach", ...

struct GoalReport {
  int id = -1;             ///< of the problem's goal; -1 for a drag or a pin
  int pinnedLink = -1;     ///< of a pin; -1 for all else
  int heldLink = -1;       ///< of a point that is held while something is dragged; -1 for all else
  double error = 0.0;      ///< metres left, by forward kinematics computed anew
  double angle = 0.0;      ///< radians left, for goals with directions
  double objective = 0.0;  ///< its share of f; none of what stands by
  double force = 0.0;  ///< with which it pulls or holds: by how much f would fall for each mean link length (radian)
                       ///< that it gave way
  bool reached = false;
  bool outOfReach = false;           ///< proved: no pose reaches it, nor any of its alternatives
  bool directionOutOfReach = false;  ///< likewise its direction; else only its place is
  bool live = true;                  ///< false: of the goals that share its any-of, another one counts
  bool isPreference = false;  ///< it does not count for "reached": it chooses among the poses that meet the goals
  bool isForceSpent = false;  ///< the limited force that drags it is all in use: the body could go on, the pull ends
  int insideObstacle = -1;    ///< id of the obstacle that the target is in and the link keeps out of
  std::string insideOf;       ///< that obstacle in words
};

/// A link that touches an obstacle or another link, or is inside it.
struct ContactReport {
  int link = 0;
  int obstacle = -1;  ///< id; -1: another link
  int otherLink = -1;
  std::string other;       ///< in words: obstacle "table", or the other link's name
  double clearance = 0.0;  ///< metres, by forward kinematics computed anew; below zero: inside
  bool stops = false;      ///< it holds the pose back: without it, f would fall
  bool isInside = false;   ///< deeper than it may be: there was no way out, or the solver does not see it
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< of the link's surface, world
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< unit, world: out of the obstacle or the other link
};

/// Whether the centre of mass is above what carries the figure.
struct BalanceReport {
  double margin = 0.0;  ///< metres: how far inside its support, negative outside
  bool isKept = false;
  bool holdsBack = false;  ///< the figure would lean further if it could
};

/// What holds a pose back that misses goals.
enum class HeldBy {
  Nothing,     ///< but limits, pins and contacts
  EachOther,   ///< the missed goals
  Goal,        ///< one that is met
  Preference,  ///< a goal that is one
  Pull,        ///< the one to the reference
  Body,        ///< which stays while a part of it is dragged
};

struct PosingReport {
  Outcome outcome = Outcome::Idle;
  Summary summary;
  std::vector<GoalReport> goals;
  std::optional<BalanceReport> balance;  ///< while balance is kept
  std::vector<char> limb;                ///< one a link: 1 for what is dragged; empty where nothing stays
  std::vector<int> heldFeet;             ///< links that are held on the ground
  bool bodyMoved = false;                ///< what is outside the limb has moved so far that one sees it
  std::vector<int> limitedJoints;        ///< joints that stand on a limit and would move on if they could
  std::vector<ActiveLimit>
      activeLimits;  ///< what holds the pose back, of one that misses goals these, the largest multiplier first
  HeldBy heldBy = HeldBy::Nothing;      ///< what else does, AtLimits or NearestFound
  std::string holder;                   ///< that goal in words, where it is a Goal or a Preference
  std::vector<ContactReport> contacts;  ///< what touches or is inside, the deepest first
  bool seesContacts = true;  ///< false: the solver knows nothing of obstacles and of links in each other's way
  double worstError = 0.0;   ///< metres, of the goals that count
  double worstAngle = 0.0;   ///< radians, likewise
  std::string sentence;      ///< for the status bar: "at limits: 12 mm left, left_elbow blocks"
  double timeMs = 0.0;       ///< of the last call of advance()
  double totalMs = 0.0;      ///< of the solve so far
};

/// Poses problems; keeps workspace and warm state between calls. It belongs to one thread at a time.
class Posing {
 public:
  Posing();
  ~Posing();

  /// Begins a solve of the problem as it stands (a running one is dropped). False, with the report saying why,
  /// when there is nothing to solve or the settings are bad.
  bool start(const IkProblem& problem, const PosingRequest& request = {});
  bool isRunning() const;
  /// Coordinates that the solve begun last may change.
  int activeCount() const;

  /// Shows every iterate of the solver to an observer, which may cancel; null ends that. It must live as long.
  void observe(Observer* observer);

  /// Runs at most `iterations` of the solver, from the pose reached so far; writes the pose to problem.pose when
  /// it is valid. True when the solve has ended (angles are then wrapped). The problem must be the one given to
  /// start(), or differ from it only in pose and selection. The live branches of any-of goals, and the forces that hold
  /// pins, are kept from solve to solve.
  bool advance(IkProblem& problem, int iterations);

  void cancel();

  const PosingReport& report() const;
  const std::vector<IterationRecord>& history() const;  ///< of the last solve

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Another way out: perturbs the problem's pose within its limits by what the seed says, solves from there, and keeps
/// the result if its f is lower than what a solve from the pose itself reaches; else keeps the latter. The same
/// problem, request and seed give the same bits, on every machine the same perturbation.
PosingReport nudge(Posing& posing, IkProblem& problem, const PosingRequest& request, unsigned seed);

/// start() and advance() to the end: for the command line and tests.
PosingReport solveToEnd(Posing& posing, IkProblem& problem, const PosingRequest& request = {});

/// The place of a position goal's point and its derivatives by the active coordinates, in the figure's file's frame and
/// unit.
struct PointDerivatives {
  int link = 0;
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  Eigen::MatrixXd first;   ///< (3 x active)
  Eigen::MatrixXd second;  ///< (3 active x active): three rows for each active coordinate
};

/// Of every enabled position goal that counts; empty for a problem that is not sound.
std::vector<PointDerivatives> pointDerivatives(const IkProblem& problem);

/// The derivatives of a problem's objective at its pose, and how far they are from central differences.
struct DerivativeCheck {
  std::string fault;  ///< empty, or why there is nothing to check
  std::string note;   ///< empty, or what was added so that there is something to check
  double objective = 0.0;
  Eigen::VectorXd gradient;                  ///< (active x 1)
  Eigen::MatrixXd hessian;                   ///< (active x active)
  std::vector<std::string> coordinateNames;  ///< of the active coordinates: "left_knee", "hip[1]" for balls
  double worstGradientError = 0.0;           ///< relative to 1 + the largest entry within the step
  double worstHessianError = 0.0;
  std::string worstGradientEntry;  ///< "left_knee: analytic -3.1, difference -3.0"
  std::string worstHessianEntry;

  double rounding = 0.0;  ///< of the differences, by bounds on that of f: relative to 1 + the gradient's largest entry
  int kinks = 0;          ///< coordinates not compared: an inequality begins or ends to hold within the step

  /// Central differences in double agree to about 1e-9 of the largest entry; a wrong formula is off by far more.
  bool agrees() const {
    return fault.empty() && worstGradientError < kAgrees + rounding && worstHessianError < kAgrees + rounding;
  }
  static constexpr double kAgrees = 1e-6;
};

/// A problem without goals is checked with one on each site, pulled aside.
DerivativeCheck checkDerivatives(const IkProblem& problem);

}  // namespace limber
