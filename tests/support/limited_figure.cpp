// SPDX-License-Identifier: MIT
#include "support/limited_figure.h"

#include <algorithm>
#include <numbers>

#include "limber/goals/aim_goal.h"
#include "limber/goals/direction_goal.h"
#include "limber/goals/distance_goal.h"
#include "limber/goals/plane_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/coupling.h"
#include "limber/kinematics/figure_builder.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"

namespace limber::test {

namespace {

double uniform(std::mt19937& random, double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(random);
}

int pick(std::mt19937& random, int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); }

Eigen::Vector3d direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return Eigen::Vector3d(x, y, z).normalized();
}

/// A random interval around zero, sometimes a single value.
Interval randomInterval(std::mt19937& random) {
  if (pick(random, 12) == 0) return {0.0, 0.0};
  return {uniform(random, -1.5, 0.0), uniform(random, 0.0, 1.5)};
}

/// Random limits that contain the zero rotation: the cone contains the bone.
BallLimits randomBall(std::mt19937& random) {
  BallLimits limits;
  limits.twistAxis = direction(random);
  const int kind = pick(random, 8);
  limits.swing = kind == 0 ? 0.0 : kind == 1 ? std::numbers::pi : uniform(random, 0.1, 2.5);
  limits.coneAxis =
      exponential(0.9 * std::min(limits.swing, 1.0) * limits.twistAxis.unitOrthogonal()) * limits.twistAxis;
  if (kind == 0) limits.coneAxis = limits.twistAxis;
  if (pick(random, 4) == 0) return limits;
  BallLimits open = limits;
  open.twist = {-3.0, 3.0};
  const double rest = BallRange(open).placeOf(Eigen::Quaterniond::Identity()).twist;
  limits.twist =
      kind == 2 ? Interval{rest, rest} : Interval{rest - uniform(random, 0.0, 1.2), rest + uniform(random, 0.0, 1.2)};
  return limits;
}

void addCouplings(const std::vector<int>& scalars, std::mt19937& random, std::vector<char>& follows,
                  std::vector<char>& bends, FigureBuilder& builder) {
  for (std::size_t i = 2; i < scalars.size(); ++i) {
    if (pick(random, 3) != 0 || follows[scalars[i]]) continue;
    Coupling coupling;
    coupling.name = "group";
    coupling.follower = scalars[i];
    const int drivers = 1 + pick(random, 2);
    for (int k = 0; k < drivers; ++k) {
      const int driver = scalars[pick(random, static_cast<int>(i))];
      const auto& terms = coupling.terms;
      const bool isTaken =
          std::any_of(terms.begin(), terms.end(), [&](const auto& term) { return term.driver == driver; });
      if (isTaken || follows[driver]) continue;
      const bool isCurved = drivers == 1 && pick(random, 2) == 0;
      if (isCurved) bends[scalars[i]] = 1;
      coupling.terms.push_back({driver,
                                {uniform(random, -1.0, 1.0), isCurved ? uniform(random, -0.3, 0.3) : 0.0,
                                 isCurved ? uniform(random, -0.2, 0.2) : 0.0, 0.0}});
    }
    if (coupling.terms.empty()) continue;
    follows[scalars[i]] = 1;
    builder.addCoupling(coupling);
  }
}

/// Adds couplings to balls. Limits of followers contain their coordinates; coupled balls have different limits.
void addBallCouplings(const std::vector<int>& balls, const std::vector<int>& scalars, std::mt19937& random,
                      std::vector<char>& follows, std::vector<char>& bends, FigureBuilder& builder) {
  const auto anyDriver = [&](std::size_t count) { return balls[pick(random, static_cast<int>(count))]; };
  for (std::size_t i = 1; i < balls.size(); ++i) {
    const int follower = balls[i], driver = anyDriver(i);
    if (pick(random, 2) != 0 || follows[driver]) continue;
    BallLimits& limits = builder.joint(follower).ballLimits;
    limits = {};
    if (pick(random, 2)) {
      limits = builder.joint(driver).ballLimits;
      limits.swing *= uniform(random, 0.92, 1.0);  // the rest stays inside
    }
    follows[follower] = 1;
    builder.addCoupling({.name = "balls", .follower = follower, .terms = {{.driver = driver}}});
  }
  for (const int follower : scalars) {
    if (balls.empty() || pick(random, 3) != 0) continue;
    Coupling coupling{.name = "balls", .follower = follower, .offset = uniform(random, -0.5, 0.5)};
    Interval range{coupling.offset, coupling.offset};
    for (int k = 0; k < 1 + pick(random, 2); ++k) {
      const int driver = anyDriver(balls.size());
      if (follows[driver]) continue;
      coupling.terms.push_back({driver,
                                {uniform(random, -1.0, 1.0), uniform(random, -0.5, 0.5), 0.2, -0.1},
                                Coupling::Pointing{direction(random), direction(random)}});
      const Interval share = rangeOf({coupling.terms.back().coefficients}, {-1.0, 1.0});
      range = {range.lower + share.lower, range.upper + share.upper};
    }
    if (coupling.terms.empty()) continue;
    builder.joint(follower).limits = range;
    follows[follower] = bends[follower] = 1;
    builder.addCoupling(coupling);
  }
}

void addLinearLimits(const std::vector<int>& scalars, std::mt19937& random, FigureBuilder& builder) {
  const int count = static_cast<int>(scalars.size());
  for (int k = 0; count >= 2 && k < 1 + pick(random, 4); ++k) {
    LinearLimit limit;
    limit.name = "side " + std::to_string(k);
    const int first = pick(random, count - 1);
    for (int i = first; i < std::min(first + 2 + pick(random, 2), count); ++i)
      limit.terms.push_back({scalars[i], uniform(random, -1.0, 1.0)});
    limit.bounds.upper = uniform(random, 0.0, 0.5);
    if (pick(random, 3) == 0) limit.bounds.lower = -uniform(random, 0.0, 0.5);
    if (pick(random, 6) == 0) limit.bounds = {0.0, 0.0};
    builder.addLinearLimit(limit);
  }
}

}  // namespace

std::shared_ptr<const Figure> makeLimitedFigure(std::mt19937& random, const LimitedFigureOptions& options) {
  FigureBuilder builder("limited");
  std::vector<int> scalars, balls;
  for (int i = 0; i < options.links; ++i) {
    Joint joint;
    joint.name = "joint " + std::to_string(i);
    const int kind = pick(random, 8);
    joint.type = kind == 0                       ? JointType::Prismatic
                 : kind < 3 && options.withBalls ? JointType::Ball
                                                 : JointType::Revolute;
    joint.parentFromJoint = {exponential(direction(random)).toRotationMatrix(),
                             i == 0 ? Eigen::Vector3d::Zero() : direction(random)};
    joint.axis = direction(random);
    if (joint.type != JointType::Ball && pick(random, 3) != 0) joint.limits = randomInterval(random);
    if (joint.type == JointType::Prismatic) joint.limits = randomInterval(random);
    if (joint.type == JointType::Ball && pick(random, 5) != 0) joint.ballLimits = randomBall(random);
    const int parent = i == 0 ? -1 : std::max(0, i - 1 - (pick(random, 3) == 0 ? pick(random, i) : 0));
    const int link = builder.addLink({.name = "link " + std::to_string(i), .parent = parent}, joint);
    (joint.type == JointType::Ball ? balls : scalars).push_back(link);
  }
  std::vector<char> follows(options.links, 0);
  std::vector<char> bends = follows;
  if (options.withBallCouplings) addBallCouplings(balls, scalars, random, follows, bends, builder);
  if (options.withCouplings) addCouplings(scalars, random, follows, bends, builder);
  std::erase_if(scalars, [&](int joint) { return bends[joint] != 0; });
  if (options.withLinearLimits) addLinearLimits(scalars, random, builder);
  return test::built(builder);
}

Objective makeLimitedObjective(std::shared_ptr<const Figure> figure, int goals, bool reachable, std::mt19937& random,
                               bool anyGoals) {
  FeasibleSet feasible(*figure, limitsOf(*figure));
  Pose there = randomPose(*figure, random);
  feasible.project(there);
  const Kinematics kinematics = transformsOf(*figure, there);
  std::vector<std::unique_ptr<Goal>> list;
  for (int k = 0; k < goals; ++k) {
    const int link = figure->linkCount() - 1 - pick(random, figure->linkCount() / 2 + 1);
    const Eigen::Vector3d point = 0.5 * direction(random);
    Eigen::Vector3d target = kinematics.worldFromLink[link] * point;
    if (!reachable) target = uniform(random, 0.2, 6.0) * direction(random);
    const double weight = 1e3 * uniform(random, 0.1, 1.0), unit = figure->meanLinkLength();
    const int kind = anyGoals ? pick(random, 8) : 0;
    if (kind < 4) list.push_back(std::make_unique<PositionGoal>(link, point, target, weight, unit));
    else if (kind == 4)
      list.push_back(std::make_unique<DirectionGoal>(link, direction(random), direction(random), 1.0, weight));
    else if (kind == 5)
      list.push_back(std::make_unique<AimGoal>(link, point, direction(random), target, 1.0, weight, unit));
    else if (kind == 6)
      list.push_back(std::make_unique<PlaneGoal>(link, point, target, direction(random), PlaneGoal::Side::HalfSpace,
                                                 weight, unit));
    else if (link > 0)
      list.push_back(std::make_unique<DistanceGoal>(
          DistanceGoal::End{link, point}, DistanceGoal::End{0, direction(random)}, Interval{0.5, 1.0}, weight, unit));
  }
  std::vector<int> active;
  for (int c = 0; c < figure->stepSize(); ++c)
    if (!feasible.couplings().isFollower(c)) active.push_back(c);
  const std::vector<double> rigidities(figure->linkCount(), 0.0);
  Regulariser regulariser(*figure, restPose(*figure), 1.0, rigidities);
  return Objective(std::move(figure), std::move(list), std::move(regulariser), std::move(feasible), std::move(active));
}

}  // namespace limber::test
