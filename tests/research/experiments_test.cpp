// SPDX-License-Identifier: MIT
// The experiments compare what they say that they compare.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/objective/sweep/hessian_product.h"
#include "limber/solvers/registry.h"
#include "research/fits.h"
#include "research/limit_goal.h"
#include "research/local_methods.h"
#include "research/penalty_trust_region.h"
#include "research/starts.h"
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

/// Largest angle outside a limit, radians, written down anew.
double largestOverstep(const test::ObservedFigure& problem, const Pose& pose) {
  double largest = 0.0;
  for (const Joint& joint : problem.figure->joints()) {
    if (joint.type != JointType::Revolute) continue;
    const double angle = pose.coordinates[joint.poseIndex];
    largest = std::max({largest, joint.limits.lower - angle, angle - joint.limits.upper});
  }
  return largest;
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

/// Notes whether the objective ever rose.
class FallingObserver final : public Observer {
 public:
  bool onIteration(const IterationRecord& record, const Pose&) override {
    isFalling_ = isFalling_ && record.objective <= last_;
    last_ = record.objective;
    return ++seen_ < kMost;
  }
  bool isFalling() const { return isFalling_; }
  int seen() const { return seen_; }

 private:
  static constexpr int kMost = 2000;
  double last_ = std::numeric_limits<double>::infinity();
  bool isFalling_ = true;
  int seen_ = 0;
};

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
    EXPECT_TRUE(solveWithPenalty(objective, pose, kPaperLambda).isConverged);
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
    solveWithPenalty(objective, pose, kPaperLambda);
    solveWithPenalty(objective, other, 1.0);
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

// Relative to the largest entry: the figure is 50 m from the origin, which costs digits.
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

TEST(PenalisedObjective, IsThePapersSum) {
  std::mt19937 random(62);
  const Case problems = makeHandCase(3, false, true);
  for (const test::ObservedFigure& problem : problems.problems)
    for (const LimitTreatment& treatment : limitTreatments()) {
      if (treatment.lambda == 0.0) continue;
      const Objective objective = penalisedObjective(problem, treatment.lambda);
      const Pose pose = oversteppingPose(*problem.figure, random);
      Evaluation evaluation;
      const double unit = problem.figure->meanLinkLength();
      const double sum = penalisedSquares(problem, pose, treatment.lambda);
      EXPECT_NEAR(2.0 * unit * unit * objective.evaluate(pose, evaluation), sum, 1e-12 * sum);
      EXPECT_EQ(objective.feasibleSet().violation(pose), 0.0);
    }
}

/// Where the method comes to an end with enough iterations; gradient descent would take a million.
Pose endOf(std::string_view method, const Objective& objective, Pose pose) {
  const Solver& solver = *findSolver(method);
  OptionValues options = defaultOptions(solver);
  setOption(solver, "gdlsIterationsPerCoordinate", 1000.0, options);
  setOption(solver, "gdlsTol", 0.0, options);
  Workspace workspace;
  for (int call = 0; call < 20; ++call)
    if (solver.solve(objective, pose, options, workspace).status != SolveStatus::IterationCap) break;
  return pose;
}

TEST(PenalisedObjective, HasOneMinimumForAllMethodsThatStartNearIt) {
  const test::ObservedFigure problem = makeHandCase(1, false, true).problems[0];
  const Objective objective = penalisedObjective(problem, kPaperLambda);
  const Pose start = laidOnTargets(problem, problem.pose);
  Pose best = start;  // with springs instead of goals
  ASSERT_TRUE(solveWithPenalty(problem.objective(), best, kPaperLambda).isConverged);
  const double least = penalisedSquares(problem, best, kPaperLambda);
  EXPECT_LT(least, 0.99 * penalisedSquares(problem, start, kPaperLambda));
  EXPECT_GT(largestOverstep(problem, best), 0.01);
  for (const std::string_view method : localMethods()) {
    const Pose end = endOf(method, objective, start);
    const double same = method == "gdls" ? 1e-3 : 1e-7;  // of (16): gradient descent crawls
    EXPECT_NEAR(penalisedSquares(problem, end, kPaperLambda), least, same * least) << method;
    EXPECT_NEAR(largestOverstep(problem, end), largestOverstep(problem, best), 0.01) << method;
  }
}

TEST(PenalisedObjective, NeverRises) {
  const Case problems = makeHandCase(2, false, false);
  for (const test::ObservedFigure& problem : problems.problems)
    for (const LimitTreatment& treatment : limitTreatments()) {
      const Objective limited = problem.objective();
      const Objective objective =
          treatment.lambda > 0.0 ? penalisedObjective(problem, treatment.lambda) : problem.objective();
      RandomStream random(kSeed);
      for (const Pose& start : randomStarts(problem, limited, 3, random))
        for (const std::string_view method : localMethods()) {
          const Solver& solver = *findSolver(method);
          ASSERT_TRUE(solver.isMonotone());
          Pose pose = start;
          Workspace workspace;
          FallingObserver observer;
          solver.solve(objective, pose, defaultOptions(solver), workspace, {}, Start::Here, &observer);
          EXPECT_TRUE(observer.isFalling()) << method << ", " << treatment.name;
          EXPECT_GT(observer.seen(), 5) << method << ", " << treatment.name;
        }
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

std::vector<LocalRun> runTwoLocalProblems(const Case& problems) {
  return runLocalMethods(problems, {.problems = 2, .starts = 2, .cap = 0.05, .seed = kSeed});
}

TEST(LocalMethods, RunEachMethodWithEachTreatmentOfLimitsFromEachStart) {
  const std::vector<LocalRun> runs = runTwoLocalProblems(makeHandCase(2, false, false));
  EXPECT_EQ(runs.size(), 4u * limitTreatments().size() * localMethods().size());
  for (const LimitTreatment& treatment : limitTreatments())
    for (const std::string_view method : localMethods())
      for (int problem = 0; problem < 2; ++problem)
        for (int start = 0; start < 2; ++start)
          EXPECT_EQ(std::count_if(runs.begin(), runs.end(),
                                  [&](const LocalRun& run) {
                                    return run.limits == treatment.name && run.method == method &&
                                           run.problem == problem && run.start == start;
                                  }),
                    1);
}

TEST(LocalMethods, HaveCurvesThatFallToTheirEnds) {
  for (const LocalRun& run : runTwoLocalProblems(makeHandCase(2, false, false))) {
    ASSERT_EQ(run.costAtTime.size(), curveTimes().size()) << run.method;
    ASSERT_EQ(run.costAtIteration.size(), curveIterations().size()) << run.method;
    EXPECT_DOUBLE_EQ(run.costAtTime.back(), run.cost) << run.method;
    EXPECT_DOUBLE_EQ(run.costAtIteration.back(), run.cost) << run.method;
    EXPECT_LT(run.cost, run.costAtIteration.front()) << run.method;
  }
}

TEST(LocalMethods, TellHowFarTheyEndOutsideTheLimits) {
  const Case problems = makeHandCase(2, false, true);
  double farthest = 0.0;
  for (const LocalRun& run : runTwoLocalProblems(problems)) {
    const test::ObservedFigure& problem = problems.problems[static_cast<std::size_t>(run.problem)];
    EXPECT_NEAR(run.overstep, largestOverstep(problem, run.pose), 1e-12) << run.method;
    EXPECT_EQ(run.cost, problem.cost(run.pose)) << run.method;
    if (run.limits == "kept") {
      EXPECT_EQ(run.overstep, 0.0) << run.method;
    } else {
      farthest = std::max(farthest, run.overstep);
    }
  }
  EXPECT_GT(farthest, 0.01);
}

TEST(LocalMethods, EndByOneRule) {
  const Case problems = makeHandCase(2, false, true);
  int flat = 0;
  for (const LocalRun& run : runTwoLocalProblems(problems)) {
    if (run.end != LocalEnd::Flat || run.limits == "kept") continue;
    const test::ObservedFigure& problem = problems.problems[static_cast<std::size_t>(run.problem)];
    const double lambda = run.limits == "penalty_mm" ? kPaperLambda : 100.0;
    const Objective objective = penalisedObjective(problem, lambda);
    Evaluation evaluation;
    Eigen::VectorXd gradient;
    objective.evaluate(run.pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    for (int k = 0; k < objective.activeCount(); ++k)
      gradient[k] /= std::sqrt(objective.metric()[objective.active()[static_cast<std::size_t>(k)]]);
    EXPECT_LE(gradient.norm(), 1.01e-6) << run.method << ", " << run.limits;
    ++flat;
  }
  EXPECT_GE(flat, 12);  // all but gradient descent's, which the cap of this test ends
}

}  // namespace
}  // namespace limber::experiments::experiments_test
