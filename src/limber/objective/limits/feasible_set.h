// SPDX-License-Identifier: MIT
// The poses that limits and couplings allow, one set for all solvers:
//
//   intervals       lower <= q <= upper                            scalar joints
//   balls           swing <= its limit, twist within its interval  ball joints (kinematics/ball_limits.h)
//   linear limits   lower <= sum a_j q_j <= upper                  scalar joints, tied into groups
//   couplings       q_follower = its function of the drivers       applied last
//
// Followers keep their own intervals through their drivers (objective/limits/limit_list.h).
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "limber/objective/limits/limit_list.h"
#include "limber/objective/limits/nearest_point.h"

namespace limber {

/// Several threads may use its const functions at once: those of a set with linear limits take turns at its scratch
/// memory.
class FeasibleSet {
 public:
  FeasibleSet() = default;
  /// Every coordinate that follows nothing counts as active until bind() says otherwise.
  FeasibleSet(const Figure& figure, Limits limits);

  const Couplings& couplings() const { return couplings_; }

  /// Says which step coordinates a solver may change; linear limits take the others as they are.
  void bind(const Figure& figure, const std::vector<int>& active);
  /// True when a linear limit ties two or more active coordinates together.
  bool tiesScalars() const { return tiesScalars_; }
  /// True when one ties this active scalar (of the step) to others.
  bool isTied(int coordinate) const {
    const int group = groupOf_[static_cast<std::size_t>(coordinate)];
    return group >= 0 && groups_[static_cast<std::size_t>(group)].coordinates.size() > 1;
  }

  /// Empty, or which limits leave no pose, or cannot be kept. Of the set as it was built, with everything active.
  const std::string& fault() const { return fault_; }
  /// Empty, or which limits the active coordinates cannot meet together while the others stand where they stand.
  std::string fault(const Pose& pose) const;

  /// Moves the pose into the set: scalars to the nearest values (tied ones together; the inactive ones only into their
  /// own intervals), balls by the shortest swing, then twist, followers to where their drivers want them. Exact at
  /// bounds, to 1e-12 at the others. A pose inside stays as it is. Where the set is empty the intervals win, and
  /// violation() tells.
  void project(Pose& pose) const;
  /// The same, and onto the limits that hold: tied scalars stay on theirs, and balls, whose limits a step within the
  /// free space leaves to second order, go back to theirs.
  void project(Pose& pose, const FreeSpace& space) const;

  /// The joint of FreeSpace::Block::ball.
  int jointOfBall(int ball) const { return ballAt(ball).joint; }
  /// Its limits, made ready.
  const BallRange& rangeOfBall(int ball) const { return ballAt(ball).range; }

  /// True when the scalar coordinate (of the step) stands on its own limit and a move against `gradient` would cross
  /// it.
  bool isHeld(const Pose& pose, int coordinate, double gradient) const;

  /// How far the scalar coordinate (of the step) may go in the direction of `step`; infinite without a limit of its
  /// own, and for scalars that linear limits tie.
  double room(const Pose& pose, int coordinate, double step) const;

  /// Largest distance outside a limit, 0 inside; radians (metres), of linear limits in their own unit. Followers count.
  double violation(const Pose& pose) const;

  /// What the limits leave free at a pose of the set. gradient (active x 1). The projection of -gradient onto the
  /// directions that stay inside tells which limits hold, and how strongly. No allocation when warm.
  void findFreeSpace(const Pose& pose, const Eigen::VectorXd& gradient, FreeSpace& space) const;

  // The limits of the active coordinates one by one, for active-set methods. A ball without any swing has two of the
  // kind Swing, equations both.
  int constraintCount() const { return static_cast<int>(constraints_.size()); }
  LimitKind kind(int j) const { return constraint(j).kind; }
  int index(int j) const { return constraint(j).index; }
  bool isEquality(int j) const { return constraint(j).isEquality; }
  /// The distance to the limit in the coordinates' own units, to first order; >= 0 inside, exact for scalars.
  double slack(const Pose& pose, int j) const;
  /// a (active x 1), unit, outward: the slack falls along +a, by 1 a unit. Zero where a ball's limit has no direction.
  void normal(const Pose& pose, int j, Eigen::VectorXd& a) const;
  /// The multiplier that ActiveLimit reports, when -gradient = a.
  double multiplierScale(const Pose& pose, int j) const;
  /// Largest part of the step in [0, upTo] that stays inside, and the constraint that ends it (-1: none). Equations,
  /// and curved limits on which the pose stands and which the step does not cross to first order, do not: project()
  /// keeps them. Those with ignored[j] != 0 do not end it either; an empty list ignores none.
  double maxStep(const Pose& pose, const Eigen::VectorXd& activeStep, double upTo, int& blocking,
                 std::span<const char> ignored = {}) const;

 private:
  enum class Shape { Scalar, Row, Swing, Twist, AcrossHinge };
  struct Constraint {
    LimitKind kind = LimitKind::Lower;
    int index = -1;
    bool isEquality = false;
    Shape shape = Shape::Scalar;
    int at = 0;         ///< coordinate, row or ball
    int side = 1;       ///< 1 upper, -1 lower; across a hinge the axis, 0 or 1
    double norm = 1.0;  ///< of a row's active coefficients
  };
  /// Active scalars that rows tie, and everything that limits them.
  struct Group {
    std::vector<int> coordinates;  ///< of the step, ascending
    std::vector<int> constraints;  ///< their bounds, then the rows
    int block = -1;                ///< of FreeSpace; -1 for a single coordinate
    NearestPoint nearest;          ///< over all constraints
    NearestPoint cone;             ///< over the candidates
    std::vector<int> candidates;   ///< constraints on which a pose stands
    Eigen::VectorXd x, direction;
  };

  /// A copy has a mutex of its own.
  struct ScratchMutex {
    std::mutex mutex;
    ScratchMutex() = default;
    ScratchMutex(const ScratchMutex&) noexcept {}
    ScratchMutex& operator=(const ScratchMutex&) noexcept { return *this; }
  };
  /// Held by every const function that works on groups; free of cost where there are none.
  std::unique_lock<std::mutex> lockGroups() const {
    return groups_.empty() ? std::unique_lock<std::mutex>() : std::unique_lock(scratch_.mutex);
  }

  // Binding, in this order.
  void formGroups();
  void listConstraints();
  void prepareGroup(Group& group) const;
  std::string nameOf(const Constraint& c) const;
  std::string conflictOf(const Group& group) const;
  const Constraint& constraint(int j) const { return constraints_[static_cast<std::size_t>(j)]; }
  int activeIndex(int coordinate) const { return activeIndex_[static_cast<std::size_t>(coordinate)]; }
  const LimitList::Bound& boundAt(int coordinate) const { return list_.bounds[static_cast<std::size_t>(coordinate)]; }
  const LimitList::Ball& ballAt(int b) const { return list_.balls[static_cast<std::size_t>(b)]; }
  /// Active index of its first coordinate, -1 when it is not active.
  int activeOf(const LimitList::Ball& ball) const { return activeIndex(ball.stepIndex); }
  int poseIndexOf(int coordinate) const { return poseIndices_[static_cast<std::size_t>(coordinate)]; }
  double slackOf(const Constraint& c, const Pose& pose) const;
  double boundOf(const Constraint& c, const Pose& pose) const;
  double scaleOf(const Constraint& c, const Pose& pose) const;
  double sumOf(const LimitList::Row& row, const Pose& pose) const;
  double ballStep(const Constraint& c, const Pose& pose, const Eigen::VectorXd& activeStep, double upTo,
                  double negligible) const;
  bool isInside(const Group& group, const Pose& pose, const FreeSpace::Block* held) const;
  bool projectGroup(Group& group, Pose& pose, const FreeSpace::Block* held = nullptr) const;
  void projectBounds(Pose& pose) const;
  void findFreeScalar(const Pose& pose, int coordinate, double gradient, FreeSpace& space) const;
  void findFreeGroup(const Pose& pose, const Eigen::VectorXd& gradient, Group& group, FreeSpace& space) const;
  void findFreeBall(const Pose& pose, const Eigen::VectorXd& gradient, const LimitList::Ball& ball,
                    FreeSpace::Block& block, std::vector<ActiveLimit>& limits) const;

  Couplings couplings_;
  LimitList list_;
  std::vector<std::string> jointNames_, linearLimitNames_;
  std::vector<int> bounded_;    ///< step coordinates that have a bound and are in no group
  std::vector<int> poseIndices_;            ///< by step coordinate, of scalars
  std::vector<int> activeIndex_, groupOf_;  ///< by step coordinate, -1 for none
  std::vector<int> rowGroups_;              ///< by row, -1 when nothing of it is active
  std::vector<Constraint> constraints_;
  mutable std::vector<Group> groups_;  ///< under lockGroups() once the set is bound
  mutable ScratchMutex scratch_;
  int activeCount_ = 0;
  bool tiesScalars_ = false;
  std::string fault_;
};

}  // namespace limber
