// SPDX-License-Identifier: MIT
#include "kinematics/figure_builder.h"

#include <gtest/gtest.h>

#include "kinematics/standard_figures.h"

namespace limber {
namespace {

std::string faultOf(Link link, Joint joint) {
  FigureBuilder builder("broken");
  builder.addLink({.name = "base"}, {.name = "base"});
  builder.addLink(std::move(link), std::move(joint));
  std::string error;
  EXPECT_EQ(builder.build(error), nullptr);
  return error;
}

TEST(FigureBuilder, RefusesWhatIsBrokenAndNamesIt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(faultOf({.name = ""}, {.name = "j"}).find("no name"), std::string::npos);
  EXPECT_NE(faultOf({.name = "base"}, {.name = "j"}).find("two links are called \"base\""), std::string::npos);
  EXPECT_NE(faultOf({.name = "arm"}, {.name = "base"}).find("two joints are called \"base\""), std::string::npos);
  EXPECT_NE(faultOf({.name = "arm", .parent = 1}, {}).find("does not come before"), std::string::npos);
  EXPECT_NE(faultOf({.name = "arm"}, {.type = JointType::Revolute, .axis = {0, 0, 0}}).find("axis"), std::string::npos);
  EXPECT_NE(faultOf({.name = "arm"}, {.type = JointType::Revolute, .limits = {1, -1}}).find("above"), std::string::npos);
  EXPECT_NE(faultOf({.name = "arm"}, {.type = JointType::Revolute, .limits = {nan, 1}}).find("not a number"), std::string::npos);
  EXPECT_NE(faultOf({.name = "arm"}, {.rigidity = 1.5}).find("rigidity"), std::string::npos);
  EXPECT_NE(faultOf({.name = "arm", .mass = -1}, {}).find("mass"), std::string::npos);
  EXPECT_NE(faultOf({.name = "arm", .centreOfMass = {nan, 0, 0}}, {}).find("centre of mass"), std::string::npos);
}

TEST(FigureBuilder, RefusesARestOutsideTheLimits) {
  FigureBuilder builder("broken");
  const int joint = builder.addLink({.name = "arm"}, {.type = JointType::Revolute, .limits = {-1, 1}});
  builder.setRest(joint, Eigen::VectorXd::Constant(1, 1.1));
  std::string error;
  EXPECT_EQ(builder.build(error), nullptr);
  EXPECT_EQ(error, "joint \"arm\": its rest is outside its limits");
}

TEST(FigureBuilder, RefusesAnEmptyFigure) {
  std::string error;
  EXPECT_EQ(FigureBuilder("nothing").build(error), nullptr);
  EXPECT_FALSE(error.empty());
}

TEST(FigureBuilder, EstimatesCapsulesAndMasses) {
  FigureBuilder builder("arm");
  const int upper = builder.addLink({.name = "upper"}, {.type = JointType::Ball});
  builder.addLink({.name = "lower", .parent = upper},
                  {.type = JointType::Revolute, .parentFromJoint = Transform::fromTranslation({0, -0.3, 0})});
  builder.addSite({.name = "tip", .link = 1, .linkFromSite = Transform::fromTranslation({0, -0.25, 0})});
  std::string error;
  const auto figure = builder.build(error);
  ASSERT_TRUE(figure) << error;
  ASSERT_EQ(figure->link(0).capsules.size(), 1u);
  EXPECT_EQ(figure->link(0).capsules[0].end, Eigen::Vector3d(0, -0.3, 0));
  EXPECT_GT(figure->link(0).mass, 0.0);
  EXPECT_NEAR(figure->link(0).centreOfMass.y(), -0.15, 1e-15);
  EXPECT_NEAR(figure->meanLinkLength(), 0.275, 1e-15);
  EXPECT_EQ(figure->findSite("tip"), 0);
  EXPECT_EQ(figure->findLink("nowhere"), -1);
  EXPECT_FALSE(figure->isPlanar());
}

TEST(StandardFigures, PlanarChainIsPlanarAndBallChainIsNot) {
  EXPECT_TRUE(makePlanarChain(1)->isPlanar());
  EXPECT_TRUE(makePlanarChain(100)->isPlanar());
  EXPECT_FALSE(makeBallChain(3)->isPlanar());
  EXPECT_EQ(makePlanarChain(10)->meanLinkLength(), 1.0);
  EXPECT_EQ(makeBallChain(10)->stepSize(), 30);
}

}  // namespace
}  // namespace limber
