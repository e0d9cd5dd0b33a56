// SPDX-License-Identifier: MIT
// Models of OpenSim, with transforms worked out from its definition of a joint:
//
//   parentBodyFromChildBody = parentFromJoint * motion * childFromJoint^-1,   motion = translation * R1 R2 R3
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "limber/io/open.h"
#include "limber/io/robot/osim_function.h"
#include "limber/io/robot/osim_model.h"
#include "limber/io/robot/robot.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/document.h"
#include "limber/scene/point_names.h"
#include "results.h"
#include "support/says.h"

namespace limber::io::osim_test {
namespace {

using test::says;

constexpr double kExact = 1e-12;

FigureSource read(const std::string& text) { return test::valueOf(readOsim(text, "folder/m.osim")); }
/// True if a note has all these words.
bool isNoted(const FigureSource& source, const std::vector<std::string>& words) {
  return std::ranges::any_of(source.notes, [&](const std::string& note) {
    return std::ranges::all_of(words, [&](const std::string& word) { return note.find(word) != std::string::npos; });
  });
}
std::string faultOf(const std::string& text) { return test::messageOf(readOsim(text, "m.osim")); }

Eigen::Matrix3d turn(double angle, const Eigen::Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}
Transform turned(double angle, const Eigen::Vector3d& axis) { return {turn(angle, axis), Eigen::Vector3d::Zero()}; }
Transform moved(double x, double y, double z) { return Transform::fromTranslation({x, y, z}); }
const Eigen::Vector3d kX = Eigen::Vector3d::UnitX(), kY = Eigen::Vector3d::UnitY(), kZ = Eigen::Vector3d::UnitZ();

/// The world's transform of a body at the rest pose but for some coordinates, whose followers follow.
Transform posed(const FigureSource& source, const std::string& body,
                const std::vector<std::pair<const char*, double>>& coordinates = {}) {
  const Figure& figure = *source.figure;
  Pose pose = restPose(figure);
  for (const auto& [name, value] : coordinates) {
    EXPECT_GE(figure.findJoint(name), 0) << name;
    pose.coordinates[figure.joint(figure.findJoint(name)).poseIndex] = value;
  }
  for (const Coupling& coupling : figure.couplings()) {
    double value = coupling.offset;
    for (const Coupling::Term& term : coupling.terms)
      for (int i = 0; i < 4; ++i)
        value += term.coefficients[i] * std::pow(pose.coordinates[figure.joint(term.driver).poseIndex], i + 1);
    pose.coordinates[figure.joint(coupling.follower).poseIndex] = value;
  }
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  return kinematics.worldFromLink[figure.findLink(body)];
}

void expectSame(const Transform& is, const Transform& expected, double tolerance = kExact) {
  EXPECT_LT((is.translation - expected.translation).norm(), tolerance) << is.translation.transpose();
  EXPECT_LT((is.rotation - expected.rotation).norm(), tolerance) << is.rotation;
}

std::string model(const std::string& bodies, const std::string& joints, const std::string& more = "") {
  return "<OpenSimDocument Version='40000'><Model name='m'><BodySet><objects>" + bodies +
         "</objects></BodySet><JointSet><objects>" + joints + "</objects></JointSet>" + more +
         "</Model></OpenSimDocument>";
}

/// A joint of version 4 between the ground, or a body, and a body.
std::string joint(const std::string& type, const std::string& name, const std::string& child,
                  const std::string& inside = "", const std::string& parent = "ground") {
  return "<" + type + " name='" + name + "'><socket_parent_frame>" + parent +
         "</socket_parent_frame><socket_child_frame>" + child + "</socket_child_frame>" + inside + "</" + type + ">";
}

std::string coordinates(const std::vector<std::string>& names, const std::string& inside = "") {
  std::string text = "<coordinates>";
  for (const std::string& name : names) text += "<Coordinate name='" + name + "'>" + inside + "</Coordinate>";
  return text + "</coordinates>";
}

std::string axis(const std::string& name, const std::string& coordinate, const std::string& direction,
                 const std::string& function =
                     "<LinearFunction name='function'><coefficients>1 0</coefficients>"
                     "</LinearFunction>") {
  return "<TransformAxis name='" + name + "'><coordinates>" + coordinate + "</coordinates><axis>" + direction +
         "</axis>" + function + "</TransformAxis>";
}

const std::string kBody = "<Body name='b'><mass>1</mass></Body>";

const std::string kFrames = R"(<frames>
  <PhysicalOffsetFrame name='p'><socket_parent>/ground</socket_parent><translation>0.1 0.2 0.3</translation>
    <orientation>0.1 0.2 0.3</orientation></PhysicalOffsetFrame>
  <PhysicalOffsetFrame name='c'><socket_parent>/bodyset/b</socket_parent><translation>0 0.5 -0.1</translation>
    <orientation>0 0 1.2</orientation></PhysicalOffsetFrame></frames>)";
const Transform kParent = moved(0.1, 0.2, 0.3) * turned(0.1, kX) * turned(0.2, kY) * turned(0.3, kZ);
const Transform kChild = moved(0, 0.5, -0.1) * turned(1.2, kZ);

TEST(Osim, EveryJointOfSeveralAxesMovesAsOpenSimDefinesIt) {
  const auto between = [](const std::string& type, const std::vector<std::string>& names) {
    return read(model(kBody, joint(type, "j", "c", coordinates(names) + kFrames, "p")));
  };
  const auto expected = [](const Transform& motion) { return kParent * motion * kChild.inverse(); };
  expectSame(posed(between("PinJoint", {"q"}), "b", {{"q", 0.4}}), expected(turned(0.4, kZ)));
  expectSame(posed(between("SliderJoint", {"q"}), "b", {{"q", 0.4}}), expected(moved(0.4, 0, 0)));
  expectSame(posed(between("UniversalJoint", {"u", "v"}), "b", {{"u", 0.4}, {"v", -0.7}}),
             expected(turned(0.4, kX) * turned(-0.7, kY)));
  expectSame(posed(between("GimbalJoint", {"u", "v", "w"}), "b", {{"u", 0.4}, {"v", -0.7}, {"w", 1.1}}),
             expected(turned(0.4, kX) * turned(-0.7, kY) * turned(1.1, kZ)));
  expectSame(posed(between("PlanarJoint", {"turn", "x", "y"}), "b", {{"turn", 0.4}, {"x", 2}, {"y", 3}}),
             expected(moved(2, 3, 0) * turned(0.4, kZ)));
  expectSame(posed(between("WeldJoint", {}), "b"), expected({}));
}

TEST(Osim, BallAndFreeJointsBeginInTheirDefaultPose) {
  const std::string defaults = R"(<coordinates><Coordinate name='a'><default_value>0.3</default_value></Coordinate>
    <Coordinate name='b'><default_value>-0.2</default_value></Coordinate>
    <Coordinate name='c'><default_value>0.5</default_value></Coordinate>
    <Coordinate name='x'><default_value>1</default_value></Coordinate>
    <Coordinate name='y'><default_value>2</default_value></Coordinate>
    <Coordinate name='z'><default_value>3</default_value></Coordinate></coordinates>)";
  const Transform rotation = turned(0.3, kX) * turned(-0.2, kY) * turned(0.5, kZ);
  const FigureSource ball = read(model(kBody, joint("BallJoint", "j", "c", defaults + kFrames, "p")));
  EXPECT_EQ(ball.figure->joint(ball.figure->findJoint("j")).type, JointType::Ball);
  expectSame(posed(ball, "b"), kParent * rotation * kChild.inverse());
  const FigureSource free = read(model(kBody, joint("FreeJoint", "j", "c", defaults + kFrames, "p")));
  EXPECT_EQ(free.figure->joint(free.figure->findJoint("j")).type, JointType::Free);
  expectSame(posed(free, "b"), kParent * moved(1, 2, 3) * rotation * kChild.inverse());
}

const std::string kSpatial =
    "<SpatialTransform>" + axis("rotation1", "a", "0 0 1") +
    axis("rotation2", "b", "1 1 0",
         "<LinearFunction name='function'><coefficients>-1 0.25</coefficients></LinearFunction>") +
    axis("rotation3", "", "0 1 0", "<Constant name='function'><value>0.6</value></Constant>") +
    axis("translation1", "t", "1 0 0") +
    axis("translation2", "", "0 1 0", "<Constant name='function'><value>0.9</value></Constant>") +
    "</SpatialTransform>";

Transform spatialAt(double a, double b, double t) {
  return kParent * moved(t, 0.9, 0) * turned(a, kZ) * turned(0.25 - b, {1, 1, 0}) * turned(0.6, kY) * kChild.inverse();
}

TEST(Osim, LinearFunctionsAndConstantsOfCustomJointsAreExact) {
  const FigureSource source =
      read(model(kBody, joint("CustomJoint", "j", "c", coordinates({"a", "b", "t"}) + kFrames + kSpatial, "p")));
  EXPECT_EQ(source.figure->couplings().size(), 0u);
  EXPECT_EQ(source.figure->poseSize(), 3);
  expectSame(posed(source, "b"), spatialAt(0, 0, 0));
  expectSame(posed(source, "b", {{"a", 0.7}, {"b", -0.4}, {"t", 0.2}}), spatialAt(0.7, -0.4, 0.2));
}

TEST(Osim, JointsInBodiesAreThoseOfVersion3) {
  std::string spatial = kSpatial;  // functions stand in <function> there
  for (const std::string type : {"LinearFunction", "Constant"})
    for (std::size_t at = 0; (at = spatial.find("<" + type, at)) != std::string::npos; at += 20) {
      spatial.insert(at, "<function>");
      const std::size_t end = spatial.find("</" + type + ">", at) + type.size() + 3;
      spatial.insert(end, "</function>");
      at = end;
    }
  const FigureSource source =
      read(R"(<OpenSimDocument Version='30000'><Model name='old'><BodySet><objects>
    <Body name='ground'><Joint/></Body><Body name='b'><mass>2</mass><mass_center>0 0.1 0</mass_center><Joint>
    <CustomJoint name='j'><parent_body>ground</parent_body><location_in_parent>0.1 0.2 0.3</location_in_parent>
    <orientation_in_parent>0.1 0.2 0.3</orientation_in_parent><location>0 0.5 -0.1</location>
    <orientation>0 0 1.2</orientation><CoordinateSet><objects><Coordinate name='a'><default_value>0.1</default_value>
    </Coordinate><Coordinate name='b'/><Coordinate name='t'/></objects></CoordinateSet>)" +
           spatial + "</CustomJoint></Joint></Body></objects></BodySet></Model></OpenSimDocument>");
  EXPECT_EQ(source.figure->name(), "old");
  expectSame(posed(source, "b"), spatialAt(0.1, 0, 0));
  expectSame(posed(source, "b", {{"a", 0.7}, {"b", -0.4}, {"t", 0.2}}), spatialAt(0.7, -0.4, 0.2));
  const Link& body = source.figure->link(source.figure->findLink("b"));
  EXPECT_EQ(body.mass, 2.0);
  EXPECT_EQ(body.centreOfMass, Eigen::Vector3d(0, 0.1, 0));
}

std::string kneeWith(const std::string& function, const std::string& more = "") {
  return model(
      kBody,
      joint("CustomJoint", "j", "b",
            coordinates({"q"}, "<range>-2 1</range><clamped>true</clamped>") + "<SpatialTransform>" +
                axis("rotation1", "q", "0 0 1") + axis("translation1", "q", "1 0 0", function) + "</SpatialTransform>"),
      more);
}

TEST(Osim, PolynomialsOfACoordinateAreExactCouplings) {
  const FigureSource source = read(kneeWith(
      "<PolynomialFunction name='function'><coefficients>0.1 0 -0.2 0.3 0.4</coefficients></PolynomialFunction>"));
  for (const double q : {-1.5, 0.0, 0.8})
    expectSame(posed(source, "b", {{"q", q}}),
               moved(0.1 * q * q * q * q - 0.2 * q * q + 0.3 * q + 0.4, 0, 0) * turned(q, kZ));
  EXPECT_FALSE(isNoted(source, {"polynomials"}));
}

TEST(Osim, SplinesBecomePolynomialsAndANoteSaysHowNear) {
  // A spline through points of a cubic, with the end conditions of SIMM, is that cubic.
  const FigureSource cubic =
      read(kneeWith("<MultiplierFunction name='function'><function><SimmSpline><x>-2 -1 0 1</x><y>-8 -1 0 "
                    "1</y></SimmSpline></function>"
                    "<scale>0.5</scale></MultiplierFunction>"));
  EXPECT_TRUE(isNoted(cubic, {"j/translation1 within", "mm"}));
  for (const double q : {-1.7, 0.3})
    expectSame(posed(cubic, "b", {{"q", q}}), moved(0.5 * q * q * q, 0, 0) * turned(q, kZ), 1e-9);
  const FigureSource corner = read(
      kneeWith("<PiecewiseLinearFunction name='function'><x>-2 0 1</x><y>0.02 0 0.01</y></PiecewiseLinearFunction>"));
  EXPECT_TRUE(isNoted(corner, {"j/translation1 within", "mm"}));
  EXPECT_NEAR(posed(corner, "b", {{"q", -1.5}}).translation.x(), 0.015, 0.002);
}

TEST(Osim, SplinesGoThroughTheirPointsWithTheGivenEnds) {
  const auto functionOf = [](const std::string& text) {
    const XmlFile file("<a>" + text + "</a>", "f");
    return *OsimFunction::find(file.root());
  };
  const std::string points = "<x>0 1 2.5 3 4</x><y>1 -1 2 2 0</y>";
  for (const std::string type : {"SimmSpline", "NaturalCubicSpline", "PiecewiseLinearFunction"}) {
    const OsimFunction f = functionOf("<" + type + ">" + points + "</" + type + ">");
    EXPECT_NEAR(f.at(0), 1, kExact);
    EXPECT_NEAR(f.at(2.5), 2, kExact);
    EXPECT_NEAR(f.at(4), 0, kExact);
    EXPECT_NEAR(f.at(5) - f.at(4.5), f.at(4.5) - f.at(4), 1e-9) << "straight beyond the last point";
    EXPECT_NEAR(f.at(-1) - f.at(-0.5), f.at(-0.5) - f.at(0), 1e-9) << "and before the first";
  }
  const OsimFunction natural = functionOf("<NaturalCubicSpline>" + points + "</NaturalCubicSpline>");
  constexpr double h = 1e-4;
  EXPECT_NEAR((natural.at(0) - 2 * natural.at(h) + natural.at(2 * h)) / (h * h), 0, 1e-2);
  const double jump = (natural.at(1 + h) - 2 * natural.at(1) + natural.at(1 - h)) / (h * h);
  EXPECT_NEAR(jump, (natural.at(1 + 2 * h) - 2 * natural.at(1 + h) + natural.at(1)) / (h * h), 1e-2);
}

TEST(Osim, ACoordinateWithoutAJointOfItsOwnGetsOne) {
  const FigureSource source = read(model(
      kBody, joint("CustomJoint", "j", "b",
                   coordinates({"q"}) + "<SpatialTransform>" +
                       axis("rotation1", "q", "0 0 1",
                            "<LinearFunction name='function'><coefficients>2 0.1</coefficients></LinearFunction>") +
                       "</SpatialTransform>")));
  expectSame(posed(source, "b", {{"q", 0.3}}), turned(0.7, kZ));
}

TEST(Osim, CouplersChainWithTheFunctionsOfACoordinate) {
  const std::string bodies = kBody + "<Body name='cap'/>";
  const std::string joints =
      joint("PinJoint", "knee", "b", coordinates({"q"}, "<range>-2 0</range><clamped>true</clamped>")) +
      joint("CustomJoint", "kneecap", "cap",
            coordinates({"beta"}) + "<SpatialTransform>" + axis("rotation1", "beta", "0 0 1") +
                axis("translation2", "beta", "0 1 0",
                     "<PolynomialFunction name='function'><coefficients>1 0 0</coefficients></PolynomialFunction>") +
                "</SpatialTransform>");
  const auto coupler = [](const std::string& state) {
    return "<ConstraintSet><objects><CoordinateCouplerConstraint name='c'>" + state +
           "<coupled_coordinates_function><LinearFunction><coefficients>-0.5 0.1</coefficients></LinearFunction>"
           "</coupled_coordinates_function><independent_coordinate_names>q</independent_coordinate_names>"
           "<dependent_coordinate_name>beta</dependent_coordinate_name></CoordinateCouplerConstraint>"
           "<WeldConstraint name='w'/></objects></ConstraintSet>";
  };
  const FigureSource source = read(model(bodies, joints, coupler("<isEnforced>true</isEnforced>")));
  const double beta = -0.5 * -1.2 + 0.1;
  expectSame(posed(source, "cap", {{"q", -1.2}}), moved(0, beta * beta, 0) * turned(beta, kZ));
  EXPECT_TRUE(isNoted(source, {"1 constraint of type WeldConstraint is left out"}));
  const FigureSource off = read(model(bodies, joints, coupler("<isDisabled>true</isDisabled>")));
  expectSame(posed(off, "cap", {{"q", -1.2}, {"beta", 0.3}}), moved(0, 0.09, 0) * turned(0.3, kZ));
}

TEST(Osim, RangesBindIfClampedAndLocksHold) {
  const FigureSource source =
      read(model("<Body name='b'/><Body name='c'/><Body name='d'/>",
                 joint("PinJoint", "j1", "b", coordinates({"one"}, "<range>-0.5 1</range><clamped>true</clamped>")) +
                     joint("PinJoint", "j2", "c",
                           coordinates({"two"}, "<range>-0.5 1</range><default_value>0.7</default_value>")) +
                     joint("PinJoint", "j3", "d",
                           coordinates({"three"}, "<locked>true</locked><default_value>2</default_value>"))));
  const auto jointOf = [&](const char* name) { return source.figure->joint(source.figure->findJoint(name)); };
  EXPECT_EQ(jointOf("one").limits, (Interval{-0.5, 1}));
  EXPECT_FALSE(jointOf("two").limits.isBounded());
  EXPECT_TRUE(jointOf("three").locked);
  expectSame(posed(source, "c"), turned(0.7, kZ));
  expectSame(posed(source, "d"), turned(2, kZ));
  EXPECT_EQ(source.figure->fileFrame().sceneFromFile, Eigen::Matrix3d::Identity());
}

TEST(Osim, MarkersAreSitesThatATrcFileNames) {
  const FigureSource source =
      read(model(kBody, joint("PinJoint", "j", "b", coordinates({"q"})),
                 "<MarkerSet><objects><Marker "
                 "name='RASI'><socket_parent_frame>/bodyset/b</socket_parent_frame><location>1 2 3</location>"
                 "</Marker><Marker name='R.Knee'><body>b</body><location>0 1 0</location></Marker><Marker name='lab'>"
                 "<socket_parent_frame>/ground</socket_parent_frame></Marker></objects></MarkerSet>"));
  ASSERT_GE(source.figure->findSite("RASI"), 0);
  EXPECT_EQ(source.figure->sites()[source.figure->findSite("RASI")].linkFromSite.translation, Eigen::Vector3d(1, 2, 3));
  EXPECT_TRUE(isNoted(source, {"1 marker on the ground"}));
  EXPECT_EQ(guessPointNames(documentOf(source), {"R.Knee", "RASI"}), (std::vector<std::string>{"R.Knee", "RASI"}));
}

TEST(Osim, FramesMayHangOnFramesAndBodiesMayBeFree) {
  const FigureSource source = read(
      model("<Body name='b'/><Body name='loose'/>",
            joint("PinJoint", "j", "b",
                  coordinates({"q"}) + R"(<frames><PhysicalOffsetFrame name='near'><socket_parent>../far</socket_parent>
              <translation>0 0 1</translation></PhysicalOffsetFrame></frames>)",
                  "near"),
            "<components><PhysicalOffsetFrame name='far'><socket_parent>/ground</socket_parent><translation>0 2 "
            "0</translation>"
            "<orientation>0 1.5707963267948966 0</orientation></PhysicalOffsetFrame></components>"));
  expectSame(posed(source, "b"), moved(1, 2, 0) * turned(std::acos(0.0), kY));
  EXPECT_EQ(source.figure->joint(source.figure->findLink("loose")).type, JointType::Free);
  EXPECT_TRUE(isNoted(source, {"\"loose\" has no joint"}));
}

TEST(Osim, WhatIsApproximatedIsNamed) {
  const FigureSource source =
      read(model(kBody + "<Body name='c'/>", joint("EllipsoidJoint", "scapula", "b") + joint("PinJoint", "one", "c") +
                                                 joint("PinJoint", "two", "c", "", "b")));
  EXPECT_TRUE(isNoted(source, {"\"scapula\"", "ellipsoid", "ball joint"}));
  EXPECT_TRUE(isNoted(source, {"\"two\" closes a loop"}));
}

TEST(Osim, ErrorsNameLineElementAndCause) {
  EXPECT_TRUE(says(faultOf(model(kBody, "\n" + joint("ScrewJoint", "j", "b"))),
                   {"m.osim", "line 2", "<ScrewJoint name=\"j\">", "not read"}));
  EXPECT_TRUE(
      says(faultOf(model(kBody, joint("PinJoint", "j", "b", "", "nowhere"))), {"no body or frame \"nowhere\""}));
  EXPECT_TRUE(says(faultOf(model(kBody, joint("PinJoint", "j", "ground"))), {"its child is the ground"}));
  EXPECT_TRUE(says(faultOf(model(kBody + "<Body name='c'/>",
                                 joint("PinJoint", "j", "b", "", "c") + joint("PinJoint", "k", "c", "", "b"))),
                   {"cycle"}));
  EXPECT_TRUE(says(faultOf(model(kBody + kBody, "")), {"two bodies"}));
  EXPECT_TRUE(says(faultOf(kneeWith("<Sine name='function'/>")), {"<Sine", "not known"}));
  EXPECT_TRUE(
      says(faultOf(kneeWith("<SimmSpline name='function'><x>0 0 1</x><y>1 2 3</y></SimmSpline>")), {"increase"}));
  EXPECT_TRUE(says(faultOf(kneeWith("<SimmSpline name='function'><x>0 1</x><y>1</y></SimmSpline>")), {"as many"}));
  EXPECT_TRUE(says(faultOf("<OpenSimDocument><Model><length_units>inches</length_units></Model></OpenSimDocument>"),
                   {"inches", "meters"}));
  EXPECT_TRUE(says(faultOf("<OpenSimDocument/>"), {"needs a <Model>"}));
}

}  // namespace
}  // namespace limber::io::osim_test
