// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/newton_system.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/awkward_figure.h"
#include "support/dense_newton.h"
#include "support/limited_figure.h"

namespace limber::newton_system_test {
namespace {

/// The data of a step at one feasible pose.
struct Place {
  Pose pose;
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  FreeSpace space;
  std::vector<Residual> multipliers;

  void take(const Objective& objective, std::mt19937& random) {
    pose = test::randomPose(objective.figure(), random);
    for (Joint joint : objective.figure().joints())  // far out, so that many limits hold
      if (joint.type == JointType::Revolute) pose.coordinates[joint.poseIndex] *= 3.0;
    objective.feasibleSet().project(pose);
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    objective.feasibleSet().findFreeSpace(pose, gradient, space);
    exactMultipliers(objective, evaluation, multipliers);
  }

  /// H + C of f.
  Eigen::MatrixXd curved(const Objective& objective) {
    Eigen::MatrixXd hessian;
    objective.computeHessian(evaluation, hessian);
    for (const auto& block : space.blocks)
      for (std::size_t i = 0; i < block.active.size(); ++i)
        for (std::size_t j = 0; j < block.active.size(); ++j)
          hessian(block.active[i], block.active[j]) +=
              block.curvature(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    return hessian;
  }

  /// A damping larger than any negative curvature.
  double safeDamping(const Objective& objective) {
    if (gradient.size() == 0) return 1.0;
    return 1.0 + 2.0 * curved(objective).cwiseAbs().rowwise().sum().maxCoeff() / objective.metric().minCoeff();
  }

  Eigen::MatrixXd projector() const {
    const auto n = gradient.size();
    Eigen::MatrixXd p(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      Eigen::VectorXd e = Eigen::VectorXd::Unit(n, k);
      space.project(e);
      p.col(k) = e;
    }
    return p;
  }
};

TEST(NewtonSystem, GivesTheStepOfADenseFactorisationOnTrees) {
  std::mt19937 random(1);
  Place place;
  NewtonSystem sweep;
  test::DenseNewton dense;
  Eigen::VectorXd a, b;
  std::vector<Residual> left, right, forces;
  int limited = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto figure = test::makeLimitedFigure(random, {.withCouplings = false, .withLinearLimits = false});
    const Objective objective = test::makeLimitedObjective(figure, 3, true, random);
    place.take(objective, random);
    for (const auto& block : place.space.blocks) limited += block.held > 0;
    sweep.assemble(objective, place.evaluation, place.multipliers);
    const double lambda = place.safeDamping(objective);
    ASSERT_TRUE(sweep.factor(lambda, place.space));
    const auto factorDense = [&](double damping) {
      return dense.factor(objective, place.evaluation, place.multipliers, place.space, damping, sweep.metric());
    };
    ASSERT_TRUE(factorDense(lambda));
    sweep.solve(a);
    dense.solve(-place.gradient, b);
    EXPECT_LT((a - b).norm(), 1e-9 * b.norm()) << trial;
    sweep.linearResiduals(left);
    objective.applyJacobian(place.evaluation, b, right);
    forces.resize(right.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
      right[k] += place.evaluation.residuals[k];
      forces[k] = -place.evaluation.weights[k] * right[k];
      EXPECT_LT((left[k] - right[k]).norm(), 1e-9 * (1.0 + right[k].norm()));
    }
    sweep.solveForResiduals(left, a);
    objective.applyTransposedJacobian(place.evaluation, forces, b);
    dense.solve(Eigen::VectorXd(b), b);
    EXPECT_LT((a - b).norm(), 1e-9 * b.norm() + 1e-15) << trial;
    EXPECT_EQ(sweep.factor(0.0, place.space), factorDense(0.0)) << trial;
  }
  EXPECT_GT(limited, 100);
}

TEST(NewtonSystem, StepSolvesTheRestrictedSystemAndStaysFree) {
  std::mt19937 random(2);
  Place place;
  NewtonSystem system;
  Eigen::VectorXd step;
  for (int trial = 0; trial < 300; ++trial) {
    const auto figure = test::makeLimitedFigure(random);
    const Objective objective = test::makeLimitedObjective(figure, 3, true, random, true);
    place.take(objective, random);
    system.assemble(objective, place.evaluation, place.multipliers);
    const double lambda = place.safeDamping(objective);
    ASSERT_TRUE(system.factor(lambda, place.space)) << trial;
    system.solve(step);
    Eigen::MatrixXd hessian = place.curved(objective);
    hessian.diagonal() += lambda * system.metric();
    const Eigen::MatrixXd p = place.projector();
    const double scale = place.gradient.norm() + 1e-12;
    EXPECT_LT((p * (hessian * step + place.gradient)).norm(), 1e-9 * scale) << trial;
    EXPECT_LT((p * step - step).norm(), 1e-12 * (1.0 + step.norm())) << trial;
  }
}

TEST(NewtonSystem, BadPivotsGiveDirectionsOfNegativeCurvatureWithinTheFreeSpace) {
  std::mt19937 random(3);
  Place place;
  NewtonSystem system;
  Eigen::VectorXd v;
  int found = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const auto figure = test::makeLimitedFigure(random, {.withLinearLimits = trial % 2 == 0});
    const Objective objective = test::makeLimitedObjective(figure, 2, true, random, trial % 3 == 0);
    place.take(objective, random);
    system.assemble(objective, place.evaluation, place.multipliers);
    if (system.factor(0.0, place.space)) continue;
    ++found;
    const double bound = system.curvatureDirection(v);
    const Eigen::MatrixXd hessian = place.curved(objective);
    const double curvature = v.dot(hessian * v);
    const double rounding = 1e-10 * hessian.cwiseAbs().maxCoeff() * v.squaredNorm();
    EXPECT_GT(v.norm(), 0.0);
    EXPECT_LE(curvature, bound + rounding) << trial;
    EXPECT_LT((place.projector() * v - v).norm(), 1e-10 * v.norm()) << trial;
  }
  EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace limber::newton_system_test
