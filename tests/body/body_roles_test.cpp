// SPDX-License-Identifier: MIT
#include "limber/body/body_map.h"

#include <gtest/gtest.h>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/document.h"
#include "support/built_figure.h"
#include "support/standing_body.h"

namespace limber::body_roles_test {
namespace {

// Tolerance of rotations, because shanks are not quite straight at rest.
constexpr double kNotQuiteStraight = 0.1;

std::optional<BodyRoles> rolesOf(std::shared_ptr<const Figure> figure) { return bodyMapOf(*figure).roles(); }

/// The rotation of a part's frame in the world at rest.
Eigen::Matrix3d frameOf(const Figure& figure, const BodyRoles& roles, int link) {
  return transformsOf(figure, restPose(figure)).worldFromLink[link].rotation * roles.linkFromTPose[link];
}

TEST(BodyRoles, NamesTellAllParts) {
  const auto figure = test::makeStandingBody();
  const auto roles = rolesOf(figure);
  ASSERT_TRUE(roles);
  EXPECT_EQ(roles->links.size(), 22u);
  EXPECT_EQ(roles->find(BodyPart::Hips), figure->findLink("Hips"));
  EXPECT_EQ(roles->find(BodyPart::Spine), figure->findLink("Spine"));
  EXPECT_EQ(roles->find(BodyPart::Chest), figure->findLink("Spine1"));
  EXPECT_EQ(roles->find(BodyPart::UpperChest), figure->findLink("Spine2"));
  EXPECT_EQ(roles->find(BodyPart::Clavicle, BodySide::Left), figure->findLink("LeftShoulder"));
  EXPECT_EQ(roles->find(BodyPart::LowerLeg, BodySide::Right), figure->findLink("RightLeg"));
}

TEST(BodyRoles, InTheTPoseAllFramesStandAlongTheBody) {
  for (const double turned : {0.0, 1.2}) {
    const auto figure = test::makeStandingBody({.turned = turned});
    const auto roles = rolesOf(figure);
    ASSERT_TRUE(roles);
    const Eigen::Matrix3d body = Eigen::AngleAxisd(turned, Eigen::Vector3d::UnitY()).toRotationMatrix();
    for (const auto& [link, role] : roles->links) {
      const double tolerance = role.part == BodyPart::LowerLeg ? kNotQuiteStraight : 1e-9;
      EXPECT_LT((frameOf(*figure, *roles, link) - body).norm(), tolerance) << figure->link(link).name;
    }
  }
}

TEST(BodyRoles, ArmsThatHangAtRestAreTurnedBackFromTheSide) {
  for (const double down : {0.7, 1.5}) {
    const auto figure = test::makeStandingBody({.armsDown = down});
    const auto roles = rolesOf(figure);
    ASSERT_TRUE(roles);
    const Eigen::Matrix3d lowered = Eigen::AngleAxisd(-down, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    for (const BodyPart part : {BodyPart::UpperArm, BodyPart::LowerArm, BodyPart::Hand}) {
      EXPECT_LT((frameOf(*figure, *roles, roles->find(part, BodySide::Left)) - lowered).norm(), 1e-9);
      EXPECT_LT((frameOf(*figure, *roles, roles->find(part, BodySide::Right)) - lowered.transpose()).norm(), 1e-9);
    }
  }
}

/// Some motion capture has a rest pose astride, with feet that cannot carry the body.
TEST(BodyRoles, FeetThatAreSquareToLegsApartComeDownWithThem) {
  constexpr double kApart = 0.35;
  for (const bool square : {true, false}) {
    const auto figure = test::makeStandingBody({.legsApart = kApart, .feetSquare = square});
    const auto roles = rolesOf(figure);
    ASSERT_TRUE(roles);
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
      const double rolled = square ? (side == BodySide::Left ? kApart : -kApart) : 0.0;
      const Eigen::Matrix3d expected = Eigen::AngleAxisd(rolled, Eigen::Vector3d::UnitZ()).toRotationMatrix();
      for (const BodyPart part : {BodyPart::Foot, BodyPart::Toes})
        EXPECT_LT((frameOf(*figure, *roles, roles->find(part, side)) - expected).norm(), kNotQuiteStraight) << square;
    }
  }
}

TEST(BodyRoles, ShapeTellsABodyWithoutNames) {
  for (const double down : {0.0, 0.7, 1.4}) {
    const auto named = test::makeStandingBody({.armsDown = down});
    const auto figure = test::makeStandingBody({.armsDown = down, .hasNames = false});
    const auto roles = rolesOf(figure), expected = rolesOf(named);
    ASSERT_TRUE(roles && expected) << down;
    ASSERT_EQ(roles->links.size(), expected->links.size());
    for (const auto& [link, role] : expected->links) {
      EXPECT_EQ(roles->links.at(link).part, role.part) << named->link(link).name;
      EXPECT_EQ(roles->links.at(link).side, role.side) << named->link(link).name;
    }
  }
}

/// A horizontal trunk with pairs of legs of two bones, one pair behind the other.
std::shared_ptr<const Figure> makeManyLegged(int pairs) {
  FigureBuilder builder("legs");
  const auto at = [](double x, double y, double z) { return Transform::fromTranslation({x, y, z}); };
  int trunk = builder.addLink({.name = "t0"}, {.type = JointType::Free, .parentFromJoint = at(0, 0.5, 0)});
  for (int pair = 0; pair < pairs; ++pair) {
    for (const double side : {1.0, -1.0}) {
      const std::string name = std::to_string(pair) + (side > 0 ? "a" : "b");
      const int upper = builder.addLink({.name = "u" + name, .parent = trunk},
                                        {.type = JointType::Ball, .parentFromJoint = at(0.1 * side, 0, 0)});
      const int lower = builder.addLink({.name = "l" + name, .parent = upper},
                                        {.type = JointType::Ball, .parentFromJoint = at(0, -0.25, 0)});
      builder.addLink({.name = "f" + name, .parent = lower},
                      {.type = JointType::Ball, .parentFromJoint = at(0, -0.25, 0)});
    }
    trunk = builder.addLink({.name = "t" + std::to_string(pair + 1), .parent = trunk},
                            {.type = JointType::Ball, .parentFromJoint = at(0, 0.02, 0.4)});
  }
  builder.addLink({.name = "head", .parent = trunk}, {.type = JointType::Ball, .parentFromJoint = at(0, 0.1, 0.2)});
  return test::built(builder);
}

TEST(BodyRoles, WhatIsNoPersonHasNone) {
  EXPECT_FALSE(rolesOf(makePlanarChain(5)));
  EXPECT_FALSE(rolesOf(makeBallChain(7)));
  for (const int pairs : {1, 2, 3}) EXPECT_FALSE(rolesOf(makeManyLegged(pairs))) << pairs;
}

TEST(PosePrior, JointsInARowAddUp) {
  PriorJoint whole{exponential({0.3, -0.4, 0.2}), Eigen::Vector3d(5.0, 20.0, 80.0).asDiagonal()};
  const PriorJoint third = divided(whole, 3);
  EXPECT_LT((third.mean * third.mean * third.mean).angularDistance(whole.mean), 1e-12);
  const PriorJoint again =
      joined(joined(divided(whole, 1), {}), {Eigen::Quaterniond::Identity(), 1e12 * Eigen::Matrix3d::Identity()});
  EXPECT_LT(again.mean.angularDistance(whole.mean), 1e-12);
  const PriorJoint twice = mirrored(mirrored(whole));
  EXPECT_LT(twice.mean.angularDistance(whole.mean), 1e-12);
  EXPECT_LT((twice.precision - whole.precision).norm(), 1e-12);
}

}  // namespace
}  // namespace limber::body_roles_test
