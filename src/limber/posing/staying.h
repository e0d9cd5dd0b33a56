// SPDX-License-Identifier: MIT
// Which parts of a body stay while another part is dragged (docs/natural_posing.md): a stay term keeps the mass of the
// links outside the dragged limb in place, their joints resist more, feet on the ground are held, and the pull of the
// drag has a limited force. Links below a dragged link, a dragged foot and a dragged trunk keep their rotation.
//
//   Natural   the limb moves first, by all of these terms
//   Still     every link keeps its place, also those of the limb; all joints resist alike, and the root is not freed
//   Even      none of these terms: only the pull to the reference
//
// A chain, or an arm on a fixed base, has no links outside its limb: there, Natural equals Even to the last bit.
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

/// True if drags of the problem use Natural: chosen by the user, with a pull to the start pose.
bool dragsNaturally(const IkProblem& problem);

/// A ball joint that resists less about one axis: the spine below a dragged head about its long axis, hips and ankles
/// of standing legs about the axes of their knees.
struct LooseAxis {
  int link = 0;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitY();  ///< unit, link frame, in the reference pose
  double resistance = 1.0;                          ///< about the axis
};

/// A standing leg under a dragged trunk.
struct StandingLeg {
  int foot = 0;  ///< link
  TwoBones bones;
  std::optional<FootBall> ball;
};

/// A limb of two bones that moves first.
struct MovedLimb {
  int link = -1;  ///< that of the goal that moves it
  TwoBones bones;
  bool isLeg = false;  ///< it reaches the ground at rest
};

/// The arm of a person that a goal pulls.
struct ArmPull {
  int upper = -1;                                      ///< the link of the upper arm
  Eigen::Vector3d shoulder = Eigen::Vector3d::Zero();  ///< its joint at the start, world
  double length = 0.0;                                 ///< from there to the dragged point, along the arm
};

class Staying {
 public:
  /// The reference is the pose in which the solve or drag starts. In the problem's pose only locked joints matter.
  Staying(const IkProblem& problem, const PosingRequest& request);

  /// True if it would be the same for that problem and request.
  bool fits(const IkProblem& problem, const PosingRequest& request) const;

  /// False if none of the terms above applies.
  bool isOn() const { return isOn_; }
  /// One entry per link: 1 for the dragged limb.
  const std::vector<char>& limb() const { return limb_; }
  /// Links that are held on the ground.
  const std::vector<int>& heldFeet() const { return heldFeet_; }
  /// The holds of these links.
  const std::vector<Hold>& holds() const { return holds_; }
  /// The limb of two bones that a goal on this link moves first; null for none.
  const TwoBones* findTwoBones(int link) const;
  /// Transforms of the reference pose.
  const Kinematics& there() const { return there_; }
  /// True for dragged goals, which pull with a limited force.
  bool isPulled(const GoalItem& goal) const;
  /// The factor, >= 1, of a joint's pull to the reference.
  double resistance(int joint) const { return resistances_[joint]; }
  const std::vector<LooseAxis>& looseAxes() const { return looseAxes_; }
  bool keepsRotation(int link) const {
    return std::ranges::find(rotations_, link, &StayTerm::Rotation::link) != rotations_.end();
  }
  /// The legs of two bones on held feet while a trunk is dragged; none while anything else is.
  const std::vector<StandingLeg>& standingLegs() const { return standingLegs_; }
  /// True for a joint that is left out of the solve because the small part of the body below would hardly turn it.
  bool isResting(int joint) const { return isOn_ && resting_[joint] != 0; }
  /// Goals that keep a head level and in place while `goal` turns its gaze; empty for other goals.
  std::vector<std::unique_ptr<Goal>> gazeGoals(const GoalItem& goal) const;
  /// A copy for the solve after a detour (ArmDetour). hand: link. The joints of the limb are pulled to `pose`, the
  /// spine resists less, and the hand is pulled with more force.
  std::shared_ptr<const Staying> afterDetour(const Pose& pose, int hand) const;
  /// After a detour, copies the limb's joints from its pose to `reference`.
  void placeLimb(Pose& reference) const;
  /// The largest force of a goal of weight 1. It is so small for a person's hand within an arm's length of the shoulder
  /// that limits and the own body stop the arm instead of turning the trunk.
  double forceLimit(const GoalItem& goal) const;
  /// The arm that the goal pulls to a place; empty for other goals and figures, and without self-avoidance.
  std::optional<ArmPull> armPull(const GoalItem& goal) const;
  /// moves: one entry per step coordinate, 1 if the objective may change it.
  const StayTerm& term(std::span<const char> moves) const;

  /// True if the body outside the limb has moved visibly.
  bool hasBodyMoved(const Kinematics& kinematics) const;
  /// `moves` (one entry per step coordinate) with 0 for joints outside the limb.
  std::vector<char> movesOfLimb(const std::vector<char>& moves) const;

 private:
  struct Key {
    std::shared_ptr<const Figure> figure;
    PosingChoice posing = PosingChoice::Even;
    double bodyFollows = 0.0, restWeight = 0.0;
    bool holdsFeet = false, keepsOut = false, letsTrunkTurn = false, tiesLimbs = false;
    SelfAvoidance selfAvoidance = SelfAvoidance::Off;
    Pose start;
    std::vector<int> dragged;             ///< links: those of `goals`, then of pins, images and goals that tie links
    std::vector<int> goals;               ///< ids of the dragged goals; -1 for PosingRequest::drag
    std::vector<int> asked;               ///< links of further goals and of pins
    std::vector<int> turned;              ///< links whose rotation a goal or pin determines
    std::vector<Eigen::Vector3d> points;  ///< of `goals`: metres, link frame
    std::vector<Sight> sights;            ///< of goals that turn a head to a place or direction
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
  Kinematics there_;   ///< of the reference pose
  double size_ = 1.0;  ///< of the figure, metres
  std::vector<char> limb_;
  std::vector<char> largerLimb_;  ///< the limb that contains the limb: the arm of a finger
  std::vector<char> trunks_;      ///< BodyMap::trunks()
  std::vector<int> heldFeet_;
  std::vector<Hold> holds_;
  std::vector<MovedLimb> movedLimbs_;
  std::vector<StandingLeg> standingLegs_;
  std::vector<double> weights_;                ///< of the stay term, one entry per link
  std::vector<StayTerm::Rotation> rotations_;  ///< of the stay term, for links that keep only their rotation
  std::vector<double> resistances_;
  std::vector<char> resting_;  ///< one entry per joint
  std::vector<Gaze> gazes_;
  std::vector<LooseAxis> looseAxes_;
  double forceLimit_ = 0.0;
  std::optional<Pose> detour_;           ///< the pose of afterDetour()
  std::vector<ArmPull> arms_;            ///< of a person, if they avoid the body; without lengths
  mutable std::vector<char> termMoves_;  ///< for which term_ was made
  mutable StayTerm term_;
};

}  // namespace limber
