// SPDX-License-Identifier: MIT
// Finds the contact pairs that keep links out of obstacles and out of each other (Zhao and Badler 1994, sec. 8: a
// disjunction of outward half-spaces, of which the live one is chosen between solves).
//
// A pair is a capsule (or a chosen point) and an obstacle, or two capsules. A pair that presses is in the objective as
// an inequality, a ClearanceGoal: both stay on their sides of one plane, the one that separates them best where the
// solve starts. That is sufficient for any plane. When a solve has ended, planes are chosen anew at its end, which
// cannot make that pose worse, so that f falls from solve to solve.
//
// All other pairs cost a bound on their distance. A pair with an obstacle enters if a solve brings it together or
// through each other, with the plane of the start. A pair of two links enters if it is inside at the end, with the
// plane of the end. A pair that does not press in the end leaves. So Newton's method sees few inequalities. This file
// finds the pairs; the rounds are those of ContactRounds (refinements/refinements.h).
//
// Left out are pairs that the active coordinates do not move against each other; links next to each other in the tree,
// and those that overlap at rest; and pairs of an obstacle with a link that is pinned, held, or a planted foot.
#pragma once

#include <compare>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "limber/goals/clearance_goal.h"
#include "limber/posing/posing.h"
#include "limber/posing/separation.h"

namespace limber {

/// The first: a place among the parts that keep out (capsules, then chosen points); the second: another such place, or
/// one among the problem's obstacles.
struct ContactPair {
  int part = 0;
  int other = 0;
  bool isObstacle = true;
  auto operator<=>(const ContactPair&) const = default;
};

/// A pair that stands in the objective.
struct LiveContact {
  ContactPair pair;
  ClearanceGoal::Line line, otherLine;  ///< otherLine.link: -1 for an obstacle
  Eigen::Vector3d normal;               ///< unit, world, outward
  double gap = 0.0;                     ///< as ClearanceGoal has it, metres
  double radii = 0.0;                   ///< of both, metres
  double asked = 0.0;                   ///< clearance, metres: 0, or below where the pose began a little inside
};

class Contacts {
 public:
  /// Looks at the problem's pose before a solve.
  /// moves      one entry per step coordinate: 1 if the solve may change it
  /// avoidance  which links keep out of each other
  void begin(const IkProblem& problem, const PosingRequest& request, std::span<const char> moves,
             SelfAvoidance avoidance);

  /// The pairs that pressed last, if they are pairs of this problem at all.
  std::span<const LiveContact> guess(const IkProblem& problem) const;

  bool isNeeded() const { return !candidates_.empty(); }
  std::span<const LiveContact> live() const { return live_; }

  /// What entered: nothing; pairs that are a little inside each other; or some that went deep, or through.
  enum class Entry { None, Shallow, Deep };
  /// After a solve: adds the pairs that are not live and are met on the straight way from the start to these
  /// transforms.
  Entry enter(const Kinematics& kinematics);

  /// At the end: lets go of the pairs that do not press; presses: one a live pair.
  void keepPressing(std::span<const char> presses);

  /// No pair is live any more.
  void release();

  /// The solve goes on from these transforms: entering pairs are looked at from here.
  void goOnFrom(const Kinematics& kinematics);

  /// Chooses the planes of live pairs anew where others separate clearly better. True when one did that presses;
  /// presses: one a live pair.
  bool choosePlanes(const Kinematics& kinematics, std::span<const char> presses);

  /// True when no pair is inside another by more than a little (kShown).
  bool isClear(const Kinematics& kinematics) const { return isClear(kinematics, kShown); }
  /// True when a pair is inside by more than what reports call inside (kLeft).
  bool isAnyInside(const Kinematics& kinematics) const { return !isClear(kinematics, kLeft); }

  /// Adds all self pairs that are inside each other at these transforms.
  void takeInside(const Kinematics& kinematics);

  /// What touches, or is inside; presses as above, or empty for not known. One a link and what it touches, the deepest.
  void report(const IkProblem& problem, const Kinematics& kinematics, std::span<const char> presses,
              std::vector<ContactReport>& contacts) const;

 private:
  // In mean link lengths; of a human, 0.01 are about 2 mm.
  // A pair that is nearer is said to touch, and one deeper by that much is not shown on the way: 2 mm, a line's width
  // on a screen that shows the whole body.
  static constexpr double kShown = 0.01;
  // A pair deeper by so much than it may be is said to be inside: by default a goal missed by less counts as reached,
  // too.
  static constexpr double kLeft = 1e-3;

  bool isClear(const Kinematics& kinematics, double tolerance) const;

  struct Part {
    int link = 0;
    LineEnds line;  ///< in the link
    double radius = 0.0;
    int obstacle = -1;  ///< that alone a chosen point keeps out of; -1: a capsule
  };
  struct Placed {
    LineEnds line;  ///< world
    Eigen::Vector3d centre;
    double reach = 0.0;  ///< of the capsule around its centre
  };
  /// A link, or a hand with its fingers. Of two segments one pair at a time enters, the deepest: the others are mostly
  /// separated along with it.
  struct Segment {
    std::vector<int> parts;  ///< capsules
    Capsule hull;            ///< of one link: around all parts, in the link
    bool isOneLink = true;
  };
  /// Pairs of the same two segments, of two links of one segment, or of a link and an obstacle.
  struct Group {
    int link = 0;
    int other = -1;              ///< link; -1: an obstacle
    int segments[2] = {-1, -1};  ///< of two segments, else -1
    int first = 0, last = 0;     ///< of candidates_, past the end
    double bound = 0.0;          ///< of an obstacle: the clearance of all candidates at the start is no less
    bool isNear = false;         ///< of an obstacle: the candidates have bounds of their own
  };
  struct Candidate {
    ContactPair pair;
    double bound = 0.0;  ///< of an obstacle: the clearance at the start is no less
    bool isLive = false;
  };
  /// Where the parts of a link are.
  struct LinkBall {
    Eigen::Vector3d centre;
    double radius = 0.0;
  };
  /// A capsule around a segment, world.
  struct Hull {
    LineEnds line;
    double radius = 0.0;
  };

  void takeFigure(const std::shared_ptr<const Figure>& figure);
  void findSegments();
  Capsule hullOf(std::span<const int> parts) const;
  void findSelfPairs();
  bool mayMeet(const ContactPair& pair) const;
  void takeObstacles(const IkProblem& problem);
  void findCandidates(const IkProblem& problem, const PosingRequest& request, std::span<const char> moves,
                      SelfAvoidance avoidance);
  void addCandidate(const ContactPair& pair);
  void place(const Kinematics& kinematics, std::vector<Placed>& placed) const;
  void placeBalls(std::span<const Placed> placed);
  void placeHulls(const Kinematics& kinematics, std::span<const Placed> placed) const;
  void boundGroups();
  void boundCandidates(Group& group);
  void beginAmongObstacles(std::span<const LiveContact> before);
  void beginWithItself(std::span<const LiveContact> before);
  Entry enterObstacles();
  Entry enterItself(const Kinematics& kinematics);
  /// Calls visit(candidate index, separation) for each self pair that is nearer than `margin` at now_ and hulls_.
  template <class Visit>
  void visitNear(const Group& group, double margin, Visit visit) const;
  void makeLive(Candidate& candidate, const Separation& separation, double asked);
  Separation separationAt(const ContactPair& pair, std::span<const Placed> placed) const;
  double separationAlong(const ContactPair& pair, std::span<const Placed> placed, const Eigen::Vector3d& normal) const;
  double boundAt(const ContactPair& pair, std::span<const Placed> placed) const;
  double clearanceAt(const ContactPair& pair, std::span<const Placed> placed) const {
    return separationAt(pair, placed).distance - radiiOf(pair);
  }
  double radiiOf(const ContactPair& pair) const;
  bool meetsOnTheWay(const ContactPair& pair) const;
  double askedOf(const ContactPair& pair, double clearance) const;
  void keepPlane(LiveContact& contact, const Eigen::Vector3d& normal, const Separation& best) const;
  void setPlane(LiveContact& contact, const Eigen::Vector3d& normal) const;
  const Solid& solidOf(const ContactPair& pair) const { return solids_[pair.other]; }

  std::shared_ptr<const Figure> figure_;
  std::vector<Part> parts_;  ///< capsules in the order of links, then chosen points
  std::size_t capsuleCount_ = 0;
  std::vector<Segment> segments_;
  std::vector<int> segmentOf_;                    ///< by link
  std::vector<ContactPair> selfPairs_;            ///< that may meet, sorted by segments; found when first needed
  SelfAvoidance pairsOf_ = SelfAvoidance::Off;    ///< what selfPairs_ was found for; Off: not found yet
  std::vector<Obstacle> obstacles_;               ///< as they were when solids_ was made
  std::vector<Solid> solids_;                     ///< one an obstacle; without faces where it is off or faulty
  std::vector<int> movers_;                       ///< one a link: the nearest link above whose joint moves, -1 for none
  std::vector<char> moves_, held_;                ///< as candidates_ was made for; one a step coordinate, one a link
  SelfAvoidance avoidance_ = SelfAvoidance::Off;  ///< that candidates_ was made for
  std::vector<Group> groups_;                     ///< of obstacles, then of two links
  std::vector<Candidate> candidates_;
  std::vector<LiveContact> live_;
  std::vector<Placed> start_;    ///< where the solve starts; of obstacles and live pairs
  std::vector<LinkBall> balls_;  ///< one a link, there
  std::vector<double> shifts_;   ///< one a link: how far its parts have moved from there
  mutable std::vector<Placed> now_, between_;
  mutable std::vector<Hull> hulls_;           ///< by segment, where now_ is
  Pose begunPose_;                            ///< where the drag or the solve began; empty if that does not matter
  mutable std::vector<Placed> begun_, rest_;  ///< there, and at rest; empty until needed
  Kinematics scratch_;
};

/// Every pair of capsules is looked at once: figures with more of them do not keep out of themselves.
inline constexpr int kMaxSelfCapsules = 2000;
/// Empty, or why the figure cannot keep out of itself, in words.
std::string selfAvoidanceFault(const Figure& figure);

/// What touches or is inside at the problem's pose, all joints taken as free to move: for what is posed by hand.
std::vector<ContactReport> findContacts(const IkProblem& problem);

}  // namespace limber
