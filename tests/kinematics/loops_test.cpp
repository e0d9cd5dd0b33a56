// SPDX-License-Identifier: MIT
#include "limber/kinematics/loops.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/figure_edit.h"
#include "support/built_figure.h"
#include "support/loop_figures.h"

namespace limber::loops_test {
namespace {

using V = Eigen::Vector3d;
using Kind = LoopClosure::Kind;

LoopEquations allOf(const Figure& figure) {
  std::vector<int> loops;
  for (int i = 0; i < std::ssize(figure.loops()); ++i) loops.push_back(i);
  return LoopEquations(figure, loops);
}

/// Two bars of 1 m that the given closure joins at their ends; the right one's place is 2.5 m away, its axis turned.
std::shared_ptr<const Figure> makeBars(Kind kind) {
  FigureBuilder builder("bars");
  const int left = builder.addLink({.name = "left"}, {.type = JointType::Ball});
  const int right = builder.addLink({.name = "right"}, {.type = JointType::Free});
  builder.addLoop({"meet",
                   kind,
                   left,
                   Transform::fromTranslation({1, 0, 0}),
                   right,
                   {Eigen::AngleAxisd(0.3, V::UnitX()).toRotationMatrix(), {2.5, 0, 0}}});
  return test::built(builder);
}

TEST(Loops, ResidualsAndGapsAreThoseWorkedOutByHand) {
  for (const Kind kind : {Kind::Ball, Kind::Hinge, Kind::Weld}) {
    const auto figure = makeBars(kind);
    const Kinematics kinematics = transformsOf(*figure, restPose(*figure));
    const LoopGap gap = gapOf(figure->loops()[0], kinematics);
    EXPECT_NEAR(gap.length, 1.5, 1e-15);
    EXPECT_NEAR(gap.angle, kind == Kind::Ball ? 0.0 : 0.3, 1e-15);
    Eigen::VectorXd residual;
    allOf(*figure).computeResidual(kinematics, residual);
    ASSERT_EQ(residual.size(), equationCount(kind));
    EXPECT_NEAR(residual[0], -1.5 / figure->meanLinkLength(), 1e-15);
    // Of a hinge the z axes differ, of a weld also the y axes, by a chord of 2 sin(0.15).
    if (kind == Kind::Hinge) {
      EXPECT_NEAR(residual.tail<3>().norm(), 2.0 * std::sin(0.15), 1e-15);
    }
    if (kind == Kind::Weld) {
      EXPECT_NEAR(residual.tail<6>().norm(), 2.0 * std::sin(0.15), 1e-15);
    }
  }
}

TEST(Loops, JacobianMatchesCentralDifferences) {
  constexpr double kStep = 1e-6;
  std::vector<std::shared_ptr<const Figure>> figures = {makeBars(Kind::Ball), makeBars(Kind::Hinge),
                                                        makeBars(Kind::Weld)};
  for (const test::LoopFigure& looped : test::loopFigures()) figures.push_back(looped.figure);
  for (const auto& figure : figures) {
    const LoopEquations equations = allOf(*figure);
    Eigen::VectorXd step(figure->stepSize());
    for (Eigen::Index c = 0; c < step.size(); ++c) step[c] = 0.3 * std::sin(1.0 + 2.0 * static_cast<double>(c));
    Pose pose = restPose(*figure);
    integrate(*figure, pose, step, pose);
    Kinematics kinematics;
    computeKinematics(*figure, pose, kinematics);
    Eigen::MatrixXd jacobian;
    equations.computeJacobian(kinematics, jacobian);
    Eigen::VectorXd here;
    equations.computeResidual(kinematics, here);
    for (int c = 0; c < figure->stepSize(); ++c) {
      Eigen::VectorXd ahead, behind;
      Pose moved;
      integrate(*figure, pose, kStep * Eigen::VectorXd::Unit(figure->stepSize(), c), moved);
      equations.computeResidual(transformsOf(*figure, moved), ahead);
      integrate(*figure, pose, -kStep * Eigen::VectorXd::Unit(figure->stepSize(), c), moved);
      equations.computeResidual(transformsOf(*figure, moved), behind);
      const Eigen::VectorXd slope = (ahead - behind) / (2.0 * kStep);
      for (int loop = 0, row = 0; loop < std::ssize(figure->loops()); ++loop) {
        const int rows = equationCount(figure->loops()[loop].kind);
        std::vector<char> mark(figure->stepSize(), 0);
        mark[c] = 1;
        const auto own = jacobian.col(c).segment(row, rows);
        const std::string where = figure->name() + ", coordinate " + std::to_string(c);
        if (isMovedBy(*figure, figure->loops()[loop], mark)) {
          EXPECT_LT((slope.segment(row, rows) - own).cwiseAbs().maxCoeff(), 1e-7) << where;
        } else {  // both sides turn alike
          EXPECT_TRUE(own.isZero(0.0)) << where;
          EXPECT_NEAR(slope.segment(row, rows).dot(here.segment(row, rows)), 0.0, 1e-7) << where;
        }
        row += rows;
      }
    }
  }
}

TEST(Loops, LinksAroundAreThoseBelowTheCommonAncestor) {
  const auto figure = test::makeParallelGripper();
  const LoopClosure& loop = figure->loops()[0];
  const std::vector<int> expected = {figure->findLink("left_inner"), figure->findLink("left_outer"),
                                     figure->findLink("left_tip")};
  EXPECT_EQ(linksAround(*figure, loop), expected);
  std::vector<char> marks(figure->stepSize(), 0);
  marks[figure->joint(figure->findJoint("hand")).stepIndex] = 1;
  EXPECT_FALSE(isMovedBy(*figure, loop, marks));
  marks[figure->joint(figure->findJoint("left_tip")).stepIndex] = 1;
  EXPECT_TRUE(isMovedBy(*figure, loop, marks));
}

TEST(Loops, TheBuilderNamesTheFault) {
  const auto faultOf = [](const LoopClosure& loop, bool twice = false) {
    FigureBuilder builder("faulty");
    builder.addLink({.name = "a"}, {});
    builder.addLink({.name = "b"}, {});
    builder.addLoop(loop);
    if (twice) builder.addLoop(loop);
    std::string error;
    EXPECT_EQ(builder.build(error), nullptr);
    return error;
  };
  EXPECT_EQ(faultOf({"", Kind::Ball, 0, {}, 1, {}}), "a loop has no name");
  EXPECT_EQ(faultOf({"x", Kind::Ball, 1, {}, 1, {}}), "loop \"x\": it joins a link to itself");
  EXPECT_EQ(faultOf({"x", Kind::Ball, 1, {}, 2, {}}), "loop \"x\": it names a link that does not exist");
  EXPECT_EQ(faultOf({"x", Kind::Ball, 0, {}, 1, {}}, true), "loop \"x\": another one has its name");
  EXPECT_EQ(faultOf({"x", Kind::Ball, 0, {2.0 * Eigen::Matrix3d::Identity(), V::Zero()}, 1, {}}),
            "loop \"x\": a frame is not finite or not a rotation");
}

TEST(Loops, EditsOfTheFigureKeepThem) {
  const auto figure = test::makeFourBar();
  const int coupler = figure->findLink("coupler");
  const FigureEdit longer = scaleLink(*figure, coupler, 2.0);
  ASSERT_TRUE(longer.figure) << longer.fault;
  EXPECT_NEAR(longer.figure->loops()[0].linkFromLoop.translation.x(), 1.8, 1e-15);
  const FigureEdit based = addFreeBase(*figure, 0, "base");
  ASSERT_TRUE(based.figure) << based.fault;
  EXPECT_EQ(based.figure->link(based.figure->loops()[0].link).name, "coupler");
  EXPECT_EQ(based.figure->link(based.figure->loops()[0].other).name, "rocker");
  const FigureEdit without = removeLink(*figure, figure->findLink("rocker"));
  ASSERT_TRUE(without.figure) << without.fault;
  EXPECT_TRUE(without.figure->loops().empty());
  EXPECT_EQ(without.notes.back(), "the loop \"closure\" goes");
}

TEST(Loops, ALoopToTheWorldMovesWithTheOriginOfTheFile) {
  FigureBuilder builder("anchored");
  const int bar = builder.addLink({.name = "bar"}, {.type = JointType::Revolute});
  builder.addLoop({"anchor", Kind::Ball, bar, {}, -1, {}});
  const auto figure = test::built(builder);
  const FigureEdit edit = setFileOrigin(*figure, {1, 2, 3});
  ASSERT_TRUE(edit.figure) << edit.fault;
  EXPECT_TRUE(largestGap(*edit.figure, restPose(*edit.figure)).isClosed());
}

}  // namespace
}  // namespace limber::loops_test
