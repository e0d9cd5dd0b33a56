// SPDX-License-Identifier: MIT
// "Out of reach" is a proof: a goal that some pose meets is never called out of reach, in spite of rounding.
#include "limber/posing/reach.h"

#include <gtest/gtest.h>

#include <random>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"
#include "limber/problem/goal_types.h"
#include "limber/problem/new_goal.h"
#include "limber/scene/document.h"
#include "support/awkward_figure.h"
#include "support/limited_figure.h"

namespace limber::reach_test {
namespace {

constexpr int kGoals = 20000;

using Random = std::mt19937;

int choose(Random& random, int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); }

std::vector<std::shared_ptr<const Figure>> figures(Random& random) {
  std::vector<std::shared_ptr<const Figure>> result = {
      makeArm(),           makePlanarChain(5), makeBallChain(4), test::makeAwkwardFigure(), test::makeCoupledFigure(),
      test::makeBallTree()};
  for (int i = 0; i < 6; ++i) result.push_back(test::makeLimitedFigure(random));
  return result;
}

/// A goal that the pose meets, on any link, of any type for which reach is checked; half of them at the link's pivot.
GoalItem metGoal(const Document& document, Random& random) {
  std::vector<GoalType> types;
  for (const GoalTypeInfo& info : goalTypes())
    if (info.hasEndEffector() && !info.isBend) types.push_back(info.type);
  Document with = document;
  with.goals.clear();
  const int links = document.figure->linkCount();
  const int link = choose(random, links);
  const auto end = [&](int of) {
    EndEffector effector{.link = of, .frame = Eigen::Quaterniond::UnitRandom().toRotationMatrix()};
    if (choose(random, 2)) effector.point = document.figure->meanLinkLength() * Eigen::Vector3d::Random();
    return effector;
  };
  const EndEffector other = end((link + 1 + choose(random, links - 1)) % links);
  addGoal(with, types[static_cast<std::size_t>(choose(random, static_cast<int>(types.size())))], end(link), other);
  return with.goals.front();
}

/// The coordinates of a joint, of a few, or of all that may move; followers move with their drivers.
std::vector<char> anyMoves(const Figure& figure, Random& random) {
  std::vector<char> moves(static_cast<std::size_t>(figure.stepSize()), 0);
  const int joints = choose(random, 3) == 0 ? figure.linkCount() : 1 + choose(random, 3);
  for (int i = 0; i < joints; ++i) {
    const Joint& joint = figure.joint(joints == figure.linkCount() ? i : choose(random, figure.linkCount()));
    for (int c = 0; c < stepSize(joint.type); ++c) moves[static_cast<std::size_t>(joint.stepIndex + c)] = 1;
  }
  for (const Coupling& coupling : figure.couplings())
    for (const Coupling::Term& term : coupling.terms)
      if (moves[static_cast<std::size_t>(figure.joint(term.driver).stepIndex)])
        moves[static_cast<std::size_t>(figure.joint(coupling.follower).stepIndex)] = 1;
  return moves;
}

/// The document's pose with the coordinates that may move taken from another one.
Pose mixed(const Figure& figure, const Pose& stays, const Pose& other, const std::vector<char>& moves) {
  Pose pose = stays;
  for (const Joint& joint : figure.joints()) {
    if (stepSize(joint.type) == 0 || !moves[static_cast<std::size_t>(joint.stepIndex)]) continue;
    const int size = poseSize(joint.type);
    pose.coordinates.segment(joint.poseIndex, size) = other.coordinates.segment(joint.poseIndex, size);
  }
  return pose;
}

TEST(Reach, NoGoalThatAPoseMeetsIsOutOfReach) {
  Random random(20);
  std::srand(20);
  const auto all = figures(random);
  int proofs = 0;
  for (int i = 0; i < kGoals; ++i) {
    Document document = makeDocument(all[static_cast<std::size_t>(i) % all.size()]);
    const Figure& figure = *document.figure;
    document.pose = test::randomPose(figure, random);
    const std::vector<char> moves = anyMoves(figure, random);
    Document posed = document;
    posed.pose = mixed(figure, document.pose, test::randomPose(figure, random), moves);
    const GoalItem goal = metGoal(posed, random);
    Kinematics kinematics;
    computeTransforms(figure, document.pose, kinematics);
    EXPECT_FALSE(isProvedOutOfReach(document, moves, kinematics, goal, Tolerance{}))
        << figure.name() << ", goal " << i << " of type " << static_cast<int>(goal.type) << " on link " << goal.link;
    GoalItem far = goal;  // also checks that unreachable goals are proved so
    far.type = GoalType::Position;
    far.target += Eigen::Vector3d(0.0, 1e4, 0.0);
    proofs += isProvedOutOfReach(document, moves, kinematics, far, Tolerance{});
  }
  EXPECT_GT(proofs, kGoals / 2);
}

TEST(Reach, ATargetJustBeyondTheLengthsIsProvedOutOfReachByTheToleranceAndNoMore) {
  Document document = makeDocument(makePlanarChain(4));
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  const std::vector<char> moves(4, 1);
  GoalItem& goal = document.goals[0];
  goal.target = {0.0, 4.01 + 1e-9, 0.0};
  EXPECT_TRUE(isProvedOutOfReach(document, moves, kinematics, goal, relativeTolerance(*document.figure, 0.01)));
  goal.target = {0.0, 4.01 - 1e-9, 0.0};
  EXPECT_FALSE(isProvedOutOfReach(document, moves, kinematics, goal, relativeTolerance(*document.figure, 0.01)))
      << "there it counts as reached";
}

TEST(Reach, AlternativesAreOutOfReachTogetherOrNotAtAll) {
  Document document = makeDocument(makePlanarChain(3));
  addGoal(document, 2, Eigen::Vector3d::UnitX());
  document.goals[0].target = {3.6, 0.0, 0.0};
  document.goals[1].target = {0.5, 2.0, 0.0};
  for (GoalItem& goal : document.goals) goal.anyOf = 1;
  Posing posing;
  PosingReport report = solveToEnd(posing, document);
  EXPECT_NE(report.outcome, Outcome::OutOfReach) << report.sentence;
  EXPECT_FALSE(report.goals[0].outOfReach);
  document.goals[1].target = {0.0, 9.0, 0.0};
  report = solveToEnd(posing, document);
  EXPECT_EQ(report.outcome, Outcome::OutOfReach) << report.sentence;
  EXPECT_TRUE(report.goals[0].outOfReach && report.goals[1].outOfReach);
}

TEST(Reach, AnAlternativeThatMayUseMoreJointsCountsToo) {
  // The first may use the last joint alone, which cannot bring it there; the second, were it to count, moves them all.
  Document document = makeDocument(makePlanarChain(3));
  addGoal(document, 2, Eigen::Vector3d::UnitX());
  document.goals[0].target = {2.9, 0.5, 0.0};
  document.goals[0].chain = {2};
  document.goals[1].target = {0.0, -2.5, 0.0};
  for (GoalItem& goal : document.goals) goal.anyOf = 1;
  Posing posing;
  EXPECT_NE(solveToEnd(posing, document).outcome, Outcome::OutOfReach);
}

TEST(Reach, APoseGoalOfASingleJointIsNotOutOfReachByRounding) {
  // The point of the goal is on the pivot of the one joint that may move: no length is left, and rounding alone parts
  // the target from it.
  Document document = makeDocument(makeArm());
  const int last = document.figure->linkCount() - 1;
  Random random(3);
  std::srand(3);
  for (int i = 0; i < 200; ++i) {
    document.pose = test::randomPose(*document.figure, random);
    Document posed = document;
    posed.pose.coordinates[document.figure->joint(last).poseIndex] += 0.7;
    addGoal(posed, GoalType::PositionOrientation, {.link = last});
    document.goals = {posed.goals.back()};
    document.goals[0].chain = {last};
    Posing posing;
    EXPECT_NE(solveToEnd(posing, document).outcome, Outcome::OutOfReach) << i;
  }
}

}  // namespace
}  // namespace limber::reach_test
