// SPDX-License-Identifier: MIT
// Fitting a figure to observed points: poses, unobserved joints, and messages.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "limber/kinematics/figure_builder.h"
#include "limber/objective/limits/feasible_set.h"
#include "limber/posing/posed_problem.h"
#include "limber/scene/fit.h"
#include "limber/solvers/registry.h"
#include "limber/solvers/steps/best_rotation.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/hinge_tree.h"
#include "support/observed_figure.h"

namespace limber::fit_test {
namespace {

constexpr double kExact = 1e-9;  // metres: rounding of a figure of a metre, with room

int addTurning(FigureBuilder& builder, const char* name, int parent, const Eigen::Vector3d& offset, JointType type,
               const Eigen::Vector3d& axis = Eigen::Vector3d::UnitZ()) {
  Link link;
  link.name = name;
  link.parent = parent;
  Joint joint;
  joint.type = type;
  joint.axis = axis;
  joint.parentFromJoint = Transform::fromTranslation(offset);
  if (type == JointType::Revolute) joint.limits = {-2.5, 2.5};
  if (type == JointType::Free) joint.locked = true;
  return builder.addLink(std::move(link), std::move(joint));
}

/// A free trunk with a neck and two arms (shoulder, elbow, hand), and a site at every end.
std::shared_ptr<const Figure> makeCreature() {
  FigureBuilder builder("creature");
  const int trunk = addTurning(builder, "trunk", -1, {0.0, 1.0, 0.0}, JointType::Free);
  const int head = addTurning(builder, "head", trunk, {0.0, 0.5, 0.02}, JointType::Ball);
  builder.addSite({"crown", head, Transform::fromTranslation({0.0, 0.25, 0.03})});
  for (const double side : {1.0, -1.0}) {
    const std::string word = side > 0.0 ? "left_" : "right_";
    const int upper = addTurning(builder, (word + "upper").c_str(), trunk, {0.2 * side, 0.4, 0.0}, JointType::Ball);
    const int lower = addTurning(builder, (word + "lower").c_str(), upper, {0.3 * side, 0.0, 0.0}, JointType::Revolute,
                                 Eigen::Vector3d(0.0, 1.0, 0.2).normalized());
    const int hand = addTurning(builder, (word + "hand").c_str(), lower, {0.25 * side, 0.0, 0.0}, JointType::Ball);
    builder.addSite({word + "tip", hand, Transform::fromTranslation({0.15 * side, 0.02, 0.0})});
    builder.addSite({word + "palm", hand, Transform::fromTranslation({0.07 * side, -0.03, 0.04})});
  }
  return test::built(builder);
}

std::vector<FitPoint> allPoints(const Figure& figure) {
  std::vector<FitPoint> points;
  for (const std::string& name : pointNames(figure))
    points.push_back({static_cast<int>(points.size()), *findPoint(figure, name), 1.0});
  return points;
}

/// The positions of the points in the poses.
Observations observe(const Figure& figure, const std::vector<Pose>& poses) {
  Observations out;
  out.names = pointNames(figure);
  out.weights.assign(out.names.size(), 1.0);
  out.frameCount = static_cast<int>(poses.size());
  Kinematics kinematics;
  for (const Pose& pose : poses) {
    computeTransforms(figure, pose, kinematics);
    for (const std::string& name : out.names) {
      const FigurePoint point = *findPoint(figure, name);
      out.positions.push_back(kinematics.worldFromLink[point.link] * point.pointInLink);
    }
  }
  return out;
}

/// A random walk of poses within limits; each step turns joints by at most `turn`.
std::vector<Pose> makeMotion(const Figure& figure, int frames, double turn, unsigned seed = 3) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Document document = makeDocument(std::make_shared<Figure>(figure));
  Pose pose = restPose(figure);
  Eigen::VectorXd step(figure.stepSize());
  std::vector<Pose> poses;
  for (int i = 0; i < frames; ++i) {
    for (double& s : step) s = turn * unit(random);
    integrate(figure, pose, step, pose);
    clampToLimits(document, pose);
    poses.push_back(pose);
  }
  return poses;
}

void addNoise(Observations& observations, double length, unsigned seed = 5) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0.0, length / std::sqrt(3.0));
  for (Eigen::Vector3d& p : observations.positions)
    for (double& number : p) number += normal(random);
}

double worstMiss(const FitResult& result) {
  double worst = 0.0;
  for (const PointError& point : result.points) worst = std::max(worst, point.worst);
  return worst;
}

class Fit : public testing::Test {
 protected:
  const std::shared_ptr<const Figure> figure = makeCreature();
  const Document document = makeDocument(figure);
  const std::vector<FitPoint> points = allPoints(*figure);
};

TEST(FitOfARigidFigure, IsTheClosedForm) {
  FigureBuilder builder("slab");
  addTurning(builder, "slab", -1, Eigen::Vector3d::Zero(), JointType::Free);
  const std::vector<Eigen::Vector3d> corners = {{0, 0, 0}, {1, 0, 0.1}, {0, 0.6, 0}, {0.2, 0.1, 0.3}, {0.7, 0.5, -0.2}};
  for (std::size_t i = 0; i < corners.size(); ++i)
    builder.addSite({"corner " + std::to_string(i), 0, Transform::fromTranslation(corners[i])});
  const auto figure = test::built(builder);
  Pose moved = restPose(*figure);
  moved.coordinates.head<3>() = Eigen::Vector3d(3.0, -2.0, 5.0);
  setJointRotation(*figure, 0, exponential({1.9, -1.2, 0.8}), moved);
  Observations seen = observe(*figure, {moved});
  addNoise(seen, 0.05);

  // Kabsch: centred points, singular values.
  const auto points = allPoints(*figure);
  Eigen::Vector3d here = Eigen::Vector3d::Zero(), there = Eigen::Vector3d::Zero();
  for (const FitPoint& p : points) {
    here += p.point.pointInLink / static_cast<double>(points.size());
    there += seen.position(0, p.observed) / static_cast<double>(points.size());
  }
  Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
  for (const FitPoint& p : points)
    m += (p.point.pointInLink - here) * (seen.position(0, p.observed) - there).transpose();
  const Eigen::Matrix3d rotation = bestRotation(m, Eigen::Matrix3d::Identity());

  const FitResult result = fitMotion(makeDocument(figure), seen, points);
  ASSERT_EQ(result.fault, "");
  const Kinematics kinematics = transformsOf(*figure, result.frames[0].pose);
  EXPECT_LT((kinematics.worldFromLink[0].rotation - rotation).norm(), 1e-8);
  EXPECT_LT((kinematics.worldFromLink[0].translation - (there - rotation * here)).norm(), 1e-8);
}

TEST_F(Fit, FindsEveryPointOfAMotion) {
  const std::vector<Pose> poses = makeMotion(*figure, 60, 0.15);
  const FitResult result = fitMotion(document, observe(*figure, poses), points);
  ASSERT_EQ(result.fault, "");
  ASSERT_EQ(result.frames.size(), poses.size());
  EXPECT_LT(worstMiss(result), kExact);
  for (const FittedFrame& frame : result.frames) {
    EXPECT_EQ(frame.status, FitStatus::Converged);
    EXPECT_EQ(frame.points, static_cast<int>(points.size()));
    EXPECT_LT(FeasibleSet(*figure, limitsOf(document)).violation(frame.pose), 1e-12);
  }
}

TEST_F(Fit, CostIsThatOfTheSource) {
  Observations seen = observe(*figure, makeMotion(*figure, 1, 0.3));
  addNoise(seen, 0.02);
  Fitter fitter(document, points, {});
  const FittedFrame frame = fitter.fit(seen.positions);
  const Kinematics kinematics = transformsOf(*figure, frame.pose);
  double squares = 0.0;
  for (const FitPoint& p : points)
    squares +=
        (seen.position(0, p.observed) - kinematics.worldFromLink[p.point.link] * p.point.pointInLink).squaredNorm();
  EXPECT_NEAR(frame.squares, squares, 1e-15);
  EXPECT_NEAR(frame.cost, std::sqrt(squares / static_cast<double>(points.size())), 1e-12);
}

TEST_F(Fit, NoiseIsNotFollowed) {
  constexpr double kNoise = 0.01;
  const std::vector<Pose> poses = makeMotion(*figure, 40, 0.05);
  const Observations truth = observe(*figure, poses);
  Observations seen = truth;
  addNoise(seen, kNoise);
  const FitResult result = fitMotion(document, seen, points);
  ASSERT_EQ(result.fault, "");
  EXPECT_LT(result.meanCost, kNoise);  // the figure takes up a part of it
  std::vector<Pose> fitted;
  for (const FittedFrame& frame : result.frames) fitted.push_back(frame.pose);
  const Observations found = observe(*figure, fitted);
  double squares = 0.0;
  for (std::size_t i = 0; i < truth.positions.size(); ++i)
    squares += (truth.positions[i] - found.positions[i]).squaredNorm();
  // The fit is nearer to the true positions than the observations are.
  EXPECT_LT(std::sqrt(squares / static_cast<double>(truth.positions.size())), kNoise);
}

TEST_F(Fit, WhatIsMissingStaysWhereItWas) {
  Observations seen = observe(*figure, makeMotion(*figure, 30, 0.1));
  const auto hide = [&](int frame, const std::string& name) {
    const auto at = static_cast<std::size_t>(std::ranges::find(seen.names, name) - seen.names.begin());
    seen.positions[static_cast<std::size_t>(frame) * seen.names.size() + at] = Observations::missing();
  };
  for (int frame = 10; frame < 20; ++frame)
    for (const char* name : {"left_tip", "left_palm", "left_hand"}) hide(frame, name);
  const FitResult result = fitMotion(document, seen, points);
  ASSERT_EQ(result.fault, "");
  EXPECT_LT(worstMiss(result), kExact);
  const Joint& hand = figure->joint(figure->findLink("left_hand"));
  const auto of = [&](int frame) { return result.frames[frame].pose.coordinates.segment<4>(hand.poseIndex).eval(); };
  EXPECT_EQ(of(9), of(10));
  EXPECT_EQ(of(9), of(19));
  EXPECT_NE(of(9), of(20));
  EXPECT_EQ(result.frames[10].points, static_cast<int>(points.size()) - 3);
}

TEST_F(Fit, FramesWithoutAnyPointKeepThePoseAndSaySo) {
  Observations seen = observe(*figure, makeMotion(*figure, 12, 0.1));
  for (const int frame : {0, 1, 6, 7, 11})
    std::fill_n(seen.positions.begin() + frame * seen.pointCount(), seen.pointCount(), Observations::missing());
  const FitResult result = fitMotion(document, seen, points);
  ASSERT_EQ(result.fault, "");
  EXPECT_EQ(result.unobservedFrames, 5);
  for (const std::size_t frame : {0u, 1u, 6u, 7u, 11u}) {
    EXPECT_EQ(result.frames[frame].status, FitStatus::NotObserved);
    EXPECT_TRUE(std::isnan(result.frames[frame].cost));
  }
  EXPECT_EQ(result.frames[0].pose, result.frames[2].pose);
  EXPECT_EQ(result.frames[6].pose, result.frames[5].pose);
  EXPECT_EQ(result.frames[11].pose, result.frames[10].pose);
  EXPECT_LT(worstMiss(result), kExact);
}

TEST_F(Fit, JointsThatMoveNoPointDoNotMove) {
  std::vector<FitPoint> centres = points;
  std::erase_if(centres, [&](const FitPoint& p) { return p.point.pointInLink.norm() > 0.0; });  // no site
  const FitResult result = fitMotion(document, observe(*figure, makeMotion(*figure, 10, 0.2)), centres);
  ASSERT_EQ(result.fault, "");
  EXPECT_LT(worstMiss(result), kExact);
  for (const char* name : {"head", "left_hand", "right_hand"}) {
    const int at = figure->joint(figure->findLink(name)).poseIndex;
    for (const FittedFrame& frame : result.frames)
      EXPECT_EQ(frame.pose.coordinates.segment<4>(at), restPose(*figure).coordinates.segment<4>(at));
  }
}

TEST_F(Fit, EndsAndRootAreEnoughForTheEnds) {
  const std::vector<FitPoint> ends = endPoints(*figure, points);
  std::vector<std::string> names;
  for (const FitPoint& p : ends) names.push_back(pointNames(*figure)[p.observed]);
  EXPECT_EQ(names, (std::vector<std::string>{"crown", "left_tip", "right_tip", "trunk"}));
  const FitResult result = fitMotion(document, observe(*figure, makeMotion(*figure, 40, 0.1)), ends);
  ASSERT_EQ(result.fault, "");
  EXPECT_LT(worstMiss(result), kExact);
}

TEST_F(Fit, AFirstFrameFarFromRestIsFound) {
  std::mt19937 random(17);
  for (int i = 0; i < 20; ++i) {
    Pose pose = test::randomPose(*figure, random);
    clampToLimits(document, pose);
    const FitResult result = fitMotion(document, observe(*figure, {pose}), points);
    EXPECT_LT(worstMiss(result), kExact) << i;
  }
}

TEST_F(Fit, TheSameInputGivesTheSameBits) {
  Observations seen = observe(*figure, makeMotion(*figure, 20, 0.2));
  addNoise(seen, 0.03);
  const FitResult once = fitMotion(document, seen, points), again = fitMotion(document, seen, points);
  for (std::size_t i = 0; i < once.frames.size(); ++i) {
    EXPECT_TRUE(once.frames[i].pose == again.frames[i].pose);
    EXPECT_EQ(once.frames[i].iterations, again.frames[i].iterations);
  }
}

TEST_F(Fit, AMovedAndTurnedSceneGivesTheSameJoints) {
  Observations seen = observe(*figure, makeMotion(*figure, 20, 0.1));
  const FitResult here = fitMotion(document, seen, points);
  const Transform move{exponential({0.4, 2.0, -0.3}).toRotationMatrix(), {12.0, -3.0, 7.0}};
  for (Eigen::Vector3d& p : seen.positions) p = move * p;
  const FitResult there = fitMotion(document, seen, points);
  EXPECT_LT(worstMiss(there), kExact);
  Eigen::VectorXd difference(figure->stepSize());
  for (std::size_t i = 0; i < here.frames.size(); ++i) {
    limber::difference(*figure, here.frames[i].pose, there.frames[i].pose, difference);
    EXPECT_LT(difference.tail(figure->stepSize() - 6).norm(), 1e-6) << i;
  }
}

TEST_F(Fit, IsCancelled) {
  const Observations seen = observe(*figure, makeMotion(*figure, 20, 0.1));
  int told = 0;
  const FitResult result = fitMotion(document, seen, points, {}, [&](double part) {
    EXPECT_GT(part, 0.0);
    return ++told < 5;
  });
  EXPECT_TRUE(result.isCancelled);
  EXPECT_EQ(told, 5);
  EXPECT_EQ(result.frames.size(), 5u);
}

TEST_F(Fit, SaysWhatIsWrong) {
  const Observations seen = observe(*figure, makeMotion(*figure, 2, 0.1));
  EXPECT_NE(fitMotion(document, seen, {}).fault, "");
  EXPECT_NE(fitMotion(document, seen, points, {.scale = 0.0}).fault, "");
  EXPECT_NE(fitMotion(document, seen, points, {.damping = -1.0}).fault, "");
  EXPECT_NE(fitMotion(document, Observations{.names = seen.names}, points).fault, "");
  Document locked = document;
  for (JointSettings& joint : locked.joints) joint.locked = true;
  EXPECT_EQ(fitMotion(locked, seen, points).fault, "") << "the free root moves, locked or not";
}

TEST_F(Fit, ScaleComesFromTheBones) {
  Observations seen = observe(*figure, makeMotion(*figure, 20, 0.2));
  for (Eigen::Vector3d& p : seen.positions) p *= 17.0;
  const FitScale guess = guessFitScale(*document.figure, seen, points);
  EXPECT_NEAR(guess.scale, 1.0 / 17.0, 1e-9);
  EXPECT_NE(guess.sentence.find("bones"), std::string::npos) << guess.sentence;
  const FitResult result = fitMotion(document, seen, points, {.scale = guess.scale});
  EXPECT_LT(worstMiss(result), kExact);
}

TEST_F(Fit, ScaleOfEndsAloneIsARoughGuess) {
  Observations seen = observe(*figure, {restPose(*figure)});
  for (Eigen::Vector3d& p : seen.positions) p *= 100.0;
  const FitScale guess = guessFitScale(*document.figure, seen, endPoints(*figure, points));
  EXPECT_NEAR(guess.scale, 0.01, 1e-9);
  EXPECT_NE(guess.sentence.find("rough"), std::string::npos) << guess.sentence;
}

TEST_F(Fit, MotionIsThePosesThemselves) {
  const FitResult result = fitMotion(document, observe(*figure, makeMotion(*figure, 5, 0.2)), points);
  const auto motion = motionOf(result.frames, 0.01, "fit");
  ASSERT_EQ(motion->frameCount, 5);
  EXPECT_EQ(motion->frameTime, 0.01);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(motion->poseAt(*figure, i), result.frames[i].pose);
}

TEST(FitOfACoupledFigure, KeepsFollowersWithTheirDrivers) {
  const auto figure = test::makeCoupledFigure();
  const Document document = makeDocument(figure);
  Pose pose = restPose(*figure);
  Eigen::VectorXd step = Eigen::VectorXd::Constant(figure->stepSize(), 0.1);
  integrate(*figure, pose, step, pose);
  clampToLimits(document, pose);
  const FitResult result = fitMotion(document, observe(*figure, {restPose(*figure), pose}), allPoints(*figure));
  ASSERT_EQ(result.fault, "");
  EXPECT_LT(worstMiss(result), 1e-7);
  for (const FittedFrame& frame : result.frames) {
    Pose coupled = frame.pose;
    Couplings(*figure, document.couplingEnabled).apply(coupled);
    EXPECT_LT((coupled.coordinates - frame.pose.coordinates).norm(), 1e-12);
  }
}

TEST(FitOfAHingeTree, TheRelaxationFindsAFirstFrameThatRestAloneMisses) {
  std::mt19937 random(23);
  const auto figure = test::makeHingeTree(12, 3, true);
  std::vector<FitPoint> points;
  std::vector<Relaxation::Point> seen;
  for (int i = 0; i < figure->linkCount(); ++i) {
    points.push_back({i, {i, {0.05, 0.2, -0.1}}, 1.0});
    seen.push_back({i, {0.05, 0.2, -0.1}, 1.0});
  }
  const Solver& newton = *allSolvers().front();
  int missed = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const test::ObservedFigure observed = test::observe(figure, seen, 0.0, random);
    Pose alone = restPose(*figure);
    Workspace workspace;
    newton.solve(observed.objective(), alone, defaultOptions(newton), workspace);
    missed += observed.cost(alone) > 1e-3;
    Fitter fitter(makeDocument(figure), points, {.restarts = 0});
    ASSERT_EQ(fitter.fault(), "");
    EXPECT_LT(fitter.fit(observed.targets).cost, 1e-6) << trial;
  }
  EXPECT_GT(missed, 0) << "else this says nothing of the relaxation";
}

}  // namespace
}  // namespace limber::fit_test
