// SPDX-License-Identifier: MIT
// First page of src/limber/kinematics: what a figure is, and where its links are.
//
// A Figure is an immutable tree of links; joint i attaches link i to its parent. A Pose holds the coordinates of all
// joints. Forward kinematics computes the transform of each link in a pose, and the twist that each coordinate causes.
// Lengths are in metres, angles in radians.
//
// Read next: kinematics/figure.h, kinematics/pose.h, kinematics/forward_kinematics.h; kinematics/figure_edit.h to
// change a figure.
#include <gtest/gtest.h>

#include <numbers>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber::kinematics_first_page {
namespace {

using Eigen::Vector3d;

/// An upper arm of 0.3 m and a forearm of 0.25 m along x, with hinges about z, and a site at the wrist.
std::shared_ptr<const Figure> makeTheArm() {
  FigureBuilder builder("arm");
  const int upper = builder.addLink({.name = "upper arm"}, {.name = "shoulder", .type = JointType::Revolute});
  const int lower = builder.addLink(
      {.name = "forearm", .parent = upper},
      {.name = "elbow", .type = JointType::Revolute, .parentFromJoint = Transform::fromTranslation({0.3, 0.0, 0.0})});
  builder.addSite({.name = "wrist", .link = lower, .linkFromSite = Transform::fromTranslation({0.25, 0.0, 0.0})});
  std::string error;
  return builder.build(error);
}

Vector3d wristOf(const Figure& figure, const Kinematics& kinematics) {
  const Site& wrist = figure.sites()[static_cast<std::size_t>(figure.findSite("wrist"))];
  return kinematics.worldFromLink[static_cast<std::size_t>(wrist.link)] * wrist.linkFromSite.translation;
}

TEST(KinematicsFirstPage, APosePutsTheWristSomewhere) {
  const auto arm = makeTheArm();
  Pose pose = restPose(*arm);
  EXPECT_LT((wristOf(*arm, transformsOf(*arm, pose)) - Vector3d(0.55, 0.0, 0.0)).norm(), 1e-15);

  integrate(*arm, pose, Eigen::Vector2d(0.0, std::numbers::pi / 2.0), pose);  // a step: 90 degrees at the elbow
  EXPECT_LT((wristOf(*arm, transformsOf(*arm, pose)) - Vector3d(0.3, 0.25, 0.0)).norm(), 1e-15);
}

TEST(KinematicsFirstPage, ATwistSaysHowFastAPointMoves) {
  const auto arm = makeTheArm();
  Kinematics kinematics;
  computeKinematics(*arm, restPose(*arm), kinematics);
  const Vector3d wrist = wristOf(*arm, kinematics);
  const auto velocityPer = [&](int coordinate) -> Vector3d {
    const Vector6d twist = kinematics.twists.col(coordinate);
    return twist.tail<3>() + twist.head<3>().cross(wrist - kinematics.origin);
  };
  EXPECT_LT((velocityPer(0) - Vector3d(0.0, 0.55, 0.0)).norm(), 1e-15) << "0.55 m from the shoulder";
  EXPECT_LT((velocityPer(1) - Vector3d(0.0, 0.25, 0.0)).norm(), 1e-15) << "0.25 m from the elbow";
}

TEST(KinematicsFirstPage, ABuilderExplainsWhatIsWrong) {
  FigureBuilder builder("arm");
  builder.addLink({.name = "forearm"}, {.type = JointType::Revolute, .limits = {2.5, 0.0}});
  std::string error;
  EXPECT_EQ(builder.build(error), nullptr);
  EXPECT_NE(error.find("forearm"), std::string::npos) << error;
}

}  // namespace
}  // namespace limber::kinematics_first_page
