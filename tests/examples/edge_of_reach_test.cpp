// SPDX-License-Identifier: MIT
// Calm at the edge: a target is carried round on a circle that grows from 0.5 to 3 times a chain's reach, as a person
// drags it in a window, one solve per frame. Near the edge a chain straightens like the square root of the distance to
// it, so a joint may move by about sqrt(2 step / reach) while the target moves by one step, and by no more.
//
// Not swept here: a target that passes the rest direction backward shortly before the edge. The minimum that the chain
// is in ends there (its bend is on the side that the pull to rest no longer favours), and it goes over to the mirrored
// one. The window spreads that over 150 ms; tests/app/pose_blend_test sweeps it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "example_scenes.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::edge_of_reach_test {
namespace {

constexpr int kFrames = 600, kAfterwards = 60, kSettled = 30;
constexpr double kStill = 1e-6;  // radians per frame
constexpr int kWindow = 10;      // frames on either side of the crossing

struct Frame {
  Eigen::VectorXd velocity;               ///< per step coordinate, radians per frame, the short way round
  double targetStep = 0.0, radius = 0.0;  ///< in units of the reach
  Outcome outcome = Outcome::Idle;
};

struct Sweep {
  Document document;  ///< with the one goal that is swept
  Eigen::Vector3d base = Eigen::Vector3d::Zero();
  Eigen::Vector3d ahead = Eigen::Vector3d::UnitX(), aside = Eigen::Vector3d::UnitY();  ///< the circle's plane
  double reach = 1.0;
  double start = 0.4;  ///< radians from ahead
  double turns = 1.0;  ///< of the target round the base, over all frames
  double from = 0.5, to = 3.0;
};

/// Velocities between poses; an angle that has been wrapped did not move by a turn.
Eigen::VectorXd velocityOf(const Figure& figure, const Pose& before, const Pose& after) {
  Eigen::VectorXd velocity;
  difference(figure, before, after, velocity);
  for (double& v : velocity) v = std::remainder(v, 2.0 * std::numbers::pi);
  return velocity;
}

Eigen::Vector3d targetAt(const Sweep& sweep, int frame) {
  const double t = std::min(1.0, static_cast<double>(frame) / kFrames);
  const double radius = sweep.reach * (sweep.from + t * (sweep.to - sweep.from));
  const double angle = sweep.start + 2.0 * std::numbers::pi * sweep.turns * t;
  return sweep.base + radius * (std::cos(angle) * sweep.ahead + std::sin(angle) * sweep.aside);
}

std::vector<Frame> run(const Sweep& sweep) {
  Document document = sweep.document;
  document.goals[0].target = targetAt(sweep, 0);
  PosingRequest request;
  request.startPose = document.pose;  // as at the press of the mouse
  request.draggedGoal = document.goals.front().id;
  Posing posing;
  solveToEnd(posing, document, request);
  std::vector<Frame> frames;
  for (int i = 1; i <= kFrames + kAfterwards; ++i) {
    const Pose before = document.pose;
    document.goals[0].target = targetAt(sweep, i);
    Frame frame;
    frame.outcome = solveToEnd(posing, document, request).outcome;
    frame.velocity = velocityOf(*document.figure, before, document.pose);
    frame.targetStep = (targetAt(sweep, i) - targetAt(sweep, i - 1)).norm() / sweep.reach;
    frame.radius = (targetAt(sweep, i) - sweep.base).norm() / sweep.reach;
    frames.push_back(frame);
  }
  return frames;
}

void expectNoJointJumps(const std::vector<Frame>& frames) {
  double worst = 0.0;
  int worstFrame = 0;
  for (int i = 0; i < kFrames; ++i) {
    const Frame& frame = frames[static_cast<std::size_t>(i)];
    const double share = frame.velocity.cwiseAbs().maxCoeff() / (3.0 * std::sqrt(2.0 * frame.targetStep));
    if (share > worst) worst = share, worstFrame = i;
  }
  EXPECT_LE(worst, 1.0) << "at frame " << worstFrame << ", " << frames[static_cast<std::size_t>(worstFrame)].radius
                        << " reaches from the base";
  testing::Test::RecordProperty("share_of_the_bound", std::to_string(worst));
}

void expectNoJointTremblesWhereTheTargetLeavesTheReach(const std::vector<Frame>& frames) {
  int crossing = 1;
  while (crossing < kFrames && (frames[static_cast<std::size_t>(crossing)].radius < 1.0) ==
                                   (frames[static_cast<std::size_t>(crossing - 1)].radius < 1.0))
    ++crossing;
  ASSERT_LT(crossing, kFrames);
  for (Eigen::Index joint = 0; joint < frames[0].velocity.size(); ++joint) {
    int changes = 0;
    double last = 0.0;
    for (int i = std::max(0, crossing - kWindow); i <= crossing + kWindow; ++i) {
      const double v = frames[static_cast<std::size_t>(i)].velocity[joint];
      if (std::abs(v) < kStill) continue;
      if (v * last < 0.0) ++changes;
      last = v;
    }
    EXPECT_LE(changes, 1) << "coordinate " << joint << " around frame " << crossing;
  }
}

void expectEverythingRestsSoonAfterTheTargetDoes(const std::vector<Frame>& frames) {
  for (int i = kFrames + kSettled; i < kFrames + kAfterwards; ++i)
    EXPECT_LT(frames[static_cast<std::size_t>(i)].velocity.cwiseAbs().maxCoeff(), kStill) << "frame " << i;
}

Sweep chain(int links, double turns, bool outward) {
  Sweep sweep;
  sweep.document = makeDocument(makePlanarChain(links));
  sweep.reach = links;
  sweep.turns = turns;
  if (!outward) std::swap(sweep.from, sweep.to);
  return sweep;
}

/// The right arm alone, within its limits, its palm carried up before the body.
Sweep arm(bool outward) {
  Sweep sweep;
  sweep.document = test::openExample("reach_from_the_shoulder");
  sweep.document.goals[0].type = GoalType::Position;
  const Figure& figure = *sweep.document.figure;
  Kinematics kinematics;
  computeTransforms(figure, sweep.document.pose, kinematics);
  const auto place = [&](const char* link) -> Eigen::Vector3d {
    return kinematics.worldFromLink[static_cast<std::size_t>(figure.findLink(link))].translation;
  };
  sweep.base = place("right_upper_arm");
  sweep.reach = (place("right_forearm") - sweep.base).norm() + (place("right_hand") - place("right_forearm")).norm() +
                sweep.document.goals[0].pointInLink.norm();
  sweep.ahead = Eigen::Vector3d(-0.3, 0.0, 1.0).normalized();
  sweep.start = -0.7;
  sweep.turns = 0.2;
  if (!outward) std::swap(sweep.from, sweep.to);
  return sweep;
}

/// A hand of the whole humanoid, which leans after it.
Sweep body(PosingChoice posing, bool outward) {
  Sweep sweep;
  const auto opened = io::openAny("humanoid");
  EXPECT_TRUE(opened) << opened.error().message();
  sweep.document = opened->document;
  sweep.document.solver.posing = posing;
  const Figure& figure = *sweep.document.figure;
  addGoal(sweep.document, figure.findLink("right_hand"), Eigen::Vector3d::Zero());
  Kinematics kinematics;
  computeTransforms(figure, sweep.document.pose, kinematics);
  const auto place = [&](const char* link) -> Eigen::Vector3d {
    return kinematics.worldFromLink[static_cast<std::size_t>(figure.findLink(link))].translation;
  };
  sweep.base = place("right_upper_arm");
  sweep.reach = (place("right_forearm") - sweep.base).norm() + (place("right_hand") - place("right_forearm")).norm();
  sweep.ahead = Eigen::Vector3d(-0.3, 0.0, 1.0).normalized();
  sweep.start = -0.7;
  sweep.turns = 0.2;
  sweep.to = 1.6;
  if (!outward) std::swap(sweep.from, sweep.to);
  return sweep;
}

/// The same chain, held to where each of its links was.
Sweep stillChain(int links, double turns, bool outward) {
  Sweep sweep = chain(links, turns, outward);
  sweep.document.solver.posing = PosingChoice::Still;
  sweep.document.solver.reference = RestReference::StartPose;
  return sweep;
}

/// Made by the test: to read their figures takes longer than some tests of this executable.
struct NamedSweep {
  std::string name;
  std::function<Sweep()> make;
};

void PrintTo(const NamedSweep& sweep, std::ostream* out) { *out << sweep.name; }

std::vector<NamedSweep> sweeps() {
  static constexpr std::pair<double, const char*> kPaths[] = {
      {0.0, "straight"}, {0.25, "aside"}, {-0.25, "back"}, {1.0, "round"}};  // by turns of the target
  std::vector<NamedSweep> result;
  for (const bool outward : {true, false}) {
    const std::string way = outward ? "_outward" : "_inward";
    result.push_back({"arm" + way, [=] { return arm(outward); }});
    for (const PosingChoice posing : {PosingChoice::Even, PosingChoice::Natural, PosingChoice::Still})
      result.push_back({"body_" + std::string(posingName(posing)) + way, [=] { return body(posing, outward); }});
    for (const int links : {2, 4})
      result.push_back(
          {"planar" + std::to_string(links) + "_still" + way, [=] { return stillChain(links, 0.25, outward); }});
    for (const int links : {2, 4, 10})
      for (const auto& [turns, path] : kPaths)
        result.push_back({"planar" + std::to_string(links) + "_" + path + way,
                          [=, turns = turns] { return chain(links, turns, outward); }});
  }
  return result;
}

class EdgeOfReach : public testing::TestWithParam<NamedSweep> {};

TEST_P(EdgeOfReach, NoJointJumpsOrTremblesAndAllRestSoonAfterTheTarget) {
  const std::vector<Frame> frames = run(GetParam().make());
  expectNoJointJumps(frames);
  expectNoJointTremblesWhereTheTargetLeavesTheReach(frames);
  expectEverythingRestsSoonAfterTheTargetDoes(frames);
}

INSTANTIATE_TEST_SUITE_P(, EdgeOfReach, testing::ValuesIn(sweeps()),
                         [](const auto& sweep) { return sweep.param.name; });

}  // namespace
}  // namespace limber::edge_of_reach_test
