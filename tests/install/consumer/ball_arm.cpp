// SPDX-License-Identifier: MIT
// Ball joints, whose quaternions and cones are Eigen's fixed-size types, and a hull of points: with -march=native they
// must lie in memory as the library has them. In a loadable module it is shown that the library can be part of one.
#include <limber/ik.h>
#include <limber/solvers/registry.h>
#include <limber/version.h>

static_assert(LIMBER_VERSION_MAJOR * 1000 + LIMBER_VERSION_MINOR > 0);

bool poseBallArm() {
  limber::BallLimits cone;
  cone.coneAxis = cone.twistAxis = Eigen::Vector3d::UnitX();
  cone.swing = 1.2;
  limber::FigureBuilder builder("ball arm");
  builder.addLink({.name = "upper"}, {.type = limber::JointType::Ball, .ballLimits = cone});
  builder.addLink({.name = "lower", .parent = 0},
                  {.type = limber::JointType::Ball, .parentFromJoint = limber::Transform::fromTranslation({1, 0, 0})});
  builder.addSite({.name = "hand", .link = 1, .linkFromSite = limber::Transform::fromTranslation({1, 0, 0})});
  std::string error;
  limber::Ik ik(builder.build(error));
  ik.addMesh({{3, 0, 0}, {4, 0, 0}, {3, 1, 0}, {3, 0, 1}}, {}, "stone");
  ik.add(limber::position("hand", {1.2, 0.8, 0.5}));
  ik.lock("upper", false);
  return error.empty() && ik.solve().isReached();
}
