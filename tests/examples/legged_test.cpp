// SPDX-License-Identifier: MIT
// Robots on legs, from files without a free base, dragged in Natural and in Even.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "limber/body/body_map.h"
#include "limber/scene/base.h"
#include "locations.h"
#include "puller.h"
#include "support/robot_texts.h"
#include "support/temporary_folder.h"

namespace limber::legged_test {
namespace {

using test::Puller;
using V = Eigen::Vector3d;

constexpr double kHeld = 1e-5;  // metres: 0.01 mm

class Legged : public test::TemporaryFolder {
 protected:
  Document open(const std::string& text) {
    return test::openFigure(write(text.find("<mujoco") != std::string::npos ? "robot.xml" : "robot.urdf", text));
  }
  static Document openShared(const std::string& file) {
    return test::openFigure((std::filesystem::path(LIMBER_SHARED_DATA_DIR) / file).string());
  }
  static bool hasShared() { return std::filesystem::exists(std::filesystem::path(LIMBER_SHARED_DATA_DIR) / "urdf"); }
};

/// How far the feet on which the robot stands have moved, except one.
double feetWay(const Puller& puller, const std::string& except = "") {
  double most = 0.0;
  for (const Foothold& foot : bodyMapOf(*puller.document.figure).feetAtRest()) {
    if (puller.document.figure->link(foot.link).name == except) continue;
    const auto i = static_cast<std::size_t>(foot.link);
    const auto way = [&](const V& point) {
      return (puller.now.worldFromLink[i] * point - puller.before.worldFromLink[i] * point).norm();
    };
    most = std::max(most, way(foot.point));
    if (foot.isSole)  // it does not turn either
      for (const V& point : {V(0.1, 0, 0), V(0, 0.1, 0)}) most = std::max(most, way(point));
  }
  return most;
}

const char* nameOfBase(const Document& document) {
  return document.figure->link(baseLinkOf(*document.figure)).name.c_str();
}

/// As the window has it where a trunk is dragged.
void keepOrientation(Puller& puller, const std::string& link) {
  const auto i = static_cast<std::size_t>(puller.document.figure->findLink(link));
  puller.request.holds.push_back(holdRotation(static_cast<int>(i), puller.before.worldFromLink[i].rotation));
}

TEST_F(Legged, APawThatIsPulledMovesItsLegFirst) {
  for (const std::string& text : {test::quadrupedText(), test::hexapodText()}) {
    Puller puller(open(text), "front_left_toe");
    puller.to(puller.start() + V(0.05, 0.08, 0.05));
    EXPECT_EQ(puller.report.outcome, Outcome::Reached) << puller.report.sentence;
    EXPECT_LT(puller.miss(), 1e-4);
    EXPECT_LT(puller.turn("body"), 1.0);
    EXPECT_LT(puller.way("body"), 2e-3);
    EXPECT_LT(feetWay(puller, "front_left_toe"), kHeld);
    EXPECT_EQ(puller.report.heldFeet.size() + 1, bodyMapOf(*puller.document.figure).feetAtRest().size());
  }
}

TEST_F(Legged, TheBodyFollowsAPawThatIsPulledBeyondItsReach) {
  Puller puller(open(test::quadrupedText()), "front_left_toe");
  puller.to(puller.start() + V(0.45, 0.1, 0));
  EXPECT_TRUE(puller.report.bodyMoved);
  EXPECT_GT(puller.way("body"), 0.02);
  EXPECT_LT(puller.turn("body"), 45.0);
  EXPECT_LT(feetWay(puller, "front_left_toe"), kHeld);
}

TEST_F(Legged, TheBodyComesDownByFiveCentimetresOverItsFeet) {
  for (const std::string& text : {test::quadrupedText(), test::hexapodText(), test::bipedText(),
                                  test::quadrupedModel(false), test::quadrupedModel(true)}) {
    SCOPED_TRACE(text.substr(0, 40));
    const Document document = open(text);
    Puller puller(document, nameOfBase(document));
    keepOrientation(puller, nameOfBase(document));
    puller.to(puller.start() - V(0, 0.05, 0));
    EXPECT_EQ(puller.report.outcome, Outcome::Reached) << puller.report.sentence;
    EXPECT_LT(puller.miss(), 1e-4);
    EXPECT_LT(feetWay(puller), kHeld);
    EXPECT_LT(puller.turn(nameOfBase(document)), 0.01);
  }
}

TEST_F(Legged, WithFeetLetGoThePawsGoAlong) {
  Puller puller(open(test::quadrupedText()), "body");
  puller.request.freeRoot = true;
  puller.request.letsFeetGo = true;
  puller.to(puller.start() + V(0.1, 0.2, 0));
  EXPECT_LT(puller.miss(), 1e-3);
  EXPECT_TRUE(puller.report.heldFeet.empty());
  EXPECT_NEAR(puller.way("front_left_toe"), V(0.1, 0.2, 0).norm(), 1e-2);
}

// In Even the base stays: a locked free base has no effect.
TEST_F(Legged, EvenIsAsItWasWithAFixedBase) {
  const std::string text = test::quadrupedText();
  const auto file = write("robot.urdf", text);
  const auto fixed = io::openAny(file.string(), {.base = BaseChoice::Fixed});
  ASSERT_TRUE(fixed) << fixed.error().message();
  Puller free(open(text), "front_left_toe", PosingChoice::Even),
      before(fixed->document, "front_left_toe", PosingChoice::Even);
  for (Puller* puller : {&free, &before}) puller->to(puller->start() + V(0.05, 0.08, 0.05));
  const Eigen::VectorXd joints = free.document.pose.coordinates.tail(before.document.pose.coordinates.size());
  EXPECT_LT((joints - before.document.pose.coordinates).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_TRUE(free.report.heldFeet.empty());
}

// A free joint below the world, as MuJoCo has it where something stands in the world, is freed like a root.
TEST_F(Legged, AFreeJointBelowTheWorldIsFoundAndFreed) {
  for (const std::string& text :
       {test::quadrupedModel(true, "<geom type=\"box\" size=\"0.1 0.1 0.1\" pos=\"2 0 0.1\"/>"),
        test::worldQuadrupedText("floating")}) {
    const Document document = open(text);
    const Figure& figure = *document.figure;
    const int body = figure.findLink("body");
    ASSERT_EQ(figure.link(0).name, "world");
    ASSERT_TRUE(figure.isFreeRoot(body));
    EXPECT_EQ(freeLinkFor(document, figure.linkCount() - 1), body);
    Puller puller(document, "body");
    const V start = puller.start();
    puller.to(start + V(0, -0.05, 0));
    EXPECT_LT(puller.miss(), 1e-4) << puller.report.sentence;
    EXPECT_EQ(puller.report.heldFeet.size(), 4u);
    EXPECT_LT(feetWay(puller), kHeld);
  }
}

TEST_F(Legged, AWorldThatIsFixedByTheFileStaysSoUnlessItIsFreed) {
  const auto file = write("robot.urdf", test::worldQuadrupedText());
  for (const bool isFree : {false, true}) {
    const auto opened = io::openAny(file.string(), {.base = isFree ? BaseChoice::Free : BaseChoice::Fixed});
    ASSERT_TRUE(opened) << opened.error().message();
    Puller puller(opened->document, "body");
    puller.to(puller.start() - V(0, 0.05, 0));
    if (isFree) {
      EXPECT_LT(puller.miss(), 1e-4) << puller.report.sentence;
    } else {
      EXPECT_NEAR(puller.miss(), 0.05, 1e-9) << "nothing moves its base";
    }
    EXPECT_LT(feetWay(puller), kHeld);
  }
}

TEST_F(Legged, OfTheSampleDataMoveLegsFirstAndStandOnTheirFeet) {
  if (!hasShared()) GTEST_SKIP() << "no sample data in " << LIMBER_SHARED_DATA_DIR;
  struct Robot {
    const char *file, *foot, *body;
    V lift;
    double turn;  ///< of the body while a foot is lifted, degrees: straight legs bend sideways at first
  };
  for (const Robot& robot :
       {Robot{"urdf/pupper/pupper_v2a.urdf", "leftFrontToe", "pupper_v2_dji_chassis", V(0.01, 0.03, 0.01), 2.0},
        Robot{"urdf/g1/g1_29dof_rev_1_0.urdf", "left_ankle_roll_link", "pelvis", V(0.05, 0.1, 0.0), 30.0}}) {
    SCOPED_TRACE(robot.file);
    Puller foot(openShared(robot.file), robot.foot);
    foot.to(foot.start() + robot.lift);
    EXPECT_LT(foot.miss(), 1e-4) << foot.report.sentence;
    EXPECT_LT(feetWay(foot, robot.foot), kHeld);
    EXPECT_LT(foot.turn(robot.body), robot.turn);
    Puller body(openShared(robot.file), robot.body);
    const double down = std::string(robot.body) == "pelvis" ? 0.05 : 0.02;  // the Pupper is 0.2 m tall
    keepOrientation(body, robot.body);
    body.to(body.start() - V(0, down, 0));
    EXPECT_LT(body.miss(), 1e-4) << body.report.sentence;
    EXPECT_LT(feetWay(body), kHeld);
    EXPECT_LT(body.turn(robot.body), 0.01);
  }
}

TEST_F(Legged, AnArmThatIsFreedMovesAsAWholeOnceItIsUnlocked) {
  const auto file = write("arm.urdf", test::hoveringArmText());
  const auto opened = io::openAny(file.string(), {.base = BaseChoice::Free});
  ASSERT_TRUE(opened) << opened.error().message();
  Document document = opened->document;
  document.joints[0].locked = false;
  Puller puller(document, "mount");
  puller.to(puller.start() + V(0.1, 0.2, 0));
  EXPECT_LT(puller.miss(), 1e-3) << puller.report.sentence;
}

}  // namespace
}  // namespace limber::legged_test
