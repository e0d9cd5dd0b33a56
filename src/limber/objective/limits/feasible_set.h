// SPDX-License-Identifier: MIT
// The set of poses that limits and couplings allow, the same for all solvers:
//
//   intervals       lower <= q <= upper                            scalar joints
//   balls           swing <= its limit, twist within its interval  ball joints (kinematics/ball_limits.h)
//   linear limits   lower <= sum a_j q_j <= upper                  scalar joints, tied into groups
//   couplings       q_follower = a function of its drivers         applied last
//
// The intervals of followers become limits of their drivers (objective/limits/limit_list.h).
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "limber/objective/limits/limit_list.h"
#include "limber/objective/limits/nearest_point.h"

namespace limber {

/// Thread safety: several threads may call const functions at once. In a set with linear limits a mutex guards the
/// scratch memory.
class FeasibleSet {
 public:
  FeasibleSet() = default;
  /// All coordinates but followers are active until bind() is called.
  FeasibleSet(const Figure& figure, Limits limits);

  const Couplings& couplings() const { return couplings_; }

  /// Sets the step coordinates that a solver may change; the others are constants in linear limits.
  void bind(const Figure& figure, const std::vector<int>& active);
  /// True if a linear limit ties two or more active coordinates.
  bool tiesScalars() const { return tiesScalars_; }
  /// True if a linear limit ties this active scalar (step coordinate) to others.
  bool isTied(int coordinate) const {
    const int group = groupOf_[coordinate];
    return group >= 0 && groups_[group].coordinates.size() > 1;
  }

  /// A sentence that names limits that contradict each other or cannot be kept, for the set with all coordinates
  /// active; else empty.
  const std::string& fault() const { return fault_; }
  /// A sentence that names limits of the set's figure that the active coordinates cannot meet together while the others
  /// keep their values of `pose`; else empty.
  std::string fault(const Figure& figure, const Pose& pose) const;

  /// Projects the pose onto the set: scalars to the nearest values (tied ones together, inactive ones only into their
  /// own intervals), balls by the shortest swing, then twist, and followers to their drivers' values. Exact at
  /// intervals, to 1e-12 at other limits. A pose inside is not changed. If the set is empty, intervals are kept and
  /// violation() is positive.
  void project(Pose& pose) const { project(pose, nullptr); }
  /// The same, and onto the limits that hold in `space`: tied scalars stay on theirs, and balls return to theirs, which
  /// a step within the free space leaves to second order.
  void project(Pose& pose, const FreeSpace& space) const { project(pose, &space); }

  /// The joint of ball FreeSpace::Block::ball.
  int jointOfBall(int ball) const { return list_.balls[ball].joint; }
  /// The limits of that ball.
  const BallRange& rangeOfBall(int ball) const { return list_.balls[ball].range; }

  /// True if a scalar (step coordinate) is at its own limit and a move against `gradient` would cross it.
  bool isHeld(const Pose& pose, int coordinate, double gradient) const;

  /// Distance of a scalar (step coordinate) to its own limit in the direction of `step`; infinite without one, and for
  /// scalars that linear limits tie.
  double room(const Pose& pose, int coordinate, double step) const;

  /// Largest violation of a limit, 0 inside: radians or metres, for linear limits in their own unit. Includes
  /// followers.
  double violation(const Pose& pose) const;

  /// Computes the free space at a pose of the set. The projection of -gradient (active x 1) onto the cone of feasible
  /// directions gives the limits that hold and their multipliers. Allocates nothing once sized.
  void findFreeSpace(const Pose& pose, const Eigen::VectorXd& gradient, FreeSpace& space) const;

  // The limits of the active coordinates one by one, for active-set methods. A ball that cannot swing has two equality
  // constraints of the kind Swing.
  int constraintCount() const { return static_cast<int>(constraints_.size()); }
  LimitKind kind(int j) const { return constraints_[j].kind; }
  int index(int j) const { return constraints_[j].index; }
  bool isEquality(int j) const { return constraints_[j].isEquality; }
  /// Distance to the limit in the coordinates' own units, to first order; >= 0 inside, exact for scalars.
  double slack(const Pose& pose, int j) const { return slackOf(constraints_[j], pose); }
  /// a (active x 1) = the outward unit normal, minus the gradient of the slack. Zero where a ball's limit has none.
  void normal(const Pose& pose, int j, Eigen::VectorXd& a) const;
  /// The multiplier of ActiveLimit for -gradient = a.
  double multiplierScale(const Pose& pose, int j) const { return scaleOf(constraints_[j], pose); }
  /// Largest factor of the step in [0, upTo] that stays inside, and in `blocking` the constraint that limits it (-1 for
  /// none). Not considered are equality constraints, curved limits at the pose that the step does not cross to first
  /// order (project() keeps both), and those with ignored[j] != 0; an empty list ignores none.
  double maxStep(const Pose& pose, const Eigen::VectorXd& activeStep, double upTo, int& blocking,
                 std::span<const char> ignored = {}) const;

 private:
  static constexpr double kOnLimit = 1e-11;  // radians, metres: a pose this close to a limit is on it

  enum class Shape { Scalar, Row, Swing, Twist, AcrossHinge };
  struct Constraint {
    LimitKind kind = LimitKind::Lower;
    int index = -1;
    bool isEquality = false;
    Shape shape = Shape::Scalar;
    int at = 0;         ///< index of its coordinate, row or ball
    int side = 1;       ///< 1 upper, -1 lower; of AcrossHinge the axis, 0 or 1
    double norm = 1.0;  ///< of a row's active coefficients
  };
  /// Active scalars that rows tie, with all their limits.
  struct Group {
    std::vector<int> coordinates;  ///< step coordinates, ascending
    std::vector<int> constraints;  ///< their bounds, then the rows
    int block = -1;                ///< in FreeSpace; -1 for a single coordinate
    NearestPoint nearest;          ///< over all constraints
    NearestPoint cone;             ///< over the candidates
    std::vector<int> candidates;   ///< constraints that are active at a pose
    Eigen::VectorXd x, direction;
  };

  /// A copy has its own mutex.
  struct ScratchMutex {
    std::mutex mutex;
    ScratchMutex() = default;
    ScratchMutex(const ScratchMutex&) noexcept {}
    ScratchMutex& operator=(const ScratchMutex&) noexcept { return *this; }
  };
  /// Every const function that works on groups holds this lock. It costs nothing if there are none.
  std::unique_lock<std::mutex> lockGroups() const {
    return groups_.empty() ? std::unique_lock<std::mutex>() : std::unique_lock(scratch_.mutex);
  }

  // Steps of bind(), in order.
  void formGroups();
  void listConstraints();
  void prepareGroup(Group& group) const;
  static std::string nameOf(const Figure& figure, const Constraint& c);
  std::string conflictOf(const Figure& figure, const Group& group) const;
  /// Active index of the ball's first coordinate, -1 if it is not active.
  int activeOf(const LimitList::Ball& ball) const { return activeIndex_[ball.stepIndex]; }
  double slackOf(const Constraint& c, const Pose& pose) const;
  double boundOf(const Constraint& c, const Pose& pose) const;
  double scaleOf(const Constraint& c, const Pose& pose) const;
  double sumOf(const LimitList::Row& row, const Pose& pose) const;
  double ballStep(const Constraint& c, const Pose& pose, const Eigen::VectorXd& activeStep, double upTo,
                  double negligible) const;
  bool isInside(const Group& group, const Pose& pose, const FreeSpace::Block* held) const;
  bool projectGroup(Group& group, Pose& pose, const FreeSpace::Block* held = nullptr) const;
  void project(Pose& pose, const FreeSpace* space) const;
  void projectBounds(Pose& pose) const;
  void findFreeScalar(const Pose& pose, int coordinate, double gradient, FreeSpace& space) const;
  void findFreeGroup(const Pose& pose, const Eigen::VectorXd& gradient, Group& group, FreeSpace& space) const;
  void findFreeBall(const Pose& pose, const Eigen::VectorXd& gradient, const LimitList::Ball& ball,
                    FreeSpace::Block& block, std::vector<ActiveLimit>& limits) const;

  Couplings couplings_;
  LimitList list_;
  std::vector<int> bounded_;                ///< step coordinates that have a bound and are in no group
  std::vector<int> poseIndices_;            ///< by step coordinate, of scalars
  std::vector<int> activeIndex_, groupOf_;  ///< by step coordinate, -1 for none
  std::vector<int> rowGroups_;              ///< by row, -1 if no coordinate of it is active
  std::vector<Constraint> constraints_;
  mutable std::vector<Group> groups_;  ///< guarded by lockGroups() once the set is bound
  mutable ScratchMutex scratch_;
  int activeCount_ = 0;
  bool tiesScalars_ = false;
  std::string fault_;
};

}  // namespace limber
