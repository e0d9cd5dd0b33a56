// SPDX-License-Identifier: MIT
// What stays while something is dragged (docs/natural_posing.md): the mass of the links outside the dragged limb keeps
// its places, their joints resist more, feet on the ground are held, and the pull on what is dragged has a limit. What
// hangs on a dragged link, a dragged foot and a dragged trunk keep their rotation.
//
//   Natural   the limb moves first: all of that
//   Still     every link keeps its place, the limb's, too; joints alike, the root as it is
//   Even      nothing of it: joints alone pull back
//
// A chain, or an arm whose base stands still, has nothing outside its limb: there Natural is Even to the last bit.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "limber/body/footholds.h"
#include "limber/body/two_bones.h"
#include "limber/objective/stay_term.h"
#include "limber/posing/gaze.h"
#include "limber/posing/posing.h"

namespace limber {

/// True when a drag of the problem is posed in Natural: by its choice, with a pull to the start pose.
bool dragsNaturally(const IkProblem& problem);

/// A ball joint that resists less about one axis: the spine below a dragged head about its length, and the hips and
/// ankles of standing legs about the axes of their knees.
struct LooseAxis {
  int link = 0;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitY();  ///< unit, link frame, in the reference pose
  double resistance = 1.0;                          ///< about the axis
};

/// A leg that stands under a dragged trunk.
struct StandingLeg {
  int foot = 0;  ///< link
  TwoBones bones;
  std::optional<FootBall> ball;
};

/// A limb of two bones that moves first.
struct MovedLimb {
  int link = -1;  ///< of the goal that moves it
  TwoBones bones;
  bool isLeg = false;  ///< it comes down to the ground at rest
};

/// The pull on an arm of a person.
struct ArmPull {
  int upper = -1;                                      ///< the link of the upper arm
  Eigen::Vector3d shoulder = Eigen::Vector3d::Zero();  ///< its joint at the start, world
  double length = 0.0;                                 ///< from there to the dragged point, along the arm
};

class Staying {
 public:
  /// Of a solve whose reference is the pose that it starts from. The problem's pose counts for its locked joints.
  Staying(const IkProblem& problem, const PosingRequest& request);

  /// True when it would be the same for that problem and request.
  bool fits(const IkProblem& problem, const PosingRequest& request) const;

  /// False where nothing stays but what always did.
  bool isOn() const { return isOn_; }
  /// One a link: 1 for the limb that is dragged.
  const std::vector<char>& limb() const { return limb_; }
  /// Links that stand on the ground and are held there.
  const std::vector<int>& heldFeet() const { return heldFeet_; }
  /// What holds them.
  const std::vector<Hold>& holds() const { return holds_; }
  /// The limb of two bones that a goal on this link moves first; null for none.
  const TwoBones* findTwoBones(int link) const;
  /// Transforms of the reference pose.
  const Kinematics& there() const { return there_; }
  /// True for goals that pull with a limited force: those that are dragged.
  bool isPulled(const GoalItem& goal) const;
  /// One a joint: how many times its pull to the reference counts, >= 1.
  double resistance(int joint) const { return resistances_[joint]; }
  const std::vector<LooseAxis>& looseAxes() const { return looseAxes_; }
  bool keepsRotation(int link) const {
    return std::ranges::find(rotations_, link, &StayTerm::Rotation::link) != rotations_.end();
  }
  /// The legs of two bones on held feet while a trunk is dragged; none while anything else is.
  const std::vector<StandingLeg>& standingLegs() const { return standingLegs_; }
  /// True for a joint whose own small part of the body would hardly move against it: it stays as it is.
  bool isResting(int joint) const { return isOn_ && resting_[joint] != 0; }
  /// What keeps a head level and in place while `goal` turns it; empty for goals that do not make a head look
  /// somewhere.
  std::vector<std::unique_ptr<Goal>> gazeGoals(const GoalItem& goal) const;
  /// The same after a detour of a hand, a link (ArmDetour): the joints of the limb are pulled to `pose`, the spine
  /// resists less, and the hand is pulled with more force.
  std::shared_ptr<const Staying> afterDetour(const Pose& pose, int hand) const;
  /// After a detour: gives the joints of the limb their reference pose. Else it changes nothing.
  void placeLimb(Pose& reference) const;
  /// The largest force of a goal of weight 1: its weight times its residual. Within an arm's length of the shoulder a
  /// hand of a person is pulled so gently that limits and the own body stop the arm and do not turn the trunk.
  double forceLimit(const GoalItem& goal) const;
  /// The arm that the goal pulls to a place; nothing for other goals and figures, or without self-avoidance.
  std::optional<ArmPull> armPull(const GoalItem& goal) const;
  /// moves: one a step coordinate, of the objective.
  const StayTerm& term(std::span<const char> moves) const;

  /// True when what is outside the limb has moved so far that one sees it.
  bool hasBodyMoved(const Kinematics& kinematics) const;
  /// One a step coordinate: 1 for what `moves` has within the limb.
  std::vector<char> movesOfLimb(const std::vector<char>& moves) const;

 private:
  struct Key {
    std::shared_ptr<const Figure> figure;
    PosingChoice posing = PosingChoice::Even;
    double bodyFollows = 0.0, restWeight = 0.0;
    bool holdsFeet = false, keepsOut = false, letsTrunkTurn = false, tiesLimbs = false;
    SelfAvoidance selfAvoidance = SelfAvoidance::Off;
    Pose start;
    std::vector<int> dragged;  ///< links: those of `goals` first, then of pins, images and what is tied to them
    std::vector<int> goals;    ///< ids of the goals that are dragged; -1 for a drag
    std::vector<int> asked;    ///< links of further goals and of pins
    std::vector<int> turned;   ///< links whose rotation a goal or a pin determines
    std::vector<Eigen::Vector3d> points;  ///< of `goals`, metres, in the link
    std::vector<Sight> sights;            ///< of goals that turn a link to a place or a direction
    bool operator==(const Key&) const = default;
  };
  static Key keyOf(const IkProblem& problem, const PosingRequest& request);
  void findLimb();
  void addLargerLimb(int link, const std::vector<char>& limb);
  void holdFeet(const IkProblem& problem);
  void holdFoot(const FootBall& ball, bool isTrunkDragged);
  void findMovedLimbs();
  void keepRotations();
  void keepRotationsBehind(const MovedLimb& limb, const Eigen::Vector3d& point);
  const MovedLimb* findMovedLimb(int link) const;
  void keepRotation(StayTerm::Rotation rotation);
  void loosenSpine(double bending, double twisting);
  void keepKneesAhead(double across);
  void foldLikeHinges();
  void loosen(int link, const Eigen::Vector3d& axis, double about, double across);
  void weigh(const IkProblem& problem);
  void findResting();
  void restTogether();
  void findArms();

  Key key_;
  bool isOn_ = false;
  Kinematics there_;   ///< of the start
  double size_ = 1.0;  ///< of the figure, metres
  std::vector<char> limb_;
  std::vector<char> largerLimb_;  ///< that the limb is a part of
  std::vector<char> trunks_;      ///< BodyMap::trunks()
  std::vector<int> heldFeet_;
  std::vector<Hold> holds_;
  std::vector<MovedLimb> movedLimbs_;
  std::vector<StandingLeg> standingLegs_;
  std::vector<double> weights_;                ///< by link, of the stay term
  std::vector<StayTerm::Rotation> rotations_;  ///< likewise of links that keep their rotation alone
  std::vector<double> resistances_;
  std::vector<char> resting_;  ///< one a joint
  std::vector<Gaze> gazes_;
  std::vector<LooseAxis> looseAxes_;
  double forceLimit_ = 0.0;
  std::optional<Pose> detour_;  ///< of afterDetour()
  /// An arm of a person that keeps out of its body.
  struct Arm {
    int upper = -1;                                      ///< link
    Eigen::Vector3d shoulder = Eigen::Vector3d::Zero();  ///< world, at the start
  };
  std::vector<Arm> arms_;
  mutable std::vector<char> termMoves_;  ///< of term_
  mutable StayTerm term_;
};

}  // namespace limber
