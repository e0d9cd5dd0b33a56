// SPDX-License-Identifier: MIT
// The pose prior (body/pose_prior.h) on the joints of one figure.
//
//   E = w/2 sum over joints phi_j' L_j phi_j  +  w/2 |r|^2 of the coupled joints and of the hips' tilt
//
// A ball joint has phi = log(R Q') in the frame of the part above, R = K q F_j with K = F_p' P_j, so the reference is
// q_ref = K' Q F_j', and with t = log(q_ref^-1 q):   phi = (Q F_j') t,   E = w/2 t' (F_j Q' L Q F_j') t.
// The rotation of a missing part is added to the next part's joint. The joints of a part with k links have the k-th
// root of the mean and k times the precision. Hinges in a row get the angles that together are nearest to the mean, and
// each is as stiff as the precision along its axis.
//
// The precision of a coupling is split into the matrices of both joints and a residual that joins them. With
// L_1 = A A', L_2 = B B' its diagonal blocks, C the block across, and A^-1 C B^-T = U S V':
//
//   phi' L phi = phi_1' A (1 - U S U') A' phi_1 + phi_2' B (1 - V S V') B' phi_2
//                + |S^1/2 (U' A' phi_1 + V' B' phi_2)|^2
//
// all three positive: joints keep a stiffness of their own, and the residual has as many rows as C has rank (thigh and
// knee: one).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "limber/body/body_roles.h"
#include "limber/goals/goal.h"
#include "limber/objective/regulariser.h"
#include "limber/problem/ik_problem.h"

namespace limber {

struct BodyPrior {
  struct Rotation {
    int coordinate = 0;      ///< first step coordinate
    Eigen::Matrix3d matrix;  ///< M of t' M t
  };
  BodyRoles roles;
  Pose mean;                    ///< the root at rest, couplings applied, limits not
  std::vector<double> weights;  ///< per joint: of joints that are not parts, and of hinges
  std::vector<Rotation> rotations;
  Eigen::Matrix3d hipsFromUpright;  ///< linkFromTPose of the hips, tilted as in the mean: its y axis is up there
  Eigen::Vector3d tilt;             ///< scale of UprightGoal
  std::vector<PosePrior::Coupling> couplings;  ///< of the prior whose parts the figure has
  int root = -1;                               ///< free joint above the hips, -1 for none
};

/// Empty for a figure without a human body.
std::optional<BodyPrior> findBodyPrior(const IkProblem& problem, const PosePrior& prior);

/// The pull to the prior, `weight` its w.
Regulariser regulariserOf(const Figure& figure, const BodyPrior& body, double weight);

/// The prior's goals in addition to its regulariser: an upright pelvis, and coupled joints.
std::vector<std::unique_ptr<Goal>> priorGoals(const BodyPrior& body, const PosePrior& prior, double weight);

/// A point of the figure with a target.
struct WantedPlace {
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero(), target = Eigen::Vector3d::Zero();
};

/// The mean pose within the limits, with locked joints as in `present`, and the free root turned about the vertical and
/// shifted so that the points are nearest to their targets. With fewer than three points the heading of `present` is
/// kept, and without any the place of the hips, too.
Pose priorStart(const IkProblem& problem, const BodyPrior& body, const Pose& present,
                const std::vector<WantedPlace>& wanted);

}  // namespace limber
