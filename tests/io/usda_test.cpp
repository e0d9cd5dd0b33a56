// SPDX-License-Identifier: MIT
// Scenes of USD in text form, with places worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "limber/io/base/result.h"
#include "limber/io/usd/usda.h"
#include "limber/io/usd/usda_text.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/motion.h"
#include "results.h"
#include "support/says.h"

namespace limber::io::usda_test {
namespace {

using test::says;

constexpr double kExact = 1e-9;

FigureSource read(const std::string& text) { return test::valueOf(readUsda("#usda 1.0\n" + text, "folder/s.usda")); }
/// True if a note has all these words.
bool isNoted(const FigureSource& source, const std::vector<std::string>& words) {
  return std::ranges::any_of(source.notes, [&](const std::string& note) {
    return std::ranges::all_of(words, [&](const std::string& word) { return note.find(word) != std::string::npos; });
  });
}
std::string faultOf(const std::string& text) { return test::messageOf(readUsda("#usda 1.0\n" + text, "s.usda")); }

Transform worldPlaceOf(const Figure& figure, const Pose& pose, const std::string& link) {
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  return kinematics.worldFromLink[figure.findLink(link)];
}
Transform worldPlaceOf(const FigureSource& source, const std::string& link) {
  return worldPlaceOf(*source.figure, restPose(*source.figure), link);
}
void expectAt(const Transform& place, const Eigen::Vector3d& expected) {
  EXPECT_LT((place.translation - expected).norm(), kExact) << place.translation.transpose();
}
Eigen::Matrix3d turn(double angle, const Eigen::Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

// The hips at a height of 100, the spine 30 above; the second joint's rest turns it by 90 degrees about x.
const std::string kSkeleton = R"(
  def Skeleton "Skel" {
    uniform token[] joints = ["Hips", "Hips/Spine", "Hips/Spine/Head"]
    uniform matrix4d[] restTransforms = [
      ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 100, 0, 1)),
      ((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 30, 0, 1)),
      ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 20, 1))]
    rel skel:animationSource = </Man/Skel/B>
    def SkelAnimation "A" { uniform token[] joints = ["Hips"] quatf[] rotations = [(1, 0, 0, 0)] }
    def SkelAnimation "B" {
      uniform token[] joints = ["Hips/Spine", "Hips"]
      quatf[] rotations.timeSamples = { 10: [(0.7071067811865476, 0.7071067811865476, 0, 0), (1, 0, 0, 0)],
                                        34: [(1, 0, 0, 0), (0.7071067811865476, 0, 0, 0.7071067811865476)] }
      float3[] translations.timeSamples = { 34: [(0, 30, 0), (10, 90, 0)], 10: [(0, 30, 0), (0, 100, 0)] }
    }
    def SkelAnimation "Other" { uniform token[] joints = ["Tail"] }
  })";

TEST(Usda, RestTransformsOfASkeletonAreItsRestPose) {
  const FigureSource source = read("def SkelRoot \"Man\" {" + kSkeleton + "}");
  expectAt(worldPlaceOf(source, "Hips"), {0, 1, 0});
  expectAt(worldPlaceOf(source, "Spine"), {0, 1.3, 0});
  // Rows are images of axes: z goes to -y in the spine, so that the head is below it.
  expectAt(worldPlaceOf(source, "Head"), {0, 1.1, 0});
  EXPECT_EQ(source.figure->fileFrame().metresPerUnit, 0.01) << "the default of USD";
  EXPECT_EQ(source.figure->joint(0).type, JointType::Free);
  EXPECT_EQ(source.figure->joint(1).type, JointType::Ball);
}

TEST(Usda, AnimationsArePlayedFromTheirFirstSample) {
  const FigureSource source = read("(timeCodesPerSecond = 12)\ndef SkelRoot \"Man\" {" + kSkeleton + "}");
  ASSERT_EQ(source.clips.size(), 2u);
  const Motion& motion = *source.motion;
  EXPECT_EQ(motion.name, "B") << "the skeleton's own animation";
  EXPECT_EQ(motion.frameCount, 25);
  EXPECT_DOUBLE_EQ(motion.frameTime, 1.0 / 12);
  EXPECT_TRUE(isNoted(source, {"\"Other\" is of other joints"}));
  const Figure& figure = *source.figure;
  const Pose first = motion.poseAt(figure, 0), last = motion.poseAt(figure, 24);
  // The spine turned by 90 degrees about x, as at rest: y goes to z, and z to -y.
  expectAt(worldPlaceOf(figure, first, "Head"), {0, 1.1, 0});
  // The hips turned by 90 degrees about z at (10, 90, 0): the spine is 30 to the left, its z still z.
  expectAt(worldPlaceOf(figure, last, "Spine"), {0.1 - 0.3, 0.9, 0});
  expectAt(worldPlaceOf(figure, last, "Head"), {0.1 - 0.3, 0.9, 0.2});
}

TEST(Usda, AxesUnitAndPlacesOfPrimsCount) {
  const FigureSource source = read(R"((upAxis = "Z" metersPerUnit = 0.5)
    def Xform "World" {
      double3 xformOp:translate = (1, 2, 3)
      float3 xformOp:rotateXYZ = (0, 0, 90)
      uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]
      def Skeleton "S" {
        float3 xformOp:scale = (2, 2, 2)
        uniform token[] xformOpOrder = ["xformOp:scale"]
        uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,4,1))]
      }
    })");
  // In the file a is at (1, 2, 3) + Rz (2, 0, 0) = (1, 4, 3), b 8 above; (x, y, z) is (x, z, -y) in the scene.
  expectAt(worldPlaceOf(source, "a"), 0.5 * Eigen::Vector3d(1, 3, -4));
  expectAt(worldPlaceOf(source, "b"), 0.5 * Eigen::Vector3d(1, 11, -4));
}

std::string body(const std::string& name, const std::string& translate, const std::string& more = "") {
  return "def Xform \"" + name + "\" { double3 xformOp:translate = " + translate +
         " uniform token[] xformOpOrder = [\"xformOp:translate\"] " + more + " }\n";
}
std::string joint(const std::string& type, const std::string& name, const std::string& from, const std::string& to,
                  const std::string& more = "") {
  const auto relation = [](const char* side, const std::string& target) {
    return target.empty() ? "" : std::string(" rel physics:body") + side + " = </" + target + ">";
  };
  return "def Physics" + type + "Joint \"" + name + "\" {" + relation("0", from) + relation("1", to) + " " + more +
         "}\n";
}
const std::string kMetres = "(metersPerUnit = 1)\n";

/// The place of a link in the rest pose but for the coordinate of one joint.
Transform posed(const FigureSource& source, const std::string& link, const std::string& name, double value) {
  Pose pose = restPose(*source.figure);
  pose.coordinates[source.figure->joint(source.figure->findJoint(name)).poseIndex] = value;
  return worldPlaceOf(*source.figure, pose, link);
}

TEST(Usda, JointsMoveTheSecondBodyByTheirFrames) {
  const std::string frames =
      "uniform token physics:axis = \"Z\" point3f physics:localPos0 = (1, 0, 0) quatf physics:localRot0 = (1, 0, 0, 0) "
      "point3f physics:localPos1 = (0, -0.5, 0) quatf physics:localRot1 = (0.70710678, 0.70710678, 0, 0) "
      "float physics:lowerLimit = -90 float physics:upperLimit = 45";
  const std::string bodies = body("a", "(0, 1, 0)", "float physics:mass = 3 point3f physics:centerOfMass = (1, 2, 3)") +
                             body("b", "(5, 5, 5)");
  const Transform parentFromJoint{Eigen::Matrix3d::Identity(), {1, 0, 0}};
  const Transform childFromJoint{turn(std::acos(0.0), {1, 0, 0}), {0, -0.5, 0}};
  const auto expected = [&](const Transform& motion) {
    return Transform::fromTranslation({0, 1, 0}) * parentFromJoint * motion * childFromJoint.inverse();
  };
  const FigureSource hinge = read(kMetres + bodies + joint("Revolute", "j", "a", "b", frames));
  const Transform turned = posed(hinge, "b", "j", 0.4);
  expectAt(turned, expected({turn(0.4, {0, 0, 1}), {0, 0, 0}}).translation);
  EXPECT_LT((turned.rotation - expected({turn(0.4, {0, 0, 1}), {0, 0, 0}}).rotation).norm(), 1e-7);
  const Joint& limited = hinge.figure->joint(hinge.figure->findJoint("j"));
  EXPECT_NEAR(limited.limits.lower, -std::acos(0.0), kExact);
  EXPECT_NEAR(limited.limits.upper, std::acos(0.0) / 2, kExact);
  EXPECT_EQ(hinge.figure->link(hinge.figure->findLink("a")).mass, 3.0);
  EXPECT_EQ(hinge.figure->link(hinge.figure->findLink("a")).centreOfMass, Eigen::Vector3d(1, 2, 3));
  const FigureSource slide = read(kMetres + bodies + joint("Prismatic", "j", "a", "b", frames));
  expectAt(posed(slide, "b", "j", 0.3), expected({Eigen::Matrix3d::Identity(), {0, 0, 0.3}}).translation);
  const FigureSource fixed = read(kMetres + bodies + joint("Fixed", "j", "a", "b", frames));
  expectAt(worldPlaceOf(fixed, "b"), expected({}).translation);
}

TEST(Usda, ThePlacesOfBodiesAreTheRest) {
  const std::string turnedBody = R"(def Xform "b" { double3 xformOp:translate = (0, 2, 0) float xformOp:rotateZ = 30
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ"] })";
  const std::string frames = "uniform token physics:axis = \"Z\" point3f physics:localPos0 = (0, 2, 0)";
  const FigureSource hinge =
      read(kMetres + body("a", "(0, 0, 0)") + turnedBody + joint("Revolute", "j", "a", "b", frames));
  EXPECT_NEAR(restPose(*hinge.figure).coordinates[0], std::acos(-1.0) / 6, kExact);
  EXPECT_LT((worldPlaceOf(hinge, "b").rotation - turn(std::acos(-1.0) / 6, {0, 0, 1})).norm(), kExact);
  const FigureSource ball =
      read(kMetres + body("a", "(0, 0, 0)") + turnedBody + joint("Spherical", "j", "a", "b", frames));
  EXPECT_LT((worldPlaceOf(ball, "b").rotation - turn(std::acos(-1.0) / 6, {0, 0, 1})).norm(), kExact);
  // The world as the second body: the first one moves the other way.
  const FigureSource back =
      read(kMetres + body("a", "(0, 0, 0)") + joint("Revolute", "j", "a", "", "uniform token physics:axis = \"Z\""));
  EXPECT_LT((posed(back, "a", "j", 0.4).rotation - turn(-0.4, {0, 0, 1})).norm(), kExact);
}

TEST(Usda, FurtherJointsCloseLoops) {
  const FigureSource source = read(
      kMetres + body("a", "(0, 0, 0)") + body("b", "(1, 0, 0)") + body("c", "(1, 1, 0)") +
      joint("Revolute", "ab", "a", "b", "uniform token physics:axis = \"Z\" point3f physics:localPos0 = (1, 0, 0)") +
      joint("Revolute", "bc", "b", "c", "uniform token physics:axis = \"Z\" point3f physics:localPos0 = (0, 1, 0)") +
      joint("Revolute", "ca", "a", "c",
            "uniform token physics:axis = \"Z\" point3f physics:localPos0 = (1, 1, 0) "
            "bool physics:excludeFromArticulation = 1") +
      joint("Distance", "rope", "a", "c"));
  ASSERT_EQ(source.figure->loops().size(), 1u);
  EXPECT_EQ(source.figure->loops()[0].kind, LoopClosure::Kind::Hinge);
  EXPECT_TRUE(isNoted(source, {"\"rope\"", "PhysicsDistanceJoint", "left out"}));
}

TEST(Usda, TextsCommentsAndListsAreReadAsUsdWritesThem) {
  const UsdaText text = parseUsda(R"(#usda 1.0
    ( "a comment" doc = """two
      lines""" customLayerData = { string a = "}" } )
    over "A" ( prepend references = @x.usda@</B> ) { # a comment with " in it
      custom uniform float[] n = [1, -2.5e1, inf]; token t = "x"
      float s.timeSamples = { 2: 5, 1: None, 0.5: 4, }
      rel r = [</A>, </B>]
      float n.connect = </C.out>
      variantSet "v" = { "one" { def "in" {} } }
      def Scope "B" {} reorder nameChildren = ["B"]
    })");
  ASSERT_EQ(text.prims.size(), 2u);
  EXPECT_EQ(text.prims[1].path, "/A/B");
  EXPECT_EQ(text.prims[0].numbers("n", 3)->at(1), -25.0);
  EXPECT_EQ(text.prims[0].find("s")->samples.front().first, 0.5);
  EXPECT_EQ(text.prims[0].find("r")->value.texts, (std::vector<std::string>{"/A", "/B"}));
  EXPECT_EQ(text.arcs, (std::vector<std::string>{"references", "variants"}));
}

TEST(Usda, ErrorsNameLineAndCause) {
  EXPECT_TRUE(says(faultOf("def Xform \"a\" {\n token x = \"open\n}"), {"s.usda", "line 3", "not closed"}));
  EXPECT_TRUE(says(faultOf("def Xform \"a\" {"), {"line 2", "ends"}));
  EXPECT_TRUE(says(faultOf("def Xform \"a\" (prepend references = @b.usd@) {}"), {"neither", "references", "flatten"}));
  EXPECT_TRUE(says(faultOf("def Skeleton \"s\" { uniform token[] joints = [\"a\"] }"), {"line 2", "restTransforms"}));
  EXPECT_TRUE(
      says(faultOf(body("a", "(0, 0, 0)") + joint("Fixed", "j", "a", "nobody")), {"line 3", "/j", "\"/nobody\""}));
  EXPECT_TRUE(says(faultOf(body("a", "(0, 0, 0)") + body("b", "(0, 0, 0)") + joint("Fixed", "j", "a", "b") +
                           joint("Fixed", "k", "b", "a")),
                   {"cycle"}));
  EXPECT_TRUE(
      says(faultOf("def Xform \"a\" { uniform token[] xformOpOrder = [\"xformOp:shear\"] }"), {"xformOp:shear"}));
  EXPECT_TRUE(says(faultOf("(metersPerUnit = -1)\n"), {"metersPerUnit"}));
}

}  // namespace
}  // namespace limber::io::usda_test
