// SPDX-License-Identifier: MIT
// The problems of the paper's experiments: Yenamandra, Bernard, Wang, Mueller and Theobalt, "Convex Optimisation for
// Inverse Kinematics" (2019), section 5. Hand and body in many poses, observed by all joints or by their ends, with and
// without noise. Which problems there are follows from the seed alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "limber/scene/fit.h"
#include "support/observed_figure.h"

namespace limber::experiments {

struct Skeleton {
  std::string name;  ///< "hand", "body"
  std::shared_ptr<const Figure> figure;
  std::vector<FitPoint> points;  ///< every key point
  double size = 1.0;             ///< L: a cost within 1e-3 L of the best counts as the best; metres
  double noise = 0.0;            ///< the largest of the noisy experiments, metres
};

/// hand.json and body.json of resources/figures. Empty, and a sentence in `fault`, when a file cannot be read.
std::vector<Skeleton> openSkeletons(std::string& fault);

/// Poses of one skeleton, and where they come from.
struct PoseSet {
  const Skeleton* skeleton = nullptr;
  std::string name;  ///< "hand", "body": sampled within the limits; "body motion": from motion capture
  std::vector<Pose> poses;
};

PoseSet samplePoses(const Skeleton& skeleton, int count, std::uint64_t seed);

/// Poses of the body fitted to the clips of motion capture in a folder, spread evenly over them. No poses, and a
/// sentence in `reason`, where the clips are not.
PoseSet fitClips(const Skeleton& body, const std::string& folder, const std::vector<std::string>& clips, int count,
                 std::string& reason);

/// One box plot's problems.
struct Case {
  std::string name;  ///< "hand all clean", "body motion ends noisy"
  const Skeleton* skeleton = nullptr;
  bool isNoisy = false;
  bool ends = false;  ///< the end effectors and the root alone
  std::vector<test::ObservedFigure> problems;
};

/// The same poses with and without noise, by all points and by the ends.
Case makeCase(const PoseSet& set, bool ends, bool isNoisy, std::uint64_t seed);

}  // namespace limber::experiments
