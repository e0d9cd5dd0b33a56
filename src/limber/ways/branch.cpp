// SPDX-License-Identifier: MIT
#include "limber/ways/branch.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "limber/ways/parallel_triple.h"
#include "limber/ways/spherical_triple.h"

namespace limber::ways {

namespace {

/// Positive if the elbow is on the side of the line from shoulder to wrist to which the first axis points. The triple
/// product decides if the line is along that axis.
double elbowHeight(const Eigen::Vector3d& up, const Eigen::Vector3d& axis, const Eigen::Vector3d& shoulder,
                   const Eigen::Vector3d& elbow, const Eigen::Vector3d& wrist) {
  const Eigen::Vector3d line = wrist - shoulder, arm = elbow - shoulder;
  const Eigen::Vector3d aside = arm - line * (line.dot(arm) / std::max(line.squaredNorm(), 1e-12));
  const double height = up.dot(aside);
  return std::abs(height) > 1e-6 ? height : axis.dot(arm.cross(wrist - elbow));
}

}  // namespace

BranchLabels labelsOf(const ArmSolver& solver, const Coordinates& q) {
  const ScrewChain& chain = solver.scaled();
  if (chain.count != 6 || solver.aspect() != Aspect::Place) return {};
  Loop loop;
  loop.count = 6;
  for (int i = 0; i < 6; ++i) loop.screws[i] = chain.screws[i];
  Eigen::Vector3d centre;
  const bool isSpherical = findSphericalTriple(loop, centre) == 3;
  if (!isSpherical && findParallelTriple(loop) != 1) return {};

  const Coordinates scaledQ = solver.scaled(q);
  std::array<Screw, 6> now;
  Transform motion;
  for (int i = 0; i < 6; ++i) {
    now[i] = moved(motion, chain.screws[i]);
    motion = motion * motionOf(chain.screws[i], scaledQ[i]);
    if (i == 2) centre = motion * centre;
  }
  const Eigen::Vector3d& h = now[1].axis;
  const bool bends = h.cross(now[2].axis).norm() < 1e-6 && !now[1].isSlide && !now[2].isSlide && !now[0].isSlide;
  if (!bends) return {};
  const Eigen::Vector3d end = isSpherical ? centre : now[3].point;
  const auto inPlane = [&](const Eigen::Vector3d& p) -> Eigen::Vector3d { return p - h.dot(p) * h; };
  const Eigen::Vector3d shoulder = inPlane(now[1].point), elbow = inPlane(now[2].point), wrist = inPlane(end);
  const double bend = h.dot((elbow - shoulder).cross(wrist - elbow));
  const double twist =
      isSpherical ? now[3].axis.dot(now[4].axis.cross(now[5].axis)) : h.dot(now[4].axis.cross(now[5].axis));
  ArmJacobian jacobian;
  chain.place(scaledQ, jacobian);
  const double side = Eigen::Matrix<double, 6, 6>(jacobian).determinant() * bend * twist;
  return {.shoulder = side > 0.0 ? "left" : "right",
          .elbow = elbowHeight(now[0].axis, h, shoulder, elbow, wrist) > 0.0 ? "up" : "down",
          .wrist = twist > 0.0 ? "plain" : "flipped"};
}

}  // namespace limber::ways
