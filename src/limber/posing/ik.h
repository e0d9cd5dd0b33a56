// SPDX-License-Identifier: MIT
// Inverse kinematics in a few lines: a figure, goals for its links and sites by name, and the pose that meets them.
//
//   limber::Ik ik(figure);
//   const limber::GoalId tool = ik.add(limber::position("tool", {0.4, 0.2, 0.1}));
//   ik.pin("base");
//   limber::Answer answer = ik.solve();
//   ik[tool].target = next;
//   answer = ik.solve();             // warm: from the last pose
//
// Points, directions, places and lengths in the world are those of the figure's file, in its axes and unit: z up and
// metres for URDF, often y up and centimetres for BVH. Ik(figure, Axes::Scene) takes and gives them in the scene, where
// y is up and the unit is the metre; for a figure of a FigureBuilder both are the same. Coordinates of a pose are
// radians and metres. Names are those of the figure's sites and links; a site precedes a link of the same name.
//
// Wrong calls throw std::invalid_argument with a sentence that says why: a name that the figure does not have lists the
// known ones; so do an axis, direction or normal of zero length, limits that are reversed, an obstacle without a
// volume. Numbers of goals that are not finite give an answer whose outcome is BadInput and whose sentence says why.
//
// An Ik belongs to one thread at a time. Several may share a figure. A copy has the same goals, pins, settings and
// pose, and solves without the memory of earlier solves; it has no observer.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "limber/posing/all_ways.h"
#include "limber/posing/fitter.h"
#include "limber/posing/named_end.h"
#include "limber/posing/posing.h"
#include "limber/problem/ik_problem.h"
#include "limber/problem/new_goal.h"

namespace limber {

struct PoseCertificate;

/// A goal for an end effector given by its name; Ik::add() takes it.
struct NewGoal {
  std::string end = {};                            ///< of a site or link; empty if the goal has none
  std::string other = {};                          ///< the end effector that a distance or relative goal is against
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< of the end effector, for directions and looks; else zero
  GoalItem item = {};                              ///< all other members, in the axes and unit of the Ik
  std::vector<std::string> joints = {};            ///< that it may use; empty for all

  NewGoal& weight(double weight);                 ///< relative to the other goals, >= 0; 1 at first
  NewGoal& uses(std::vector<std::string> names);  ///< the joints that it may use; at least one
  NewGoal& priority(int number);                  ///< 1 to 9: goals of a smaller number are met first; 1 at first
  NewGoal& preference();                          ///< it chooses among the poses that meet the other goals
  /// Of a placement: how much its position counts, in [0, 1]; its orientation has the rest. 0.5 at first.
  NewGoal& positionShare(double share);
};

/// The end effector's origin at a point.
NewGoal position(std::string end, const Eigen::Vector3d& target);
/// The end effector's axes along those of a frame, columns.
NewGoal orientation(std::string end, const Eigen::Matrix3d& worldFromEnd);
/// The end effector's origin and axes at a frame.
NewGoal placement(std::string end, const Transform& worldFromEnd);
/// An axis of the end effector along a direction of the world; neither is zero.
NewGoal direction(std::string end, const Eigen::Vector3d& axisInEnd, const Eigen::Vector3d& directionInWorld);
/// The ray from the end effector along an axis of it through a point: a look, a pointing finger.
NewGoal lookAt(std::string end, const Eigen::Vector3d& axisInEnd, const Eigen::Vector3d& target);
/// The end effector's origin on the line through a point.
NewGoal onLine(std::string end, const Eigen::Vector3d& point, const Eigen::Vector3d& directionInWorld);
/// The end effector's origin on the plane through a point.
NewGoal onPlane(std::string end, const Eigen::Vector3d& point, const Eigen::Vector3d& normal);
/// The end effector's origin on that plane, or on the side into which the normal points.
NewGoal onSide(std::string end, const Eigen::Vector3d& point, const Eigen::Vector3d& normal);
/// The distance between two end effectors within an interval.
NewGoal distance(std::string end, std::string other, const Interval& lengths);
/// An end effector at the place of another one, with the same axes.
NewGoal together(std::string end, std::string other);
/// The centre of mass above or below a point.
NewGoal centreOfMass(const Eigen::Vector3d& target);

/// The bend of a limb, such as an elbow or a knee, toward a direction: it turns about the line through both ends of the
/// limb. The end is the lower bone of the limb, or a site on it. A preference.
NewGoal swivel(std::string end, const Eigen::Vector3d& directionInWorld);
/// Every joint at its coordinates in a pose. A preference.
NewGoal keepPose(const Pose& pose);

/// Which part of a placement a pin keeps; Place means both.
enum class Keep { Place, Position, Rotation };

/// An observed place of a point of the figure.
struct SeenPoint {
  std::string end = {};                             ///< of a site or link
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< in the world
  double weight = 1.0;                              ///< relative to the others, > 0
};

/// A goal of an Ik and of its copies; no other Ik accepts it.
struct GoalId {
  std::uint64_t value = 0;  ///< no two goals of a program have the same
  bool operator==(const GoalId&) const = default;
};

/// The pose, and a report that is computed by forward kinematics, independent of the solver. Its lengths, points and
/// normals are in the axes and unit of the Ik; a GoalReport belongs to the goal whose GoalItem has its id.
struct Answer : PosingReport {
  Pose pose = {};

  bool isReached() const { return outcome == Outcome::Reached; }
};

/// How the pose of an answer changes with the targets of its goals.
struct AnswerJacobian {
  /// Where the columns of a goal begin; -1 for a goal without a target point, or without target axes or direction.
  struct Columns {
    GoalId goal = {};
    int position = -1;  ///< three columns: the target moves along x, y, z of the Ik's axes, in its unit
    int rotation = -1;  ///< three columns: the target's axes or direction turn about x, y, z of the Ik's axes, radians
  };

  std::string fault = {};           ///< empty, or a sentence that says why the pose has no derivative
  Eigen::MatrixXd matrix = {};      ///< (stepSize x columns): steps of the joints (Joint::stepIndex), radians, metres
  std::vector<Columns> goals = {};  ///< in the order of the goals
};

class Ik {
 public:
  /// At rest, with the figure's limits and couplings, the default solver and no locked joint.
  explicit Ik(std::shared_ptr<const Figure> figure, Axes axes = Axes::File);
  /// With the pose, goals, pins, obstacles and settings of a problem.
  explicit Ik(IkProblem problem, Axes axes = Axes::File);
  Ik(const Ik& other);
  Ik(Ik&&) noexcept = default;
  Ik& operator=(const Ik& other);
  Ik& operator=(Ik&&) noexcept = default;
  ~Ik() = default;

  GoalId add(const NewGoal& goal);
  /// Throws std::out_of_range, as operator[] does, for a goal that was removed or belongs to another Ik.
  void remove(GoalId goal);
  /// The goal, for changes of its target, weight and so on, in the axes and unit of the Ik.
  GoalItem& operator[](GoalId goal);
  const GoalItem& operator[](GoalId goal) const;
  /// All goals, in the order in which they were added.
  std::vector<GoalId> goals() const;
  /// Makes goals alternatives: only the nearest counts.
  void anyOf(const std::vector<GoalId>& goals);

  /// Keeps a site or link where it is now, exactly. A link has one pin: a new one replaces it.
  void pin(std::string_view end, Keep keep = Keep::Place);
  /// Removes the pin of the link, or of the site's link.
  void unpin(std::string_view end);

  /// Locks a joint at its present angle, or unlocks it.
  void lock(std::string_view joint, bool isLocked = true);
  /// The limits of a hinge, radians, or of a slide, metres; infinite for none.
  void setLimits(std::string_view joint, double lower, double upper);
  /// Resistance of a joint to motion, [0, 1]: 0 for none; 1: it does not move.
  void setRigidity(std::string_view joint, double rigidity);

  /// Adds a box that the links avoid: its middle with the directions of its edges, and the lengths of its edges.
  /// Returns the obstacle's number.
  int addBox(const Transform& worldFromBox, const Eigen::Vector3d& size, std::string name = {});
  /// Adds a floor or wall; the links stay on the side into which the normal points.
  int addPlane(const Eigen::Vector3d& point, const Eigen::Vector3d& normal, std::string name = {});
  /// Adds the convex hull of points, in the frame of the place, which the links avoid: the vertices of a mesh.
  int addMesh(const std::vector<Eigen::Vector3d>& points, const Transform& worldFromMesh = {}, std::string name = {});
  /// Adds a sphere that the links avoid.
  int addSphere(const Eigen::Vector3d& centre, double radius, std::string name = {});
  /// Adds a capsule that the links avoid: all points within the radius of the line between two points.
  int addCapsule(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double radius, std::string name = {});
  void removeObstacle(int number);

  /// Whether the centre of mass stays above the feet.
  void setKeepsBalance(bool keeps) { problem_.keepsBalance = keeps; }
  bool keepsBalance() const { return problem_.keepsBalance; }
  /// Whether links avoid each other.
  void setAvoidsItself(bool avoids) { problem_.selfAvoidance = avoids ? SelfAvoidance::All : SelfAvoidance::Off; }
  bool avoidsItself() const { return selfAvoidanceOf(problem_) == SelfAvoidance::All; }
  /// Lets two links, or the links of two sites, overlap although links avoid each other, or no longer: such a pair is
  /// neither held apart nor reported. Problems of readProblem() begin with the pairs that a robot's SRDF file disables.
  void disableCollision(std::string_view link, std::string_view other, bool isDisabled = true);
  /// The distance that links keep from obstacles, and from each other where they avoid each other, >= 0; 0 at first.
  void setSafetyDistance(double length);
  double safetyDistance() const { return problem_.safetyDistance / frame_.metresPerUnit; }
  /// The error below which a goal is reached: at first 0.001 mean link lengths, 0.001 radians (0.01 for a chain).
  void setReachedDistance(double length);
  double reachedDistance() const;
  void setReachedAngle(double radians);
  double reachedAngle() const;
  /// The weight of the pull to the rest pose or the present one, >= 0, where goals have 1000.
  void setRestWeight(double weight);
  double restWeight() const { return problem_.solver.restWeight; }

  /// Solves from the present pose, and takes the pose of the answer, which is valid until the next call. The same calls
  /// give the same bits.
  const Answer& solve();
  /// Like solve(), but searches from other poses if goals are missed that may be in reach.
  const Answer& search();

  /// The derivative of the last answer's pose by its targets, for solves from the same pose. Limits that hold it,
  /// locks, couplings and live alternatives are held. The fault says why there is none: a singular pose, joints that no
  /// goal and no pull holds, a contact that presses, a solver that does not end at a minimum.
  AnswerJacobian answerJacobian() const;

  /// All poses of an arm that meet the only goal, by closed forms; see allWaysOf(). The pose does not change. The
  /// fault of the result says why the problem has no closed form.
  AllWays solveAll(const AllWaysOptions& options = {}) const;

  /// A bound for how much nearer to their targets any pose could bring the points with position goals, in metres;
  /// sentenceOf() (posing/certify.h) describes it.
  PoseCertificate certify() const;
  /// Moves the figure so that its points are as near as possible to their observed places, by least squares: within the
  /// limits, without goals and pins, from rest. Use Fitter (posing/fitter.h) for the frames of a motion.
  FittedFrame fit(const std::vector<SeenPoint>& seen);

  /// Shows every iterate of solve(), search() and fit() to an observer, which may cancel and must outlive the Ik; null
  /// removes it.
  void observe(Observer* observer);

  const Figure& figure() const { return *problem_.figure; }
  Axes axes() const { return axes_; }
  const Pose& pose() const { return problem_.pose; }
  void setPose(const Pose& pose);
  /// The place and axes of a site or link in the present pose.
  Transform placeOf(std::string_view end) const;
  /// (6 x stepSize): how a point of a site or link moves in the present pose, see Jacobians::compute(). `of.axes` is
  /// that of the Ik.
  Jacobian jacobianOf(std::string_view end, JacobianOf of = {}) const;

  /// Chooses a solver by its options: setSolver(LevenbergMarquardtOptions{.tolerance = 1e-9}). The answer says if an
  /// option is out of range. The solvers and their options are in limber/solvers/methods.
  template <class Options>
  requires requires { Options::solver(); }
  void setSolver(const Options& options) { setSolver(Options::solver(), Options::solver().valuesOf(options)); }
  /// The same by the solver's name, such as "lm", with the options that differ from their defaults.
  void setSolver(const std::string& name, const std::map<std::string, double>& options = {});

  /// The problem that is solved, in the scene: metres, y up. To change what has no function above, change a copy and
  /// make an Ik of it.
  const IkProblem& problem() const;

 private:
  struct OwnGoal {
    GoalId id;
    GoalItem item;  ///< in the axes and unit of the Ik
  };

  const OwnGoal* find(GoalId goal) const;
  int addObstacle(Obstacle obstacle);
  void setSolver(const Solver& solver, const OptionValues& options);
  void bringGoals() const;
  const Answer& run(const PosingRequest& request);

  Axes axes_ = Axes::File;
  FileFrame frame_;
  mutable IkProblem problem_;  ///< in the scene; its goals are those of goals_ after bringGoals()
  std::vector<OwnGoal> goals_;
  Posing posing_;
  Answer answer_;
  bool isWarm_ = false;
  Observer* observer_ = nullptr;
};

}  // namespace limber
