// SPDX-License-Identifier: MIT
// An inverse kinematics problem: a figure with its limits, its pose, and the goals that a solve should meet. posing/
// solves it, a document (scene/) contains one, and programs that use the library build one.
//
// The problem is a value. Copies are independent of each other; the figure, the prior and the symmetry are immutable
// and shared. The functions below have no state, so that threads may use different problems at the same time. Lengths
// are metres, angles radians, and the world's y axis points up.
#pragma once

#include <array>
#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"
#include "limber/problem/obstacle.h"

namespace limber {

struct Symmetry;   // body/symmetry.h
struct PosePrior;  // body/pose_prior.h

/// The settings of one joint. They start as the figure's own values.
struct JointSettings {
  Interval limits = {};        ///< revolute and prismatic; radians or metres
  BallLimits ballLimits = {};  ///< ball
  double rigidity = 0.0;       ///< [0, 1]; 1 locks
  bool locked = false;
  bool translationLocked = false;
  std::optional<double> preferred = {};  ///< revolute, radians: a straight limb bends toward it (problem/bend.h)

  bool operator==(const JointSettings&) const = default;
};

/// The figure's own values.
JointSettings settingsOf(const Joint& joint);

enum class GoalType {
  Position,             ///< point at target
  Orientation,          ///< the end effector's x and y along the target frame's
  PositionOrientation,  ///< both, with weights by positionShare
  Direction,            ///< the end effector's x along the target frame's x
  Aim,                  ///< the ray from the point along the end effector's x through target
  Line,                 ///< point on the line through target along the target frame's x
  Plane,                ///< point on the plane through target with the target frame's x as normal
  HalfSpace,            ///< point on the side of that plane to which the normal points
  Distance,             ///< point within `distance` of the other link's point, or of target without another link
  Relative,             ///< point at the other link's point, x and y along its x and y
  KeepPose,             ///< the pose `kept`
  CentreOfMass,         ///< the figure's centre of mass above or below target
  Swivel,               ///< the bend between the link and the bone above it toward the target frame's x
};

inline constexpr int kLowestPriority = 9;

/// A goal: a requirement on an end effector, which is a point and a frame on a link.
struct GoalItem {
  int id = 0;  ///< unique in the problem, never reused
  GoalType type = GoalType::Position;
  std::string name = {};  ///< shown in panels; may be empty
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();      ///< metres
  Eigen::Matrix3d frameInLink = Eigen::Matrix3d::Identity();  ///< the end effector's axes, as columns
  Eigen::Vector3d target = Eigen::Vector3d::Zero();           ///< world, metres
  Eigen::Matrix3d targetFrame = Eigen::Matrix3d::Identity();  ///< world: the required axes, as columns
  /// c_d of Zhao and Badler (1994), equation 8, for x and y: 1 makes an error of one mean link length count as much as
  /// one of one radian; 0 leaves the direction free. Goals of one direction use the first.
  std::array<double, 2> directionScale = {1.0, 1.0};
  double positionShare = 0.5;                              ///< w_p of (12), in [0, 1]; w_o = 1 - w_p
  Interval distance = {};                                  ///< metres, >= 0
  int otherLink = -1;                                      ///< -1 for none
  Eigen::Vector3d pointInOther = Eigen::Vector3d::Zero();  ///< metres, in the other link
  Eigen::Matrix3d frameInOther = Eigen::Matrix3d::Identity();
  Pose kept = {};               ///< KeepPose only, else empty
  std::vector<int> chain = {};  ///< joints that it may use; empty: all
  int anyOf = -1;               ///< goals that share it are alternatives: only one counts
  int seenIn = -1;              ///< Line: the picture whose ray the line is (scene/reference_picture.h); -1 for none
  double weight = 1.0;          ///< relative; multiplies the target weight; >= 0
  int priority = 1;             ///< 1 to kLowestPriority: goals of a smaller number are met first, whatever the weights
  bool preference = false;      ///< it only chooses among the poses that meet the goals (isPreference())
  bool enabled = true;

  bool operator==(const GoalItem&) const = default;
};

/// A link that keeps its position, rotation or both while others move. A pin is met exactly; if that is impossible, the
/// report has its error.
struct Pin {
  int link = 0;
  bool position = true;
  bool rotation = true;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();  ///< the point whose position is pinned, metres
  Transform worldFromLink = {};                           ///< the pinned position and rotation

  bool operator==(const Pin&) const = default;
};

/// The pose to which the regulariser pulls. RestPose is the authored rest pose, StartPose the pose in which a drag or
/// solve began. Natural pulls a human body to the poses that people take (posing/body_prior.h); a drag under Natural
/// pulls to its start.
enum class RestReference { RestPose, StartPose, Natural };

/// How the joints share a movement when a point is dragged or a goal is solved.
enum class PosingChoice {
  Even,     ///< all joints alike
  Natural,  ///< the limb moves first, then the rest of the body if the limb does not reach; feet stay
  Still,    ///< the least mass moves
};

/// "even", "natural", "still": the words used in files and on the command line.
std::string_view posingName(PosingChoice choice);
/// The choice of that name; empty for other words.
std::optional<PosingChoice> findPosing(std::string_view name);

struct SolverSettings {
  std::string solver = "newton";  ///< a name of the solver registry
  double targetWeight = 1e3;      ///< w_tar
  double restWeight = 1.0;        ///< w_reg
  RestReference reference = RestReference::RestPose;
  double reachedTolerance = 1e-3;              ///< "reached" below this, in mean link lengths and radians
  std::optional<double> reachedDistance = {};  ///< replaces reachedTolerance for lengths, metres
  std::optional<double> reachedAngle = {};     ///< replaces reachedTolerance for angles, radians
  bool insist = false;                         ///< allow a solver that is not exact about limits to solve alone
  bool pathIndependent = false;                ///< the same targets give the same pose, independently of earlier poses
  PosingChoice posing = PosingChoice::Even;
  double bodyFollows = 0.0;  ///< [0, 1], Natural: how far the body follows; 1 is Even
  /// Option values that differ from the registry's defaults: solver name -> option name -> value.
  std::map<std::string, std::map<std::string, double>> options = {};

  bool operator==(const SolverSettings&) const = default;
};

/// Pairs of links that must not overlap.
enum class SelfAvoidance {
  Off,
  Arms,  ///< people: arms and hands with trunk, neck, head, legs and the other arm (body/arm_pairs.h)
  All,   ///< all links except neighbours
};

/// Two different links, the smaller index first.
struct LinkPair {
  int link = 0;
  int other = 0;
  auto operator<=>(const LinkPair&) const = default;
};

struct IkProblem {
  std::shared_ptr<const Figure> figure = {};
  std::vector<JointSettings> joints = {};     ///< linkCount
  std::vector<char> couplingEnabled = {};     ///< one for each of the figure's couplings; see activeCouplings()
  std::vector<char> linearLimitEnabled = {};  ///< one for each of the figure's linear limits
  Pose pose = {};
  Pose basePose = {};  ///< start of path-independent solves; empty: the rest pose
  std::vector<GoalItem> goals = {};
  int nextGoalId = 1;
  std::vector<Pin> pins = {};  ///< at most one per link
  std::vector<Obstacle> obstacles = {};
  int nextObstacleId = 1;
  std::optional<SelfAvoidance> selfAvoidance = {};  ///< not set: what selfAvoidanceOf() says
  std::vector<LinkPair> disabledPairs = {};  ///< ascending: pairs that self-avoidance ignores; setCollision() adds one
  double safetyDistance = 0.0;               ///< metres, >= 0: that links keep from obstacles and from each other
  bool keepsBalance = false;                 ///< the centre of mass stays above what the figure stands on
  std::shared_ptr<const Symmetry> symmetry = {};    ///< of the figure, while both sides are posed alike; null while not
  std::shared_ptr<const PosePrior> posePrior = {};  ///< how people stand; null where nothing has asked for it yet
  std::optional<double> motionFloor = {};  ///< metres above y = 0: the floor on which the figure stands in its motion
                                           ///< (floorOf() in body/footholds.h); not set without a motion
  SolverSettings solver = {};
};

/// The problem of a figure in its rest pose, with followers at the values of their couplings. Settings are the figure's
/// own; there are no goals.
IkProblem makeIkProblem(std::shared_ptr<const Figure> figure);

/// True for a serial chain whose joints are all ball joints, or all hinges of a planar figure. False for robot arms.
bool isChain(const Figure& figure);

/// The solver settings of a new problem. A chain (isChain()) has the rest pose as reference, the default weights, and a
/// reached tolerance of 1e-2 mean link lengths, because those weights keep its tip up to 3e-3 from the target. Other
/// figures have the start pose as reference and a rest weight of 0.1.
SolverSettings defaultSolverSettings(const Figure& figure);

/// Empty, or the first fault that keeps the problem from being solved, in words: no figure, a list of the wrong size, a
/// pose that is not one, limits that are reversed or no numbers, a rigidity outside of [0, 1], an obstacle without a
/// volume, a safety distance that is negative or no number, a pin or a disabled pair of a link that does not exist.
/// Faults of goals are found by findFault() of goal_types.h.
std::string findFault(const IkProblem& problem);
/// Empty, or why the numbers are no limits.
std::string faultOf(const Interval& limits);

const GoalItem* findGoal(const IkProblem& problem, int id);
GoalItem* findGoal(IkProblem& problem, int id);

/// Adds an enabled position goal whose target is the point's current position; returns its id.
int addGoal(IkProblem& problem, int link, const Eigen::Vector3d& pointInLink);

/// Moves every target to its end effector.
void moveTargetsToEndEffectors(IkProblem& problem);

const Obstacle* findObstacle(const IkProblem& problem, int id);
Obstacle* findObstacle(IkProblem& problem, int id);
/// Adds an obstacle under a new id; returns the id.
int addObstacle(IkProblem& problem, Obstacle obstacle);

const Pin* findPin(const IkProblem& problem, int link);
/// Pins a link's current position, rotation or both, and replaces its old pin; with neither, the link is unpinned.
/// `pointInLink` is the point whose position is pinned.
void pinLink(IkProblem& problem, int link, bool position, bool rotation,
             const Eigen::Vector3d& pointInLink = Eigen::Vector3d::Zero());
void unpinLink(IkProblem& problem, int link);

/// True for a hinge without limits: a whole turn more or less is the same pose.
bool goesRound(const IkProblem& problem, int joint);
/// The same, per joint.
std::vector<char> jointsThatGoRound(const IkProblem& problem);

/// "off", "arms", "all": the words used in files.
std::string_view selfAvoidanceName(SelfAvoidance choice);
/// The choice of that name; empty for other words.
std::optional<SelfAvoidance> findSelfAvoidance(std::string_view name);
/// The problem's choice. Without one: Arms if the posing is Natural or Still, else Off. Arms has no effect on a figure
/// without a human's arms.
SelfAvoidance selfAvoidanceOf(const IkProblem& problem);

/// Disables or enables contacts of two links; nothing changes if both are the same link.
void setCollision(IkProblem& problem, int link, int other, bool isEnabled);

/// True if both problems have the same obstacles, self-avoidance, safety distance and balance.
bool hasSameWorld(const IkProblem& a, const IkProblem& b);

/// True if there are obstacles or self-avoidance.
bool avoidsCollisions(const IkProblem& problem);

/// True when there is an enabled goal or a pin.
bool hasGoalsOrPins(const IkProblem& problem);

/// The pose in which a path-independent solve begins: the base pose within the limits. Locked joints keep their current
/// coordinates.
Pose basePoseOf(const IkProblem& problem);

/// Sets the figure to its rest pose, within the limits, and every target to its end effector.
void resetPose(IkProblem& problem);

/// Per coupling: 1 if it is enabled and its follower is neither locked nor rigid. A lock takes precedence: the follower
/// stays, and its drivers move without it.
std::vector<char> activeCouplings(const IkProblem& problem);

/// Clamps every joint to its own limits, and sets followers to the values of their couplings.
void clampToLimits(const IkProblem& problem, Pose& pose);

}  // namespace limber
