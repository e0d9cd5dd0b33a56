// SPDX-License-Identifier: MIT
#include "limber/kinematics/figure_builder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::figure_builder_test {
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
  EXPECT_NE(faultOf({.name = "arm"}, {.type = JointType::Revolute, .limits = {1, -1}}).find("above"),
            std::string::npos);
  EXPECT_NE(faultOf({.name = "arm"}, {.type = JointType::Revolute, .limits = {nan, 1}}).find("not a number"),
            std::string::npos);
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

/// A figure of two hinges, a slide and a ball with what `add` adds.
template <typename Add>
std::string faultWith(Add add, std::shared_ptr<const Figure>* built = nullptr) {
  FigureBuilder builder("coupled");
  builder.addLink({.name = "a"}, {.type = JointType::Revolute, .limits = {-1, 1}});
  builder.addLink({.name = "b", .parent = 0}, {.type = JointType::Revolute, .limits = {-1, 1}});
  builder.addLink({.name = "slide", .parent = 1}, {.type = JointType::Prismatic});
  builder.addLink({.name = "ball", .parent = 2}, {.type = JointType::Ball});
  builder.setRest(0, Eigen::VectorXd::Constant(1, 0.5));
  add(builder);
  std::string error;
  const auto figure = builder.build(error);
  EXPECT_EQ(figure == nullptr, !error.empty());
  if (built) *built = figure;
  return error;
}

TEST(FigureBuilder, RefusesBrokenBallLimits) {
  const auto faultOfLimits = [](const BallLimits& limits) {
    return faultWith([&](FigureBuilder& b) { b.joint(3).ballLimits = limits; });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(faultOfLimits({.coneAxis = {0, 2, 0}}), "link \"ball\": the axis of its cone is not of unit length");
  EXPECT_EQ(faultOfLimits({.twistAxis = {0, nan, 0}}), "link \"ball\": its twist axis is not of unit length");
  EXPECT_EQ(faultOfLimits({.swing = -0.1}), "link \"ball\": its swing is outside [0, pi]");
  EXPECT_EQ(faultOfLimits({.swing = nan}), "link \"ball\": its swing is outside [0, pi]");
  EXPECT_EQ(faultOfLimits({.twist = {0.2, 0.1}}),
            "link \"ball\": its lower twist limit is above the upper one, or not a number");
  EXPECT_EQ(faultOfLimits({.twist = {-3.2, 0.1}}), "link \"ball\": its lower twist limit is outside [-pi, pi]");
  EXPECT_EQ(faultOfLimits({.twist = {-0.1, 3.2}}), "link \"ball\": its upper twist limit is outside [-pi, pi]");
  EXPECT_EQ(faultOfLimits({.swing = 0.0, .twist = {0.0, 0.0}}), "");
}

TEST(FigureBuilder, RefusesABallsRestOutsideItsLimits) {
  const auto faultAt = [](const Eigen::Vector3d& turn, const BallLimits& limits) {
    return faultWith([&](FigureBuilder& b) {
      b.joint(3).ballLimits = limits;
      b.setRest(3, Eigen::Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized())).coeffs());
    });
  };
  const BallLimits limits{.swing = 0.5, .twist = {-0.2, 0.3}};
  EXPECT_EQ(faultAt({0.5, 0, 0}, limits), "");  // on the cone, to rounding
  EXPECT_EQ(faultAt({0.5 + 1e-8, 0, 0}, limits), "joint \"ball\": its rest is outside its swing cone");
  EXPECT_EQ(faultAt({0, 0.3, 0}, limits), "");
  EXPECT_EQ(faultAt({0, 0.31, 0}, limits), "joint \"ball\": its rest is outside its twist limits");
  EXPECT_EQ(faultAt({0, -0.21, 0}, limits), "joint \"ball\": its rest is outside its twist limits");
}

TEST(FigureBuilder, PutsFollowersWhereTheirDriversRest) {
  std::shared_ptr<const Figure> figure;
  const Coupling coupling{
      .name = "group", .follower = 1, .offset = 0.1, .terms = {{0, {0.5, 0, 0, 1}}, {2, {1, 0, 0, 0}}}};
  const double wanted = 0.1 + 0.5 * 0.5 + 0.5 * 0.5 * 0.5 * 0.5;
  EXPECT_EQ(faultWith([&](FigureBuilder& b) { b.addCoupling(coupling); }, &figure), "");
  ASSERT_TRUE(figure);
  EXPECT_NEAR(figure->restPose()[1], wanted, 1e-15);
  ASSERT_EQ(figure->couplings().size(), 1u);
  const auto faultAtRest = [&](double rest) {
    return faultWith([&](FigureBuilder& b) {
      b.addCoupling(coupling);
      b.setRest(1, Eigen::VectorXd::Constant(1, rest));
    });
  };
  EXPECT_EQ(faultAtRest(wanted + 1e-10), "");
  EXPECT_EQ(faultAtRest(0.4), "joint \"b\": its rest is not where its drivers put it, at 0.412500");
  EXPECT_EQ(faultWith([](FigureBuilder& b) {
              b.addCoupling({.name = "g", .follower = 1, .offset = 1.5, .terms = {{0, {0, 0, 0, 0}}}});
            }),
            "joint \"b\": its rest, where its drivers put it, is outside its limits");
}

TEST(FigureBuilder, RefusesBrokenCouplings) {
  const auto faultOfCouplings = [](std::vector<Coupling> couplings) {
    return faultWith([&](FigureBuilder& b) {
      for (Coupling& coupling : couplings) b.addCoupling(std::move(coupling));
    });
  };
  const std::vector<Coupling::Term> byA = {{0, {1, 0, 0, 0}}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(faultOfCouplings({{.name = "", .follower = 1, .terms = byA}}), "a coupling has no name");
  EXPECT_EQ(faultOfCouplings({{.name = "g", .follower = 7, .terms = byA}}),
            "coupling \"g\": it names a joint that does not exist");
  EXPECT_EQ(faultOfCouplings({{.name = "g", .follower = 1, .terms = {}}}), "coupling \"g\": \"b\": it has no driver");
  EXPECT_EQ(faultOfCouplings({{.name = "g", .follower = 1, .terms = {{3, {1, 0, 0, 0}}}}}),
            "coupling \"g\": \"b\": the joint \"ball\" is ball, not revolute or prismatic");
  EXPECT_EQ(faultOfCouplings({{.name = "g", .follower = 1, .terms = {byA[0], byA[0]}}}),
            "coupling \"g\": \"b\": it names the driver \"a\" twice");
  EXPECT_EQ(faultOfCouplings({{.name = "g", .follower = 1, .terms = {{0, {nan, 0, 0, 0}}}}}),
            "coupling \"g\": \"b\": a coefficient is not finite");
  EXPECT_EQ(faultOfCouplings({{.name = "g", .follower = 1, .offset = nan, .terms = byA}}),
            "coupling \"g\": the offset of \"b\" is not finite");
  EXPECT_EQ(faultOfCouplings({{.name = "g", .follower = 2, .terms = byA}, {.name = "h", .follower = 2, .terms = byA}}),
            "coupling \"h\": the joint \"slide\" follows twice");
  EXPECT_EQ(faultOfCouplings({{.name = "g", .follower = 2, .terms = {{1, {1, 0, 0, 0}}}},
                              {.name = "h", .follower = 1, .terms = byA}}),
            "coupling \"g\": the driver \"b\" follows others itself");
  EXPECT_EQ(faultOfCouplings({{.name = "g", .follower = 1, .terms = {{1, {1, 0, 0, 0}}}}}),
            "coupling \"g\": the driver \"b\" follows others itself");
}

/// The figure of faultWith() with a second ball and a fixed joint beneath.
std::string faultWithBalls(const std::vector<Coupling>& couplings, std::shared_ptr<const Figure>* built = nullptr) {
  return faultWith(
      [&](FigureBuilder& b) {
        b.addLink({.name = "other", .parent = 3}, {.type = JointType::Ball, .ballLimits = {.swing = 1.0}});
        b.addLink({.name = "bolt", .parent = 4}, {.type = JointType::Fixed});
        for (const Coupling& coupling : couplings) b.addCoupling(coupling);
      },
      built);
}

Coupling::Term pointing(int driver, const Eigen::Vector3d& axis, const Eigen::Vector3d& bone, double c1 = 1.0) {
  return {driver, {c1, 0, 0, 0}, Coupling::Pointing{axis, bone}};
}

TEST(FigureBuilder, PutsWhatFollowsABallWhereTheBallRests) {
  using V = Eigen::Vector3d;
  std::shared_ptr<const Figure> figure;
  const std::string fault = faultWith(
      [&](FigureBuilder& b) {
        b.addLink({.name = "other", .parent = 3}, {.type = JointType::Ball});
        b.setRest(3, Eigen::Quaterniond(Eigen::AngleAxisd(0.4, V::UnitX())).coeffs());
        b.addCoupling({.name = "turn", .follower = 4, .terms = {{.driver = 3}}});
        b.addCoupling(
            {.name = "lead", .follower = 1, .offset = 0.1, .terms = {pointing(3, V::UnitY(), V::UnitY(), 0.5)}});
      },
      &figure);
  EXPECT_EQ(fault, "");
  ASSERT_TRUE(figure);
  EXPECT_NEAR(figure->restPose()[1], 0.1 + 0.5 * std::cos(0.4), 1e-15);
  EXPECT_EQ(figure->restPose().segment<4>(7), figure->restPose().segment<4>(3));
  EXPECT_EQ(faultWith([](FigureBuilder& b) {
              b.addLink({.name = "other", .parent = 3}, {.type = JointType::Ball});
              b.addCoupling({.name = "turn", .follower = 4, .terms = {{.driver = 3}}});
              b.setRest(4, Eigen::Quaterniond(Eigen::AngleAxisd(0.4, V::UnitX())).coeffs());
            }),
            "joint \"other\": its rest is not that of the ball joint that it turns as");
  EXPECT_EQ(faultWith([](FigureBuilder& b) {
              b.addLink({.name = "other", .parent = 3}, {.type = JointType::Ball, .ballLimits = {.swing = 0.3}});
              b.setRest(3, Eigen::Quaterniond(Eigen::AngleAxisd(0.4, V::UnitX())).coeffs());
              b.addCoupling({.name = "turn", .follower = 4, .terms = {{.driver = 3}}});
            }),
            "joint \"other\": its rest is outside its swing cone");
}

TEST(FigureBuilder, RefusesBrokenCouplingsOfBalls) {
  using V = Eigen::Vector3d;
  constexpr int kHinge = 1, kSlide = 2, kBall = 3, kOther = 4, kBolt = 5;
  const V x = V::UnitX();
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kOther, .terms = {{.driver = kBall}}},
                            {.name = "h", .follower = kHinge, .terms = {pointing(kBall, x, x), pointing(kBall, x, -x)}},
                            {.name = "h", .follower = kSlide, .terms = {pointing(kBall, x, x)}}}),
            "coupling \"h\": \"b\": the ball joint that it follows takes it beyond its limits");
  EXPECT_EQ(faultWithBalls({{.name = "h", .follower = kHinge, .terms = {pointing(kBall, x, x)}}}), "");
  const std::string alike = "coupling \"g\": \"other\": ", led = "coupling \"g\": \"b\": ";
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kOther, .terms = {}}}),
            alike + "a ball joint has one driver, as which it turns");
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kOther, .terms = {{.driver = 0}}}}),
            alike + "a ball joint turns only as another ball joint does");
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kOther, .terms = {{.driver = 9}}}}),
            alike + "a ball joint turns only as another ball joint does");
  const std::string bare = alike + "a ball joint follows without axis, bone, coefficients and offset";
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kOther, .terms = {{kBall, {1, 0, 0, 0}}}}}), bare);
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kOther, .terms = {pointing(kBall, x, x, 0.0)}}}), bare);
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kOther, .offset = 0.1, .terms = {{.driver = kBall}}}}), bare);
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kBolt, .terms = {{.driver = kBall}}}}),
            "coupling \"g\": the joint \"bolt\" is fixed, not revolute or prismatic");
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kHinge, .terms = {pointing(kSlide, x, x)}}}),
            led + "axis and bone belong to a driver that is a ball joint");
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kHinge, .terms = {pointing(9, x, x)}}}),
            led + "axis and bone belong to a driver that is a ball joint");
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kHinge, .terms = {pointing(kBall, 2 * x, x)}}}),
            led + "an axis or a bone is not of unit length");
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kHinge, .terms = {pointing(kBall, x, V(0, NAN, 0))}}}),
            led + "an axis or a bone is not of unit length");
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kHinge, .terms = {pointing(kBall, x, x, NAN)}}}),
            led + "a coefficient is not finite");
  EXPECT_EQ(faultWithBalls(
                {{.name = "g", .follower = kHinge, .terms = {pointing(kBall, x, x, 0.5), {kSlide, {1, 0, 0, 0}}}}}),
            led + "the ball joint that it follows takes it beyond its limits");
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kBall, .terms = {{.driver = kOther}}},
                            {.name = "h", .follower = kOther, .terms = {{.driver = kBall}}}}),
            "coupling \"g\": the driver \"other\" follows others itself");
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kBall, .terms = {{.driver = kBall}}}}),
            "coupling \"g\": the driver \"ball\" follows others itself");
  EXPECT_EQ(faultWithBalls({{.name = "g", .follower = kOther, .terms = {{.driver = kBall}}},
                            {.name = "h", .follower = kHinge, .terms = {pointing(kOther, x, x)}}}),
            "coupling \"h\": the driver \"other\" follows others itself");
}

TEST(FigureBuilder, RefusesBrokenLinearLimits) {
  const auto faultOfLimits = [](std::vector<LinearLimit> limits) {
    return faultWith([&](FigureBuilder& b) {
      for (LinearLimit& limit : limits) b.addLinearLimit(std::move(limit));
    });
  };
  const std::vector<LinearLimit::Term> terms = {{0, 2.0}, {1, -1.0}};  // 1 at rest
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(faultOfLimits({{.name = "side", .terms = terms, .bounds = {1.0, 1.0}}}), "");
  EXPECT_EQ(faultOfLimits({{.name = "", .terms = terms}}), "a linear limit has no name");
  EXPECT_EQ(faultOfLimits({{.name = "side", .terms = terms}, {.name = "side", .terms = terms}}),
            "linear limit \"side\": another one has its name");
  EXPECT_EQ(faultOfLimits({{.name = "side", .terms = {}}}),
            "linear limit \"side\": it has no coefficient other than zero");
  EXPECT_EQ(faultOfLimits({{.name = "side", .terms = {{3, 1.0}}}}),
            "linear limit \"side\": the joint \"ball\" is ball, not revolute or prismatic");
  EXPECT_EQ(faultOfLimits({{.name = "side", .terms = {{-1, 1.0}}}}),
            "linear limit \"side\": it names a joint that does not exist");
  EXPECT_EQ(faultOfLimits({{.name = "side", .terms = {terms[0], terms[0]}}}),
            "linear limit \"side\": it names the joint \"a\" twice");
  EXPECT_EQ(faultOfLimits({{.name = "side", .terms = {{0, nan}}}}),
            "linear limit \"side\": a coefficient is not finite");
  EXPECT_EQ(faultOfLimits({{.name = "side", .terms = terms, .bounds = {nan, 1}}}),
            "linear limit \"side\": the lower bound is above the upper one, or not a number");
  EXPECT_EQ(faultOfLimits({{.name = "side", .terms = terms, .bounds = {1.0 + 1e-8, 2.0}}}),
            "linear limit \"side\": the rest pose is outside it");
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

TEST(StandardFigures, TheArmStandsUprightWithItsElbowBent) {
  const auto arm = makeArm();
  EXPECT_EQ(arm->stepSize(), 7);
  Kinematics kinematics;
  computeTransforms(*arm, Pose{Eigen::VectorXd::Zero(7)}, kinematics);
  const Site& tool = arm->sites()[static_cast<std::size_t>(arm->findSite("tool"))];
  const Eigen::Vector3d tip = kinematics.worldFromLink[6] * tool.linkFromSite.translation;
  EXPECT_LT((tip - Eigen::Vector3d(0.0, 1.25, 0.0)).norm(), 1e-12);
  EXPECT_DOUBLE_EQ(arm->restPose()[3], std::numbers::pi / 3.0);
}

TEST(StandardFigures, PlanarChainIsPlanarAndBallChainIsNot) {
  EXPECT_TRUE(makePlanarChain(1)->isPlanar());
  EXPECT_TRUE(makePlanarChain(100)->isPlanar());
  EXPECT_FALSE(makeBallChain(3)->isPlanar());
  EXPECT_EQ(makePlanarChain(10)->meanLinkLength(), 1.0);
  EXPECT_EQ(makeBallChain(10)->stepSize(), 30);
}

TEST(FigureBuilder, RefusesARestOfAJointThatWasNotAdded) {
  FigureBuilder builder("one");
  builder.addLink({.name = "link"}, {.type = JointType::Revolute});
  builder.setRest(3, Eigen::VectorXd::Zero(1));
  std::string error;
  EXPECT_EQ(builder.build(error), nullptr);
  EXPECT_EQ(error, "a rest is set for joint 3, but the joints added so far are 0 to 0");
  EXPECT_THROW(builder.joint(3), std::out_of_range);
}

}  // namespace
}  // namespace limber::figure_builder_test
