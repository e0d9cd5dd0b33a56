// SPDX-License-Identifier: MIT
// The experiments compare what they say that they compare.
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/fits.h"
#include "experiments/limit_goal.h"
#include "experiments/local_methods.h"
#include "experiments/penalty_trust_region.h"
#include "experiments/starts.h"
#include "kinematics/forward_kinematics.h"
#include "objective/hessian_product.h"
#include "support/awkward_figure.h"

namespace limber::experiments::experiments_test {
namespace {

constexpr std::uint64_t kSeed = 7;
constexpr double kPaperLambda = 1e-4;  // square metres: 100 mm^2

const std::vector<Skeleton>& skeletons() {
  static const std::vector<Skeleton> opened = [] {
    std::string fault;
    std::vector<Skeleton> read = openSkeletons(fault);
    EXPECT_EQ(fault, "");
    return read;
  }();
  return opened;
}

Case makeHandCase(int poses, bool ends, bool isNoisy) {
  return makeCase(samplePoses(skeletons().at(0), poses, kSeed), ends, isNoisy, kSeed);
}

/// (16), square metres, written down anew.
double penalisedSquares(const test::ObservedFigure& problem, const Pose& pose, double lambda) {
  const double cost = problem.cost(pose);
  double sum = cost * cost * static_cast<double>(problem.points.size());
  for (int i = 0; i < problem.figure->linkCount(); ++i) {
    const Joint& joint = problem.figure->joint(i);
    if (joint.type != JointType::Revolute) continue;
    const double angle = pose.coordinates[joint.poseIndex];
    const double outside = std::max({0.0, joint.limits.lower - angle, angle - joint.limits.upper});
    sum += lambda * outside * outside;
  }
  return sum;
}

/// Hinges turned by up to two thirds of a turn from a random pose within the limits, so that most are far outside.
Pose oversteppingPose(const Figure& figure, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-4.0, 4.0);
  Pose pose = test::randomPose(figure, random);
  for (const Joint& joint : figure.joints())
    if (joint.type == JointType::Revolute) pose.coordinates[joint.poseIndex] += uniform(random);
  return pose;
}

Objective makeAwkwardLimitObjective(const std::shared_ptr<const Figure>& figure, std::mt19937& random) {
  test::ObjectiveOptions options;
  options.targetWeight = 1.0;
  options.withLimits = false;
  options.furtherGoals = limitGoals(*figure, 10.0);
  return test::makeRandomObjective(figure, test::kAwkwardTips, random, std::move(options));
}

TEST(Problems, AreTheSameForTheSameSeed) {
  const Case a = makeHandCase(3, false, true), b = makeHandCase(3, false, true);
  for (std::size_t i = 0; i < a.problems.size(); ++i) {
    EXPECT_EQ(a.problems[i].pose, b.problems[i].pose);
    EXPECT_EQ(a.problems[i].targets, b.problems[i].targets);
  }
}

TEST(Problems, ShareTheirPosesWithAndWithoutNoise) {
  const Case clean = makeHandCase(4, false, false), noisy = makeHandCase(4, false, true);
  for (std::size_t i = 0; i < clean.problems.size(); ++i) {
    EXPECT_EQ(clean.problems[i].pose, noisy.problems[i].pose);
    EXPECT_EQ(clean.problems[i].cost(clean.problems[i].pose), 0.0);
    for (std::size_t k = 0; k < clean.problems[i].targets.size(); ++k) {
      const double noise = (noisy.problems[i].targets[k] - clean.problems[i].targets[k]).norm();
      EXPECT_GT(noise, 0.0);
      EXPECT_LE(noise, skeletons().at(0).noise * (1.0 + 1e-9));
    }
  }
}

TEST(Problems, HaveTheEndsAndTheRootOrAllPoints) {
  EXPECT_EQ(makeHandCase(1, false, false).problems[0].points.size(), 21u);
  EXPECT_EQ(makeHandCase(1, true, false).problems[0].points.size(), 6u);  // wrist and five tips
}

TEST(Problems, OfMotionCaptureSayWhatIsMissing) {
  std::string reason;
  const PoseSet set = fitClips(skeletons().at(1), "/nowhere", {"walk.bvh"}, 5, reason);
  EXPECT_TRUE(set.poses.empty());
  EXPECT_NE(reason.find("walk.bvh"), std::string::npos);
}

TEST(Starts, LieWithinTheLimitsAboutTheTargets) {
  const Case problems = makeHandCase(2, false, false);
  for (const test::ObservedFigure& problem : problems.problems) {
    const Objective objective = problem.objective();
    RandomStream random(kSeed);
    for (const Pose& start : randomStarts(problem, objective, 5, random)) {
      EXPECT_EQ(objective.feasibleSet().violation(start), 0.0);
      Kinematics kinematics;
      computeTransforms(*problem.figure, start, kinematics);
      Eigen::Vector3d shift = Eigen::Vector3d::Zero();
      for (std::size_t k = 0; k < problem.points.size(); ++k)
        shift += problem.targets[k] - kinematics.worldFromLink[static_cast<std::size_t>(problem.points[k].link)] *
                                          problem.points[k].pointInLink;
      EXPECT_LT(shift.norm(), 1e-12);
      EXPECT_LE(problem.cost(laidOnTargets(problem, start)), problem.cost(start));
    }
  }
}

TEST(PenaltyTrustRegion, EndsInAMinimumOfThePapersSum) {
  constexpr double kStep = 1e-4;
  const Case problems = makeHandCase(3, false, true);
  for (const test::ObservedFigure& problem : problems.problems) {
    const Objective objective = problem.objective();
    RandomStream random(kSeed);
    Pose pose = randomStarts(problem, objective, 1, random)[0], moved;
    const double before = penalisedSquares(problem, pose, kPaperLambda);
    EXPECT_TRUE(solveWithPenalty(objective, pose, {.lambda = kPaperLambda}).isConverged);
    const double least = penalisedSquares(problem, pose, kPaperLambda);
    EXPECT_LT(least, before);
    for (int k = 0; k < problem.figure->stepSize(); ++k)
      for (const double sign : {1.0, -1.0}) {
        Eigen::VectorXd step = Eigen::VectorXd::Zero(problem.figure->stepSize());
        step[k] = sign * kStep;
        integrate(*problem.figure, pose, step, moved);
        EXPECT_GT(penalisedSquares(problem, moved, kPaperLambda), least - 1e-12) << "coordinate " << k;
      }
  }
}

TEST(PenaltyTrustRegion, LeavesTheLimitsAsFarAsItsStiffnessLetsIt) {
  const Case problems = makeHandCase(3, false, true);
  double soft = 0.0, stiff = 0.0;
  for (const test::ObservedFigure& problem : problems.problems) {
    const Objective objective = problem.objective();
    Pose pose = laidOnTargets(problem, restPose(*problem.figure)), other = pose;
    solveWithPenalty(objective, pose, {.lambda = kPaperLambda});
    solveWithPenalty(objective, other, {.lambda = 1.0});
    soft = std::max(soft, objective.feasibleSet().violation(pose));
    stiff = std::max(stiff, objective.feasibleSet().violation(other));
  }
  EXPECT_GT(soft, 0.01);
  EXPECT_LT(stiff, 0.01);
}

/// f and its derivatives at a pose, and f around it.
struct Derivatives {
  const Objective& objective;
  Pose pose;
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;

  Derivatives(const Objective& of, const Pose& at) : objective(of), pose(at) {
    objective.feasibleSet().project(pose);  // followers to where their drivers want them
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    objective.computeHessian(evaluation, hessian);
  }
  int count() const { return objective.activeCount(); }
  Eigen::VectorXd unit(int k) const { return Eigen::VectorXd::Unit(count(), k); }
  double valueAt(const Eigen::VectorXd& step) const {
    Eigen::VectorXd scratch;
    Pose out;
    Evaluation there;
    objective.move(pose, step, scratch, out);
    return objective.evaluate(out, there);
  }
};

// Of the largest entry: the figure stands 50 m from the origin, which costs digits.
constexpr double kSlopeTolerance = 1e-5, kBendTolerance = 1e-4;

void expectGradientMatches(const Derivatives& d) {
  constexpr double kStep = 1e-5;
  for (int k = 0; k < d.count(); ++k) {
    const double slope = (d.valueAt(kStep * d.unit(k)) - d.valueAt(-kStep * d.unit(k))) / (2.0 * kStep);
    EXPECT_NEAR(d.gradient[k], slope, kSlopeTolerance * d.gradient.cwiseAbs().maxCoeff()) << "entry " << k;
  }
}

/// Second differences of f: a rotation's gradient turns with its own frame.
void expectHessianMatches(const Derivatives& d) {
  constexpr double kStep = 1e-4;
  const double tolerance = kBendTolerance * d.hessian.cwiseAbs().maxCoeff();
  for (int i = 0; i < d.count(); ++i)
    for (int j = 0; j <= i; ++j) {
      const Eigen::VectorXd direction = d.unit(i) + d.unit(j), step = kStep * direction;
      const double bend = (d.valueAt(step) + d.valueAt(-step) - 2.0 * d.evaluation.objective) / (kStep * kStep);
      EXPECT_NEAR(direction.dot(d.hessian * direction), bend, tolerance) << "entry " << i << ", " << j;
    }
}

void expectProductsMatch(const Derivatives& d) {
  HessianProduct products;
  Eigen::VectorXd column;
  products.prepare(d.objective, d.evaluation);
  for (int k = 0; k < d.count(); ++k) {
    products.apply(d.unit(k), column);
    EXPECT_LE((column - d.hessian.col(k)).cwiseAbs().maxCoeff(), 1e-12 * d.hessian.cwiseAbs().maxCoeff())
        << "column " << k;
  }
}

TEST(LimitGoal, MatchesCentralDifferencesOnTheAwkwardFigure) {
  std::mt19937 random(61);
  for (const auto& figure : {test::makeAwkwardFigure(), test::makeCoupledFigure()})
    for (int trial = 0; trial < 20; ++trial) {
      const Objective objective = makeAwkwardLimitObjective(figure, random);
      const Derivatives derivatives(objective, oversteppingPose(*figure, random));
      expectGradientMatches(derivatives);
      expectHessianMatches(derivatives);
      expectProductsMatch(derivatives);
    }
}

TEST(LimitGoal, CountsWholeTurns) {
  const Skeleton& hand = skeletons().at(0);
  const auto goals = limitGoals(*hand.figure, 1.0);
  ASSERT_FALSE(goals.empty());
  const Joint& joint = hand.figure->joint(goals[0]->link(0));
  Kinematics kinematics;
  Residual residual;
  for (const double outside : {0.3, 2.0, 7.0}) {
    Pose pose = restPose(*hand.figure);
    pose.coordinates[joint.poseIndex] = joint.limits.upper + outside;
    computeTransforms(*hand.figure, pose, kinematics);
    goals[0]->computeResidual(kinematics, residual);
    EXPECT_NEAR(residual[0], outside, 1e-14);
  }
}

TEST(Fits, OfSdpIkAreExactWithoutNoise) {
  for (const bool ends : {false, true}) {
    const Case problems = makeHandCase(2, ends, false);
    const std::vector<Trial> out = fitCase(problems, {.starts = 2, .seed = kSeed});
    int seen = 0;
    for (const Trial& trial : out) {
      if (trial.method != "sdp_ik") continue;
      EXPECT_LT(trial.cost, 1e-3 * problems.skeleton->size);
      ++seen;
    }
    EXPECT_EQ(seen, 2);
  }
}

TEST(Fits, KeepTheLimitsWhereTheySay) {
  const Case problems = makeHandCase(2, false, true);
  const std::vector<Trial> out = fitCase(problems, {.starts = 2, .seed = kSeed});
  for (const FitMethod& method : fitMethods())
    for (const Trial& trial : out)
      EXPECT_TRUE(trial.method != method.name || !method.keepsLimits || trial.overstep < 1e-9) << method.name;
}

TEST(Fits, AreNeverBelowTheirBounds) {
  const Case problems = makeHandCase(2, false, true);
  const std::vector<Trial> out = fitCase(problems, {.starts = 2, .seed = kSeed});
  const std::vector<CertificateTrial> certificates = certifyCase(problems);
  ASSERT_EQ(certificates.size(), 2u);
  for (const CertificateTrial& certificate : certificates)
    for (const Trial& trial : out)
      EXPECT_TRUE(trial.problem != certificate.problem || trial.overstep >= 1e-9 || trial.cost >= certificate.bound)
          << trial.method;
}

TEST(LocalMethods, HaveCurvesThatFallToTheirEnds) {
  const std::vector<LocalRun> runs =
      runLocalMethods(makeHandCase(1, false, false), {.problems = 1, .starts = 1, .cap = 0.05, .seed = kSeed});
  EXPECT_EQ(runs.size(), 5u);
  for (const LocalRun& run : runs) {
    ASSERT_EQ(run.curve.size(), curveTimes().size()) << run.method;
    EXPECT_DOUBLE_EQ(run.curve.back(), run.cost) << run.method;
    EXPECT_LT(run.cost, run.curve.front()) << run.method;
  }
}

}  // namespace
}  // namespace limber::experiments::experiments_test
