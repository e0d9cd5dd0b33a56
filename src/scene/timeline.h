// SPDX-License-Identifier: MIT
// The timeline: keys of pose and goals, and curves along which targets run. Immutable, shared by documents.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "kinematics/pose.h"

namespace limber {

/// What a goal asks at a key.
struct GoalKey {
  int goal = -1;  ///< its id
  Eigen::Vector3d target = Eigen::Vector3d::Zero();           ///< world, metres
  Eigen::Matrix3d targetFrame = Eigen::Matrix3d::Identity();  ///< world, as columns
  bool enabled = true;
};

struct Key {
  double time = 0.0;           ///< seconds, >= 0
  Pose pose;                   ///< empty where only goals are keyed
  std::vector<GoalKey> goals;  ///< at most one a goal
};

/// A curve in space along which the target of a goal runs, at even speed.
struct TargetPath {
  enum class Curve {
    CatmullRom,  ///< through every point
    Bezier,      ///< cubic: a point, two handles, a point, ...; 3 k + 1 points, 3 k when closed
  };
  int goal = -1;                ///< id; at most one path a goal
  Curve curve = Curve::CatmullRom;
  std::vector<Eigen::Vector3d> points;  ///< world, metres
  bool isClosed = false;
  double begin = 0.0, end = 2.0;        ///< seconds: when the target is at its start and at its end
  bool enabled = true;
};

struct Timeline {
  std::vector<Key> keys;          ///< by time, no two at the same
  std::vector<TargetPath> paths;
  double length = 4.0;            ///< seconds, > 0
  double framesPerSecond = 30.0;  ///< of play's solves, of a bake and of its export
};

}  // namespace limber
