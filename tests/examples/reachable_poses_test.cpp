// SPDX-License-Identifier: MIT
// What some pose meets, a solve meets exactly: full poses of the ends of robots' arms, computed by forward kinematics
// from random poses within the limits, asked from rest. The robots are ours of tests/fuzz/seeds, and those of the
// sample data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "limber/io/open.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posing.h"
#include "limber/problem/new_goal.h"
#include "limber/solvers/steps/random_pose.h"
#include "locations.h"

namespace limber::reachable_poses_test {
namespace {
namespace fs = std::filesystem;

constexpr int kPosesOfAnArm = 20;
constexpr int kLeastJoints = 5;
constexpr double kExact = 1e-9;  // metres, radians
constexpr std::size_t kMostArms = 24;

/// The moving joints from the root to a link without children.
struct Arm {
  std::string name;
  Document document;
  int link = 0;
  std::vector<int> joints;
};

void addArms(const std::string& name, const Document& document, std::vector<Arm>& arms) {
  const Figure& figure = *document.figure;
  for (int link = 0; link < figure.linkCount(); ++link) {
    if (!figure.children(link).empty()) continue;
    Arm arm{name + ", " + figure.link(link).name, document, link, {}};
    for (int joint = link; joint >= 0; joint = figure.link(joint).parent)
      if (isScalar(figure.joint(joint)) && !document.joints[static_cast<std::size_t>(joint)].locked)
        arm.joints.push_back(joint);
    const auto isSame = [&](const Arm& other) {
      return other.document.figure == document.figure && other.joints == arm.joints;
    };
    if (static_cast<int>(arm.joints.size()) >= kLeastJoints && std::ranges::none_of(arms, isSame)) arms.push_back(arm);
  }
}

std::vector<Arm> arms() {
  std::vector<Arm> result;
  addArms("arm", makeDocument(makeArm()), result);
  std::vector<fs::path> paths;
  for (const char* folder : {LIMBER_SOURCE_DIR "/tests/fuzz/seeds", LIMBER_SHARED_DATA_DIR "/urdf"}) {
    std::error_code isAbsent;
    for (const auto& entry : fs::recursive_directory_iterator(folder, isAbsent))
      if (entry.path().extension() == ".urdf") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const fs::path& path : paths)
    if (const auto opened = io::openAny(path.string())) addArms(path.stem().string(), opened->document, result);
  if (result.size() > kMostArms) result.resize(kMostArms);
  return result;
}

/// Asks for the pose that the arm's end has at a random pose.
Document ask(const Arm& arm, RandomStream& random) {
  Document there = arm.document;
  const Figure& figure = *there.figure;
  for (const int i : arm.joints) {
    const Joint& joint = figure.joint(i);
    const Interval limits = there.joints[static_cast<std::size_t>(i)].limits;
    there.pose.coordinates[joint.poseIndex] = random.uniform(std::max(limits.lower, -3.1), std::min(limits.upper, 3.1));
  }
  Couplings(figure, there.couplingEnabled).apply(there.pose);
  there.goals.clear();
  addGoal(there, GoalType::PositionOrientation, {.link = arm.link});
  Document asked = arm.document;
  asked.goals = there.goals;
  asked.goals[0].chain = arm.joints;
  return asked;
}

TEST(ReachablePoses, ASolveReachesThemAll) {
  const auto all = arms();
  RandomStream random(7);
  int asked = 0, near = 0, exact = 0, reached = 0, found = 0;
  std::vector<double> nearTimes, times;
  for (const Arm& arm : all)
    for (int i = 0; i < kPosesOfAnArm; ++i) {
      const Document document = ask(arm, random);
      Posing posing;
      Document dragged = document, solved = document, sought = document;
      sought.solver.solver = "multi-start";
      const PosingReport local = solveToEnd(posing, dragged);
      const PosingReport report = solveToEnd(posing, solved, {.searches = true});
      ++asked;
      near += local.outcome == Outcome::Reached;
      reached += report.outcome == Outcome::Reached;
      found += solveToEnd(posing, sought).outcome == Outcome::Reached;
      nearTimes.push_back(local.totalMs);
      times.push_back(report.totalMs);
      EXPECT_EQ(report.outcome, Outcome::Reached) << arm.name << ", pose " << i << ": " << report.sentence;
      EXPECT_LT(report.worstError, kExact) << arm.name << ", pose " << i;
      EXPECT_LT(report.worstAngle, kExact) << arm.name << ", pose " << i;
      exact += local.outcome == Outcome::Reached && local.worstError < kExact && local.worstAngle < kExact;
    }
  const auto median = [](std::vector<double>& values) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
  };
  std::printf(
      "%zu arms, %d poses: %d reached (%d without a search, %d of these exactly, %d by multi-start); median %.3g ms "
      "(%.3g ms)\n",
      all.size(), asked, reached, near, exact, found, median(times), median(nearTimes));
}

}  // namespace
}  // namespace limber::reachable_poses_test
