// SPDX-License-Identifier: MIT
#include "limber/kinematics/figure_edit.h"

#include <gtest/gtest.h>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/figure_equality.h"

namespace limber::figure_edit_test {
namespace {

using Notes = std::vector<std::string>;

Eigen::Vector3d placeOf(const Figure& figure, const Pose& pose, int link, const Eigen::Vector3d& point) {
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  return kinematics.worldFromLink[static_cast<std::size_t>(link)] * point;
}

TEST(FigureEdit, EditAndItsInverseGiveTheSameFigure) {
  for (const auto& figure : {test::makeCoupledFigure(), test::makeBallLedFigure()}) {
    const FigureEdit there = scaleLink(*figure, 3, 2.0);
    ASSERT_TRUE(there.figure) << there.fault;
    const FigureEdit back = scaleLink(*there.figure, 3, 0.5);
    ASSERT_TRUE(back.figure) << back.fault;
    test::expectSameFigure(*figure, *back.figure);
  }
}

TEST(FigureEdit, ScaledLinkTakesItsChildrenAlong) {
  const auto figure = makePlanarChain(3);
  const FigureEdit edit = scaleLink(*figure, 1, 2.5);
  ASSERT_TRUE(edit.figure) << edit.fault;
  EXPECT_EQ(edit.figure->linkLength(1), 2.5);
  EXPECT_EQ(edit.figure->linkLength(0), 1.0);
  EXPECT_EQ(edit.figure->link(1).mass, figure->link(1).mass);
  EXPECT_EQ(edit.figure->link(1).centreOfMass, 2.5 * figure->link(1).centreOfMass);
  EXPECT_EQ(edit.figure->link(1).capsules[0].radius, figure->link(1).capsules[0].radius);
  EXPECT_EQ(placeOf(*edit.figure, restPose(*edit.figure), 2, Eigen::Vector3d::UnitX()).x(), 4.5);
  EXPECT_TRUE(edit.figure->isPlanar());
  const FigureEdit tip = scaleLink(*figure, 2, 3.0);
  EXPECT_EQ(tip.figure->sites()[0].linkFromSite.translation.x(), 3.0);
}

TEST(FigureEdit, LengthsThatAreNoneAreRefused) {
  const auto figure = makePlanarChain(2);
  for (const double factor :
       {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const FigureEdit edit = scaleLink(*figure, 0, factor);
    EXPECT_FALSE(edit.figure);
    EXPECT_EQ(edit.fault, "a link's length must be a number above zero");
  }
}

TEST(FigureEdit, LimitsMoveTheRestInside) {
  const auto figure = makePlanarChain(2);
  const FigureEdit edit = setLimits(*figure, 1, {0.25, 1.0});
  ASSERT_TRUE(edit.figure) << edit.fault;
  EXPECT_EQ(edit.figure->joint(1).limits, (Interval{0.25, 1.0}));
  EXPECT_EQ(edit.figure->restPose(), Eigen::Vector2d(0, 0.25));
  EXPECT_EQ(edit.notes, Notes{"the rest of \"joint1\" moves to its limit"});
  EXPECT_EQ(setLimits(*figure, 1, {1.0, 0.0}).fault, "the lower limit is above the upper one, or not a number");
  EXPECT_EQ(setLimits(*makeBallChain(1), 0, {0.0, 1.0}).fault, "only revolute and prismatic joints have such limits");
  EXPECT_FALSE(setRigidity(*figure, 0, 2.0).figure);
  EXPECT_EQ(setRigidity(*figure, 0, 0.5).figure->joint(0).rigidity, 0.5);
}

TEST(FigureEdit, BallLimitsAreChecked) {
  const auto figure = makeBallChain(2);
  const FigureEdit edit = setBallLimits(*figure, 1, {.swing = 0.5, .twist = {-0.1, 0.2}});
  ASSERT_TRUE(edit.figure) << edit.fault;
  EXPECT_EQ(edit.figure->joint(1).ballLimits.swing, 0.5);
  const FigureEdit moved = setBallLimits(*figure, 1, {.twist = {0.25, 1.0}});
  ASSERT_TRUE(moved.figure) << moved.fault;
  EXPECT_NEAR(
      swingTwist(moved.figure->joint(1).ballLimits, jointRotation(*moved.figure, restPose(*moved.figure), 1)).twist,
      0.25, 1e-12);
  EXPECT_EQ(moved.notes, Notes{"the rest of \"joint1\" moves to its limit"});
  EXPECT_EQ(setBallLimits(*figure, 1, {.swing = 4.0}).fault, "its swing is outside [0, pi]");
  EXPECT_EQ(setBallLimits(*makePlanarChain(1), 0, {}).fault, "only ball joints have a cone and a twist");
}

TEST(FigureEdit, RestTakesFollowersAlong) {
  std::mt19937 random(2);
  const auto figure = test::makeCoupledFigure();
  for (const auto& each : {test::makeBallLedFigure(), figure}) {
    const Pose there = test::randomPose(*each, random);
    const FigureEdit edit = setRest(*each, there);
    ASSERT_TRUE(edit.figure) << edit.fault;
    EXPECT_EQ(edit.figure->restPose(), there.coordinates);
  }
  const Pose pose = test::randomPose(*figure, random);
  Pose outside = pose;
  outside.coordinates[figure->joint(4).poseIndex] = 3.0;
  EXPECT_EQ(setRest(*figure, outside).fault, "joint \"flexion\": its rest is outside its limits");
}

TEST(FigureEdit, NewLinkContinuesItsParent) {
  const auto figure = makePlanarChain(2);
  NewLink link = continuationOf(*figure, 1);
  EXPECT_EQ(addLink(*figure, link).fault, "a link needs a name");
  link.name = "hand";
  const FigureEdit edit = addLink(*figure, link);
  ASSERT_TRUE(edit.figure) << edit.fault;
  EXPECT_EQ(edit.linkFromOld, (std::vector<int>{0, 1}));
  EXPECT_EQ(edit.figure->link(2).parent, 1);
  EXPECT_EQ(edit.figure->joint(2).type, JointType::Revolute);
  EXPECT_EQ(edit.figure->linkLength(2), 1.0);
  EXPECT_GT(edit.figure->link(2).mass, 0.0);
  EXPECT_GE(edit.figure->findSite("hand_end"), 0);
  ASSERT_EQ(edit.figure->link(2).capsules.size(), 1u);
  EXPECT_EQ(edit.figure->link(2).capsules[0].radius, figure->link(1).capsules[0].radius);
  NewLink bare = link;
  bare.radius = 0.0;
  EXPECT_GT(addLink(*figure, bare).figure->link(2).capsules[0].radius, 0.0);
  EXPECT_TRUE(edit.figure->isPlanar());
  EXPECT_EQ(placeOf(*edit.figure, restPose(*edit.figure), 2, link.end), Eigen::Vector3d(3, 0, 0));
  link.name = "link0";
  EXPECT_EQ(addLink(*figure, link).fault, "two links are called \"link0\"");
}

TEST(FigureEdit, RemovedLinkTakesAllAlongThatNeedsIt) {
  const auto figure = test::makeCoupledFigure();
  const FigureEdit edit = removeLink(*figure, figure->findLink("upper"));
  ASSERT_TRUE(edit.figure) << edit.fault;
  EXPECT_EQ(edit.linkFromOld, (std::vector<int>{0, 1, 2, 3, 4, -1, -1, 5, 6, 7}));
  EXPECT_EQ(edit.notes,
            (Notes{"the links \"upper\" and \"hand\" go", "the site \"palm\" goes", "the coupling \"shoulder\" goes"}));
  ASSERT_EQ(edit.figure->couplings().size(), 2u);
  EXPECT_EQ(edit.figure->joint(edit.figure->couplings()[0].follower).name, "idle hinge");
  EXPECT_EQ(edit.figure->joint(edit.figure->couplings()[1].follower).name, "knee");
  EXPECT_EQ(edit.figure->sites()[0].link, edit.figure->findLink("foot"));
  for (int i = 0; i < figure->linkCount(); ++i) {
    const int now = edit.linkFromOld[static_cast<std::size_t>(i)];
    if (now < 0) continue;
    const Eigen::Vector3d before = placeOf(*figure, restPose(*figure), i, {1, 2, 3});
    EXPECT_EQ(placeOf(*edit.figure, restPose(*edit.figure), now, {1, 2, 3}), before);
  }
  EXPECT_EQ(removeLink(*figure, 0).fault, "the figure would have no link left");
  EXPECT_EQ(subtreeOf(*figure, 7), (std::vector<int>{7, 8, 9}));
}

TEST(FigureEdit, NamesAndSitesAreEdited) {
  const auto figure = makePlanarChain(2);
  EXPECT_EQ(renameLink(*figure, 1, "arm").figure->link(1).name, "arm");
  EXPECT_EQ(renameLink(*figure, 1, "link0").fault, "two links are called \"link0\"");
  EXPECT_EQ(renameLink(*figure, 1, "").fault, "link 1 has no name");
  EXPECT_EQ(renameJoint(*figure, 1, "elbow").figure->joint(1).name, "elbow");
  EXPECT_EQ(renameJoint(*figure, 1, "").fault, "a joint needs a name");
  EXPECT_EQ(addSite(*figure, {"tip", 0, {}}).fault, "site \"tip\": the name is empty or taken");
  const FigureEdit added = addSite(*figure, {"mark", 0, Transform::fromTranslation({0.5, 0, 0})});
  ASSERT_TRUE(added.figure) << added.fault;
  EXPECT_EQ(added.figure->sites().size(), 2u);
  EXPECT_EQ(renameSite(*figure, 0, "end").figure->findSite("end"), 0);
  EXPECT_EQ(moveSite(*figure, 0, Transform::fromTranslation({2, 0, 0})).figure->linkLength(1), 2.0);
  EXPECT_TRUE(removeSite(*figure, 0).figure->sites().empty());
}

/// The arm's joints with a link above that stands for the world.
std::shared_ptr<const Figure> makeArmInWorld() {
  FigureBuilder builder("arm");
  const int world = builder.addLink({.name = "world"}, {.name = "world"});
  const int mount = builder.addLink({.name = "mount", .parent = world},
                                    {.name = "mount", .parentFromJoint = Transform::fromTranslation({0, 0, 1})});
  builder.addLink(
      {.name = "arm", .parent = mount},
      {.name = "turn", .type = JointType::Revolute, .parentFromJoint = Transform::fromTranslation({1, 0, 0})});
  builder.addSite({"tip", 2, Transform::fromTranslation({1, 0, 0})});
  return test::built(builder);
}

TEST(FigureEdit, ABaseIsFreedWhereItStandsAndFixedAgain) {
  const auto figure = makeArmInWorld();
  const FigureEdit freed = freeBase(*figure, 1);
  ASSERT_TRUE(freed.figure) << freed.fault;
  const Joint& base = freed.figure->joint(1);
  EXPECT_TRUE(base.type == JointType::Free && base.freed && base.locked);
  EXPECT_EQ(freed.figure->stepSize(), figure->stepSize() + 6);
  EXPECT_EQ(placeOf(*freed.figure, restPose(*freed.figure), 2, {1, 2, 3}),
            placeOf(*figure, restPose(*figure), 2, {1, 2, 3}));
  EXPECT_TRUE(freed.figure->isFreeRoot(1)) << "the world above it does not move";
  EXPECT_FALSE(freed.figure->isFreeRoot(2));
  EXPECT_EQ(freed.figure->findFreeRootAbove(2), 1);
  EXPECT_EQ(freed.figure->findFreeRootAbove(0), -1);
  EXPECT_EQ(worldFromRootJoint(*freed.figure, 1).translation, Eigen::Vector3d(0, 0, 1));
  const FigureEdit fixed = fixBase(*freed.figure);
  ASSERT_TRUE(fixed.figure) << fixed.fault;
  test::expectSameFigure(*figure, *fixed.figure);
  EXPECT_EQ(freeBase(*figure, 2).fault, "\"arm\" is not fixed");
}

TEST(FigureEdit, ABaseIsAddedAboveAJointThatMoves) {
  const auto figure = makePlanarChain(3);
  const FigureEdit edit = addFreeBase(*figure, 0, "base");
  ASSERT_TRUE(edit.figure) << edit.fault;
  EXPECT_EQ(edit.linkFromOld, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(edit.figure->meanLinkLength(), figure->meanLinkLength());
  EXPECT_EQ(edit.figure->sites()[0].link, 3);
  Pose pose = restPose(*edit.figure);
  pose.coordinates[edit.figure->joint(0).poseIndex + 1] = 2.0;
  EXPECT_EQ(placeOf(*edit.figure, pose, 3, {1, 0, 0}), Eigen::Vector3d(3, 2, 0));
}

TEST(FigureEdit, TheOriginOfAFileTakesTheFigureAlong) {
  const auto figure = makeArmInWorld();
  const FigureEdit edit = setFileOrigin(*figure, {0, 0.5, 0});
  ASSERT_TRUE(edit.figure) << edit.fault;
  EXPECT_EQ(edit.figure->fileFrame().origin, Eigen::Vector3d(0, 0.5, 0));
  EXPECT_EQ(placeOf(*edit.figure, restPose(*edit.figure), 2, {1, 0, 0}), Eigen::Vector3d(2, 0.5, 1));
  const FigureEdit back = setFileOrigin(*edit.figure, Eigen::Vector3d::Zero());
  test::expectSameFigure(*figure, *back.figure);
}

}  // namespace
}  // namespace limber::figure_edit_test
