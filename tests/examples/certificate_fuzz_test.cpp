// SPDX-License-Identifier: MIT
// Certificates must be right. For random figures, limits and observations, every found pose, certified or not, is
// attacked by a local method from twenty starts: none of them may end below the bound.
//
// LIMBER_CERTIFICATE_PROBLEMS=2000 in the environment runs as many problems; 200 without.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "limber/io/figure_source.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/solvers/convex/certificate.h"
#include "limber/solvers/registry.h"
#include "limber/solvers/steps/random_pose.h"
#include "locations.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/key_points.h"
#include "support/observed_figure.h"
#include "support/repetitions.h"

namespace limber::certificate_fuzz_test {
namespace {

constexpr int kAttacks = 20;
constexpr double kRounding = 1e-9;  // of L^2 + f

class CertificateFuzz : public testing::Test {
 protected:
  double uniform(double lower, double upper) { return std::uniform_real_distribution<double>(lower, upper)(random_); }
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  Eigen::Vector3d direction() {
    std::normal_distribution<double> normal;
    const double x = normal(random_), y = normal(random_), z = normal(random_);
    return Eigen::Vector3d(x, y, z).normalized();
  }

  /// Limits of all widths, or none.
  Interval randomLimits() {
    const double middle = uniform(-1.0, 1.0);
    switch (pick(6)) {
      case 0: return {};
      case 1: return {middle, middle};
      case 2: return {middle - uniform(0.0, 0.01), middle + uniform(0.0, 0.01)};
      case 3: return {middle - uniform(2.9, 3.14), middle + uniform(2.9, 3.14)};
      default: return {middle - uniform(0.1, 1.5), middle + uniform(0.1, 1.5)};
    }
  }

  /// A tree of hinges and now and then a ball, oblique, now and then without length; its base fixed, turning or free.
  /// Now and then a hinge follows another, or a linear limit ties two.
  std::shared_ptr<const Figure> randomTree() {
    FigureBuilder builder("tree");
    const int count = 1 + pick(10);
    const Eigen::Vector3d base = pick(8) == 0 ? Eigen::Vector3d(1e5 * direction()) : direction();
    const int follower = pick(4) == 0 ? 1 + pick(10) : -1;
    std::vector<int> hinges;
    std::vector<double> rests;
    for (int i = 0; i < count; ++i) {
      Joint joint{.name = "joint " + std::to_string(i), .type = JointType::Revolute};
      joint.parentFromJoint.translation = i == 0 ? base : (pick(6) == 0 ? 0.0 : uniform(0.05, 0.3)) * direction();
      joint.parentFromJoint.rotation = exponential(uniform(0.0, 2.0) * direction()).toRotationMatrix();
      joint.axis = pick(3) == 0 ? direction() : Eigen::Vector3d::Unit(pick(3));
      joint.limits = randomLimits();
      const int kind = pick(i == 0 ? 3 : 8);
      if (kind == 1) joint.type = JointType::Ball;
      if (kind == 1 && pick(2) == 0) joint.ballLimits.swing = uniform(0.1, 2.0);
      if (kind == 2 && i == 0) joint.type = JointType::Free;
      if (joint.type != JointType::Revolute || i == follower) joint.limits = {};
      const int link = builder.addLink(
          {.name = "link " + std::to_string(i), .parent = i == 0 ? -1 : std::max(pick(i), i - 2)}, joint);
      if (joint.type != JointType::Revolute) continue;
      const double rest = joint.limits.isBounded() ? 0.5 * (joint.limits.lower + joint.limits.upper) : 0.0;
      builder.setRest(link, Eigen::VectorXd::Constant(1, rest));
      if (link == follower && !hinges.empty()) {
        const double slope = uniform(-1.0, 1.0), bend = uniform(-0.2, 0.2), driver = rests.back();
        builder.addCoupling({.name = "group",
                             .follower = link,
                             .offset = -driver * (slope + bend * driver),
                             .terms = {{hinges.back(), {slope, bend, 0.0, 0.0}}}});
        continue;
      }
      hinges.push_back(link);
      rests.push_back(rest);
    }
    if (hinges.size() > 1 && pick(4) == 0) {
      const double slope = uniform(-1.0, 1.0), sum = rests[0] + slope * rests[1];
      builder.addLinearLimit({.name = "tie",
                              .terms = {{hinges[0], 1.0}, {hinges[1], slope}},
                              .bounds = {sum - uniform(0.0, 1.0), sum + uniform(0.0, 1.0)}});
    }
    return test::built(builder);
  }

  std::vector<Relaxation::Point> randomPoints(const Figure& figure) {
    std::vector<Relaxation::Point> points;
    for (int i = 0; i < figure.linkCount(); ++i)
      if (i + 1 == figure.linkCount() || pick(3) > 0)
        points.push_back({i, uniform(0.0, 0.3) * direction(), pick(4) == 0 ? uniform(0.1, 3.0) : 1.0});
    return points;
  }

  /// Observations of a random pose, which may have joints without limits.
  test::ObservedFigure observed(std::shared_ptr<const Figure> figure, double noise) {
    test::ObservedFigure made{figure, randomPoints(*figure), test::randomPose(*figure, random_), {}};
    FeasibleSet(*figure, limitsOf(*figure)).project(made.pose);
    Kinematics kinematics;
    computeTransforms(*figure, made.pose, kinematics);
    for (const Relaxation::Point& p : made.points)
      made.targets.push_back(kinematics.worldFromLink[static_cast<std::size_t>(p.link)] * p.pointInLink +
                             noise * uniform(0.0, 1.0) * direction());
    return made;
  }

  /// Certifies and attacks the answer of the search.
  void check(const test::ObservedFigure& problem, RelaxationForm form, int splits) {
    const Objective objective = problem.objective();
    const Limits limits = limitsOf(*problem.figure);
    Pose pose = restPose(*problem.figure);
    Workspace workspace;
    const Solver& global = *findSolver("global");
    ASSERT_NE(global.solve(objective, pose, defaultOptions(global), workspace).status, SolveStatus::BadInput);
    const Certificate certificate = certify(objective, limits, pose, {.form = form, .splits = splits});
    if (certificate.fault == "no joint that may turn moves an observed point") return;
    ASSERT_EQ(certificate.fault, "");
    ++certified_[certificate.isCertified];
    const double rounding = kRounding * (certificate.length * certificate.length + certificate.value);
    ASSERT_LE(certificate.bound, certificate.value + rounding);
    std::vector<PointGoal> points;
    collectSeenPoints(objective, points);
    const double least = attack(objective, problem.pose, points);
    EXPECT_GE(least, certificate.bound - rounding);
    beaten_ += least < certificate.value - 1e-6 * certificate.length * certificate.length;
  }

  /// The least f of local solves from random poses and from the observed one.
  double attack(const Objective& objective, const Pose& truth, const std::vector<PointGoal>& points) {
    const Solver& newton = *allSolvers().front();
    FreeSpace space;
    Pose around = truth;
    objective.feasibleSet().project(around);
    objective.feasibleSet().findFreeSpace(around, Eigen::VectorXd::Zero(objective.activeCount()), space);
    RandomStream stream(random_());
    Workspace workspace;
    Kinematics kinematics;
    std::vector<PointPair> pairs;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= kAttacks; ++k) {
      Pose pose = around;
      if (k > 0) randomizePose(objective, space, around, stream, pose);
      layRootsOnto(objective, points, kinematics, pairs, pose);
      newton.solve(objective, pose, defaultOptions(newton), workspace);
      least = std::min(least, meanSquareOf(objective.figure(), pose, points));
    }
    return least;
  }

  void TearDown() override {
    std::printf("certified %d of %d; of all poses found %d were beaten by an attack\n", certified_[1],
                certified_[0] + certified_[1], beaten_);
  }

  std::mt19937 random_{2019};
  int certified_[2] = {0, 0};
  int beaten_ = 0;
};

int problemCount() {
  const char* asked = std::getenv("LIMBER_CERTIFICATE_PROBLEMS");
  return asked ? std::atoi(asked) : test::repetitions(200, 20);
}

TEST_F(CertificateFuzz, NoPoseOfATreeIsBelowItsBound) {
  for (int i = 0; i < problemCount(); ++i) {
    SCOPED_TRACE(i);
    const auto figure = i % 10 == 0 ? test::makeBallTree() : randomTree();
    const double noise = i % 4 == 0 ? 0.0 : std::pow(10.0, uniform(-3.0, 0.5));
    check(observed(figure, noise), i % 3 == 2 ? RelaxationForm::Compact : RelaxationForm::Hull, i % 4 == 1 ? 4 : 0);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CertificateFuzz, NoPoseOfHandAndBodyIsBelowItsBound) {
  for (const char* name : {"hand.json", "body.json"}) {
    const auto source = io::openFigureSource(name, LIMBER_SOURCE_DIR "/resources/figures");
    ASSERT_TRUE(source) << source.error().message();
    const bool isHand = std::string(name) == "hand.json";
    for (int i = 0; i < std::max(4, problemCount() / 50); ++i) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(i));
      const double noise = (isHand ? 0.01 : 0.1) * (i % 3 == 0 ? 1.0 : uniform(0.1, 5.0));
      check(test::observe(source->figure, test::keyPoints(*source->figure, i % 4 == 3), noise, random_),
            i % 3 == 2 ? RelaxationForm::Compact : RelaxationForm::Hull, i % 4 == 1 ? 4 : 0);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace limber::certificate_fuzz_test
