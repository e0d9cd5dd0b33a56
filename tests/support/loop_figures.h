// SPDX-License-Identifier: MIT
// Figures with closed loops. Their rest poses close the loops.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"

namespace limber::test {

/// A planar four-bar linkage of hinges about z, of ground 1 m, crank 0.4 m, coupler 0.9 m and rocker 0.7 m, which a
/// hinge closes: one degree of freedom. Grashof's condition holds (0.4 + 1 < 0.9 + 0.7), so that the crank turns fully.
std::shared_ptr<const Figure> makeFourBar();

/// Three hinged arms at 120 degrees, each with two parallel rods on ball joints, carry a platform that only translates.
/// The rods also spin.
std::shared_ptr<const Figure> makeDelta();

/// A platform on six legs, each a ball joint and a slide of limited length. The legs also spin.
std::shared_ptr<const Figure> makeStewart();

/// A wrist of three hinges with two fingers, each a parallelogram, so that the finger tips keep their direction.
std::shared_ptr<const Figure> makeParallelGripper();

/// A free pelvis with two legs of hip, knee and ankle; a rod from each thigh to the heel turns the foot with the knee.
std::shared_ptr<const Figure> makeRodBiped();

/// Two hinges that no pose brings together: a loop that stays open by 1 m.
std::shared_ptr<const Figure> makeOpenLoop();

/// The rest pose with each independent coordinate changed by up to `amount`, radians or tenths of a metre. Its loops
/// are open.
Pose disturbed(const Figure& figure, double amount, double phase);
/// The same with loops closed.
Pose closedPose(const std::shared_ptr<const Figure>& figure, double amount, double phase);

struct LoopFigure {
  const char* name;
  std::shared_ptr<const Figure> figure;
  int link;               ///< whose point is dragged
  Eigen::Vector3d point;  ///< in the link
  double reach;           ///< metres: how far from rest it is dragged
  int freedom;            ///< degrees of freedom
};
std::vector<LoopFigure> loopFigures();

}  // namespace limber::test
