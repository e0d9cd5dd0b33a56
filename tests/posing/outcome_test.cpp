// SPDX-License-Identifier: MIT
// The report of a solve is true for its pose, whatever status the solver returns.
#include "limber/posing/outcome.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/local_minimum.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"
#include "limber/solvers/registry.h"

namespace limber::outcome_test {
namespace {

PosingReport solveBy(std::string_view solver, Document& document) {
  document.solver.solver = solver;
  document.solver.insist = true;
  Posing posing;
  return solveToEnd(posing, document);
}

TEST(Outcome, ACappedSolveSaysSoAndNothingOfLimits) {
  Document document = makeDocument(makeArm());
  addGoal(document, 6, Eigen::Vector3d::UnitY());
  document.goals[0].target = {0.05, 0.4, 0.05};
  document.joints[3].limits = {0.5, 0.6};
  document.solver.options["newton"]["maxIterations"] = 2;
  const PosingReport report = solveBy("newton", document);
  ASSERT_EQ(report.summary.status, SolveStatus::IterationCap);
  ASSERT_FALSE(report.activeLimits.empty());
  EXPECT_EQ(report.outcome, Outcome::IterationCap) << report.sentence;
}

TEST(Outcome, ASaddleIsNoNearestPose) {
  for (const char* solver : {"gdls", "nm", "gdls+nm", "lbfgs", "variable-metric", "cg"}) {
    Document document = makeDocument(makePlanarChain(3));
    document.goals[0].target = {1.5, 0.0, 0.0};  // along the straight chain: no gradient
    const PosingReport report = solveBy(solver, document);
    if (report.outcome == Outcome::Reached) continue;  // the solver has left the saddle
    EXPECT_EQ(report.outcome, Outcome::Stalled) << solver << ": " << report.sentence;
  }
  Document document = makeDocument(makePlanarChain(3));
  document.goals[0].target = {1.5, 0.0, 0.0};
  EXPECT_EQ(solveBy("newton", document).outcome, Outcome::Reached);
}

TEST(Outcome, AnglesThatWereWrappedLeaveNoFalseConvergence) {
  Document document = makeDocument(makePlanarChain(10));
  document.goals[0].target = {5.0, 5.0, 0.0};
  const PosingReport report = solveBy("gdls+nm", document);
  const PosedProblem problem = makeProblem(document, {});
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  EXPECT_NEAR(problem.objective->evaluate(document.pose, evaluation), report.summary.objective, 1e-9);
  problem.objective->computeGradient(evaluation, gradient);
  EXPECT_NEAR(gradient.cwiseAbs().maxCoeff(), report.summary.gradientNorm, 1e-6);
  ASSERT_GT(report.summary.gradientNorm, 1.0) << "some angle went round: the pull is another one";
  EXPECT_EQ(report.summary.status, SolveStatus::Stalled);
}

/// A leg whose knee prefers to bend forward, away from equilibrium: a strong pull draws the hip to its rest.
Document makeLeg() {
  FigureBuilder b("leg");
  using V = Eigen::Vector3d;
  const int thigh = b.addLink({.name = "thigh"},
                              {.name = "hip", .type = JointType::Revolute, .axis = V::UnitX(), .limits = {-2.0, 2.0}});
  const int shin =
      b.addLink({.name = "shin", .parent = thigh}, {.name = "knee",
                                                    .type = JointType::Revolute,
                                                    .parentFromJoint = Transform::fromTranslation(V(0, -1, 0)),
                                                    .axis = V::UnitX(),
                                                    .limits = {-2.5, 2.5}});
  b.addSite({.name = "foot", .link = shin, .linkFromSite = Transform::fromTranslation(V(0, -1, 0))});
  std::string error;
  Document document = makeDocument(b.build(error));
  addGoal(document, shin, V(0, -1, 0));
  return document;
}

TEST(Outcome, WhatIsReportedIsOfTheProblemThatWasAsked) {
  for (int k = 0; k < 40; ++k) {
    Document document = makeLeg();
    document.solver.restWeight = 30.0;
    document.goals[0].target = {0.0, -1.9 + 0.04 * k, 0.3 - 0.015 * k};
    const Document before = document;
    const PosingReport report = solveBy("newton", document);
    const PosedProblem problem = makeProblem(before, {});
    Evaluation evaluation;
    Eigen::VectorXd gradient;
    const double f = problem.objective->evaluate(document.pose, evaluation);
    problem.objective->computeGradient(evaluation, gradient);
    FreeSpace space;
    problem.objective->feasibleSet().findFreeSpace(document.pose, gradient, space);
    space.project(gradient);
    EXPECT_NEAR(f, report.summary.objective, 1e-9 * f);
    EXPECT_NEAR(gradient.cwiseAbs().maxCoeff(), report.summary.gradientNorm, 1e-6 * (1.0 + f)) << "target " << k;
    EXPECT_LE(f, report.summary.objectiveBefore);
  }
}

TEST(Outcome, SaysWhetherTheRelaxationIsTightWhereItIsOfWhatIsAsked) {
  Document document = makeDocument(makePlanarChain(2));
  document.solver.solver = "sdp-ik";
  addGoal(document, 1, Eigen::Vector3d::UnitX());
  document.goals[0].target = Eigen::Vector3d(3.0, 0.5, 0.0);
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_TRUE(report.summary.relaxation.isTight);
  EXPECT_NE(report.sentence.find(", relaxation tight (rank 1)"), std::string::npos) << report.sentence;

  // Only one of two alternatives counts, so its bound is not a bound of both.
  addGoal(document, 1, Eigen::Vector3d::UnitX());
  for (GoalItem& goal : document.goals) goal.anyOf = 1;
  document.goals[1].target = Eigen::Vector3d(0.0, 1.5, 0.0);
  const PosingReport either = solveToEnd(posing, document);
  EXPECT_EQ(either.summary.relaxation.rank, 0);
  EXPECT_EQ(either.sentence.find("relaxation"), std::string::npos) << either.sentence;
}

// Multipliers bring a point that is dragged with a limited force to its target: the solver then has another target.
TEST(Outcome, SaysNothingOfTheRelaxationOfShiftedTargets) {
  FigureBuilder builder("two arms");
  const auto hinge = [](double x, double y) {
    return Joint{.type = JointType::Revolute, .parentFromJoint = Transform::fromTranslation({x, y, 0})};
  };
  builder.addLink({.name = "trunk", .mass = 20.0}, hinge(0, 0));
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0.0 ? "left" : "right";
    const int upper = builder.addLink({.name = name + " upper", .parent = 0, .mass = 2.0}, hinge(0.2 * side, 0.5));
    builder.addLink({.name = name + " lower", .parent = upper, .mass = 1.0}, hinge(0.3 * side, 0));
  }
  std::string error;
  Document document = makeDocument(builder.build(error));
  ASSERT_EQ(error, "");
  document.solver.solver = "sdp-ik";
  document.solver.posing = PosingChoice::Natural;
  addGoal(document, 2, Eigen::Vector3d(0.3, 0, 0));
  document.goals[0].target += Eigen::Vector3d(-0.2, 0.2, 0);
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  ASSERT_EQ(report.goals.size(), 1u);
  const RelaxationSummary& relaxation = report.summary.relaxation;
  EXPECT_TRUE(relaxation.rank == 0 || std::abs(relaxation.cost - report.goals[0].error) < 1e-9)
      << "it says " << relaxation.cost << " m, the hand is " << report.goals[0].error << " m off";
}

TEST(LocalMinimum, TellsMinimaFromSaddlesAndSlopes) {
  Document document = makeDocument(makePlanarChain(3));
  document.goals[0].target = {1.5, 0.0, 0.0};
  const PosedProblem problem = makeProblem(document, {});
  LocalMinimum minimum;
  EXPECT_FALSE(minimum.isAt(*problem.objective, document.pose)) << "a saddle";
  Pose bent = document.pose;
  bent.coordinates << 0.9, -1.2, -0.7;
  EXPECT_FALSE(minimum.isAt(*problem.objective, bent)) << "a slope";
  Pose solved = document.pose;
  Workspace workspace;
  const Solver& newton = *findSolver("newton");
  ASSERT_EQ(newton.solve(*problem.objective, solved, defaultOptions(newton), workspace).status, SolveStatus::Converged);
  EXPECT_TRUE(minimum.isAt(*problem.objective, solved));
}

}  // namespace
}  // namespace limber::outcome_test
