// SPDX-License-Identifier: MIT
#include "limber/posing/fit_coordinates.h"

#include <algorithm>
#include <cmath>

#include "limber/kinematics/loops.h"
#include "limber/objective/joint_chain.h"
#include "limber/solvers/steps/random_pose.h"

namespace limber {

namespace {

constexpr double kMoves = 1e-9;  // mean link lengths per radian; below this, a coordinate does not move a point
constexpr int kProbes = 4;       // poses in which kMoves is tested
constexpr std::uint64_t kProbeSeed = 7;

/// Marks all joints of the loops that a marked coordinate moves.
void markLoops(const Figure& figure, std::vector<char>& moves) {
  for (std::size_t round = 0; round < figure.loops().size(); ++round)  // loops may share joints
    for (const LoopClosure& loop : figure.loops())
      if (isMovedBy(figure, loop, moves))
        for (const int link : linksAround(figure, loop)) {
          const Joint& joint = figure.joint(link);
          std::fill_n(moves.begin() + joint.stepIndex, stepSize(joint.type), 1);
        }
}

/// Marks the coordinates that move a point in a pose.
void markMovers(const Figure& figure, const std::vector<FitPoint>& points, const Kinematics& kinematics,
                std::vector<char>& moves) {
  for (const FitPoint& p : points) {
    const Eigen::Vector3d arm = placeOf(kinematics, p.point) - kinematics.origin;
    for (int link = p.point.link; link >= 0; link = figure.link(link).parent) {
      const Joint& joint = figure.joint(link);
      bool isMover = false;
      for (int k = 0; k < stepSize(joint.type); ++k) {
        const Vector6d twist = kinematics.twists.col(joint.stepIndex + k);
        const Eigen::Vector3d velocity = twist.tail<3>() + twist.head<3>().cross(arm);
        isMover = isMover || velocity.norm() > kMoves * figure.meanLinkLength();
      }
      if (isMover) std::fill_n(moves.begin() + joint.stepIndex, stepSize(joint.type), 1);
    }
  }
}

}  // namespace

IkProblem withFreeRoots(IkProblem problem) {
  for (int i = 0; i < problem.figure->linkCount(); ++i) {
    if (!problem.figure->isFreeRoot(i)) continue;
    JointSettings& joint = problem.joints[i];
    joint.locked = joint.translationLocked = false;
    joint.rigidity = 0.0;
  }
  return problem;
}

std::vector<int> coordinatesAbove(const IkProblem& problem, const std::vector<FitPoint>& points,
                                  const std::vector<char>& usable) {
  std::vector<JointChain> chains;
  for (const FitPoint& p : points) chains.push_back({.links = {p.point.link}});
  const Couplings couplings(*problem.figure, activeCouplings(problem));
  return uniteChains(*problem.figure, couplings, chains, usable).active;
}

std::vector<char> observableCoordinates(const IkProblem& problem, const std::vector<FitPoint>& points,
                                        const Objective& objective, const std::vector<char>& usable) {
  const Figure& figure = *problem.figure;
  std::vector<char> moves(usable.size(), 0);
  const Pose rest = restPose(figure);
  FreeSpace space;
  objective.feasibleSet().findFreeSpace(rest, Eigen::VectorXd::Zero(objective.activeCount()), space);
  RandomStream random(kProbeSeed);
  Pose pose = rest;
  Kinematics kinematics;
  for (int probe = 0; probe < kProbes; ++probe) {
    randomizePose(objective, space, rest, random, pose);
    computeKinematics(figure, pose, kinematics);
    markMovers(figure, points, kinematics, moves);
  }
  markLoops(figure, moves);
  const Couplings couplings(figure, activeCouplings(problem));
  for (const Couplings::Term& term : couplings.terms())
    if (moves[term.follower]) moves[term.driver] = 1;
  for (const Couplings::Follower& follower : couplings.followers())  // an inactive one would block its drivers
    moves[follower.coordinate] = 1;
  for (std::size_t i = 0; i < usable.size(); ++i) moves[i] = moves[i] && usable[i];
  return moves;
}

std::string faultOfPoints(const IkProblem& problem, const std::vector<FitPoint>& points) {
  if (points.empty()) return "no observed point is a point of the figure: name them in a map";
  for (const FitPoint& p : points) {
    if (p.point.link < 0 || p.point.link >= problem.figure->linkCount() || !p.point.pointInLink.allFinite())
      return "a point is on no link of the figure";
    if (!(p.weight > 0.0 && std::isfinite(p.weight))) return "a weight is not a number > 0";
  }
  return {};
}

}  // namespace limber
