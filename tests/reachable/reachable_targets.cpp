// SPDX-License-Identifier: MIT
// Writes problems that have an answer, for `limber solve --batch -`: targets of one link by forward kinematics of poses
// drawn uniformly within the limits.
//
//   limber_reachable_targets FIGURE LINK COUNT SEED [position|orientation|both]
//
// A joint without limits turns by up to half a turn, or slides by up to a mean link length, either way. The joints that
// do not move LINK stay at rest, and so does every free or ball joint. A line's target depends on SEED and on its
// place.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <numbers>
#include <string>

#include <nlohmann/json.hpp>

#include "limber/io/json/problem_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/posed_problem.h"
#include "limber/solvers/steps/random_pose.h"

namespace {

using namespace limber;

/// The rest pose with the scalars above the link drawn within the limits, and what follows them after them.
Pose drawPose(const Document& document, int link, RandomStream& random) {
  const Figure& figure = *document.figure;
  const Limits limits = limitsOf(document);
  Pose pose = document.pose;
  for (int i = 0; i <= link; ++i) {
    const Joint& joint = figure.joint(i);
    const bool isScalar = joint.type == JointType::Revolute || joint.type == JointType::Prismatic;
    if (!isScalar || joint.locked || !figure.isAncestorOrSelf(i, link)) continue;
    const double reach = joint.type == JointType::Prismatic ? figure.meanLinkLength() : std::numbers::pi;
    const Interval interval = limits.intervals[static_cast<std::size_t>(i)];
    double low = interval.lower, high = interval.upper;
    if (!std::isfinite(low)) low = std::isfinite(high) ? high - 2.0 * reach : -reach;
    if (!std::isfinite(high)) high = low + 2.0 * reach;
    pose.coordinates[joint.poseIndex] = random.uniform(low, high);
  }
  FeasibleSet(figure, limits).project(pose);
  return pose;
}

nlohmann::json numbersOf(const Eigen::VectorXd& values) {
  return std::vector<double>(values.data(), values.data() + values.size());
}

int write(const Document& document, const std::string& file, const std::string& name, long count, std::uint64_t seed,
          const std::string& kind) {
  const Figure& figure = *document.figure;
  const int link = figure.findLink(name);
  if (link < 0) {
    std::cerr << file << ": has no link " << name << '\n';
    return 1;
  }
  const bool isFile = std::filesystem::exists(file);
  std::cout << nlohmann::json{{"figure", isFile ? std::filesystem::absolute(file).string() : file}} << '\n';
  const Eigen::Matrix3d fileFromScene = figure.fileFrame().sceneFromFile.transpose();
  RandomStream random(seed);
  Kinematics kinematics;
  for (long i = 0; i < count; ++i) {
    computeTransforms(figure, drawPose(document, link, random), kinematics);
    const Transform& target = kinematics.worldFromLink[static_cast<std::size_t>(link)];
    nlohmann::json goal{{"link", name}, {"point", {0, 0, 0}}};
    goal["type"] = kind == "both" ? "position_orientation" : kind;
    if (kind != "orientation") goal["target"] = numbersOf(figure.fileFrame().toFile(target.translation));
    if (kind != "position")
      goal["target_frame"] = numbersOf(Eigen::Quaterniond(fileFromScene * target.rotation).normalized().coeffs());
    std::cout << nlohmann::json{{"goals", {goal}}} << '\n';
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 5 ? argv[5] : "both";
  const long count = argc > 3 ? std::atol(argv[3]) : 0;
  if (argc < 5 || argc > 6 || count < 1 || (kind != "position" && kind != "orientation" && kind != "both")) {
    std::cerr << "limber_reachable_targets FIGURE LINK COUNT SEED [position|orientation|both]\n";
    return 2;
  }
  const auto opened = io::openAny(argv[1]);
  if (!opened) {
    std::cerr << opened.error().message() << '\n';
    return 1;
  }
  return write(opened->document, argv[1], argv[2], count, std::strtoull(argv[4], nullptr, 10), kind);
}
