// SPDX-License-Identifier: MIT
// The parts that a drag moves or leaves in place (docs/natural_posing.md), alone and together with other goals.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "example_scenes.h"
#include "limber/body/body_map.h"
#include "limber/posing/certify.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/race_lane.h"
#include "puller.h"

namespace limber::natural_posing_test {
namespace {

using test::openFigure;
using test::Puller;
using V = Eigen::Vector3d;

Puller humanoid(PosingChoice choice = PosingChoice::Natural, const char* link = "left_hand") {
  return Puller(openFigure("humanoid"), link, choice);
}

TEST(NaturalPosing, AHandWithinReachMovesItsArmAndNothingElse) {
  for (const V& way : {V(0.2, 0.1, 0.1), V(0.1, 0.3, 0.2), V(-0.1, 0.2, 0.3), V(0.15, 0.2, 0.25)}) {
    Puller natural = humanoid(), even = humanoid(PosingChoice::Even);
    natural.to(natural.start() + way);
    even.to(even.start() + way);
    EXPECT_LT(natural.miss(), 5e-5) << way.transpose();
    EXPECT_EQ(natural.report.outcome, Outcome::Reached);
    EXPECT_LT(natural.turn("chest"), 3.0) << way.transpose();
    EXPECT_LT(natural.way("right_hand"), 5e-3) << way.transpose();
    EXPECT_LT(natural.feetWay(), 1e-5) << way.transpose();
    EXPECT_GT(even.turn("chest"), 2.0 * natural.turn("chest")) << "what Natural is for";
    EXPECT_FALSE(natural.report.bodyMoved);
    EXPECT_EQ(natural.report.heldFeet.size(), 2u);
  }
}

TEST(NaturalPosing, PastItsReachTheBodyComesAlongAndTheFeetStay) {
  Puller puller = humanoid();
  puller.to(puller.start() + V(0.2, 0.7, 0.9));
  EXPECT_TRUE(puller.report.bodyMoved);
  EXPECT_GT(puller.turn("chest"), 5.0);
  EXPECT_LT(puller.feetWay(), 1e-5);
  EXPECT_LT(puller.turn("pelvis"), 60.0) << "it does not topple";
}

TEST(NaturalPosing, SaysThatThePullEndsBeforeTheBodyDoes) {
  Puller puller = humanoid();
  puller.to(puller.start() + V(0.5, 0.9, 1.6));
  ASSERT_FALSE(puller.report.goals.front().reached);
  EXPECT_TRUE(puller.report.goals.front().isForceSpent);
  EXPECT_NE(puller.report.sentence.find(" short"), std::string::npos) << puller.report.sentence;
  puller.to(puller.start() + V(0.02, 0.05, 0.05));
  EXPECT_FALSE(puller.report.goals.front().isForceSpent);
}

TEST(NaturalPosing, ADragHasNoMemory) {
  for (const PosingChoice choice : {PosingChoice::Natural, PosingChoice::Still}) {
    Puller puller = humanoid(choice);
    const V start = puller.start(), far = V(0.3, 0.8, 1.0);
    for (int i = 0; i <= 120; ++i) puller.to(start + far * (1.0 - std::abs(i - 60) / 60.0));
    for (int link = 0; link < puller.document.figure->linkCount(); ++link) {
      const auto i = static_cast<std::size_t>(link);
      EXPECT_LT((puller.now.worldFromLink[i].translation - puller.before.worldFromLink[i].translation).norm(), 5e-5)
          << puller.document.figure->link(link).name;
    }
  }
}

TEST(NaturalPosing, WhatTheLastEventsTellSavesIterationsAndChangesNoPose) {
  Puller told(openFigure("humanoid"), "left_hand"), untold(openFigure("humanoid"), "left_hand");
  int iterations = 0, untoldIterations = 0;
  for (int event = 0; event < 80; ++event) {  // to the edge of the reach, to and fro
    const double t = 0.05 * event;
    const V target = told.start() + V(0.1 * std::sin(2.0 * t), 0.1 * t, 0.1 * t);
    told.to(target);
    untold.request.followsLast = false;
    untold.to(target);
    iterations += told.report.summary.iterations();
    untoldIterations += untold.report.summary.iterations();
    EXPECT_LE(told.report.summary.objective, told.report.summary.objectiveBefore) << event;
    for (std::size_t i = 0; i < told.now.worldFromLink.size(); ++i)
      EXPECT_LT((told.now.worldFromLink[i].translation - untold.now.worldFromLink[i].translation).norm(), 1e-4)
          << "event " << event << ", link " << i;
  }
  EXPECT_LT(iterations, 0.7 * untoldIterations);
}

TEST(NaturalPosing, NothingDriftsOverTwentyLoops) {
  Puller puller = humanoid();
  const V centre = puller.start() + V(0.1, 0.15, 0.15);
  Pose afterOne;
  for (int loop = 0; loop < 20; ++loop) {
    for (int i = 1; i <= 24; ++i) {
      const double t = 2.0 * std::numbers::pi * i / 24;
      puller.to(centre + 0.15 * V(std::cos(t), std::sin(t), 0.5 * std::sin(t)));
    }
    if (loop == 0) afterOne = puller.document.pose;
  }
  Eigen::VectorXd drift;
  difference(*puller.document.figure, afterOne, puller.document.pose, drift);
  EXPECT_LT(drift.cwiseAbs().maxCoeff(), 1e-4);
}

TEST(NaturalPosing, ChainsAndArmsKeepEveryBit) {
  for (const char* name : {"planar:4", "planar:30", "ball:6", "arm"})
    for (const bool pullsToStart : {false, true}) {
      std::vector<Pose> poses;
      std::vector<double> values;
      for (const PosingChoice choice : {PosingChoice::Even, PosingChoice::Natural}) {
        Document document = openFigure(name);
        document.solver.posing = choice;
        if (pullsToStart) document.solver.reference = RestReference::StartPose;
        PosingRequest request{.startPose = document.pose};
        request.drag = DragGoal{.link = document.figure->linkCount() - 1, .target = V(0.6, 0.5, 0.0)};
        Posing posing;
        const PosingReport report = solveToEnd(posing, document, request);
        poses.push_back(document.pose);
        values.push_back(report.summary.objective);
      }
      EXPECT_TRUE(poses[0] == poses[1]) << name;
      EXPECT_EQ(values[0], values[1]) << name;
    }
}

TEST(NaturalPosing, TheSameDragGivesTheSameBits) {
  Puller once = humanoid(), again = humanoid();
  for (int i = 1; i <= 10; ++i) {
    once.to(once.start() + 0.05 * i * V(0.5, 1.0, 0.8));
    again.to(again.start() + 0.05 * i * V(0.5, 1.0, 0.8));
    EXPECT_TRUE(once.document.pose == again.document.pose) << i;
  }
}

TEST(NaturalPosing, TheSliderEndsWhereJointsAreAlike) {
  Puller even = humanoid(PosingChoice::Even), natural = humanoid();
  natural.document.solver.bodyFollows = 1.0;
  const V target = even.start() + V(0.2, 0.3, 0.2);
  even.to(target);
  natural.to(target);
  EXPECT_TRUE(even.document.pose == natural.document.pose);
  double before = 0.0;
  for (const double follows : {0.0, 0.25, 0.5, 0.75}) {
    Puller puller = humanoid();
    puller.document.solver.bodyFollows = follows;
    puller.to(target);
    EXPECT_GE(puller.turn("chest"), before - 0.05) << follows;
    before = puller.turn("chest");
  }
  EXPECT_GT(before, 2.0);
}

TEST(NaturalPosing, FeetGoWhereOneLetsThemGo) {
  Puller puller = humanoid();
  puller.request.letsFeetGo = true;
  puller.to(puller.start() + V(0.2, 0.7, 0.9));
  EXPECT_TRUE(puller.report.heldFeet.empty());
}

TEST(NaturalPosing, ADraggedFootIsNotHeld) {
  Puller puller = humanoid(PosingChoice::Natural, "left_foot");
  puller.to(puller.start() + V(0.1, 0.2, 0.1));
  EXPECT_LT(puller.miss(), 5e-5);
  EXPECT_EQ(puller.report.heldFeet.size(), 1u);
  EXPECT_LT(puller.way("right_foot"), 1e-5);
  EXPECT_LT(puller.turn("chest"), 3.0);
}

TEST(NaturalPosing, DraggedHipsBendTheKnees) {
  Puller puller = humanoid(PosingChoice::Natural, "pelvis");
  puller.to(puller.start() - V(0.0, 0.05, 0.0));
  EXPECT_LT(puller.miss(), 1e-3);
  EXPECT_LT(std::max(puller.shift("left_toes"), puller.shift("right_toes")), 1e-5);
  EXPECT_LT(puller.feetWay(), 1e-4) << "the heels are on springs";
  EXPECT_LT(puller.turn("chest"), 30.0);
}

TEST(NaturalPosing, PinsAndPlantedTargetsHold) {
  Puller puller = humanoid();
  pinLink(puller.document, puller.document.figure->findLink("head"), true, true);
  const int goal = addGoal(puller.document, puller.document.figure->findLink("right_hand"), V::Zero());
  puller.to(puller.start() + V(0.15, 0.4, 0.5));
  EXPECT_LT(puller.way("head"), 1e-5);
  EXPECT_LT(puller.way("right_hand"), 1e-3) << findGoal(puller.document, goal)->name;
  EXPECT_LT(puller.feetWay(), 1e-5);
}

TEST(NaturalPosing, ADraggedTargetMovesItsLimbOnly) {
  Document document = openFigure("humanoid");
  document.solver.posing = PosingChoice::Natural;
  const int right = addGoal(document, document.figure->findLink("right_hand"), V::Zero());
  const int left = addGoal(document, document.figure->findLink("left_hand"), V::Zero());
  findGoal(document, left)->target += V(0.1, 0.25, 0.2);
  PosingRequest request{.startPose = document.pose};
  request.draggedGoal = left;
  Posing posing;
  const PosingReport report = solveToEnd(posing, document, request);
  EXPECT_EQ(report.outcome, Outcome::Reached);
  EXPECT_NE(right, left);
  ASSERT_FALSE(report.limb.empty());
  EXPECT_TRUE(report.limb[static_cast<std::size_t>(document.figure->findLink("left_forearm"))]);
  EXPECT_FALSE(report.limb[static_cast<std::size_t>(document.figure->findLink("right_forearm"))]);
}

/// The move gizmo of a pinned link: the pin moves, without any other goal.
TEST(NaturalPosing, ADraggedPinMovesItsLimbOnly) {
  for (const bool hasGoal : {false, true}) {
    Puller puller = humanoid();
    Document& document = puller.document;
    const int hand = document.figure->findLink("left_hand");
    if (hasGoal) addGoal(document, document.figure->findLink("right_hand"), V::Zero());
    pinLink(document, hand, true, false);
    document.pins.front().worldFromLink.translation += V(0.1, 0.25, 0.2);
    puller.request.drag.reset();
    puller.request.draggedPin = hand;
    puller.report = solveToEnd(puller.posing, document, puller.request);
    computeTransforms(*document.figure, document.pose, puller.now);
    EXPECT_EQ(puller.report.outcome, Outcome::Reached) << puller.report.sentence;
    EXPECT_LT((puller.place(puller.now, "left_hand") - document.pins.front().worldFromLink.translation).norm(), 1e-4);
    EXPECT_LT(puller.turn("chest"), 3.0);
    EXPECT_LT(puller.way("right_hand"), 5e-3);
    EXPECT_LT(puller.feetWay(), 1e-5);
    ASSERT_FALSE(puller.report.limb.empty());
    EXPECT_TRUE(puller.report.limb[static_cast<std::size_t>(document.figure->findLink("left_forearm"))]);
    EXPECT_FALSE(puller.report.limb[static_cast<std::size_t>(document.figure->findLink("right_forearm"))]);
  }
}

TEST(NaturalPosing, BalanceIsKept) {
  Puller puller = humanoid();
  puller.document.keepsBalance = true;
  puller.to(puller.start() + V(0.2, 0.3, 0.9));
  ASSERT_TRUE(puller.report.balance);
  EXPECT_TRUE(puller.report.balance->isKept);
  EXPECT_LT(puller.feetWay(), 1e-5);
}

TEST(NaturalPosing, LinksKeepOutOfObstacles) {
  Puller puller = humanoid();
  Obstacle wall;
  wall.shape = Obstacle::Shape::Box;
  wall.size = V(2.0, 2.0, 0.1);
  wall.worldFromObstacle.translation = puller.start() + V(0.0, 0.0, 0.35);
  addObstacle(puller.document, wall);
  puller.to(puller.start() + V(0.0, 0.1, 0.6));
  for (const ContactReport& contact : puller.report.contacts) EXPECT_GT(contact.clearance, -1e-4);
  EXPECT_LT(puller.feetWay(), 1e-5);
}

TEST(NaturalPosing, BothSidesArePosedAlike) {
  Puller puller = humanoid();
  puller.document.symmetry = bodyMapOf(*puller.document.figure).symmetry().symmetry;
  puller.to(puller.start() + V(0.1, 0.3, 0.2));
  EXPECT_LT(puller.miss(), 1e-3);
  const V left = puller.place(puller.now, "left_hand"), right = puller.place(puller.now, "right_hand");
  EXPECT_NEAR(left.x(), -right.x(), 1e-3);
  EXPECT_NEAR(left.y(), right.y(), 1e-3);
  EXPECT_LT(puller.turn("chest"), 3.0);
  EXPECT_LT(puller.feetWay(), 1e-4);
}

TEST(NaturalPosing, PathIndependentPosesDependOnTargetsAlone) {
  for (const PosingChoice choice : {PosingChoice::Natural, PosingChoice::Still}) {
    std::vector<Pose> poses;
    for (const bool detour : {false, true}) {
      Puller puller = humanoid(choice);
      puller.document.solver.pathIndependent = true;
      if (detour) puller.to(puller.start() + V(0.3, 0.5, -0.2));
      puller.to(puller.start() + V(0.15, 0.25, 0.2));
      poses.push_back(puller.document.pose);
    }
    EXPECT_TRUE(poses[0] == poses[1]) << (poses[0].coordinates - poses[1].coordinates).cwiseAbs().maxCoeff();
  }
}

TEST(NaturalPosing, ACertificateSaysWhatItLeavesOut) {
  Document document = openFigure("humanoid");
  document.solver.posing = PosingChoice::Natural;
  const int goal = addGoal(document, document.figure->findLink("left_hand"), V::Zero());
  findGoal(document, goal)->target += V(0.1, 0.2, 0.2);
  Posing posing;
  solveToEnd(posing, document);
  const PoseCertificate result = certifyPose(document);
  EXPECT_TRUE(result.certificate.fault.empty()) << result.certificate.fault;
  EXPECT_NE(std::ranges::find(result.leftOut, "the pull to a pose"), result.leftOut.end());
}

TEST(NaturalPosing, ARaceIsOfTheSameDrag) {
  Puller puller = humanoid();
  puller.request.drag->target = puller.start() + V(0.1, 0.25, 0.2);
  for (const char* solver : {"newton", "lm", "lbfgs"}) {
    RaceLane lane(solver);
    lane.restart(puller.document.pose);
    const LaneResult result = lane.solve(puller.document, puller.request);
    EXPECT_EQ(result.report.outcome, Outcome::Reached) << solver << ": " << result.report.sentence;
    EXPECT_EQ(result.report.heldFeet.size(), 2u) << solver;
    Puller shown = humanoid();
    computeTransforms(*shown.document.figure, result.pose, shown.now);
    EXPECT_LT(shown.turn("chest"), 3.0) << solver;
    EXPECT_LT(shown.way("right_hand"), 5e-3) << solver;
    // Heels are held by a force, to 1e-5 mean link lengths for each of ball, heel and toes.
    EXPECT_LT(shown.feetWay(), 2e-5) << solver;
  }
}

TEST(NaturalPosing, EveryMethodSeesTheSameObjective) {
  std::vector<double> values;
  for (const Solver* solver : allSolvers()) {
    if (solver->limitHandling() != LimitHandling::Exact) continue;
    SCOPED_TRACE(solver->name());
    Puller puller = humanoid();
    puller.request.solver = std::string(solver->name());
    puller.request.letsFeetGo = true;
    puller.to(puller.start() + V(0.05, 0.1, 0.1));
    if (puller.report.outcome == Outcome::BadInput) continue;
    EXPECT_LE(puller.report.summary.objective, puller.report.summary.objectiveBefore * (1.0 + 1e-9)) << solver->name();
    if (!test::isFirstOrder(solver->name()) && puller.report.summary.status == SolveStatus::Converged)
      values.push_back(puller.report.summary.objective);
    if (!values.empty()) {
      EXPECT_NEAR(values.back(), values.front(), 1e-3 * values.front() + 1e-9);
    }
  }
  ASSERT_GE(values.size(), 4u);
}

}  // namespace
}  // namespace limber::natural_posing_test
