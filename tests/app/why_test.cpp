// SPDX-License-Identifier: MIT
#include "app/editing/why.h"

#include <gtest/gtest.h>

#include <numbers>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "support/built_figure.h"

namespace limber::app::why_test {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A hinge, a slide, a ball, and a linear limit over the hinge and another one.
Document limitedArm() {
  FigureBuilder builder("arm");
  const JointType types[] = {JointType::Revolute, JointType::Prismatic, JointType::Ball, JointType::Revolute};
  const char* names[] = {"elevation", "slide", "wrist", "abduction"};
  for (int i = 0; i < 4; ++i) {
    Link link{.name = names[i], .parent = i - 1};
    link.capsules = {{{0, 0, 0}, {1, 0, 0}, 0.1}};
    Joint joint{.name = names[i], .type = types[i]};
    if (types[i] != JointType::Ball) joint.limits = {-1.0, 0.5};
    else joint.ballLimits.swing = 60 * kDegree;
    builder.addLink(link, joint);
  }
  builder.addLinearLimit({.name = "polygon", .terms = {{0, 1.0}, {3, -0.5}}, .bounds = {-1.0, 90 * kDegree}});
  auto figure = test::built(builder);
  return makeDocument(figure);
}

TEST(Why, TellsWhatIsProvedFromWhatIsLocal) {
  const Document document = makeDocument(makePlanarChain(2));
  PosingReport report;
  report.goals = {{.id = document.goals[0].id, .error = 0.5, .outOfReach = true}};
  report.outcome = Outcome::OutOfReach;
  const std::string proved = outcomeInWords(document, report);
  EXPECT_TRUE(contains(proved, "proved")) << proved;
  EXPECT_TRUE(contains(proved, document.goals[0].name)) << proved;
  for (const Outcome outcome : {Outcome::AtLimits, Outcome::NearestFound}) {
    report.outcome = outcome;
    const std::string local = outcomeInWords(document, report);
    EXPECT_TRUE(contains(local, "elsewhere")) << local;
    EXPECT_FALSE(contains(local, "proved")) << local;
  }
  for (int i = 0; i <= static_cast<int>(Outcome::BadInput); ++i) {
    report.outcome = static_cast<Outcome>(i);
    EXPECT_FALSE(outcomeInWords(document, report).empty()) << i;
  }
}

TEST(Why, NamesEveryKindOfLimit) {
  const Document document = limitedArm();
  EXPECT_EQ(limitInWords(document, {LimitKind::Lower, 0, 1.0}), "lower limit -57.3°");
  EXPECT_EQ(limitInWords(document, {LimitKind::Upper, 1, 1.0}), "upper limit 500.0 mm");
  EXPECT_EQ(limitInWords(document, {LimitKind::Swing, 2, 1.0}), "swing cone 60.0°");
  const ActiveLimit polygon{LimitKind::LinearUpper, 0, 1.0};
  EXPECT_EQ(limitInWords(document, polygon), "elevation - 0.5 abduction <= 90.0°");
  EXPECT_EQ(ownerOf(document, polygon), "polygon");
  EXPECT_EQ(ownerOf(document, {LimitKind::Swing, 2, 1.0}), "wrist");
}

TEST(Why, CountsTheGainForADegreeOrAMillimetre) {
  const Document document = limitedArm();
  EXPECT_NEAR(gainOf(*document.figure, {LimitKind::Upper, 0, 2.0}), 2.0 * kDegree, 1e-15);
  EXPECT_NEAR(gainOf(*document.figure, {LimitKind::Upper, 1, 2.0}), 2e-3, 1e-15);
  EXPECT_NEAR(gainOf(*document.figure, {LimitKind::Equality, 0, -2.0}), 2.0 * kDegree, 1e-15);
}

TEST(Why, BlocksTheJointsOfEveryLimitOnce) {
  const Document document = limitedArm();
  PosingReport report;
  report.limitedJoints = {3};
  report.activeLimits = {{LimitKind::LinearUpper, 0, 1.0}, {LimitKind::Swing, 2, 0.5}, {LimitKind::Upper, 1, 0.0}};
  EXPECT_EQ(blockedJoints(*document.figure, report), (std::vector<int>{0, 2, 3}));
}

TEST(Why, NamesGoalsPinsAndTheDrag) {
  const Document document = makeDocument(makePlanarChain(2));
  EXPECT_EQ(nameOf(document, {.id = document.goals[0].id}), document.goals[0].name);
  EXPECT_EQ(nameOf(document, {.pinnedLink = 1}), "pin on " + document.figure->link(1).name);
  EXPECT_EQ(nameOf(document, {}), "the drag");
}

}  // namespace
}  // namespace limber::app::why_test
