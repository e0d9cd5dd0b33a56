// SPDX-License-Identifier: MIT
#include "limber/body/footholds.h"

#include <gtest/gtest.h>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/document.h"
#include "support/built_figure.h"

namespace limber::footholds_test {
namespace {

using V = Eigen::Vector3d;

int addBone(FigureBuilder& builder, const std::string& name, int parent, const V& at, const V& end) {
  Link link{.name = name, .parent = parent};
  link.capsules = {{V::Zero(), end, 0.01}};
  Joint joint{.name = name, .type = JointType::Ball};
  joint.parentFromJoint.translation = at;
  return builder.addLink(link, joint);
}

int addRoot(FigureBuilder& builder, const std::string& name, double height, const V& end) {
  const int root = addBone(builder, name, -1, V(0, height, 0), end);
  builder.joint(root).type = JointType::Free;
  builder.joint(root).locked = true;
  return root;
}

Document documentOf(FigureBuilder& builder) {
  auto figure = test::built(builder);
  return makeDocument(figure);
}

/// A person with names of body parts whose soles touch y = 0.
Document makePerson() {
  FigureBuilder builder("person");
  const int hips = addRoot(builder, "Hips", 0.96, V(0, 0.5, 0));
  for (const double side : {-1.0, 1.0}) {
    const std::string s = side < 0.0 ? "Right" : "Left";
    const int arm = addBone(builder, s + "Arm", hips, V(0.2 * side, 0.5, 0), V(0.3 * side, 0, 0));
    const int forearm = addBone(builder, s + "ForeArm", arm, V(0.3 * side, 0, 0), V(0.25 * side, 0, 0));
    addBone(builder, s + "Hand", forearm, V(0.25 * side, 0, 0), V(0.15 * side, 0, 0));
    const int thigh = addBone(builder, s + "UpLeg", hips, V(0.1 * side, 0, 0), V(0, -0.45, 0));
    const int shank = addBone(builder, s + "Leg", thigh, V(0, -0.45, 0), V(0, -0.43, 0));
    const int foot = addBone(builder, s + "Foot", shank, V(0, -0.43, 0), V(0, -0.07, 0.15));
    addBone(builder, s + "Toe", foot, V(0, -0.07, 0.15), V(0, 0, 0.06));
  }
  return documentOf(builder);
}

/// A body on four legs of two bones without feet; the front legs are completely straight.
Document makeQuadruped() {
  FigureBuilder builder("dog");
  const int body = addRoot(builder, "body", 0.41, V(0, 0, 0.5));
  for (const double along : {0.0, 0.5})
    for (const double side : {-0.1, 0.1}) {
      const std::string name = std::to_string(along) + std::to_string(side);
      const int upper = addBone(builder, "upper" + name, body, V(side, 0, along), V(0, -0.2, 0));
      addBone(builder, "lower" + name, upper, V(0, -0.2, 0), V(0, -0.2, 0));
    }
  return documentOf(builder);
}

void turn(Document& document, const std::string& joint, double angle, const V& axis = V::UnitX()) {
  const int index = document.figure->findJoint(joint);
  ASSERT_GE(index, 0) << joint;
  const Joint& j = document.figure->joint(index);
  const int first = j.poseIndex + (j.type == JointType::Free ? 3 : 0);
  document.pose.coordinates.segment<4>(first) = Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis)).coeffs();
}

std::vector<Foothold> footholds(const Document& document, const std::vector<std::string>& dragged = {}) {
  const Kinematics kinematics = transformsOf(*document.figure, document.pose);
  std::vector<int> links;
  for (const std::string& name : dragged) links.push_back(document.figure->findLink(name));
  return findFootholds(document, kinematics, links);
}

std::vector<std::string> held(const Document& document, const std::vector<std::string>& dragged = {}) {
  std::vector<std::string> names;
  for (const Foothold& foot : footholds(document, dragged)) names.push_back(document.figure->link(foot.link).name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Footholds, PersonStandsOnBothSoles) {
  const Document person = makePerson();
  EXPECT_EQ(held(person, {"LeftHand"}), (Names{"RightFoot", "LeftFoot"}));
  for (const Foothold& foot : footholds(person)) EXPECT_TRUE(foot.isSole);
}

TEST(Footholds, AFootWithToesStandsOnItsBall) {
  const Document person = makePerson();
  const auto feet = footholds(person);
  ASSERT_EQ(feet.size(), 2u);
  for (const Foothold& foot : feet) {
    ASSERT_TRUE(foot.ball);
    const Figure& figure = *person.figure;
    EXPECT_EQ(figure.link(foot.ball->toes).parent, foot.ball->foot);
    const Transform place = transformsOf(figure, person.pose).worldFromLink[foot.ball->foot];
    const V toes = figure.joint(foot.ball->toes).parentFromJoint.translation;
    const V ball = place * foot.ball->place, heel = place * foot.ball->heel;
    EXPECT_NEAR(ball.z(), (place * toes).z(), 0.02) << "where the toes begin";
    EXPECT_LT(heel.z(), ball.z() - 0.05);
    EXPECT_LT((heel - foot.ball->ground).norm(), 1e-12) << "the heel is on the ground";
    const V axis = place.rotation * foot.ball->axis;
    EXPECT_NEAR(std::abs(axis.x()), 1.0, 1e-9) << "level, across the foot";
    // A heel that rises turns the foot by a positive angle about the axis.
    const V risen = Eigen::AngleAxisd(0.1, axis) * (heel - ball);
    EXPECT_GT(risen.y(), (heel - ball).y());
  }
}

TEST(Footholds, FootInTheDraggedLegIsFree) {
  const Document person = makePerson();
  for (const char* dragged : {"LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToe"})
    EXPECT_EQ(held(person, {dragged}), Names{"RightFoot"}) << dragged;
  EXPECT_TRUE(held(person, {"LeftToe", "RightLeg"}).empty());
}

TEST(Footholds, DraggedHipsLeaveTheFeetWhereTheyAre) { EXPECT_EQ(held(makePerson(), {"Hips"}).size(), 2u); }

TEST(Footholds, LiftedFootIsFree) {
  Document person = makePerson();
  turn(person, "LeftUpLeg", -0.4);
  EXPECT_EQ(held(person), Names{"RightFoot"});
}

TEST(Footholds, ToesAloneWhereTheHeelIsLifted) {
  Document person = makePerson();
  turn(person, "LeftFoot", 0.7);  // about the ankle, then up until the toes are on the ground again
  turn(person, "LeftToe", -0.7);
  turn(person, "RightUpLeg", -0.5);
  person.pose.coordinates[1] += 0.085;
  EXPECT_EQ(held(person), Names{"LeftToe"});
}

TEST(Footholds, SlopingSoleIsFree) {
  Document person = makePerson();
  turn(person, "LeftFoot", 0.6, V::UnitZ());
  EXPECT_EQ(held(person), Names{"RightFoot"});
}

TEST(Footholds, PersonInTheAirHoldsNothing) {
  Document person = makePerson();
  person.pose.coordinates[1] += 0.1;
  EXPECT_TRUE(held(person).empty());
}

TEST(Footholds, HandsOnTheGroundAreFree) {
  Document person = makePerson();
  turn(person, "Hips", 1.5);  // face down: hands, feet and knees at one height, soles upright
  person.pose.coordinates[1] -= 0.9;
  EXPECT_TRUE(held(person).empty());
}

TEST(Footholds, WhatTheUserPinnedWhollyIsLeftOut) {
  Document person = makePerson();
  pinLink(person, person.figure->findLink("LeftFoot"), true, true);
  EXPECT_EQ(held(person), Names{"RightFoot"});
  pinLink(person, person.figure->findLink("LeftFoot"), true, false);
  EXPECT_EQ(held(person).size(), 2u);
}

TEST(Footholds, LockOfTheUserHoldsTheBodyAndTheFileDoesNot) {
  Document person = makePerson();
  EXPECT_EQ(freeLinkFor(person, person.figure->findLink("LeftToe")), 0);
  person.joints[0].rigidity = 1.0;
  EXPECT_EQ(freeLinkFor(person, person.figure->findLink("LeftToe")), -1);
  EXPECT_TRUE(held(person).empty());
  person.joints[0].rigidity = 0.0;
  person.joints[0].translationLocked = true;
  EXPECT_TRUE(held(person).empty());
  EXPECT_EQ(freeLinkFor(makeDocument(makePlanarChain(3)), 2), -1);
}

TEST(Footholds, LockOfTheUserOnAnUnlockedRootCounts) {
  FigureBuilder builder("free");
  const int root = addRoot(builder, "body", 1.0, V(0, 0.2, 0));
  builder.joint(root).locked = false;
  Document document = documentOf(builder);
  EXPECT_EQ(freeLinkFor(document, 0), 0);
  document.joints[0].locked = true;
  EXPECT_EQ(freeLinkFor(document, 0), -1);
}

TEST(Footholds, PawIsHeldByItsPoint) {
  const Document dog = makeQuadruped();
  const auto feet = footholds(dog, {"body"});
  ASSERT_EQ(feet.size(), 4u);
  for (const Foothold& foot : feet) {
    EXPECT_FALSE(foot.isSole);
    EXPECT_LT((foot.point - V(0, -0.2, 0)).norm(), 1e-12);
  }
  EXPECT_EQ(footholds(dog, {dog.figure->link(feet[2].link).name}).size(), 3u);
}

TEST(Footholds, FloatingOrBuriedRestHasItsGroundThere) {
  for (const double height : {2.0, -1.0}) {
    FigureBuilder builder("dog");
    const int body = addRoot(builder, "body", height, V(0, 0, 0.5));
    for (const double along : {0.0, 0.5})
      addBone(builder, "leg" + std::to_string(along), body, V(0, 0, along), V(0, -0.4, 0));
    EXPECT_EQ(held(documentOf(builder)).size(), 2u) << height;
  }
}

TEST(Footholds, FigureOnTheSpotHoldsNothing) {
  FigureBuilder builder("table");
  const int top = addBone(builder, "top", -1, V(0, 0.41, 0), V(0, 0, 0.5));
  builder.joint(top).type = JointType::Fixed;
  for (const double along : {0.0, 0.5})
    addBone(builder, "leg" + std::to_string(along), top, V(0, 0, along), V(0, -0.4, 0));
  EXPECT_TRUE(held(documentOf(builder)).empty());
}

}  // namespace
}  // namespace limber::footholds_test
