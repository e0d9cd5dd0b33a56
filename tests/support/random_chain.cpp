// SPDX-License-Identifier: MIT
#include "support/random_chain.h"

#include <algorithm>
#include <numeric>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"

namespace limber::test {

namespace {

Eigen::Vector3d randomBone(std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> length(0.5, 1.5);
  const double x = normal(random), y = normal(random), z = normal(random);
  return length(random) * Eigen::Vector3d(x, y, z).normalized();
}

/// Adds a chain of ball joints, the first at `place` in its parent; returns the last link and moves `place` to its tip.
int addBalls(FigureBuilder& builder, const std::string& part, int parent, Eigen::Vector3d& place, int links,
             std::mt19937& random) {
  for (int i = 0; i < links; ++i) {
    const std::string name = part + " " + std::to_string(i);
    parent =
        builder.addLink({.name = name, .parent = parent},
                        {.name = name, .type = JointType::Ball, .parentFromJoint = Transform::fromTranslation(place)});
    place = randomBone(random);
  }
  return parent;
}

struct Tip {
  int link;
  Eigen::Vector3d place;
};

ReachProblem makeProblem(std::shared_ptr<const Figure> figure, const std::vector<Tip>& tips, std::mt19937& random,
                         double restWeight) {
  const Kinematics kinematics = transformsOf(*figure, randomPose(*figure, random));
  std::vector<std::unique_ptr<Goal>> goals;
  for (const Tip& tip : tips)
    goals.push_back(std::make_unique<PositionGoal>(tip.link, tip.place, kinematics.worldFromLink[tip.link] * tip.place,
                                                   1e3, figure->meanLinkLength()));
  std::vector<int> active(figure->stepSize());
  std::iota(active.begin(), active.end(), 0);
  const std::vector<double> rigidities(figure->linkCount(), 0.0);
  Pose start = randomPose(*figure, random);
  Regulariser regulariser(*figure, start, restWeight, rigidities);
  FeasibleSet feasible(*figure, limitsOf(*figure));
  return {Objective(figure, std::move(goals), std::move(regulariser), std::move(feasible), std::move(active)),
          std::move(start)};
}

}  // namespace

ReachProblem makeBallChainProblem(int links, std::mt19937& random, double restWeight) {
  FigureBuilder builder("chain");
  Eigen::Vector3d place(0.3, -0.2, 0.1);
  const int last = addBalls(builder, "link", -1, place, links, random);
  builder.addSite({.name = "tip", .link = last, .linkFromSite = Transform::fromTranslation(place)});
  return makeProblem(built(builder), {{last, place}}, random, restWeight);
}

ReachProblem makePlanarChainProblem(int links, std::mt19937& random, double restWeight) {
  return makeProblem(makePlanarChain(links), {{links - 1, Eigen::Vector3d::UnitX()}}, random, restWeight);
}

ReachProblem makeForkProblem(int links, std::mt19937& random, double restWeight) {
  FigureBuilder builder("fork");
  Eigen::Vector3d neck = Eigen::Vector3d::Zero();
  const int trunk = addBalls(builder, "trunk", -1, neck, links, random);
  std::vector<Tip> tips;
  for (const char* name : {"left", "right"}) {
    Eigen::Vector3d place = neck;
    const int last = addBalls(builder, name, trunk, place, links, random);
    builder.addSite({.name = name, .link = last, .linkFromSite = Transform::fromTranslation(place)});
    tips.push_back({last, place});
  }
  return makeProblem(built(builder), tips, random, restWeight);
}

double worstMiss(const Objective& objective, const Pose& pose) {
  Evaluation evaluation;
  objective.evaluate(pose, evaluation);
  double worst = 0.0;
  for (const Residual& residual : evaluation.residuals) worst = std::max(worst, residual.norm());
  return worst;
}

ReachShares sharesReached(const std::function<void(const Objective&, Pose&)>& solve) {
  const auto share = [&](unsigned seed, const auto& make) {
    constexpr int kTrials = 200;
    std::mt19937 random(seed);
    int reached = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      auto [objective, pose] = make(3 + trial % 10, random, 0.0);
      solve(objective, pose);
      reached += worstMiss(objective, pose) < 1e-3;
    }
    return static_cast<double>(reached) / kTrials;
  };
  return {share(1, makeBallChainProblem), share(2, makePlanarChainProblem), share(3, makeForkProblem)};
}

}  // namespace limber::test
