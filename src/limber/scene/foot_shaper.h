// SPDX-License-Identifier: MIT
// The wanted rotation and place of a foot, and the wanted rotation of its toes, by frame, in a motion whose stances are
// held (held_stances.h). The leg's lengths and limits are considered later.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "limber/body/body_map.h"
#include "limber/body/leg_placer.h"
#include "limber/body/limited_joints.h"
#include "limber/scene/stance.h"

namespace limber {

inline constexpr double kSunk = 1e-5;      ///< lengths of the leg: a sole this far below the ground is raised
inline constexpr double kElevated = 0.08;  ///< lengths of the leg: an anchor higher than this is not on the ground

/// One foot in all frames. The object that makes it sets heel and ball, then turns, toeTurns, hips and ankles.
struct FootTrack {
  Sole sole;
  LegPlacer leg;
  bool turnsToes = false;                     ///< false without toes, and for those that cannot turn by themselves
  Eigen::Vector3d leftInFoot;                 ///< to the body's left of a level foot that points ahead
  std::vector<char> heel, ball;               ///< by frame: 1 if it stands
  std::vector<Eigen::Matrix3d> levelled;      ///< of the foot in the motion, in the body's axes; level on average
  std::vector<Eigen::Matrix3d> turns;         ///< the same as wanted; the identity if level and ahead
  std::vector<Eigen::Matrix3d> toeTurns;      ///< the same of the toes; empty without
  std::vector<Eigen::Vector3d> hips, ankles;  ///< world
  std::vector<Eigen::Vector3d> bends;         ///< of the knee: axis times sine, in the link above the leg
  std::vector<Eigen::Vector3d> meanBends;     ///< the same, weighted sum over the frames around
  std::vector<double> approach;               ///< 1 in a stance, less before and after, 0 far from it
  std::vector<Eigen::Vector3d> wanted;        ///< of the ankle, world
  std::vector<double> raised;                 ///< metres by which limits force the foot up
  std::vector<double> reachWeights;           ///< of a leg that was too long
  std::vector<char> rises;                    ///< 1 where limits make the heel rise
  // After the legs were placed:
  std::vector<Transform> reached;        ///< of the foot, world; empty before
  std::vector<double> misses, sunk;      ///< metres: of the standing points; of the sole below the ground
  std::vector<Eigen::Vector3d> missing;  ///< shift of the pelvis with which the standing points would be in place
  struct Raise {
    double sunk = 0.0, by = 0.0;
  };
  std::vector<Raise> lastRaises;  ///< metres, by the first frame of a stance and by frame in the air

  FootTrack(const IkProblem& problem, const PoseParts& parts, const Sole& s, int frames)
      : sole(s), leg(problem, parts, s), turnsToes(s.toes >= 0 && LimitedJoints(problem, {s.toes}).isFree(s.toes)),
        leftInFoot(parts.linkFromStraight[s.foot].col(0)), heel(frames, 0), ball(frames, 0), raised(frames, 0.0),
        reachWeights(frames, 0.0), rises(frames, 0), misses(frames, 0.0), sunk(frames, 0.0),
        missing(frames, Eigen::Vector3d::Zero()), lastRaises(frames) {}

  /// What placing the leg has found out about a frame.
  struct Placed {
    Transform reached;
    double miss = 0.0, sunk = 0.0;
    char rises = 0;
  };
  Placed placedAt(int frame) const { return {reached[frame], misses[frame], sunk[frame], rises[frame]}; }
  void setPlacedAt(int frame, const Placed& placed) {
    reached[frame] = placed.reached;
    misses[frame] = placed.miss;
    sunk[frame] = placed.sunk;
    rises[frame] = placed.rises;
  }

  bool isHeld(int frame) const { return heel[frame] || ball[frame]; }
  bool isFlat(int frame) const { return heel[frame] && ball[frame]; }
};

/// The smallest angle, at most a radian, at which a continuous function is no more than 1e-4: 0 if it is so there, else
/// by regula falsi with the halving of Illinois, from above.
double leastAngle(const std::function<double(double)>& function);

class FootShaper {
 public:
  /// ground  height of the ground, metres
  /// The arguments must outlive the object.
  FootShaper(const IkProblem& problem, const PoseParts& parts, const Frames& frames, double ground)
      : problem_(problem), figure_(*problem.figure), body_(bodyMapOf(figure_)), parts_(parts), frames_(frames),
        ground_(ground) {}

  void setGround(double ground) { ground_ = ground; }

  /// The rotation of a link in the body's axes; the identity for a straight body.
  Eigen::Matrix3d turnOf(int link, const Kinematics& now) const;
  /// The rotation in the world of a link that is turned so.
  Eigen::Matrix3d worldOf(int link, const Eigen::Matrix3d& turn) const;
  /// Makes the foot level while it is flat, with one yaw for each flat time, and keeps the other end of a foot that
  /// turns about its heel or ball above the ground.
  void levelFoot(FootTrack& foot) const;

  /// Blends the turns of a foot in the air into those that its stances reached.
  void blendTurns(FootTrack& foot) const;

  /// Puts standing points on their anchors, and the sole above the ground in other frames.
  void placeFoot(FootTrack& foot) const;

  /// After the leg was placed: turns the toes of a pose as wanted, within their limits.
  void turnToes(const FootTrack& foot, int frame, Pose& pose) const;

 private:
  struct Anchor {
    StancePoint point = StancePoint::Ball;
    int begin = 0, end = 0;
    std::optional<Eigen::Vector3d> place = {};  ///< world
  };

  void correctTurns(std::vector<Eigen::Matrix3d>& turns, const std::vector<Eigen::Matrix3d>& held,
                    const std::function<bool(int)>& isHeld) const;
  void lowerHeels(FootTrack& foot) const;
  Eigen::Vector3d fromAnkle(const FootTrack& foot, StancePoint point, int frame) const;
  std::vector<Anchor> anchorsOf(const FootTrack& foot) const;
  Eigen::Vector3d meanPlace(const FootTrack& foot, const Anchor& anchor) const;
  void setAnchors(const FootTrack& foot, std::vector<Anchor>& anchors) const;
  double lowestFromAnkle(const FootTrack& foot, int frame, const Eigen::Matrix3d& turn) const;
  Eigen::Quaterniond toeRotation(const FootTrack& foot, int frame, const Eigen::Matrix3d& worldFromFoot) const;
  Eigen::Matrix3d footFromToeJoint(const FootTrack& foot) const;

  const IkProblem& problem_;
  const Figure& figure_;
  const BodyMap& body_;
  const PoseParts& parts_;
  const Frames& frames_;
  double ground_;
};

}  // namespace limber
