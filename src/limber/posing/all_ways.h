// SPDX-License-Identifier: MIT
// All poses of a robot arm that reach a place, by closed forms (limber/ways). docs/all_ways.md describes them.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "limber/problem/ik_problem.h"

namespace limber {

/// One way to reach the place.
struct ArmWay {
  Pose pose = {};
  std::string_view shoulder = {};  ///< "left" or "right"; empty if the arm has no such branch
  std::string_view elbow = {};     ///< "up" or "down"
  std::string_view wrist = {};     ///< "plain" or "flipped"
  double distance = 0.0;           ///< from the problem's pose: norm of the coordinates' difference, radians and metres
  double manipulability = 0.0;     ///< product of the singular values of the arm's Jacobian, metres and radians
  double error = 0.0;              ///< metres left, by forward kinematics of the figure
  double angle = 0.0;              ///< radians left
  int windings = 1;                ///< poses within the limits that differ from it by whole turns of joints, and itself
  double clearance = std::numeric_limits<double>::infinity();  ///< metres, of the nearest pair that must not touch:
                                                               ///< negative inside, infinite if there is none
  bool collides = false;                                       ///< the clearance is less than the safety distance, or 0
  int nearestLink = -1;                                        ///< of that pair; -1 if there is none
  std::string nearestOther = {};                               ///< obstacle or link, in words
  int curve = -1;                                              ///< index in AllWays::curves; -1 for a single pose
  std::vector<int> freeJoints = {};  ///< joints that can move while the tip stays, because the pose is singular
};

/// A curve of poses, along which the arm moves while its end effector stays.
struct WayCurve {
  std::vector<Pose> poses = {};         ///< neighbours differ by at most 0.1 radians and tenths of the arm's size
  bool isClosed = false;                ///< the last pose is next to the first
  bool endsAtLimits = false;            ///< a part of a longer curve that leaves the limits
  std::vector<double> clearances = {};  ///< one per pose; empty if nothing is avoided
  std::vector<char> collides = {};      ///< one per pose; empty if nothing is avoided
};

struct AllWays {
  std::vector<ArmWay> ways = {};      ///< within the limits, the nearest to the problem's pose first
  std::vector<WayCurve> curves = {};  ///< of arms of seven joints
  bool isComplete = false;            ///< it is proved that no other way exists
  std::string reason = {};            ///< a sentence about isComplete
  std::string_view shape = {};        ///< why the arm has a closed form: "three axes meet", ...
  int outsideLimits = 0;              ///< ways that limits exclude
  int colliding = 0;                  ///< ways within the limits that collide, also if they are left out
  bool isCompared = false;            ///< something must be avoided, so that ways have a clearance
  std::string fault = {};             ///< why the problem has no closed form; empty if it has one
};

struct AllWaysOptions {
  bool leavesOutColliding = false;  ///< ways that collide, and curves of which each pose collides
  bool listsWindings = false;  ///< a way for each whole turn of a joint that its limits allow, not only the nearest
};

/// All poses that meet the only goal of the problem, a position and orientation, or a position for up to three joints.
/// Locked joints and those that the goal may not use stay. Obstacles and self-avoidance mark ways that collide; the way
/// of a curve is the nearest pose that does not. Preferences are ignored. The fault says what is not supported.
AllWays allWaysOf(const IkProblem& problem, const AllWaysOptions& options = {});

}  // namespace limber
