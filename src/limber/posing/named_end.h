// SPDX-License-Identifier: MIT
// Forward kinematics by name: where the sites and links of a figure are, and how they move with its joints.
//
// An end is the name of a site or a link; a site precedes a link of the same name. Places are in the axes and the unit
// of the figure's file, unless Axes::Scene is named. An unknown name throws std::invalid_argument with a sentence that
// lists the known ones, and so does a pose that is not one of the figure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/kinematics/coupling.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/new_goal.h"

namespace limber {

/// The site or link of that name, as an end effector.
EndEffector endNamed(const Figure& figure, std::string_view name);
/// The index of the joint of that name, or of the joint above the link of that name.
int jointNamed(const Figure& figure, std::string_view name);

/// Throws std::invalid_argument with findFault() of the pose, if it has a fault.
void expectPose(const Figure& figure, const Pose& pose);

/// The place and axes of an end in a pose.
Transform placeOf(const Figure& figure, const Pose& pose, std::string_view end, Axes axes = Axes::File);
/// Those of several ends in many poses: all ends of the first pose, then all of the second one.
std::vector<Transform> placesOf(const Figure& figure, std::span<const Pose> poses, const std::vector<std::string>& ends,
                                Axes axes = Axes::File);

/// (6 x stepSize)
using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// What a Jacobian is of, and in which axes it is given.
struct JacobianOf {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< of the end, in its own axes and in the unit of `axes`
  bool inEndAxes = false;                           ///< along the axes of the end instead of those of the world
  Axes axes = Axes::File;                           ///< the axes of the world, and the unit of length
};

/// Computes Jacobians of ends of one figure, and keeps its memory: no allocation once the sizes are known. One thread
/// may use it at a time.
class Jacobians {
 public:
  /// Followers move with their drivers, by the couplings for which `couplingEnabled` has a 1; empty: by all.
  explicit Jacobians(const Figure& figure, std::span<const char> couplingEnabled = {});

  /// Sets the pose, which must be one of the figure.
  void setPose(const Figure& figure, const Pose& pose);
  /// The Jacobian of a point of an end: (linear velocity; angular velocity) = J * step velocity. Column j belongs to
  /// the step coordinate j (Joint::stepIndex): radians, metres for slides. Followers' columns are zero; their motion is
  /// part of the columns of their drivers.
  void compute(const Figure& figure, const EndEffector& end, const JacobianOf& of, Jacobian& out) const;
  /// Adds to a step what the followers do when their drivers take it.
  void addFollowers(Eigen::VectorXd& step) const;

  const Kinematics& kinematics() const { return kinematics_; }
  const Couplings& couplings() const { return couplings_; }
  const std::vector<double>& slopes() const { return slopes_; }  ///< of Couplings::terms()

 private:
  Couplings couplings_;
  Kinematics kinematics_;
  std::vector<double> slopes_, curvatures_, crossCurvatures_;
};

/// The Jacobian of an end in a pose, (6 x stepSize): see Jacobians::compute().
Jacobian jacobianOf(const Figure& figure, const Pose& pose, std::string_view end, const JacobianOf& of = {});

}  // namespace limber
