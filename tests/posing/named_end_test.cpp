// SPDX-License-Identifier: MIT
// Places and Jacobians by name: in the axes of the file, against central differences on figures that are difficult for
// derivatives, with couplings, ball joints and slides.
#include "limber/posing/named_end.h"

#include <gtest/gtest.h>

#include <numbers>

#include "limber/kinematics/figure_parts.h"
#include "limber/kinematics/standard_figures.h"
#include "support/awkward_figure.h"

namespace limber::named_end_test {
namespace {

using V = Eigen::Vector3d;

/// The figure as if its file had z up, centimetres and another origin.
std::shared_ptr<const Figure> inCentimetres(const Figure& figure) {
  FigureParts parts = takeApart(figure);
  parts.fileFrame.metresPerUnit = 0.01;
  parts.fileFrame.sceneFromFile =
      Eigen::AngleAxisd(-0.5 * std::numbers::pi, V::UnitX()).toRotationMatrix();  // z of the file is up
  parts.fileFrame.origin = V(1.0, 2.0, 3.0);
  const FigureEdit edit = putTogether(parts, {});
  EXPECT_EQ(edit.fault, "");
  return edit.figure;
}

/// The pose after a step, with all followers where their drivers have them.
Pose moved(const Figure& figure, const Pose& pose, const Eigen::VectorXd& step) {
  Pose out;
  integrate(figure, pose, step, out);
  Couplings(figure, std::vector<char>(figure.couplings().size(), 1)).apply(out);
  return out;
}

/// Central differences of the place of a point: (linear; angular) in the axes that are asked for.
Jacobian differences(const Figure& figure, const Pose& pose, const char* end, const JacobianOf& of) {
  constexpr double kStep = 1e-5;
  const Couplings couplings(figure, std::vector<char>(figure.couplings().size(), 1));
  const Eigen::Matrix3d worldFromEnd = placeOf(figure, pose, end, of.axes).rotation;
  Jacobian out = Jacobian::Zero(6, figure.stepSize());
  for (int c = 0; c < figure.stepSize(); ++c) {
    if (couplings.isFollower(c)) continue;
    const Eigen::VectorXd step = kStep * Eigen::VectorXd::Unit(figure.stepSize(), c);
    const Transform after = placeOf(figure, moved(figure, pose, step), end, of.axes);
    const Transform before = placeOf(figure, moved(figure, pose, -step), end, of.axes);
    const Eigen::AngleAxisd turn(after.rotation * before.rotation.transpose());
    out.col(c).head<3>() = (after * of.point - before * of.point) / (2.0 * kStep);
    out.col(c).tail<3>() = turn.angle() * turn.axis() / (2.0 * kStep);
    if (!of.inEndAxes) continue;
    out.col(c).head<3>() = worldFromEnd.transpose() * out.col(c).head<3>();
    out.col(c).tail<3>() = worldFromEnd.transpose() * out.col(c).tail<3>();
  }
  return out;
}

TEST(NamedEnd, JacobiansAgreeWithCentralDifferences) {
  std::mt19937 random(7);
  for (const auto& bare : {test::makeAwkwardFigure(), test::makeCoupledFigure(), test::makeBallLedFigure()})
    for (const auto& figure : {bare, inCentimetres(*bare)})
      for (int trial = 0; trial < 3; ++trial) {
        const Pose pose = test::randomPose(*figure, random);
        for (const char* end : {"palm", "sole", "chest"})
          for (const bool inEndAxes : {false, true})
            for (const Axes axes : {Axes::File, Axes::Scene}) {
              const JacobianOf of{.point = V(0.3, -0.2, 0.1), .inEndAxes = inEndAxes, .axes = axes};
              const Jacobian exact = jacobianOf(*figure, pose, end, of), near = differences(*figure, pose, end, of);
              EXPECT_LT((exact - near).cwiseAbs().maxCoeff(), 1e-6 * (1.0 + near.cwiseAbs().maxCoeff()))
                  << figure->name() << " " << end << (inEndAxes ? " in its axes" : "");
            }
      }
}

TEST(NamedEnd, APlanarChainHasTheJacobianOfItsPicture) {
  const auto chain = makePlanarChain(2);  // links of length 1, turned a quarter at the second joint
  const Pose pose{Eigen::Vector2d(0.0, 0.5 * std::numbers::pi)};
  const Jacobian jacobian = jacobianOf(*chain, pose, "tip");
  Jacobian expected(6, 2);
  expected << -1, -1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1;
  EXPECT_LT((jacobian - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(NamedEnd, PlacesAreThoseOfTheFile) {
  const auto figure = inCentimetres(*test::makeAwkwardFigure());
  const Pose pose = restPose(*figure);
  const Transform inFile = placeOf(*figure, pose, "palm"), inScene = placeOf(*figure, pose, "palm", Axes::Scene);
  const V p = 100.0 * (inScene.translation - V(1.0, 2.0, 3.0));
  EXPECT_LT((inFile.translation - V(p.x(), -p.z(), p.y())).norm(), 1e-9) << "z is up, and the unit a centimetre";
  EXPECT_LT((inFile.rotation.row(2) - inScene.rotation.row(1)).norm(), 1e-12);
  const auto many = placesOf(*figure, std::vector<Pose>(2, pose), {"palm", "sole"});
  ASSERT_EQ(many.size(), 4u);
  EXPECT_TRUE(many[2] == inFile);
}

TEST(NamedEnd, NamesWhatTheFigureLacks) {
  const auto chain = makePlanarChain(2);
  EXPECT_THROW(placeOf(*chain, restPose(*chain), "hand"), std::invalid_argument);
  EXPECT_THROW(placeOf(*chain, {Eigen::Vector3d::Zero()}, "tip"), std::invalid_argument);
  try {
    jointNamed(*chain, "nope");
    FAIL();
  } catch (const std::invalid_argument& fault) {
    EXPECT_NE(std::string(fault.what()).find("has no joint \"nope\"; its joints are"), std::string::npos)
        << fault.what();
  }
}

}  // namespace
}  // namespace limber::named_end_test
