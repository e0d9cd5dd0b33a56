// SPDX-License-Identifier: MIT
#include "support/awkward_figure.h"

#include <numeric>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "support/built_figure.h"
#include "support/random_vector.h"

namespace limber::test {

namespace {

Transform place(double x, double y, double z, double angle, const Eigen::Vector3d& axis) {
  return {Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(), Eigen::Vector3d(x, y, z)};
}

}  // namespace

namespace {

void addAwkwardLinks(FigureBuilder& b) {
  using V = Eigen::Vector3d;
  const int root =
      b.addLink({.name = "root"},
                {.name = "float", .type = JointType::Free, .parentFromJoint = place(40, -30, 20, 0.7, V(1, 2, 3))});
  const int spine =
      b.addLink({.name = "spine", .parent = root},
                {.name = "lower", .type = JointType::Ball, .parentFromJoint = place(0.1, 0.7, 0, 0.3, V(0, 1, 1))});
  b.addLink({.name = "idle", .parent = spine}, {.name = "idle hinge",
                                                .type = JointType::Revolute,
                                                .parentFromJoint = place(0, 0.2, 0.1, 1.1, V(1, 0, 1)),
                                                .axis = V(1, 1, 0)});
  const int chest =
      b.addLink({.name = "chest", .parent = spine}, {.name = "slide",
                                                     .type = JointType::Prismatic,
                                                     .parentFromJoint = place(0, 0.9, 0, -0.4, V(1, 1, 0)),
                                                     .axis = V(0.2, 1, -0.3),
                                                     .limits = {-0.5, 0.6}});
  const int shoulder =
      b.addLink({.name = "shoulder", .parent = chest}, {.name = "flexion",
                                                        .type = JointType::Revolute,
                                                        .parentFromJoint = place(0.4, 0.1, 0, 0.9, V(0, 0, 1)),
                                                        .axis = V(1, 0.1, 0),
                                                        .limits = {-2.0, 2.5}});
  const int upper = b.addLink({.name = "upper", .parent = shoulder},  // zero-length: stands where the shoulder stands
                              {.name = "twist", .type = JointType::Revolute, .axis = V(0, 1, 0.2)});
  b.addLink({.name = "hand", .parent = upper},
            {.name = "wrist", .type = JointType::Ball, .parentFromJoint = place(0.8, 0, 0.1, 2.0, V(1, 0, 0))});
  const int hip =
      b.addLink({.name = "hip", .parent = root},
                {.name = "hip", .type = JointType::Ball, .parentFromJoint = place(-0.3, -0.2, 0, 0.2, V(0, 1, 0))});
  const int plate =
      b.addLink({.name = "plate", .parent = hip},
                {.name = "bolt", .type = JointType::Fixed, .parentFromJoint = place(0, -0.5, 0.05, 0.6, V(1, 0, 1))});
  b.addLink({.name = "foot", .parent = plate}, {.name = "knee",
                                                .type = JointType::Revolute,
                                                .parentFromJoint = place(0, -0.4, 0, -0.8, V(0, 1, 2)),
                                                .axis = V(1, 0, 0),
                                                .limits = {0.0, 2.4}});
  b.addSite({.name = "palm", .link = 6, .linkFromSite = place(0.2, 0.1, 0, 0.3, V(0, 0, 1))});
  b.addSite({.name = "sole", .link = 9, .linkFromSite = place(0, -0.3, 0.1, 0.3, V(0, 0, 1))});
}

}  // namespace

std::shared_ptr<const Figure> makeAwkwardFigure() {
  FigureBuilder b("awkward");
  addAwkwardLinks(b);
  return built(b);
}

std::shared_ptr<const Figure> makeCoupledFigure() {
  FigureBuilder b("coupled");
  addAwkwardLinks(b);
  constexpr int kIdle = 2, kSlide = 3, kFlexion = 4, kTwist = 5, kKnee = 9;
  b.addCoupling({.name = "shoulder", .follower = kTwist, .offset = 0.2, .terms = {{kFlexion, {0.7, -0.3, 0.2, 0.1}}}});
  b.addCoupling({.name = "shoulder", .follower = kIdle, .offset = 0.0, .terms = {{kFlexion, {-1.0, 0.0, 0.0, 0.0}}}});
  b.joint(kKnee).limits = {};
  b.addCoupling({.name = "stride",
                 .follower = kKnee,
                 .offset = 0.4,
                 .terms = {{kSlide, {1.5, 2.0, 0.0, -1.0}}, {kFlexion, {0.5, 0.1, 0.0, 0.0}}}});
  return built(b);
}

std::shared_ptr<const Figure> makeBallLedFigure() {
  using V = Eigen::Vector3d;
  FigureBuilder b("ball-led");
  addAwkwardLinks(b);
  constexpr int kLower = 1, kIdle = 2, kSlide = 3, kFlexion = 4, kTwist = 5, kWrist = 6, kHip = 7, kKnee = 9;
  const auto pointing = [](const V& axis, const V& bone) {
    return Coupling::Pointing{axis.normalized(), bone.normalized()};
  };
  b.addCoupling({.name = "turn", .follower = kWrist, .terms = {{.driver = kLower}}});
  b.addCoupling({.name = "turn",
                 .follower = kIdle,
                 .offset = 0.1,
                 .terms = {{kLower, {0.8, -0.4, 0.3, 0.2}, pointing(V(1, 2, 0), V(0, 1, -1))}}});
  b.addCoupling({.name = "shoulder",
                 .follower = kTwist,
                 .offset = 0.2,
                 .terms = {{kHip, {0.4, -0.3, 0.2, 0.1}, pointing(V(0, 1, 0.5), V(1, 1, 0))},
                           {kFlexion, {0.7, -0.3, 0.2, 0.1}}}});
  b.joint(kKnee).limits = {};
  b.addCoupling({.name = "stride",
                 .follower = kKnee,
                 .offset = 0.4,
                 .terms = {{kSlide, {1.5, 2.0, 0.0, -1.0}},
                           {kHip, {-0.6, 0.5, 0.0, 0.0}, pointing(V(1, 0, 0.2), V(0, -1, 0))},
                           {kHip, {0.3, 0.0, -0.2, 0.0}, pointing(V(0, 0, 1), V(0.3, 0, 1))}}});
  return built(b);
}

namespace {

void addBallTree(FigureBuilder& b) {
  using V = Eigen::Vector3d;
  const auto addBall = [&](const char* name, int parent, const Transform& parentFromJoint) {
    return b.addLink({.name = name, .parent = parent},
                     {.name = name, .type = JointType::Ball, .parentFromJoint = parentFromJoint});
  };
  const int base = addBall("base", -1, place(3, -2, 1, 0.5, V(1, 1, 0)));
  const int spine = addBall("spine", base, place(0, 0.4, 0, 0.2, V(0, 0, 1)));
  const int chest =
      b.addLink({.name = "chest", .parent = spine},
                {.name = "bolt", .type = JointType::Fixed, .parentFromJoint = place(0, 0.3, 0.05, 0.4, V(1, 0, 0))});
  for (const double side : {1.0, -1.0}) {
    const int upper =
        addBall(side > 0 ? "left upper arm" : "right upper arm", chest, place(0.2 * side, 0.1, 0, 0.3, V(0, 1, 1)));
    const int fore =
        addBall(side > 0 ? "left forearm" : "right forearm", upper, place(0.3 * side, 0, 0.05, 0, V(1, 0, 0)));
    const int hand = addBall(side > 0 ? "left hand" : "right hand", fore, place(0.25 * side, 0, 0, 0.7, V(0, 1, 0)));
    b.addSite({.name = side > 0 ? "left tip" : "right tip",
               .link = hand,
               .linkFromSite = place(0.1 * side, 0, 0, 0, V(1, 0, 0))});
  }
}

}  // namespace

std::shared_ptr<const Figure> makeBallTree() {
  FigureBuilder b("ball tree");
  addBallTree(b);
  return built(b);
}

std::shared_ptr<const Figure> makeAlikeBallTree() {
  FigureBuilder b("alike ball tree");
  addBallTree(b);
  constexpr int kSpine = 1, kLeftUpperArm = 3, kLeftHand = 5, kRightUpperArm = 6;
  b.addCoupling({.name = "spine", .follower = kSpine, .terms = {{.driver = kLeftHand}}});
  b.addCoupling({.name = "arms", .follower = kRightUpperArm, .terms = {{.driver = kLeftUpperArm}}});
  return built(b);
}

Pose randomPose(const Figure& figure, std::mt19937& random) {
  Pose pose = restPose(figure);
  std::normal_distribution<double> normal;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    if (joint.type == JointType::Revolute || joint.type == JointType::Prismatic) {
      std::uniform_real_distribution<double> uniform(std::max(joint.limits.lower, -2.0),
                                                     std::min(joint.limits.upper, 2.0));
      pose.coordinates[joint.poseIndex] = uniform(random);
    }
    if (joint.type == JointType::Free) pose.coordinates.segment<3>(joint.poseIndex) = randomVector(random, 0.5);
    if (joint.type == JointType::Ball || joint.type == JointType::Free) {
      const double w = normal(random), x = normal(random), y = normal(random), z = normal(random);
      setJointRotation(figure, i, Eigen::Quaterniond(w, x, y, z).normalized(), pose);
    }
  }
  Couplings(figure, limitsOf(figure).couplingEnabled).apply(pose);
  return pose;
}

Objective makeRandomObjective(std::shared_ptr<const Figure> figure, std::span<const int> goalLinks,
                              std::mt19937& random, ObjectiveOptions options) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const Kinematics kinematics = transformsOf(*figure, randomPose(*figure, random));
  std::vector<std::unique_ptr<Goal>> goals;
  for (int link : goalLinks) {
    const Eigen::Vector3d point = randomVector(random, 0.3);
    const Eigen::Vector3d target = kinematics.worldFromLink[link] * point;
    goals.push_back(std::make_unique<PositionGoal>(link, point, target, options.targetWeight * (0.2 + unit(random)),
                                                   figure->meanLinkLength()));
  }
  std::vector<double> rigidities;
  for (int i = 0; i < figure->linkCount(); ++i) rigidities.push_back(0.5 * unit(random));
  Limits limits = limitsOf(*figure);
  if (!options.withLimits) limits.intervals.assign(limits.intervals.size(), Interval{});
  const Couplings couplings(*figure, limits.couplingEnabled);
  std::vector<int> active;
  for (int c = 0; c < figure->stepSize(); ++c)
    if (!couplings.isFollower(c)) active.push_back(c);
  Regulariser regulariser(*figure, randomPose(*figure, random), options.restWeight, rigidities);
  FeasibleSet feasible(*figure, limits);
  for (auto& goal : options.furtherGoals) goals.push_back(std::move(goal));
  StayTerm stay;
  if (options.stayWeight > 0.0) stay = makeRandomStay(*figure, active, options.stayWeight, random, true);
  const double force = options.forceLimit * goals[0]->weight();
  Objective objective(std::move(figure), std::move(goals), std::move(regulariser), std::move(feasible),
                      std::move(active), std::move(options.keepPoses), std::move(stay));
  if (force > 0.0) objective.setForceLimit(0, force);
  return objective;
}

StayTerm makeRandomStay(const Figure& figure, std::span<const int> active, double weight, std::mt19937& random,
                        bool keepsRotations) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<double> weights;
  for (int i = 0; i < figure.linkCount(); ++i) weights.push_back(unit(random) < 0.2 ? 0.0 : weight * unit(random));
  std::vector<char> moves(figure.stepSize(), 0);
  for (const int c : active) moves[c] = 1;
  const Kinematics there = transformsOf(figure, randomPose(figure, random));
  std::vector<StayTerm::Rotation> rotations;
  for (int i = 0; i < figure.linkCount() && keepsRotations; ++i)
    if (unit(random) < 0.4) rotations.push_back({i, weight * unit(random), 0.05 + unit(random)});
  return StayTerm(figure, weights, there, moves, rotations);
}

Objective makeChainObjective(int links, const Eigen::Vector3d& target, double targetWeight, double restWeight) {
  auto figure = makePlanarChain(links);
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::make_unique<PositionGoal>(links - 1, Eigen::Vector3d::UnitX(), target, targetWeight, 1.0));
  const std::vector<double> rigidities(links, 0.0);
  std::vector<int> active(links);
  std::iota(active.begin(), active.end(), 0);
  Regulariser regulariser(*figure, restPose(*figure), restWeight, rigidities);
  FeasibleSet feasible(*figure, limitsOf(*figure));
  return Objective(std::move(figure), std::move(goals), std::move(regulariser), std::move(feasible), std::move(active));
}

}  // namespace limber::test
