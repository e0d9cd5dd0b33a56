// SPDX-License-Identifier: MIT
// Finds the contact pairs that keep links out of obstacles and of each other (Zhao and Badler 1994, sec. 8: a
// disjunction of outward half-spaces, of which one is chosen between solves).
//
// A pair is a capsule (or a chosen point) and an obstacle, or two capsules. A live pair is in the objective as an
// inequality, a ClearanceGoal: both stay on their sides of one plane, the one that separates them best at the start of
// the solve. This is sufficient for any plane. After a solve, planes are chosen anew; its pose remains feasible, so f
// falls from solve to solve.
//
// For all other pairs a bound on their distance is computed. A pair with an obstacle becomes live if a solve moves one
// into or through the other, with the plane of the start. A pair of two links becomes live if they penetrate at the
// end, with the plane of the end. A pair that does not press at the end is deactivated, so that Newton's method sees
// few inequalities. This file finds the pairs; ContactRounds (refinements/refinements.h) runs the rounds.
//
// A safety distance thickens each pair: clearances in this file are those beyond it, so that 0 is the least that is
// allowed. It is held a little larger than given, by the depth (kLeft) that is tolerated elsewhere.
//
// Excluded are pairs that the active coordinates do not move relative to each other, neighbours in the tree, pairs that
// overlap at rest, pairs of links that the problem disables, and pairs of an obstacle with a link that is pinned, held
// or a planted foot.
#pragma once

#include <compare>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "limber/goals/clearance_goal.h"
#include "limber/posing/posing.h"
#include "limber/posing/separation.h"

namespace limber {

struct ContactPair {
  int part = 0;   ///< index of a capsule, or after all capsules of a chosen point
  int other = 0;  ///< index of the obstacle, or of the other part
  bool isObstacle = true;
  auto operator<=>(const ContactPair&) const = default;
};

/// A pair in the objective.
struct LiveContact {
  ContactPair pair;
  ClearanceGoal::Line line, otherLine;  ///< otherLine.link is -1 for an obstacle
  Eigen::Vector3d normal;               ///< unit, world, outward
  double gap = 0.0;                     ///< of ClearanceGoal, metres
  double radii = 0.0;                   ///< sum of both, and the safety distance, metres
  double asked = 0.0;  ///< clearance beyond that, metres: 0, or negative if the pose began slightly inside
};

class Contacts {
 public:
  /// Finds the candidates and the live pairs at the problem's pose before a solve.
  /// moves      one entry per step coordinate: 1 if the solve may change it
  /// avoidance  which links avoid each other
  void begin(const IkProblem& problem, const PosingRequest& request, std::span<const char> moves,
             SelfAvoidance avoidance);

  /// The pairs that pressed last; empty if they belong to another figure, other obstacles or settings.
  std::span<const LiveContact> guess(const IkProblem& problem) const;

  bool isNeeded() const { return !candidates_.empty(); }
  std::span<const LiveContact> live() const { return live_; }

  /// Which pairs became live: none, pairs that penetrate slightly, or at least one that penetrates deeply.
  enum class Entry { None, Shallow, Deep };
  /// After a solve: makes the pairs live that penetrate on the straight path from the start to these transforms.
  Entry enter(const Kinematics& kinematics);

  /// At the end: deactivates pairs that do not press. presses: one entry per live pair.
  void keepPressing(std::span<const char> presses);

  /// Deactivates all pairs.
  void release();

  /// Sets the transforms from which the solve continues.
  void goOnFrom(const Kinematics& kinematics);

  /// Replaces the planes of live pairs by planes that separate clearly better. True if a pair that presses has a new
  /// plane. presses: one entry per live pair.
  bool choosePlanes(const Kinematics& kinematics, std::span<const char> presses);

  /// True if no pair penetrates by more than kShown.
  bool isClear(const Kinematics& kinematics) const { return isClear(kinematics, kShown); }
  /// True if a pair penetrates by more than kLeft, so that a report calls it inside.
  bool isAnyInside(const Kinematics& kinematics) const { return !isClear(kinematics, kLeft); }

  /// The pair that is nearest, or deepest inside each other. Without any pair the clearance is infinite.
  struct Nearest {
    double clearance = std::numeric_limits<double>::infinity();  ///< metres, without the safety distance
    int link = -1;
    std::string other = {};  ///< as in ContactReport
  };
  Nearest nearest(const IkProblem& problem, const Kinematics& kinematics) const;

  /// Makes all pairs of two links live that penetrate at these transforms.
  void takeInside(const Kinematics& kinematics);

  /// Lists the contacts: the deepest pair for each link and obstacle, or two links, of the pairs that are live or
  /// nearer than allowed. presses: one entry per live pair, or empty if not known.
  void report(const IkProblem& problem, const Kinematics& kinematics, std::span<const char> presses,
              std::vector<ContactReport>& contacts) const;

 private:
  // Mean link lengths; for a human, 0.01 is about 2 mm.
  // A pair that is nearer is reported as touching, and a pose with a deeper pair is not shown during a solve: 2 mm, the
  // width of a line on a screen that shows the whole body.
  static constexpr double kShown = 0.01;
  // A pair that is deeper than allowed by more is reported as inside: the default tolerance of "reached".
  static constexpr double kLeft = 1e-3;

  bool isClear(const Kinematics& kinematics, double tolerance) const;
  /// Calls visit(candidate index, separation, asked clearance) for each pair that is deeper than allowed by more than
  /// the tolerance, in mean link lengths.
  template <class Visit>
  void visitInside(const Kinematics& kinematics, double tolerance, Visit visit) const;
  std::string otherInWords(const IkProblem& problem, const ContactPair& pair) const;
  void addReport(const IkProblem& problem, const ContactPair& pair, const Separation& separation, double asked,
                 bool stops, std::vector<ContactReport>& contacts) const;

  struct Part {
    int link = 0;
    LineEnds line;  ///< in the link
    double radius = 0.0;
    int obstacle = -1;  ///< the only obstacle that a chosen point avoids; -1 for a capsule
  };
  struct Placed {
    LineEnds line;  ///< world
    Eigen::Vector3d centre;
    double reach = 0.0;  ///< radius of a ball around the centre that contains the capsule
  };
  /// A link, or a hand with its fingers. Only the deepest pair of two segments becomes live at a time: it mostly
  /// separates the others, too.
  struct Segment {
    std::vector<int> parts;  ///< capsules
    Capsule hull;            ///< of one link: contains all parts, link frame
    bool isOneLink = true;
  };
  /// Pairs of the same two segments, of two links of one segment, or of a link and an obstacle.
  struct Group {
    int link = 0;
    int other = -1;              ///< link; -1 for an obstacle
    int segments[2] = {-1, -1};  ///< the two segments; -1 for other groups
    int first = 0, last = 0;     ///< range in candidates_
    double bound = 0.0;          ///< of an obstacle: lower bound of the clearance of all candidates at the start
    bool isNear = false;         ///< of an obstacle: each candidate has its own bound
  };
  struct Candidate {
    ContactPair pair;
    double bound = 0.0;  ///< of an obstacle: lower bound of the clearance at the start
    bool isLive = false;
  };
  /// Contains the parts of a link.
  struct LinkBall {
    Eigen::Vector3d centre;
    double radius = 0.0;
  };
  /// A capsule that contains a segment, world.
  struct Hull {
    LineEnds line;
    double radius = 0.0;
  };

  void takeFigure(const std::shared_ptr<const Figure>& figure);
  void takeSettings(const IkProblem& problem);
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
    return separationAt(pair, placed).distance - keptBy(pair);
  }
  double radiiOf(const ContactPair& pair) const;
  /// The distance of the middle lines at which the clearance is 0.
  double keptBy(const ContactPair& pair) const { return radiiOf(pair) + safety_; }
  bool meetsOnTheWay(const ContactPair& pair) const;
  double askedOf(const ContactPair& pair, double clearance) const;
  void keepPlane(LiveContact& contact, const Eigen::Vector3d& normal, const Separation& best) const;
  void setPlane(LiveContact& contact, const Eigen::Vector3d& normal) const;
  const Solid& solidOf(const ContactPair& pair) const { return solids_[pair.other]; }

  std::shared_ptr<const Figure> figure_;
  std::vector<Part> parts_;  ///< capsules in the order of links, then chosen points
  std::size_t capsuleCount_ = 0;
  std::vector<Segment> segments_;
  std::vector<int> segmentOf_;                  ///< by link
  std::vector<ContactPair> selfPairs_;          ///< that may touch, sorted by segments; found when first needed
  SelfAvoidance pairsOf_ = SelfAvoidance::Off;  ///< for which selfPairs_ was found; Off if it was not
  std::vector<LinkPair> disabledPairs_;         ///< without which selfPairs_ was found
  double safetyDistance_ = 0.0;                 ///< of the problem
  double safety_ = 0.0;                         ///< that is held: larger by kLeft, unless it is 0
  std::vector<Obstacle> obstacles_;             ///< from which solids_ was made
  std::vector<Solid> solids_;                   ///< one entry per obstacle; empty if it is disabled or faulty
  std::vector<int> movers_;         ///< one entry per link: the nearest link above whose joint moves, -1 for none
  std::vector<char> moves_, held_;  ///< for which candidates_ was made: per step coordinate, per link
  std::vector<char> heldNow_;       ///< per link, of the present request
  SelfAvoidance avoidance_ = SelfAvoidance::Off;  ///< for which candidates_ was made
  std::vector<Group> groups_;                     ///< of obstacles, then of two links
  std::vector<Candidate> candidates_;
  std::vector<LiveContact> live_;
  std::vector<Placed> start_;    ///< at the start of the solve; of obstacles and live pairs
  std::vector<LinkBall> balls_;  ///< at the start, one entry per link
  std::vector<double> shifts_;   ///< one entry per link: how far its parts have moved since the start
  mutable std::vector<Placed> now_, between_;
  mutable std::vector<Hull> hulls_;           ///< one entry per segment, at now_
  Pose begunPose_;                            ///< the start of the drag or solve; empty in a natural pose
  mutable std::vector<Placed> begun_, rest_;  ///< at begunPose_, and at rest; empty until needed
  Kinematics scratch_;
};

/// Figures with more capsules have no self-avoidance, because every pair of capsules is considered once.
inline constexpr int kMaxSelfCapsules = 2000;
/// Empty, or a sentence why the figure has no self-avoidance.
std::string selfAvoidanceFault(const Figure& figure);

/// The contacts at the problem's pose if all joints may move: for poses that were set by hand.
std::vector<ContactReport> findContacts(const IkProblem& problem);

}  // namespace limber
