// SPDX-License-Identifier: MIT
// All poses of a robot arm that reach a place, by closed forms (limber/ways). docs/all_ways.md describes them.
#pragma once

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
  int curve = -1;                  ///< index in AllWays::curves; -1 for a single pose
  std::vector<int> freeJoints = {};  ///< joints that can move while the tip stays, because the pose is singular
};

/// A curve of poses, along which the arm moves while its end effector stays.
struct WayCurve {
  std::vector<Pose> poses = {};  ///< neighbours differ by at most 0.1 radians and tenths of the arm's size
  bool isClosed = false;         ///< the last pose is next to the first
  bool endsAtLimits = false;     ///< a part of a longer curve that leaves the limits
};

struct AllWays {
  std::vector<ArmWay> ways = {};      ///< within the limits, the nearest to the problem's pose first
  std::vector<WayCurve> curves = {};  ///< of arms of seven joints
  bool isComplete = false;            ///< it is proved that no other way exists
  std::string reason = {};            ///< a sentence about isComplete
  std::string_view shape = {};        ///< why the arm has a closed form: "three axes meet", ...
  int outsideLimits = 0;              ///< ways that limits exclude
  std::string fault = {};             ///< why the problem has no closed form; empty if it has one
};

struct AllWaysOptions {
  bool listsWindings = false;  ///< a way for each whole turn of a joint that its limits allow, not only the nearest
};

/// All poses that meet the only goal of the problem, a position and orientation, or a position for up to three joints.
/// Locked joints and those that the goal may not use stay. Obstacles and preferences are ignored. The fault says what
/// is not supported.
AllWays allWaysOf(const IkProblem& problem, const AllWaysOptions& options = {});

}  // namespace limber
