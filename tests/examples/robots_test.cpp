// SPDX-License-Identifier: MIT
// Robots of other programs, dragged by their end effectors: ours of tests/fuzz/seeds, and those of the sample data.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "limber/io/figure_formats.h"
#include "limber/io/open.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/posing.h"
#include "locations.h"

namespace limber::robots_test {
namespace {
namespace fs = std::filesystem;

constexpr double kLargestMove = 0.3;  // radians or metres, of each coordinate
constexpr double kReached = 1e-3;     // metres, of a target that some pose meets
constexpr double kRounding = 1e-9;    // of limits and couplings

std::vector<fs::path> robotsIn(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code isAbsent;
  for (const auto& entry : fs::recursive_directory_iterator(folder, isAbsent))
    if (entry.path().extension() == ".urdf" || entry.path().extension() == ".xml") paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

/// A pose near the document's within limits and couplings, with locked joints unchanged.
Pose poseNear(const Document& document, std::mt19937& random) {
  const Figure& figure = *document.figure;
  Pose pose = document.pose;
  std::uniform_real_distribution<double> move(-kLargestMove, kLargestMove);
  for (const Joint& joint : figure.joints()) {
    const double scale = joint.limits.isBounded() ? std::min(1.0, joint.limits.upper - joint.limits.lower) : 1.0;
    if (poseSize(joint.type) != 1) continue;
    double& q = pose.coordinates[joint.poseIndex];
    q = std::clamp(q + scale * move(random), joint.limits.lower, joint.limits.upper);
  }
  Couplings(figure, document.couplingEnabled).apply(pose);
  return pose;
}

void expectSound(const Document& document) {
  const Figure& figure = *document.figure;
  for (const Joint& joint : figure.joints()) {
    if (poseSize(joint.type) != 1) continue;
    EXPECT_GE(document.pose.coordinates[joint.poseIndex], joint.limits.lower - kRounding) << joint.name;
    EXPECT_LE(document.pose.coordinates[joint.poseIndex], joint.limits.upper + kRounding) << joint.name;
  }
  Pose coupled = document.pose;
  Couplings(figure, document.couplingEnabled).apply(coupled);
  EXPECT_LT((coupled.coordinates - document.pose.coordinates).cwiseAbs().maxCoeff(), kRounding);
}

/// Each site is pulled to where a pose nearby has it.
void drag(const fs::path& path) {
  SCOPED_TRACE(path.filename());
  const auto opened = io::openAny(path.string());
  ASSERT_TRUE(opened) << opened.error().message();
  const Figure& figure = *opened->document.figure;
  int dragged = 0;
  std::mt19937 random(5);
  Posing posing;
  for (const Site& site : figure.sites()) {
    SCOPED_TRACE(site.name);
    Document document = opened->document;
    Kinematics kinematics;
    computeTransforms(figure, poseNear(document, random), kinematics);
    const Eigen::Vector3d point = site.linkFromSite.translation;
    const Eigen::Vector3d target = kinematics.worldFromLink[static_cast<std::size_t>(site.link)] * point;
    const PosingReport report = solveToEnd(posing, document, {.drag = DragGoal{site.link, point, target}});
    computeTransforms(figure, document.pose, kinematics);
    expectSound(document);
    if (report.outcome == Outcome::BadInput) continue;  // nothing that is unlocked carries the site
    ++dragged;
    EXPECT_LT((kinematics.worldFromLink[static_cast<std::size_t>(site.link)] * point - target).norm(), kReached)
        << report.sentence;
  }
  EXPECT_GT(dragged, 0);
}

TEST(Robots, OfEveryFormatAreDragged) {
  std::vector<fs::path> paths = robotsIn(fs::path(LIMBER_SOURCE_DIR) / "tests" / "fuzz" / "seeds");
  std::erase_if(paths, [](const fs::path& path) { return path.stem() == "loops"; });  // its loops cannot all be closed
  EXPECT_EQ(paths.size(), 3u);
  for (const fs::path& path : paths) drag(path);
}

TEST(Robots, OfTheSampleDataAreDragged) {
  std::vector<fs::path> paths = robotsIn(fs::path(LIMBER_SHARED_DATA_DIR) / "urdf");
  const std::vector<fs::path> more = robotsIn(fs::path(LIMBER_SHARED_DATA_DIR) / "mjcf");
  paths.insert(paths.end(), more.begin(), more.end());
  if (paths.empty()) GTEST_SKIP() << "no sample data in " << LIMBER_SHARED_DATA_DIR;
  for (const fs::path& path : paths) drag(path);
}

}  // namespace
}  // namespace limber::robots_test
