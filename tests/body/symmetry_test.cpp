// SPDX-License-Identifier: MIT
// Symmetry found by names alone and by geometry alone; mirrored and flipped poses with awkward frames and limits.
#include "limber/body/body_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "limber/body/mirror.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/joint_turn.h"
#include "limber/scene/document.h"
#include "support/built_figure.h"

namespace limber::scene_symmetry_test {
namespace {

using V = Eigen::Vector3d;

/// A trunk on a free joint with two arms of a ball and a hinge, and a head. The plane of symmetry is oblique, and the
/// frames of the two arms are unrelated.
struct Torso {
  struct Choice {
    bool named = true;                           ///< else the names tell no side
    double askew = 0.0;                          ///< metres: so far one elbow is from where the mirror shows the other
    Interval left{-0.2, 2.0}, right{-0.2, 2.0};  ///< of the elbows, each about its own axis
  };

  std::shared_ptr<const Figure> figure;
  V normal = V(0.8, 0.0, 0.6);
  double offset = 0.3;

  V mirrored(const V& x) const { return x - 2.0 * (normal.dot(x) - offset) * normal; }
  V acrossOf(const V& v) const { return v - 2.0 * normal.dot(v) * normal; }

  Torso() : Torso(Choice{}) {}
  explicit Torso(const Choice& choice) {
    FigureBuilder builder("torso");
    const V base = offset * normal + V(0.0, 1.0, 0.0);
    Joint root{.name = "root", .type = JointType::Free};
    root.parentFromJoint = {turn(0.3, -0.2, 0.9), base};
    const Transform worldFromTrunk = root.parentFromJoint;
    builder.addLink({.name = "trunk", .parent = -1}, root);
    const V left[3] = {base + 0.2 * normal, base + 0.5 * normal + V(0, 0.1, 0.05), base + 0.8 * normal};
    for (const bool isLeft : {true, false}) {
      const auto place = [&](int k) { return isLeft ? left[k] : mirrored(left[k]); };
      const std::string side = !choice.named ? (isLeft ? "one " : "two ") : isLeft ? "left " : "right ";
      const Eigen::Matrix3d shoulderFrame = isLeft ? turn(0.5, 0.1, -0.4) : turn(-1.1, 0.7, 0.2);
      Joint shoulder{.name = side + "shoulder", .type = JointType::Ball};
      shoulder.parentFromJoint = worldFromTrunk.inverse() * Transform{shoulderFrame, place(0)};
      const int arm = builder.addLink({.name = side + "arm", .parent = 0}, shoulder);
      const V axisWorld = V(0.1, -0.9, 0.4).normalized();  // on the left: of a bend
      const Eigen::Matrix3d elbowFrame = isLeft ? turn(0.0, 0.8, 0.3) : turn(0.9, -0.3, 1.4);
      Joint elbow{.name = side + "elbow", .type = JointType::Revolute};
      const V elbowPlace = place(1) + (isLeft ? V(0, choice.askew, 0) : V(0, 0, 0));
      elbow.parentFromJoint = Transform{shoulderFrame, place(0)}.inverse() * Transform{elbowFrame, elbowPlace};
      elbow.axis = elbowFrame.transpose() * (isLeft ? axisWorld : V(-acrossOf(axisWorld)));
      elbow.limits = isLeft ? choice.left : choice.right;
      const int forearm = builder.addLink({.name = side + "forearm", .parent = arm}, elbow);
      Joint slide{.name = side + "slide", .type = JointType::Prismatic};
      slide.parentFromJoint = Transform{elbowFrame, elbowPlace}.inverse() * Transform{elbowFrame, place(2)};
      slide.axis = elbowFrame.transpose() * (isLeft ? normal : V(acrossOf(normal)));
      slide.limits = {-0.1, 0.3};
      builder.addLink({.name = side + "hand", .parent = forearm}, slide);
    }
    Joint neck{.name = "neck", .type = JointType::Ball};
    neck.parentFromJoint = worldFromTrunk.inverse() * Transform{turn(0.2, 1.0, 0.5), base + V(0, 0.4, 0)};
    builder.addLink({.name = "head", .parent = 0}, neck);
    figure = test::built(builder);
  }

  static Eigen::Matrix3d turn(double x, double y, double z) { return exponential(V(x, y, z)).toRotationMatrix(); }
};

Pose somePose(const Figure& figure, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Eigen::VectorXd step(figure.stepSize());
  for (Eigen::Index i = 0; i < step.size(); ++i) step[i] = unit(random);
  Pose pose;
  integrate(figure, restPose(figure), step, pose);
  return pose;
}

/// The largest distance of the links of a pose from the mirrored links of another pose.
double worstImage(const Figure& figure, const Symmetry& symmetry, const Mirror& mirror, const Pose& pose,
                  const Pose& image) {
  Kinematics a, b;
  computeTransforms(figure, pose, a);
  computeTransforms(figure, image, b);
  double worst = 0.0;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (const int j = symmetry.partner[i]; j >= 0)
      worst = std::max(worst, (mirror.imageOf(a.worldFromLink[i].translation) - b.worldFromLink[j].translation).norm());
  return worst;
}

void expectPairs(const Figure& figure, const Symmetry& symmetry, const std::string& left, const std::string& right) {
  for (const char* part : {"arm", "forearm", "hand"})
    EXPECT_EQ(symmetry.partner[figure.findLink(left + part)], figure.findLink(right + part)) << part;
  for (const char* part : {"trunk", "head"}) EXPECT_EQ(symmetry.partner[figure.findLink(part)], figure.findLink(part));
}

TEST(Symmetry, FindsAPlaneThatStandsAskew) {
  const Torso torso;
  const FoundSymmetry found = bodyMapOf(*torso.figure).symmetry();
  ASSERT_TRUE(found.symmetry) << found.note;
  EXPECT_NEAR((found.symmetry->normal - torso.normal).norm(), 0.0, 1e-12);
  EXPECT_NEAR(found.symmetry->offset, torso.offset, 1e-12);
  expectPairs(*torso.figure, *found.symmetry, "left ", "right ");
  EXPECT_TRUE(found.note.empty()) << found.note;
}

TEST(Symmetry, NeedsNoNames) {
  const Torso torso({.named = false});
  const FoundSymmetry found = bodyMapOf(*torso.figure).symmetry();
  ASSERT_TRUE(found.symmetry) << found.note;
  expectPairs(*torso.figure, *found.symmetry, "one ", "two ");
  EXPECT_FALSE(found.symmetry->isByNames);
}

TEST(Symmetry, NeedsNoGeometryWhereNamesTellTheSides) {
  const Torso torso({.askew = 0.4});
  const FoundSymmetry found = bodyMapOf(*torso.figure).symmetry();
  ASSERT_TRUE(found.symmetry) << found.note;
  EXPECT_TRUE(found.symmetry->isByNames);
  EXPECT_NE(found.note.find("names alone"), std::string::npos) << found.note;
  expectPairs(*torso.figure, *found.symmetry, "left ", "right ");
  const Pose pose = somePose(*torso.figure, 3);
  const Pose twice = flipped(*torso.figure, *found.symmetry, flipped(*torso.figure, *found.symmetry, pose));
  EXPECT_LT((twice.coordinates - pose.coordinates).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Symmetry, WithoutEitherThereIsNone) {
  const FoundSymmetry found = bodyMapOf(*Torso({.named = false, .askew = 0.4}).figure).symmetry();
  EXPECT_FALSE(found.symmetry);
  EXPECT_NE(found.note.find("no two sides"), std::string::npos) << found.note;
}

TEST(Symmetry, GeometryDecidesWhereNamesDisagree) {
  // "left forearm" hangs on "right arm": by name it would be paired with one that hangs on another's partner.
  FigureBuilder builder("crossed");
  builder.addLink({.name = "body", .parent = -1}, {.name = "root"});
  for (const auto& [name, x, z] : {std::tuple{"left_a", 1.0, 0.0}, std::tuple{"right_b", -1.0, 0.0},
                                   std::tuple{"left_b", 1.0, 2.0}, std::tuple{"right_a", -1.0, 2.0}}) {
    Joint joint{.name = name, .type = JointType::Ball};
    joint.parentFromJoint.translation = V(x, 0.0, z);
    const int upper = builder.addLink({.name = name, .parent = 0}, joint);
    Joint lower{.name = std::string(name) + "_end", .type = JointType::Ball};
    lower.parentFromJoint.translation = V(x, z == 0.0 ? 1.0 : 0.5, 0.0);
    builder.addLink({.name = std::string(name) + "_end", .parent = upper}, lower);
  }
  const auto figure = test::built(builder);
  const FoundSymmetry found = bodyMapOf(*figure).symmetry();
  ASSERT_TRUE(found.symmetry) << found.note;
  EXPECT_EQ(found.symmetry->partner[figure->findLink("left_a")], figure->findLink("right_b"));
  EXPECT_NE(found.note.find("geometry counts"), std::string::npos) << found.note;
}

TEST(Symmetry, AChainHasNone) {
  FigureBuilder builder("chain");
  for (int i = 0; i < 5; ++i) {
    Joint joint{.name = "joint" + std::to_string(i), .type = JointType::Ball};
    joint.parentFromJoint.translation = V(i > 0 ? 1.0 : 0.0, 0.0, 0.0);
    builder.addLink({.name = "link" + std::to_string(i), .parent = i - 1}, joint);
  }
  const FoundSymmetry found = bodyMapOf(*test::built(builder)).symmetry();
  EXPECT_FALSE(found.symmetry);
  EXPECT_FALSE(found.note.empty());
}

TEST(Mirror, FlipShowsWhatTheMirrorDoesAndTwiceIsThePoseItself) {
  const Torso torso;
  const Figure& figure = *torso.figure;
  const auto symmetry = bodyMapOf(figure).symmetry().symmetry;
  ASSERT_TRUE(symmetry);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Pose pose = somePose(figure, seed), image = flipped(figure, *symmetry, pose);
    EXPECT_LT(worstImage(figure, *symmetry, mirrorAt(figure, *symmetry, pose), pose, image), 1e-12);
    const Pose twice = flipped(figure, *symmetry, image);
    EXPECT_LT((twice.coordinates - pose.coordinates).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Mirror, GoesWithTheFigureAndKeepsItsPlaceAndHeading) {
  const Torso torso;
  const Figure& figure = *torso.figure;
  const auto symmetry = bodyMapOf(figure).symmetry().symmetry;
  ASSERT_TRUE(symmetry);
  Pose pose = somePose(figure, 4);  // then away from where it rests, and turned about the vertical
  const Eigen::Quaterniond frame(figure.joint(0).parentFromJoint.rotation);
  const Eigen::Quaterniond heading(Eigen::AngleAxisd(2.0, V::UnitY()));
  setJointRotation(figure, 0, frame.conjugate() * heading * frame * jointRotation(figure, restPose(figure), 0), pose);
  pose.coordinates.segment<3>(figure.joint(0).poseIndex) += V(5.0, 1.0, -3.0);
  const Pose image = flipped(figure, *symmetry, pose);
  EXPECT_EQ(pose.coordinates.segment<3>(0), image.coordinates.segment<3>(0));
  EXPECT_NEAR((pose.coordinates.segment<7>(0) - image.coordinates.segment<7>(0)).norm(), 0.0, 1e-12)
      << "upright: its own image";
  EXPECT_NEAR((mirrorAt(figure, *symmetry, pose).normal - heading * torso.normal).norm(), 0.0, 1e-12);
}

TEST(Mirror, CopiesOneSideAndLeavesTheRest) {
  const Torso torso;
  const Figure& figure = *torso.figure;
  const auto symmetry = bodyMapOf(figure).symmetry().symmetry;
  ASSERT_TRUE(symmetry);
  const Pose pose = somePose(figure, 5), copied = copiedAcross(figure, *symmetry, pose, BodySide::Left);
  const Pose image = flipped(figure, *symmetry, pose);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const int at = figure.joint(i).poseIndex, size = poseSize(figure.joint(i).type);
    const Pose& expected = symmetry->side[i] == BodySide::Right ? image : pose;
    EXPECT_EQ(copied.coordinates.segment(at, size), expected.coordinates.segment(at, size)) << figure.joint(i).name;
  }
}

TEST(Mirror, StaysWithinLimitsThatDifferFromSideToSide) {
  const Torso torso({.left = {-0.2, 2.0}, .right = {0.3, 1.0}});
  Document document = makeDocument(torso.figure);
  const auto symmetry = bodyMapOf(*torso.figure).symmetry().symmetry;
  ASSERT_TRUE(symmetry);
  const auto angle = [&](const Pose& pose, const char* elbow) {
    return pose.coordinates[torso.figure->joint(torso.figure->findJoint(elbow)).poseIndex];
  };
  const double sign = symmetry->sign[torso.figure->findJoint("left elbow")];
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
      Pose pose = somePose(*torso.figure, seed);
      makeSymmetric(document, *symmetry, side, pose);
      EXPECT_LT(asymmetry(*torso.figure, *symmetry, pose), 1e-10);
      Pose inside = pose;
      clampToLimits(document, inside);
      EXPECT_EQ(inside.coordinates, pose.coordinates);
      const double left = angle(pose, "left elbow"), right = angle(pose, "right elbow");
      const double leftRest = angle(symmetry->rest, "left elbow"), rightRest = angle(symmetry->rest, "right elbow");
      EXPECT_NEAR(right - rightRest, sign * (left - leftRest), 1e-12);
    }
}

TEST(Mirror, KeepsSymmetryAfterAnEditOfOneSide) {
  const Torso torso;
  Document document = makeDocument(torso.figure);
  document.symmetry = bodyMapOf(*torso.figure).symmetry().symmetry;
  ASSERT_TRUE(document.symmetry);
  for (const char* elbow : {"left elbow", "right elbow"}) {
    const Pose before = document.pose;
    const int joint = torso.figure->findJoint(elbow);
    turnJoint(document, joint, 0, 0.25);
    const double turned = document.pose.coordinates[torso.figure->joint(joint).poseIndex];
    keepSymmetry(before, document);
    EXPECT_EQ(document.pose.coordinates[torso.figure->joint(joint).poseIndex], turned) << "what was edited stays";
    EXPECT_LT(asymmetry(*torso.figure, *document.symmetry, document.pose), 1e-10);
    EXPECT_FALSE(document.pose == before);
  }
}

TEST(Mirror, AGoalAskedAcrossIsMetByTheFlippedPose) {
  const Torso torso;
  const Figure& figure = *torso.figure;
  const auto symmetry = bodyMapOf(figure).symmetry().symmetry;
  ASSERT_TRUE(symmetry);
  const Pose pose = somePose(figure, 6);
  const Mirror mirror = mirrorAt(figure, *symmetry, pose);
  Kinematics kinematics = transformsOf(figure, pose);
  GoalItem goal;
  goal.type = GoalType::PositionOrientation;
  goal.link = figure.findLink("left hand");
  goal.pointInLink = V(0.1, 0.2, -0.3);
  goal.frameInLink = Torso::turn(0.4, 0.5, 0.6);
  const Transform& hand = kinematics.worldFromLink[goal.link];
  goal.target = hand * goal.pointInLink;
  goal.targetFrame = hand.rotation * goal.frameInLink;
  GoalItem image = goal;
  ASSERT_TRUE(mirrorGoal(figure, *symmetry, mirror, image));
  EXPECT_EQ(image.link, figure.findLink("right hand"));
  computeTransforms(figure, flipped(figure, *symmetry, pose), kinematics);
  const Transform& other = kinematics.worldFromLink[image.link];
  EXPECT_NEAR((other * image.pointInLink - image.target).norm(), 0.0, 1e-12);
  EXPECT_NEAR((other.rotation * image.frameInLink - image.targetFrame).norm(), 0.0, 1e-12);
  EXPECT_NEAR(image.targetFrame.determinant(), 1.0, 1e-12);
}

}  // namespace
}  // namespace limber::scene_symmetry_test
