// SPDX-License-Identifier: MIT
// Path-independent posing: the pose depends only on the problem, to the bit.
#include <gtest/gtest.h>

#include <random>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posing.h"
#include "limber/problem/new_goal.h"
#include "limber/scene/document.h"
#include "support/awkward_figure.h"
#include "support/limited_figure.h"
#include "support/repetitions.h"

namespace limber::path_independent_test {
namespace {

using V = Eigen::Vector3d;

V anyVector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

/// A limited tree with balls, couplings and linear limits; two alternatives for one end, a pin, a drag of another link.
Document makeDocumentWithGoals(unsigned seed) {
  std::mt19937 random(seed);
  Document document = makeDocument(test::makeLimitedFigure(random));
  document.solver.pathIndependent = true;
  document.solver.reference = RestReference::StartPose;
  const int last = document.figure->linkCount() - 1;
  addGoal(document, last, anyVector(random, 0.3));
  addGoal(document, GoalType::PositionOrientation, {last, anyVector(random, 0.3)});
  for (GoalItem& goal : document.goals) goal.anyOf = 1;
  pinLink(document, last / 2, true, false);
  return document;
}

struct Question {
  V first, second, drag;
};

Question anyQuestion(const Document& document, std::mt19937& random) {
  const double size = document.figure->meanLinkLength();
  Kinematics kinematics;
  computeTransforms(*document.figure, restPose(*document.figure), kinematics);
  const auto near = [&](int link) -> V {
    return kinematics.worldFromLink[static_cast<std::size_t>(link)].translation + anyVector(random, 1.5 * size);
  };
  const int last = document.figure->linkCount() - 1;
  return {near(last), near(last), near(last - 1)};
}

PosingReport ask(Posing& posing, Document& document, const Question& question, bool followsLast, int slice) {
  document.goals[0].target = question.first;
  document.goals[1].target = question.second;
  PosingRequest request;
  request.drag = DragGoal{document.figure->linkCount() - 2, V::Zero(), question.drag, 1.0};
  request.startPose = document.pose;
  request.followsLast = followsLast;
  if (posing.start(document, request))
    while (!posing.advance(document, slice)) {
    }
  return posing.report();
}

const int kPaths = test::repetitions(100, 4);

TEST(PathIndependent, ManyPathsToTheSameTargetsGiveTheSameBits) {
  for (const unsigned seed : {1u, 2u}) {
    const Document start = makeDocumentWithGoals(seed);
    std::mt19937 random(100 + seed);
    const Question end = anyQuestion(start, random);
    Document first = start;
    Posing fresh;
    const PosingReport report = ask(fresh, first, end, false, std::numeric_limits<int>::max());
    ASSERT_NE(report.outcome, Outcome::BadInput) << report.sentence;
    ASSERT_FALSE(first.pose == start.pose);
    for (int path = 0; path < kPaths; ++path) {
      Document document = start;
      Posing posing;
      const int events = 1 + static_cast<int>(random() % 4);
      for (int event = 0; event < events; ++event)
        ask(posing, document, anyQuestion(start, random), event > 0, 1 + static_cast<int>(random() % 7));
      if (path % 2) {  // posed by hand, as far as nothing is locked
        const Pose other = test::randomPose(*document.figure, random);
        document.pose = other;
        clampToLimits(document, document.pose);
      }
      ask(posing, document, end, events > 0, 1 + static_cast<int>(random() % 50));
      ASSERT_TRUE(document.pose == first.pose) << "seed " << seed << ", path " << path;
    }
  }
}

TEST(PathIndependent, WithoutTheModeThePathMatters) {
  Document start = makeDocumentWithGoals(1);
  start.solver.pathIndependent = false;
  std::mt19937 random(101);
  const Question end = anyQuestion(start, random);
  Document straight = start, roundabout = start;
  Posing one, other;
  ask(one, straight, end, false, 1000);
  for (int event = 0; event < 4; ++event) ask(other, roundabout, anyQuestion(start, random), event > 0, 1000);
  ask(other, roundabout, end, true, 1000);
  EXPECT_FALSE(straight.pose == roundabout.pose);
}

TEST(PathIndependent, LockedJointsStayAndTheBasePoseIsWhereItBegins) {
  Document document = makeDocument(makePlanarChain(6));
  document.solver.pathIndependent = true;
  document.pose.coordinates[2] = 0.7;
  document.joints[2].locked = true;
  document.goals[0].target = V(3, 2, 0);
  Document based = document;
  based.basePose.coordinates = Eigen::VectorXd::Constant(6, 0.2);
  Posing posing;
  solveToEnd(posing, document);
  solveToEnd(posing, based);
  EXPECT_EQ(document.pose.coordinates[2], 0.7);
  EXPECT_EQ(based.pose.coordinates[2], 0.7);
  EXPECT_FALSE(document.pose == based.pose);
}

TEST(PathIndependent, ShowsNothingOnItsWay) {
  Document document = makeDocumentWithGoals(1);
  std::mt19937 random(3);
  const Pose before = document.pose;
  const Question question = anyQuestion(document, random);
  document.goals[0].target = question.first;
  document.goals[1].target = question.second;
  Posing posing;
  ASSERT_TRUE(posing.start(document));
  int slices = 0;
  while (!posing.advance(document, 1)) {
    EXPECT_TRUE(document.pose == before);
    ++slices;
  }
  EXPECT_GT(slices, 8) << "stages, of some iterations each";
  EXPECT_FALSE(document.pose == before);
}

TEST(PathIndependent, NeighboursHaveNeighbouringPoses) {
  Document document = makeDocument(makeArm());
  document.solver.pathIndependent = true;
  Posing posing;
  PosingRequest request;
  request.drag = DragGoal{6, V(0, 0.1, 0), V::Zero(), 1.0};
  Eigen::VectorXd moved;
  Pose before;
  constexpr int kEvents = 200;
  int jumps = 0;
  for (int event = 0; event < kEvents; ++event) {
    const double angle = 6.283 * event / kEvents;
    request.drag->target = V(0.5 * std::cos(angle), 0.6 + 0.2 * std::sin(3.0 * angle), 0.5 * std::sin(angle));
    const PosingReport report = solveToEnd(posing, document, request);
    EXPECT_EQ(report.outcome, Outcome::Reached) << event << ": " << report.sentence;
    if (event > 0) {
      difference(*document.figure, before, document.pose, moved);
      jumps += moved.cwiseAbs().maxCoeff() > 0.4;
    }
    before = document.pose;
  }
  EXPECT_LE(jumps, kEvents / 20) << "neighbours, but where the map must jump: round the arm's own axis, for one";
}

}  // namespace
}  // namespace limber::path_independent_test
