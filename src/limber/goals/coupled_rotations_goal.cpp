// SPDX-License-Identifier: MIT
#include "limber/goals/coupled_rotations_goal.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "limber/goals/link_feature.h"
#include "limber/kinematics/pose.h"
#include "limber/kinematics/rotation_logarithm.h"

namespace limber {

CoupledRotationsGoal::CoupledRotationsGoal(const std::array<Part, 3>& parts,
                                           const std::array<Eigen::Quaterniond, 2>& means, const Rows& rows,
                                           double weight)
    : Goal(weight), parts_(parts), means_(means), rows_(rows) {
  assert(parts[0].link != parts[1].link && parts[1].link != parts[2].link && parts[0].link != parts[2].link);
  assert(rows.allFinite());
}

Eigen::Matrix3d CoupledRotationsGoal::worldFromFrame(const Kinematics& kinematics, int which) const {
  const Part& part = parts_[which];
  return kinematics.worldFromLink[part.link].rotation * part.frameInLink;
}

CoupledRotationsGoal::Turned CoupledRotationsGoal::turned(const Kinematics& kinematics, int joint) const {
  Turned at;
  at.upperFromWorld = worldFromFrame(kinematics, joint).transpose();
  const Eigen::Matrix3d rotation = at.upperFromWorld * worldFromFrame(kinematics, joint + 1);
  at.phi = logarithm(Eigen::Quaterniond(rotation) * means_[joint].conjugate());
  return at;
}

void CoupledRotationsGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  Vector6d phi;
  phi << turned(kinematics, 0).phi, turned(kinematics, 1).phi;
  residual = rows_ * phi;
}

void CoupledRotationsGoal::computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const {
  jacobian.setZero(residualSize(), 6);
  for (int joint = std::max(0, which - 1); joint <= std::min(1, which); ++joint) {
    const Turned at = turned(kinematics, joint);
    const double sign = which == joint ? -1.0 : 1.0;  // upper and lower link
    const Eigen::Matrix3d slope = sign * inverseRightJacobian(-at.phi) * at.upperFromWorld;
    jacobian.leftCols<3>() += rows_.middleCols<3>(3 * joint) * slope;
  }
}

Eigen::Vector3d CoupledRotationsGoal::multipliersOf(const Residual& multipliers, int joint) const {
  return rows_.middleCols<3>(3 * joint).transpose() * multipliers;
}

Eigen::Matrix3d CoupledRotationsGoal::curvatureOf(const Turned& at, const Eigen::Vector3d& multipliers) const {
  const Eigen::Matrix3d slope = -pulledBackSlope(-at.phi, multipliers) * inverseRightJacobian(-at.phi);
  return 0.5 * (slope + slope.transpose());
}

void CoupledRotationsGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                            Matrix6d& curvature) const {
  curvature.setZero();
  for (int joint = std::max(0, which - 1); joint <= std::min(1, which); ++joint) {
    const Turned at = turned(kinematics, joint);
    curvature.topLeftCorner<3, 3>() +=
        at.upperFromWorld.transpose() * curvatureOf(at, multipliersOf(multipliers, joint)) * at.upperFromWorld;
  }
}

void CoupledRotationsGoal::computeCrossCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                                 int other, Matrix6d& curvature) const {
  curvature.setZero();
  if (std::abs(which - other) != 1) return;
  const int joint = std::min(which, other);
  const Turned at = turned(kinematics, joint);
  const Eigen::Vector3d m = multipliersOf(multipliers, joint), moment = pulledBack(-at.phi, m);
  const Eigen::Matrix3d upperLower =
      at.upperFromWorld.transpose() * (0.5 * skew(moment) - curvatureOf(at, m)) * at.upperFromWorld;
  if (which < other) curvature.topLeftCorner<3, 3>() = upperLower;
  else curvature.topLeftCorner<3, 3>() = upperLower.transpose();
}

}  // namespace limber
