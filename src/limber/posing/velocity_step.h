// SPDX-License-Identifier: MIT
// A differential step: the joint velocities that move ends of a figure as wanted, within velocity limits and joint
// limits, by priorities. One call per control period:
//
//   limber::VelocityStep step(robot);
//   const int tool = step.add({.end = "tool"});
//   step.add({.end = "elbow", .turns = false, .priority = 2});          // stands still, as far as the tool lets it
//   step[tool].twist << 0.1, 0, 0, 0, 0, 0;                             // 0.1 m/s along x of the file, no turn
//   const limber::VelocityAnswer& answer = step.solve(pose, 0.001);     // .velocity, rad/s and m/s; .pose after 1 ms
//
// The velocities v minimise, priority by priority,
//
//   sum over the goals of a priority  w |J v - twist|^2  +  e |v - v'|^2
//
// within  -limit <= v <= limit  and  lower <= q + v seconds <= upper, without changing what goals of earlier priorities
// attain. v' are the velocities that these leave, at first zero, and e is (kDamping s)^2 with the largest row norm s of
// the Jacobians: of many solutions the slowest is chosen. It is an active-set method whose iterates all keep the
// limits. Followers move with their drivers, and the limits of a follower bound its drivers; several drivers share them
// equally. Limits of ball joints hold, too: a turn that would leave them ends at them.
//
// Closed loops come before all priorities: r'(q) v = 0 with their equations r (kinematics/loops.h). The pose after the
// period is the near one in which they are closed, which differs from q + v seconds by terms of second order.
//
// Points, twists and names are as in ik.h. A VelocityStep belongs to one thread at a time. solve() allocates nothing
// after its first call.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/ball_limits.h"
#include "limber/objective/limits/loop_projection.h"
#include "limber/posing/named_end.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// How a point of a site or link should move.
struct VelocityGoal {
  std::string end = {};
  Vector6d twist = Vector6d::Zero();                ///< (linear velocity of the point; angular velocity), per second
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< of the end, in its own axes
  bool inEndAxes = false;                           ///< the twist is along the axes of the end, not of the world
  bool moves = true;                                ///< the linear velocity counts
  bool turns = true;                                ///< the angular velocity counts
  double weight = 1.0;                              ///< relative to goals of the same priority, > 0
  int priority = 1;                                 ///< 1 to kLowestPriority: smaller numbers first
};

struct VelocityAnswer {
  Eigen::VectorXd velocity = {};    ///< (stepSize x 1): radians, metres per second
  Pose pose = {};                   ///< after the period
  std::vector<double> missed = {};  ///< per goal: |J v - twist| of its parts that count, metres and radians taken alike
  std::vector<char> isLimited = {};  ///< per step coordinate: 1 if a limit of velocity or position holds it
  bool isClosed = true;              ///< all loops are closed in `pose`
  bool isReached = false;            ///< every goal is attained up to kReached of its twist and of 1
  static constexpr double kReached = 1e-6;
};

class VelocityStep {
 public:
  static constexpr double kDamping = 1e-5;

  /// With the figure's limits, velocity limits, locks and couplings.
  explicit VelocityStep(std::shared_ptr<const Figure> figure, Axes axes = Axes::File);
  /// With those of a problem, whose goals and pins are not used.
  explicit VelocityStep(const IkProblem& problem, Axes axes = Axes::File);

  /// Returns the goal's index. Throws std::invalid_argument for an unknown end, a weight or priority out of range.
  int add(const VelocityGoal& goal);
  /// The goal, whose twist may change between solves. Other members take effect through add() alone.
  VelocityGoal& operator[](int goal) { return goals_.at(static_cast<std::size_t>(goal)).goal; }
  int goalCount() const { return static_cast<int>(goals_.size()); }
  /// The largest speed of a joint, radians or metres per second, > 0, instead of Joint::velocityLimit. For a ball or a
  /// free joint that of each coordinate of its step.
  void setVelocityLimit(std::string_view joint, double limit);

  const Figure& figure() const { return *figure_; }
  Axes axes() const { return axes_; }

  /// The velocities in a pose, for a period > 0 at whose end the limits hold. The answer is valid until the next call.
  const VelocityAnswer& solve(const Pose& pose, double seconds);

 private:
  struct OwnGoal {
    VelocityGoal goal;
    EndEffector end;
    JacobianOf of;
    Jacobian jacobian;
  };
  /// The goals of one priority: A v = b, in the active coordinates.
  struct Level {
    int priority = 1;
    std::vector<int> goals = {};
    Eigen::MatrixXd a = {};
    Eigen::VectorXd b = {};
    // Scratch of minimise().
    Eigen::MatrixXd projected = {}, gram = {};
    Eigen::VectorXd residual = {}, factor = {};
    Eigen::LDLT<Eigen::MatrixXd> solver = {};
  };
  struct Ball {
    int joint = 0;
    BallRange range;
  };

  void findCoordinates(const IkProblem& problem);
  void setHeight(Level& level, Eigen::Index height) const;
  void arrange();
  void keepLoops(const Pose& pose);
  void fillLevel(Level& level);
  void setBounds(const Pose& pose, double seconds);
  void boundFollower(const Couplings::Follower& follower, const Interval& bounds);
  Interval boundsOf(int joint, double q, double seconds) const;
  void minimise(Level& level, double damping);
  void orthogonalise();
  void leaveEarlierRows();
  bool release(const Level& level, double damping);
  void append(const Level& level);
  void keepBallLimits(const Pose& pose, double seconds);
  void report();

  std::shared_ptr<const Figure> figure_;
  Axes axes_;
  Jacobians jacobians_;
  std::vector<Interval> limits_;        ///< per joint
  std::vector<double> velocityLimits_;  ///< per joint
  std::vector<Ball> balls_;             ///< with limits
  std::vector<int> active_;             ///< step coordinates that may move and follow none
  std::vector<int> activeOf_;           ///< per step coordinate: its place in active_, or -1
  std::vector<int> jointOf_;            ///< per step coordinate
  std::vector<OwnGoal> goals_;
  LoopProjection loops_;
  Level loopLevel_ = {};  ///< before all others
  std::vector<Level> levels_;
  bool isArranged_ = false;

  // Of a solve, in active coordinates.
  Eigen::VectorXd x_, start_, lower_, upper_, step_, gradient_, multipliers_;
  std::vector<signed char> side_;  ///< 0 free; held at the lower (-1) or the upper bound (1)
  Eigen::MatrixXd earlier_;        ///< rows of earlier priorities, the first earlierCount_ of them
  Eigen::MatrixXd basis_;          ///< the same, orthonormal in the free coordinates; the first basisCount_ rows
  Eigen::Index earlierCount_ = 0, basisCount_ = 0;
  Eigen::VectorXd stepSeconds_;
  VelocityAnswer answer_;
};

}  // namespace limber
