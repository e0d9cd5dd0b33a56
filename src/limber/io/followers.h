// SPDX-License-Identifier: MIT
// Couplings of poses that come from files and other programs, which often hold the drivers alone.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "limber/kinematics/coupling.h"
#include "limber/problem/ik_problem.h"
#include "limber/scene/motion.h"

namespace limber::io {

class Followers {
 public:
  /// For the problem's active couplings. The problem must outlive this.
  explicit Followers(const IkProblem& problem);

  /// Sets followers to the values of their couplings. isNamed: per link, 1 if the source names its joint; then a value
  /// that contradicts the coupling becomes a note. Empty: none is named.
  void apply(Pose& pose, std::span<const char> isNamed);
  /// The motion with all of its frames changed in this way.
  std::shared_ptr<const Motion> applied(std::shared_ptr<const Motion> motion, std::span<const char> isNamed);

  /// A sentence for each follower that the source contradicts.
  std::vector<std::string> notes() const;

 private:
  struct Contradiction {
    int link = 0;
    int frames = 0, firstFrame = 0;
    double given = 0.0, coupled = 0.0;  ///< of the first frame, radians or metres; of a ball joint 0 and the angle
  };
  void compare(const Pose& given, const Pose& coupled, std::span<const char> isNamed);

  const Figure& figure_;
  Couplings couplings_;
  std::vector<int> links_;  ///< of the followers
  int frames_ = 0;          ///< that apply() has changed
  std::vector<Contradiction> contradictions_;
};

}  // namespace limber::io
