// SPDX-License-Identifier: MIT
// A problem of inverse kinematics: a figure with its limits, where it stands, and what is asked of it. Posing solves it,
// a document contains one, and the library takes one from C++.
//
// The problem is a value. Copies are independent of each other; the figure, the prior and the symmetry are immutable and
// shared.
#pragma once

#include <array>
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

struct Symmetry;   // problem/symmetry.h
struct PosePrior;  // problem/pose_prior.h

/// What a user changed of a joint; starts as the figure's own values.
struct JointSettings {
  Interval limits;               ///< revolute and prismatic; radians or metres
  BallLimits ballLimits;         ///< ball
  double rigidity = 0.0;         ///< [0, 1]; 1 locks
  bool locked = false;
  bool translationLocked = false;
  std::optional<double> preferred = {};  ///< revolute, radians: toward it a straight limb bends (problem/bend.h)

  bool operator==(const JointSettings&) const = default;
};

enum class GoalType {
  Position,             ///< point at target
  Orientation,          ///< the end effector's x and y along the target frame's
  PositionOrientation,  ///< both, shared out by positionShare
  Direction,            ///< the end effector's x along the target frame's x
  Aim,                  ///< the ray from the point along the end effector's x through target
  Line,                 ///< point on the line through target along the target frame's x
  Plane,                ///< point on the plane through target with the target frame's x as normal
  HalfSpace,            ///< point on the side of that plane into which the normal points
  Distance,             ///< point within `distance` of the other link's point, or of target without another link
  Relative,             ///< point at the other link's point, x and y along its x and y
  KeepPose,             ///< the pose `kept`
  CentreOfMass,         ///< the figure's centre of mass above or below target
  Swivel,               ///< the bend between the link and the bone above it toward the target frame's x
};

/// A planted goal: something is asked of an end effector, which is a point and a frame on a link.
struct GoalItem {
  int id = 0;                                              ///< unique in the problem, never reused
  GoalType type = GoalType::Position;
  std::string name;                                        ///< shown in panels; may be empty
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();   ///< metres
  Eigen::Matrix3d frameInLink = Eigen::Matrix3d::Identity();   ///< the end effector's axes, as columns
  Eigen::Vector3d target = Eigen::Vector3d::Zero();        ///< world, metres
  Eigen::Matrix3d targetFrame = Eigen::Matrix3d::Identity();   ///< world: the axes asked for, as columns
  /// c_d of Zhao and Badler's (8) for x and y, in units of length a radian: 1 makes one mean link length count as much
  /// as one radian; 0 leaves the direction free. Goals of one direction use the first.
  std::array<double, 2> directionScale = {1.0, 1.0};
  double positionShare = 0.5;                              ///< w_p of (12), in [0, 1]; w_o = 1 - w_p
  Interval distance;                                       ///< metres, >= 0
  int otherLink = -1;                                      ///< -1 for none
  Eigen::Vector3d pointInOther = Eigen::Vector3d::Zero();  ///< metres, in the other link
  Eigen::Matrix3d frameInOther = Eigen::Matrix3d::Identity();
  Pose kept;                                               ///< KeepPose only, else empty
  std::vector<int> chain;                                  ///< joints that it may use; empty: all of them
  int anyOf = -1;                                          ///< goals that share it are alternatives: only one counts
  double weight = 1.0;                                     ///< relative; multiplies the target weight; >= 0
  bool enabled = true;

  bool operator==(const GoalItem&) const = default;
};

/// A link that stays where it is while others are dragged: met exactly, or shown by how much it cannot be.
struct Pin {
  int link = 0;
  bool position = true;
  bool rotation = true;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();   ///< the point whose position is pinned, metres
  Transform worldFromLink;                                 ///< where the link was pinned

  bool operator==(const Pin&) const = default;
};

/// Where the regulariser pulls: the authored rest pose, or the pose from which a drag (or a solve) began; of a human body
/// to how people stand, from there too (posing/body_prior.h). A drag under Natural pulls to its start.
enum class RestReference { RestPose, StartPose, Natural };

/// What moves when a point is dragged or asked for.
enum class PosingChoice {
  Even,     ///< all joints alike
  Natural,  ///< the limb first, the rest of the body where the limb does not reach; feet keep their place
  Still,    ///< whatever moves the least mass, the limb included
};

/// "even", "natural", "still": the words used in files and on the command line.
std::string_view posingName(PosingChoice choice);
/// The choice of that name; nothing for another word.
std::optional<PosingChoice> findPosing(std::string_view name);

struct SolverSettings {
  std::string solver = "newton";                       ///< a name of the solver registry
  double targetWeight = 1e3;                           ///< w_tar
  double restWeight = 1.0;                             ///< w_reg
  RestReference reference = RestReference::RestPose;
  double reachedTolerance = 1e-3;                      ///< "reached" below this, in mean link lengths and radians
  bool insist = false;                                 ///< let a solver drive that is not exact about limits
  bool pathIndependent = false;                        ///< the same targets give the same pose, whatever came before
  PosingChoice posing = PosingChoice::Even;
  double bodyFollows = 0.0;                            ///< [0, 1], natural posing: the rest comes along; 1 is Even
  /// Option values that differ from the registry's defaults: solver name -> option name -> value.
  std::map<std::string, std::map<std::string, double>> options;

  bool operator==(const SolverSettings&) const = default;
};

struct IkProblem {
  std::shared_ptr<const Figure> figure;
  std::vector<JointSettings> joints;     ///< linkCount
  std::vector<char> couplingEnabled;     ///< one for each of the figure's couplings
  std::vector<char> linearLimitEnabled;  ///< one for each of the figure's linear limits
  Pose pose;
  Pose basePose;                         ///< where path-independent solves begin; empty: the rest pose
  std::vector<GoalItem> goals;
  int nextGoalId = 1;
  std::vector<Pin> pins;                 ///< at most one a link
  std::vector<Obstacle> obstacles;
  int nextObstacleId = 1;
  bool avoidsItself = false;             ///< links keep out of each other
  bool keepsBalance = false;             ///< the centre of mass stays above what the figure stands on
  std::shared_ptr<const Symmetry> symmetry;    ///< of the figure, while both sides are posed alike; null while not
  std::shared_ptr<const PosePrior> posePrior;  ///< how people stand; null where nothing has asked for it yet
  std::vector<std::string> boneOfLink;   ///< the part of the body that each link is, as VRM names it: "leftUpperArm", ""
                                         ///< for none; empty where the figure's file says nothing of it
  std::optional<double> motionFloor;     ///< metres above y = 0: on what the figure stands in its motion
                                         ///< (problem/footholds.h); not set without a motion
  SolverSettings solver;
};

/// The problem of a figure at rest, followers where their drivers want them: settings from the figure, nothing asked.
IkProblem makeIkProblem(std::shared_ptr<const Figure> figure);

/// True for links in one line, hinged in the plane or all on balls: the assignment's chain or its sister, not a robot's
/// arm.
bool isChain(const Figure& figure);

/// The solver settings of such a problem. A chain has the rest pose as reference and the assignment's weights (and counts
/// as reached within 1e-2 links, for these weights hold it back); other figures have the start pose as reference and a
/// rest weight of 0.1.
SolverSettings defaultSolverSettings(const Figure& figure);

const GoalItem* findGoal(const IkProblem& problem, int id);
GoalItem* findGoal(IkProblem& problem, int id);

/// Adds an enabled position goal whose target is the point's present place; returns its id.
int addGoal(IkProblem& problem, int link, const Eigen::Vector3d& pointInLink);

/// Puts every target at its end effector, as entering inverse mode and `r` do.
void moveTargetsToEndEffectors(IkProblem& problem);

const Obstacle* findObstacle(const IkProblem& problem, int id);
Obstacle* findObstacle(IkProblem& problem, int id);
/// Adds it under a new id, which is returned.
int addObstacle(IkProblem& problem, Obstacle obstacle);

const Pin* findPin(const IkProblem& problem, int link);
/// Pins a link where it stands; one that is pinned already takes the new choice and its present place. Neither position
/// nor rotation unpins it. `pointInLink` is the point whose position is pinned.
void pinLink(IkProblem& problem, int link, bool position, bool rotation,
             const Eigen::Vector3d& pointInLink = Eigen::Vector3d::Zero());
void unpinLink(IkProblem& problem, int link);

/// True for a hinge without limits: its angle goes round, and a turn more or less is the same pose.
bool goesRound(const IkProblem& problem, int joint);
/// The same, one a joint.
std::vector<char> jointsThatGoRound(const IkProblem& problem);

/// True when links keep out of obstacles, or of each other.
bool keepsOutOfThings(const IkProblem& problem);

/// True when a goal or a pin asks something.
bool hasGoalsOrPins(const IkProblem& problem);

/// Where a path-independent solve begins: the base pose within the limits, joints that are locked as they stand.
Pose basePoseOf(const IkProblem& problem);

/// `r`: the rest pose, targets along.
void resetPose(IkProblem& problem);

/// The pose with every joint inside its own limits, followers where their drivers want them.
void clampToLimits(const IkProblem& problem, Pose& pose);

}  // namespace limber
