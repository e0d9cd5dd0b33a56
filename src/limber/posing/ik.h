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
// Points are in the world, in metres, y up; FileFrame::toScene() converts them from the axes and units of a figure's
// file. Names are those of the figure's sites and links; a site precedes a link of the same name. An unknown name
// throws std::invalid_argument with a sentence that lists the known ones, and so do an axis, a direction and a normal
// of zero length. Other wrong input gives an answer whose outcome is BadInput and whose sentence says why.
//
// An Ik belongs to one thread at a time. Several may share a figure.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "limber/posing/fitter.h"
#include "limber/posing/posing.h"
#include "limber/problem/ik_problem.h"
#include "limber/problem/new_goal.h"

namespace limber {

struct PoseCertificate;

/// A goal for an end effector given by its name; Ik::add() takes it.
struct NewGoal {
  std::string end;                                 ///< of a site or link; empty for the centre of mass
  std::string other = {};                          ///< the end effector that a distance or relative goal is against
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< of the end effector, for directions and looks; else zero
  GoalItem item = {};                              ///< all other members
  std::vector<std::string> joints = {};            ///< that it may use; empty for all

  NewGoal& weight(double weight);                 ///< relative to the other goals, >= 0; 1 at first
  NewGoal& uses(std::vector<std::string> names);  ///< the joints that it may use
  NewGoal& priority(int number);                  ///< 1 to 9: goals of a smaller number are met first; 1 at first
  NewGoal& preference();                          ///< it chooses among the poses that meet the other goals
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
/// The distance between two end effectors within an interval, metres.
NewGoal distance(std::string end, std::string other, const Interval& metres);
/// An end effector at the place of another one, with the same axes.
NewGoal together(std::string end, std::string other);
/// The centre of mass above or below a point.
NewGoal centreOfMass(const Eigen::Vector3d& target);

/// The site or link of that name, as an end effector.
EndEffector endNamed(const Figure& figure, std::string_view name);

/// Which part of a placement a pin keeps; Place means both.
enum class Keep { Place, Position, Rotation };

/// An observed place of a point of the figure.
struct SeenPoint {
  std::string end;        ///< of a site or link
  Eigen::Vector3d place;  ///< in the world, metres
  double weight = 1.0;    ///< relative to the others, > 0
};

/// A goal of an Ik.
struct GoalId {
  int value = -1;
};

/// The pose, and a report that is computed by forward kinematics, independent of the solver.
struct Answer : PosingReport {
  Pose pose;

  bool isReached() const { return outcome == Outcome::Reached; }
};

class Ik {
 public:
  /// At rest, with the figure's limits and couplings, the default solver and no locked joint.
  explicit Ik(std::shared_ptr<const Figure> figure);
  explicit Ik(IkProblem problem);

  GoalId add(const NewGoal& goal);
  void remove(GoalId goal);
  /// The goal, for changes of its target, weight and so on. Throws std::out_of_range if it was removed.
  GoalItem& operator[](GoalId goal);

  /// Keeps a site or link where it is now, exactly. A link has one pin: a new one replaces it.
  void pin(std::string_view end, Keep keep = Keep::Place);
  /// Removes the pin of the link, or of the site's link.
  void unpin(std::string_view end);
  /// Locks a joint at its present angle, or unlocks it.
  void lock(std::string_view joint, bool isLocked = true);

  /// Solves from the present pose, and takes the pose of the answer. The same calls give the same bits.
  Answer solve();
  /// Like solve(), but searches from other poses if goals are missed that may be in reach.
  Answer search();

  /// A bound for how much nearer to their targets any pose could bring the points with position goals; sentenceOf()
  /// (posing/certify.h) describes it.
  PoseCertificate certify() const;
  /// Moves the figure so that its points are as near as possible to their observed places, by least squares: within the
  /// limits, without goals and pins, from rest. Use Fitter (posing/fitter.h) for the frames of a motion. Throws
  /// std::invalid_argument if nothing can be fitted.
  FittedFrame fit(const std::vector<SeenPoint>& seen);

  /// Shows every iterate of solve(), search() and fit() to an observer, which may cancel and must outlive the Ik; null
  /// removes it.
  void observe(Observer* observer);

  const Figure& figure() const { return *problem_.figure; }
  const Pose& pose() const { return problem_.pose; }
  /// Asserts that the pose has the figure's size.
  void setPose(const Pose& pose);
  /// The place and axes of a site or link in the present pose.
  Transform placeOf(std::string_view end) const;

  /// Chooses a solver by its options: setSolver(LevenbergMarquardtOptions{.tolerance = 1e-9}). The answer says if an
  /// option is out of range. The solvers and their options are in limber/solvers/methods.
  template <class Options>
  void setSolver(const Options& options) {
    setSolver(Options::solver(), Options::solver().valuesOf(options));
  }

  /// The problem, for all other settings: limits, rigidities, obstacles, balance, symmetry, weights.
  IkProblem& problem() { return problem_; }
  const IkProblem& problem() const { return problem_; }

 private:
  void setSolver(const Solver& solver, const OptionValues& options);
  Answer run(const PosingRequest& request);

  IkProblem problem_;
  Posing posing_;
  bool isWarm_ = false;
  Observer* observer_ = nullptr;
};

}  // namespace limber
