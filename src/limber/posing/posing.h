// SPDX-License-Identifier: MIT
// Turns a problem's goals into an objective, runs a solver within a budget, keeps its warm state, and describes the
// result in words. Window, command line and tests all pose through it.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/kinematics/open_loops.h"
#include "limber/problem/ik_problem.h"
#include "limber/solvers/solver.h"

namespace limber {

/// A goal that exists as long as a drag.
struct DragGoal {
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< world, metres
  double weight = 1.0;
  std::vector<int> chain = {};  ///< joints that it may use; empty for all
};

/// Mean link lengths and radians: what multiplier updates leave of a hold or pin.
inline constexpr double kHoldTolerance = 1e-5;

/// Something that keeps its place while the rest moves, and is not a pin of the user: a foot on the ground.
struct Hold {
  GoalItem goal = {};  ///< its id and name are ignored
  /// The largest force, in the unit of GoalReport::force. A hold with a finite force yields to a larger one, as a heel
  /// that rises; this does not count as a failure and is not reported.
  double force = std::numeric_limits<double>::infinity();
  double tolerance = kHoldTolerance;  ///< that multiplier updates leave; if infinite, the goal's weight alone holds it
};
/// Holds a point of a link, or a link's rotation.
Hold holdPoint(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& target);
Hold holdRotation(int link, const Eigen::Matrix3d& worldFromLink);

/// One request for a solve of a problem. CompletedRequest (completed_request.h) adds what follows from both.
struct PosingRequest {
  std::optional<DragGoal> drag = {};
  std::vector<Hold> holds = {};
  /// The holds are met to rounding if that is possible, and poses of an unfinished solve are not shown. Otherwise they
  /// are met to their tolerance.
  bool meetsHolds = false;
  /// Further goals of this request, such as the mirror images of goals if both sides are posed alike.
  std::vector<GoalItem> images = {};
  std::string solver = {};     ///< a solver's name; empty for the problem's solver
  bool searches = false;       ///< if goals are missed that may be in reach: searches with the default solver from
                               ///< random poses, near the start first. Not for drags, which stay near their pose;
                               ///< "multi-start" and "global" always search
  bool anywhere = false;       ///< any good pose is accepted, not only the nearest (Start::Anywhere)
  bool followsLast = false;    ///< the next event of the drag that the last request belonged to: a solver may keep
                               ///< its memory, and the result then depends on it (Start::Warm)
  int leadingLink = -1;        ///< if both sides are posed alike and no link is dragged: a link of the side that the
                               ///< other side mirrors; -1 for the left side
  bool freeRoot = false;       ///< unlock the root's free joint for this solve
  int draggedGoal = -1;        ///< id of the goal whose target is dragged
  int draggedPin = -1;         ///< link of the pin that is dragged; without these three all goals count as dragged
  bool letsFeetGo = false;     ///< feet on the ground are not held
  bool letsTrunkTurn = false;  ///< in Natural, a dragged trunk does not keep its orientation
  std::optional<Pose> startPose = {};  ///< reference of the regulariser under RestReference::StartPose (the pose when a
                                       ///< drag began); empty for the problem's pose
  bool pullsToStart = false;           ///< pull to startPose, whatever the problem's reference
  bool natural = false;  ///< poses a human body by the problem's prior, from its mean and with a free root, as under
                         ///< RestReference::Natural

  /// True for an event of a drag.
  bool drags() const { return drag || draggedGoal >= 0 || draggedPin >= 0; }
};

/// Reached and OutOfReach follow from the pose alone. AtLimits and NearestFound mean that no better pose is near: the
/// solver has converged, and the pose is a local minimum (posing/local_minimum.h). Other solves that ended are Stalled,
/// or IterationCap if the solver could have continued.
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
  int pinnedLink = -1;     ///< link of a pin, otherwise -1
  int heldLink = -1;       ///< link of a hold, otherwise -1
  double error = 0.0;      ///< metres left, by forward kinematics computed anew
  double angle = 0.0;      ///< radians left, for goals with directions
  double objective = 0.0;  ///< its term of f; 0 for alternatives that are not live
  double force = 0.0;  ///< the force of its pull: the decrease of f per mean link length (radian) that it would yield
  bool reached = false;
  bool outOfReach = false;           ///< proved: no pose reaches it or any of its alternatives
  bool directionOutOfReach = false;  ///< its direction is out of reach; otherwise only its place is
  bool live = true;                  ///< false if another goal of its any-of is live
  bool isPreference = false;  ///< "reached" does not depend on it: it chooses among the poses that meet the goals
  bool isForceSpent = false;  ///< its limited force is used up: a larger force would move the body further
  int insideObstacle = -1;    ///< id of the obstacle that contains the target and that the link avoids
  std::string insideOf = {};  ///< its name
};

/// A link that touches or penetrates an obstacle or another link, or is at the safety distance from it or nearer.
struct ContactReport {
  int link = 0;
  int obstacle = -1;  ///< id; -1 for another link
  int otherLink = -1;
  std::string other = {};  ///< in words: obstacle "table", or the other link's name
  double clearance = 0.0;  ///< metres, by forward kinematics computed anew; negative if they penetrate
  double asked = 0.0;      ///< metres: the clearance that the pair must keep, the safety distance; less if the pose may
                           ///< stay as deep as it began
  bool stops = false;      ///< it blocks the pose: without the contact, f would fall
  bool isInside = false;   ///< nearer than asked: the solver found no way out, or does not see contacts
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< on the link's surface, world
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< unit, world: points out of the obstacle or the other link
};

/// Whether the centre of mass is above the support.
struct BalanceReport {
  double margin = 0.0;  ///< metres: distance inside the support, negative outside
  bool isKept = false;
  bool holdsBack = false;  ///< the figure would lean further without the balance goal
};

/// The cause that keeps a pose from goals that it misses.
enum class HeldBy {
  Nothing,     ///< only limits, pins and contacts
  EachOther,   ///< the missed goals pull against each other
  Goal,        ///< a goal that is met
  Preference,  ///< a preference
  Pull,        ///< the pull to the reference
  Body,        ///< the rest of the body, which stays while a part of it is dragged
};

struct PosingReport {
  Outcome outcome = Outcome::Idle;
  Summary summary = {};
  std::vector<GoalReport> goals = {};
  std::optional<BalanceReport> balance = {};  ///< if balance is kept
  std::vector<char> limb = {};                ///< one entry per link: 1 for the dragged limb; empty without a stay term
  std::vector<int> heldFeet = {};             ///< links that are held on the ground
  bool bodyMoved = false;                     ///< the body outside the limb has moved visibly
  std::vector<int> limitedJoints = {};        ///< joints that are blocked by a limit
  std::vector<ActiveLimit> activeLimits = {};  ///< limits that hold the pose back, the largest multiplier first; if
                                               ///< goals are missed, those that hold these back
  HeldBy heldBy = HeldBy::Nothing;             ///< the other cause, if AtLimits or NearestFound
  std::string holder = {};                     ///< the goal or preference in words
  std::vector<ContactReport> contacts = {};    ///< the deepest first
  std::vector<OpenLoop> openLoops = {};        ///< loops of the figure that the pose does not close
  bool seesContacts = true;                    ///< false if the solver ignores obstacles and self-avoidance
  double worstError = 0.0;                     ///< metres, of the goals that count
  double worstAngle = 0.0;                     ///< radians, of the goals that count
  std::string sentence = {};                   ///< for the status bar: "at limits: 12 mm left, held back by left_elbow"
  double timeMs = 0.0;                         ///< of the last call of advance()
  double totalMs = 0.0;                        ///< of the solve so far, with start()
};

struct AnswerDerivative;

/// Poses problems, and keeps workspace and warm state between calls. One thread may use it at a time.
class Posing {
 public:
  Posing();
  ~Posing();
  Posing(Posing&&) noexcept;
  Posing& operator=(Posing&&) noexcept;

  /// Begins a solve of the problem; a running one is dropped. False if nothing can be solved or the settings are
  /// wrong; the report then says why.
  bool start(const IkProblem& problem, const PosingRequest& request = {});
  bool isRunning() const;
  /// Number of coordinates that the last solve may change.
  int activeCount() const;

  /// Shows every iterate of the solver to an observer, which may cancel and must outlive it; null removes it.
  void observe(Observer* observer);

  /// Runs at most `iterations` of the solver from the pose reached so far, and writes the pose to problem.pose if it is
  /// valid. True if the solve has ended (angles are then wrapped). The problem must be that of start() up to pose and
  /// selection. The live branches of any-of goals and the multipliers of pins are kept for the next solve.
  bool advance(IkProblem& problem, int iterations);

  void cancel();

  const PosingReport& report() const;
  /// How the pose of the last solve changes with its targets (posing/answer_derivative.h).
  AnswerDerivative derivative() const;
  const std::vector<IterationRecord>& history() const;  ///< of the last solve

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Tries to leave a local minimum: perturbs the problem's pose within its limits by random numbers from the seed,
/// solves from there, and keeps the result if its f is lower than that of a solve from the pose itself; otherwise keeps
/// the latter. The same problem, request and seed give the same bits, and the same perturbation on every machine.
PosingReport nudge(Posing& posing, IkProblem& problem, const PosingRequest& request, unsigned seed);

/// Calls start(), and advance() to the end. Returns posing.report(), which the next call overwrites.
const PosingReport& solveToEnd(Posing& posing, IkProblem& problem, const PosingRequest& request = {});

/// The place of a position goal's point and its derivatives with respect to the active coordinates, in the frame and
/// unit of the figure's file.
struct PointDerivatives {
  int link = 0;
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  Eigen::MatrixXd first = {};   ///< (3 x active)
  Eigen::MatrixXd second = {};  ///< (3 active x active): three rows for each active coordinate
};

/// Those of every enabled position goal that is live; empty for a faulty problem.
std::vector<PointDerivatives> pointDerivatives(const IkProblem& problem);

/// The derivatives of a problem's objective at its pose, and how far they are from central differences.
struct DerivativeCheck {
  std::string fault = {};  ///< empty, or why nothing can be checked
  std::string note = {};   ///< empty, or which goals were added for the check
  double objective = 0.0;
  Eigen::VectorXd gradient = {};                  ///< (active x 1)
  Eigen::MatrixXd hessian = {};                   ///< (active x active)
  std::vector<std::string> coordinateNames = {};  ///< of the active coordinates: "left_knee", "hip[1]" for balls
  double worstGradientError = 0.0;                ///< relative to 1 + the largest entry within the step
  double worstHessianError = 0.0;
  std::string worstGradientEntry = {};  ///< "left_knee: analytic -3.1, difference -3.0"
  std::string worstHessianEntry = {};

  double rounding = 0.0;  ///< bound for the differences: relative to 1 + the gradient's largest entry
  int kinks = 0;          ///< coordinates that were not compared, because an inequality switches within the step

  /// Central differences in double agree to about 1e-9 of the largest entry; a wrong formula is off by far more.
  bool agrees() const {
    return fault.empty() && worstGradientError < kAgrees + rounding && worstHessianError < kAgrees + rounding;
  }
  static constexpr double kAgrees = 1e-6;
};

/// A problem without goals is checked with one goal per site, whose target is off the site.
DerivativeCheck checkDerivatives(const IkProblem& problem);

}  // namespace limber
