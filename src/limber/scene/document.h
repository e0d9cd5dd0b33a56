// SPDX-License-Identifier: MIT
// The document: everything a user can edit, as one value. An edit makes a new document that shares what it did not
// change (figure and motion are immutable and shared); undo keeps the old ones.
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
#include "limber/scene/motion.h"
#include "limber/scene/obstacle.h"
#include "limber/scene/skin.h"
#include "limber/scene/source_file.h"
#include "limber/scene/timeline.h"

namespace limber {

struct Symmetry;  // scene/symmetry.h
struct PosePrior;  // scene/pose_prior.h

/// What a user changed of a joint; starts as the figure's own values.
struct JointSettings {
  Interval limits;               ///< revolute and prismatic; radians or metres
  BallLimits ballLimits;         ///< ball
  double rigidity = 0.0;         ///< [0, 1]; 1 locks
  bool locked = false;
  bool translationLocked = false;
  std::optional<double> preferred = {};  ///< revolute, radians: toward it a straight limb bends (scene/bend.h)

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
  int id = 0;                                              ///< unique in the document, never reused
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

enum class Mode { Forward, Inverse };

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

struct Selection {
  int joint = -1;  ///< joint and link share an index; -1 for none
  int goal = -1;   ///< id of a goal; -1 for none
  int obstacle = -1;  ///< id of an obstacle; -1 for none
  std::vector<int> links = {};  ///< when several are selected: all of them, ascending, `joint` among them

  bool operator==(const Selection&) const = default;
  bool hasLink(int link) const;
  /// All of them; empty where none is selected.
  std::vector<int> allLinks() const;
};

/// The links are selected, and nothing else; `main` is what panels speak of, when it is none of them the first of them.
Selection selectionOf(std::vector<int> links, int main);

struct Document {
  std::shared_ptr<const Figure> figure;
  std::shared_ptr<const Motion> motion;  ///< null when the figure came without one
  std::vector<std::shared_ptr<const Motion>> clips;  ///< to choose `motion` from; empty when there is no choice
  std::shared_ptr<const Skin> skin;      ///< null when the figure came without one
  std::shared_ptr<const SourceFile> source;  ///< null when the figure came from no file of another program
  int frame = 0;                         ///< the motion's frame last shown
  std::vector<JointSettings> joints;     ///< linkCount
  Pose pose;
  Pose basePose;                         ///< where path-independent solves begin; empty: the rest pose
  std::vector<GoalItem> goals;
  int nextGoalId = 1;
  std::vector<Pin> pins;                 ///< at most one a link
  std::shared_ptr<const PosePrior> posePrior;  ///< how people stand; null where nothing has asked for it yet
  std::vector<Obstacle> obstacles;
  int nextObstacleId = 1;
  bool avoidsItself = false;             ///< links keep out of each other
  bool keepsBalance = false;             ///< the centre of mass stays above what the figure stands on
  std::shared_ptr<const Symmetry> symmetry;  ///< of the figure, while both sides are posed alike; null while not
  std::shared_ptr<const Timeline> timeline;  ///< null for none
  double time = 0.0;                     ///< seconds: where the timeline stands
  std::vector<char> couplingEnabled;     ///< one for each of the figure's couplings
  std::vector<char> linearLimitEnabled;  ///< one for each of the figure's linear limits
  Mode mode = Mode::Inverse;
  bool follow = false;  ///< the selected (or last) target follows the mouse without a button
  SolverSettings solver;
  Selection selection;
};

/// A document for a figure at rest, followers where their drivers want them: settings from the figure, selection empty.
/// A chain (planar, or every joint a ball in one line) gets a goal at its "tip", the rest pose as reference and the
/// assignment's weights (and counts as reached within 1e-2 links, for these weights hold it back); other figures get no
/// goal, the start pose as reference and a rest weight of 0.1. With a motion the pose is that of frame 0.
Document makeDocument(std::shared_ptr<const Figure> figure, std::shared_ptr<const Motion> motion = nullptr);

/// The solver settings of such a document.
SolverSettings defaultSolverSettings(const Figure& figure);

const GoalItem* findGoal(const Document& document, int id);
GoalItem* findGoal(Document& document, int id);

/// Adds an enabled goal whose target is the point's present place; returns its id.
int addGoal(Document& document, int link, const Eigen::Vector3d& pointInLink);
void removeGoal(Document& document, int id);  ///< with its keys and its path

/// Puts every target at its end effector, as entering inverse mode and `r` do.
void moveTargetsToEndEffectors(Document& document);

const Obstacle* findObstacle(const Document& document, int id);
Obstacle* findObstacle(Document& document, int id);
/// Adds it under a new id, which is returned.
int addObstacle(Document& document, Obstacle obstacle);
void removeObstacle(Document& document, int id);

const Pin* findPin(const Document& document, int link);
/// Pins a link where it stands; one that is pinned already takes the new choice and its present place. Neither position
/// nor rotation unpins it. `pointInLink` is the point whose position is pinned.
void pinLink(Document& document, int link, bool position, bool rotation,
             const Eigen::Vector3d& pointInLink = Eigen::Vector3d::Zero());
void unpinLink(Document& document, int link);

/// Switches mode; entering inverse mode moves the targets, never the figure.
void setMode(Document& document, Mode mode);

/// True for a hinge without limits: its angle goes round, and a turn more or less is the same pose.
bool goesRound(const Document& document, int joint);
/// The same, one a joint.
std::vector<char> jointsThatGoRound(const Document& document);

/// True when links keep out of obstacles, or of each other.
bool keepsOutOfThings(const Document& document);

/// True when something is asked of the pose in inverse mode: an enabled goal or a pin.
bool asksSomething(const Document& document);

/// Where a path-independent solve begins: the base pose within the limits, joints that are locked as they stand.
Pose basePoseOf(const Document& document);

/// `r`: the rest pose, targets along.
void resetPose(Document& document);

/// Adds `amount` (radians; metres for prismatic) to one coordinate of a joint, within its limits. `coordinate` counts
/// the joint's step coordinates. Works on ball and free joints too: a turn about the link's own axis. A joint that
/// follows others turns its drivers, each by its share: as little as moves the follower that far to first order. Linear
/// limits and the intervals of followers stop it too.
void turnJoint(Document& document, int joint, int coordinate, double amount);

/// The pose with every joint inside its own limits, followers where their drivers want them.
void clampToLimits(const Document& document, Pose& pose);

/// The document at a frame of its motion; no change without one.
void showFrame(Document& document, int frame);
/// The document at the first frame of another of its clips.
void showClip(Document& document, std::size_t clip);

}  // namespace limber
