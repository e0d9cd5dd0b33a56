// SPDX-License-Identifier: MIT
// The self-motion of an arm of seven joints as paths with a position, for a slider: the arm moves, its end effector
// stays. Unlike the curves of all_ways.h the paths go on beyond limits, and say where they do and where links collide.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/problem/ik_problem.h"
#include "limber/ways/arm_solver.h"

namespace limber {

struct SelfMotionPath {
  enum class State { Free, Colliding, OutsideLimits };
  struct Sample {
    ways::Coordinates q;  ///< of the arm; they go on across pi
    double at = 0.0;      ///< part of the path's length, in [0, 1]
    State state = State::Free;
  };
  /// From the first to the last position; the last of a closed path is the first again. Where the state changes there
  /// are two samples close together.
  std::vector<Sample> samples = {};
  bool isClosed = false;

  /// The state at a position: the worse one of the samples beside it.
  State stateAt(double at) const;
  /// The nearest position within the limits; none if the whole path is outside.
  std::optional<double> nearestInside(double at) const;
};

class SelfMotionPaths {
 public:
  /// Called with the finished part, in [0, 1], and the current step; false ends the search.
  using Progress = std::function<bool(double part, std::string_view what)>;

  /// Finds the paths of the arm that the problem's only goal moves (allWaysOf()). Obstacles and self-avoidance of the
  /// problem decide which samples collide.
  explicit SelfMotionPaths(IkProblem problem, const Progress& progress = {});

  const std::string& fault() const { return fault_; }  ///< empty, or why there are no paths
  const std::vector<SelfMotionPath>& paths() const { return paths_; }

  /// The pose at a position, which meets the goal to rounding. Joints with several whole turns within their limits take
  /// the turn nearest to `near`, which is a pose of the same figure; other joints keep the problem's coordinates.
  Pose poseAt(int path, double at, const Pose& near) const;

  /// A place on a path, and how far from it a pose is: norm of the arm's coordinates, radians and metres.
  struct Place {
    int path = -1;
    double at = 0.0, distance = 0.0;
  };
  /// The place nearest to a pose on one path.
  Place nearestOn(int path, const Pose& pose) const;
  /// The same of all paths; path -1 without paths.
  Place nearest(const Pose& pose) const;

 private:
  using Path = SelfMotionPath;

  ways::Coordinates difference(const ways::Coordinates& to, const ways::Coordinates& from) const;
  ways::Coordinates between(const Path& path, double at) const;
  ways::Coordinates corrected(const ways::Coordinates& q) const;
  ways::Coordinates turnedInside(const ways::Coordinates& q, const ways::Coordinates& near) const;
  Pose poseOf(const ways::Coordinates& q) const;
  Path::State stateOf(const ways::Coordinates& q) const;
  void addSamples(const std::vector<Pose>& poses, bool isClosed);
  void judge(Path& path) const;

  IkProblem problem_;
  std::optional<ways::ArmSolver> solver_;
  Transform target_;
  ways::Coordinates start_;
  std::vector<Path> paths_;
  std::string fault_;
};

}  // namespace limber
