// SPDX-License-Identifier: MIT
// A figure dragged against obstacles and against itself: it stops, slides, and never penetrates. Penetration is
// measured here by samples and formulas of boxes, independently of the posing's own code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "clearances.h"
#include "example_scenes.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/posing/contacts.h"
#include "support/repetitions.h"

namespace limber::obstacles_test {
namespace {

using V = Eigen::Vector3d;

constexpr double kMostInside = 1e-3;  // metres
constexpr double kMouse = 0.01;       // metres an event

Obstacle makeBox(const std::string& name, const V& middle, const V& size) {
  Obstacle box;
  box.name = name;
  box.worldFromObstacle.translation = middle;
  box.size = size;
  return box;
}

Obstacle makeFloor(double height) {
  Obstacle floor;
  floor.name = "floor";
  floor.shape = Obstacle::Shape::Plane;
  floor.worldFromObstacle.translation.y() = height;
  return floor;
}

V placeOf(const Document& document, int link, const V& pointInLink) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  return kinematics.worldFromLink[static_cast<std::size_t>(link)] * pointInLink;
}

Document openHumanoid() {
  const auto opened = io::openAny("humanoid");
  EXPECT_TRUE(opened) << opened.error().message();
  return opened ? opened->document : Document{};
}

/// A mouse that pulls at a link.
class Mouse {
 public:
  Mouse(Document& document, int link, const V& pointInLink) : document_(document) {
    request_.startPose = document.pose;
    request_.drag = DragGoal{link, pointInLink, placeOf(document, link, pointInLink), 1.0};
  }
  PosingRequest& request() { return request_; }
  const PosingReport& report() const { return report_; }
  V place() const { return placeOf(document_, request_.drag->link, request_.drag->pointInLink); }

  /// One event.
  void jumpTo(const V& target) {
    request_.drag->target = target;
    report_ = solveToEnd(posing_, document_, request_);
    request_.followsLast = true;
    EXPECT_TRUE(document_.pose.coordinates.allFinite());
    EXPECT_LT(test::feasibleSetOf(document_).violation(document_.pose), 1e-9);
  }
  /// Events of 10 mm, after each of which nothing is inside.
  void moveTo(const V& target) {
    const V from = request_.drag->target;
    const int events = std::max(1, static_cast<int>(std::ceil((target - from).norm() / kMouse)));
    for (int i = 1; i <= events; ++i) {
      jumpTo(from + double(i) / events * (target - from));
      EXPECT_GT(test::leastClearance(document_), -kMostInside) << report_.sentence;
    }
  }

 private:
  Document& document_;
  Posing posing_;
  PosingRequest request_;
  PosingReport report_;
};

TEST(Obstacles, AHandStopsAtATableSlidesOverItsEdgeAndReachesUnderIt) {
  Document document = openHumanoid();
  const int hand = document.figure->findLink("left_hand");
  addObstacle(document, makeBox("table", {0.25, 1.0, 0.45}, {0.7, 0.04, 0.5}));
  ASSERT_GT(test::leastClearance(document), 0.0) << "starts clear";
  Mouse mouse(document, hand, V::Zero());
  mouse.moveTo({0.3, 1.2, 0.4});
  EXPECT_EQ(mouse.report().outcome, Outcome::Reached) << mouse.report().sentence;
  mouse.moveTo({0.3, 0.85, 0.4});
  EXPECT_GT(mouse.place().y(), 1.02) << "on the table";
  EXPECT_NEAR(test::leastClearance(document, {hand}), 0.0, kMostInside);
  EXPECT_NE(mouse.report().sentence.find("obstacle \"table\" stops left_hand"), std::string::npos)
      << mouse.report().sentence;
  mouse.moveTo({0.55, 0.85, 0.4});
  EXPECT_GT(mouse.place().y(), 1.02);
  EXPECT_NEAR(mouse.place().x(), 0.55, 1e-3) << "slid along with the mouse";
  mouse.moveTo({0.75, 0.85, 0.4});
  EXPECT_LT((mouse.place() - V(0.75, 0.85, 0.4)).norm(), 2e-3) << "over the edge and down beside it";
  mouse.moveTo({0.75, 0.75, 0.2});
  mouse.moveTo({0.3, 0.8, 0.4});
  EXPECT_LT(mouse.place().y(), 0.98) << "under it";
}

TEST(Obstacles, ATargetInsideIsSaidToBe) {
  Document document = openHumanoid();
  const int hand = document.figure->findLink("left_hand");
  addObstacle(document, makeBox("box", {0.3, 1.0, 0.4}, {0.2, 0.2, 0.2}));
  Mouse mouse(document, hand, V::Zero());
  mouse.moveTo({0.3, 1.0, 0.4});
  EXPECT_NE(mouse.report().sentence.find("the target is inside obstacle \"box\""), std::string::npos)
      << mouse.report().sentence;
  ASSERT_FALSE(mouse.report().contacts.empty());
  EXPECT_TRUE(mouse.report().contacts.front().stops);
}

TEST(Obstacles, AFastMouseDoesNotTunnelThroughAThinWall) {
  Document document = openHumanoid();
  const int hand = document.figure->findLink("left_hand");
  addObstacle(document, makeBox("wall", {0.3, 1.0, 0.2}, {3.0, 3.0, 0.002}));
  Mouse mouse(document, hand, V::Zero());
  mouse.jumpTo({0.3, 1.1, 0.5});
  EXPECT_LT(mouse.place().z(), 0.2) << mouse.report().sentence;
  EXPECT_GT(test::leastClearance(document), -kMostInside);
  EXPECT_NE(mouse.report().sentence.find("stops"), std::string::npos) << mouse.report().sentence;
  mouse.jumpTo({0.3, 0.9, 0.0});
  EXPECT_EQ(mouse.report().outcome, Outcome::Reached) << "and comes away from it";
}

TEST(Obstacles, AnObstacleMovedOntoTheFigurePushesItOut) {
  Document document = openHumanoid();
  const int hand = document.figure->findLink("left_hand");
  const V start = placeOf(document, hand, V::Zero());
  addObstacle(document, makeBox("box", start + V(0.06, 0.0, 0.0), V::Constant(0.16)));
  ASSERT_LT(test::leastClearance(document), -0.02);
  ASSERT_FALSE(findContacts(document).empty());
  EXPECT_LT(findContacts(document).front().clearance, -0.02);
  Mouse mouse(document, hand, V::Zero());
  mouse.jumpTo(start);
  EXPECT_GT(test::leastClearance(document), -kMostInside) << mouse.report().sentence;
}

TEST(Obstacles, WhoBeginsALittleInsideNeitherJumpsNorGoesDeeper) {
  Document document = openHumanoid();
  const int hand = document.figure->findLink("left_hand");
  const V start = placeOf(document, hand, V::Zero());
  double lowest = 10.0;
  Document probe = document;
  addObstacle(probe, makeFloor(0.0));
  const std::vector<int> feet = {document.figure->findLink("left_foot"), document.figure->findLink("right_foot")};
  lowest = test::leastClearance(probe, feet);
  addObstacle(document, makeFloor(lowest + 0.004));  // four millimetres over the soles
  Mouse mouse(document, hand, V::Zero());
  const V foot = placeOf(document, document.figure->findLink("left_foot"), V::Zero());
  mouse.jumpTo(start + V(0.0, 0.01, 0.0));
  EXPECT_EQ(mouse.report().outcome, Outcome::Reached) << mouse.report().sentence;
  EXPECT_LT((placeOf(document, document.figure->findLink("left_foot"), V::Zero()) - foot).norm(), 1e-3);
  EXPECT_GT(test::leastClearance(document), -0.004 - kMostInside);
}

TEST(Obstacles, OnesWithoutVolumeAreSaidAndLeftOut) {
  Document document = openHumanoid();
  addObstacle(document, makeBox("sheet", {0.3, 0.9, 0.1}, {1.0, 0.0, 1.0}));
  Mouse mouse(document, document.figure->findLink("left_hand"), V::Zero());
  mouse.jumpTo({0.3, 1.0, 0.1});
  EXPECT_EQ(mouse.report().outcome, Outcome::Reached);
  EXPECT_NE(mouse.report().sentence.find("obstacle \"sheet\": it has no volume"), std::string::npos)
      << mouse.report().sentence;
}

TEST(Obstacles, TheSameMouseLeavesThePoseStill) {
  Document document = openHumanoid();
  const int hand = document.figure->findLink("left_hand");
  addObstacle(document, makeBox("table", {0.25, 1.0, 0.45}, {0.7, 0.04, 0.5}));
  document.selfAvoidance = SelfAvoidance::All;
  Mouse mouse(document, hand, V::Zero());
  mouse.moveTo({0.3, 1.2, 0.4});
  mouse.moveTo({0.4, 0.9, 0.45});
  for (int event = 0; event < 10; ++event) {
    const Pose before = document.pose;
    mouse.jumpTo({0.4, 0.9, 0.45});
    EXPECT_LT((document.pose.coordinates - before.coordinates).cwiseAbs().maxCoeff(), 1e-6) << event;
  }
}

TEST(Obstacles, SlidingAlongAnEdgeDoesNotFlicker) {
  Document document = openHumanoid();
  const int hand = document.figure->findLink("left_hand");
  addObstacle(document, makeBox("table", {0.25, 1.0, 0.6}, {1.2, 0.04, 0.5}));  // its edge along x, at z = 0.35
  Mouse mouse(document, hand, V::Zero());
  mouse.moveTo({0.1, 1.2, 0.4});
  mouse.moveTo({0.1, 0.95, 0.352});
  for (double x = 0.1; x < 0.5; x += kMouse) {
    const V before = mouse.place();
    mouse.jumpTo({x, 0.95, 0.352});
    EXPECT_LT((mouse.place() - before).norm(), 3.0 * kMouse) << x;
    EXPECT_GT(test::leastClearance(document), -kMostInside);
  }
}

TEST(SelfCollision, AHandDraggedThroughTheTorsoStops) {
  for (int i = 0; i < test::repetitions(2, 1); ++i) {
    const double side = i == 0 ? 1.0 : -1.0;
    Document document = openHumanoid();
    document.selfAvoidance = SelfAvoidance::All;
    const int hand = document.figure->findLink(side > 0 ? "left_hand" : "right_hand");
    const std::vector<int> torso = {document.figure->findLink("lumbar"), document.figure->findLink("lower_thorax"),
                                    document.figure->findLink("chest"), document.figure->findLink("pelvis")};
    Mouse mouse(document, hand, V::Zero());
    mouse.moveTo({0.35 * side, 1.15, 0.25});
    mouse.moveTo({0.0, 1.15, 0.3});
    for (int event = 0; event < 40; ++event) {  // straight backward, through the belly; late it slips off sideways
      mouse.jumpTo({0.0, 1.15, 0.3 - kMouse * event});
      for (const int link : torso) EXPECT_GT(test::clearanceBetween(document, hand, link), -kMostInside) << event;
      if (event < 24 || event > 28) continue;
      EXPECT_NE(mouse.report().sentence.find("stops"), std::string::npos) << mouse.report().sentence;
      EXPECT_GT(mouse.place().z(), placeOf(document, torso[0], V::Zero()).z() + 0.05) << "before the belly";
    }
    mouse.jumpTo({0.4 * side, 1.0, -0.3});  // at once to where the straight way leads through the torso
    for (const int link : torso) EXPECT_GT(test::clearanceBetween(document, hand, link), -kMostInside);
  }
}

TEST(SelfCollision, HandsAtTheTrunkTakeFewIterations) {
  Document document = io::openAny("human")->document;
  document.selfAvoidance = SelfAvoidance::All;
  document.solver.reference = RestReference::StartPose;
  document.solver.posing = PosingChoice::Natural;
  const std::pair<const char*, V> hands[] = {{"right hand", {-0.05, 1.2, 0.17}}, {"left hand", {0.05, 1.1, 0.17}}};
  for (const auto& [name, target] : hands)
    document.goals[addGoal(document, document.figure->findLink(name), V::Zero()) - 1].target = target;
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_EQ(report.outcome, Outcome::Reached) << report.sentence;
  EXPECT_LT(report.summary.iterations(), 300);  // 151; it has been 2096
  for (const char* const name : {"right forearm", "right hand", "left forearm", "left hand"})
    for (const char* const trunk : {"pelvis", "lower back", "upper back", "chest"})
      EXPECT_GT(test::clearanceBetween(document, document.figure->findLink(name), document.figure->findLink(trunk)),
                -kMostInside)
          << name << ", " << trunk;
}

TEST(SelfCollision, AtRestNothingTouchesAndNothingMoves) {
  Document document = openHumanoid();
  document.selfAvoidance = SelfAvoidance::All;
  EXPECT_TRUE(findContacts(document).empty());
  const int hand = document.figure->findLink("left_hand");
  const Pose before = document.pose;
  Mouse mouse(document, hand, V::Zero());
  mouse.jumpTo(mouse.place());
  EXPECT_LT((document.pose.coordinates - before.coordinates).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(SelfCollision, AFigureOfTooManyCapsulesSaysThatItDoesNotKeepOutOfItself) {
  Document document = makeDocument(makePlanarChain(kMaxSelfCapsules + 1));
  document.selfAvoidance = SelfAvoidance::All;
  EXPECT_TRUE(findContacts(document).empty());
  Posing posing;
  ASSERT_TRUE(posing.start(document, {}));
  posing.advance(document, 1);
  EXPECT_NE(posing.report().sentence.find("2001 capsules"), std::string::npos) << posing.report().sentence;
  EXPECT_TRUE(selfAvoidanceFault(*makePlanarChain(kMaxSelfCapsules)).empty());
}

/// Conditions for every drag.
struct RandomCourse {
  int stopped = 0, said = 0, inside = 0;
  double deepest = 0.0;
  Eigen::VectorXd last;
};

RandomCourse dragAtRandom(unsigned seed, const std::string& solver, int drags, int events) {
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) { return low + (high - low) * (random() / 4294967296.0); };
  const char* const links[] = {"left_hand", "right_hand", "head", "left_foot", "right_foot", "left_forearm"};
  const Document rest = openHumanoid();
  RandomCourse course;
  for (int drag = 0; drag < drags; ++drag) {
    Document document = rest;
    document.solver.solver = solver;
    document.selfAvoidance = drag % 2 == 0 ? SelfAvoidance::All : SelfAvoidance::Off;
    for (int i = 0; i < 3; ++i) {
      const V middle(uniform(-0.7, 0.7), uniform(0.3, 1.8), uniform(0.1, 0.7));
      addObstacle(document, makeBox("box " + std::to_string(i), middle,
                                    V(uniform(0.02, 0.5), uniform(0.02, 0.5), uniform(0.02, 0.5))));
      if (test::leastClearance(document) < 0.0) document.obstacles.pop_back();
    }
    const int link = document.figure->findLink(links[random() % 6]);
    Mouse mouse(document, link, V::Zero());
    V target = mouse.place();
    V step = V(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized();
    for (int event = 0; event < events; ++event) {
      target += uniform(0.005, 0.06) * step;
      if (event % 8 == 7) step = V(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized();
      mouse.jumpTo(target);
      const double least = document.obstacles.empty() ? 0.0 : test::leastClearance(document);
      course.deepest = std::min(course.deepest, least);
      course.stopped += std::ranges::any_of(mouse.report().contacts, &ContactReport::stops);
      if (least > -kMostInside) continue;
      ++course.inside;
      course.said += mouse.report().sentence.find("inside") != std::string::npos;
    }
    course.last = document.pose.coordinates;
  }
  return course;
}

const int kRandomDrags = test::repetitions(60, 12);

TEST(Obstacles, RandomDragsKeepOutOrSayThatTheyDoNot) {
  const RandomCourse course = dragAtRandom(1, "newton", kRandomDrags, 16);
  EXPECT_EQ(course.said, course.inside) << course.inside << " events inside, the deepest by " << course.deepest;
  EXPECT_LE(course.inside, 2) << course.deepest;
  EXPECT_GT(course.stopped, kRandomDrags * 5 / 6) << "or nothing was in the way";
  EXPECT_TRUE(course.last == dragAtRandom(1, "newton", kRandomDrags, 16).last) << "the same bits";
}

TEST(Obstacles, EveryMethodThatSeesThemKeepsOut) {
  for (const Solver* solver : allSolvers()) {
    if (solver->limitHandling() != LimitHandling::Exact) continue;
    Document document = openHumanoid();
    document.solver.solver = solver->name();
    const int hand = document.figure->findLink("left_hand");
    addObstacle(document, makeBox("box", placeOf(document, hand, V(0.0, 0.0, 0.2)), {0.3, 0.4, 0.1}));
    ASSERT_GT(test::leastClearance(document), 0.0);
    Mouse mouse(document, hand, V::Zero());
    const V start = mouse.place();
    for (int event = 1; event <= 10; ++event) {
      mouse.jumpTo(start + V(0.0, 0.0, 0.02 * event));
      if (mouse.report().seesContacts) {
        EXPECT_GT(test::leastClearance(document), -kMostInside) << solver->name() << ": " << mouse.report().sentence;
      }
    }
    const std::string expected = mouse.report().seesContacts ? "the target is inside" : "does not see obstacles";
    EXPECT_NE(mouse.report().sentence.find(expected), std::string::npos)
        << solver->name() << ": " << mouse.report().sentence;
  }
}

TEST(Obstacles, APlanarChainKeepsOutToo) {
  Document document = makeDocument(makePlanarChain(4));
  document.goals.clear();
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  const int tip = document.figure->linkCount() - 1;
  Mouse mouse(document, tip, V::Zero());
  const V start = mouse.place();
  addObstacle(document, makeBox("block", start + V(0.0, 1.0, 0.0), V(1.0, 0.6, 1.0)));
  ASSERT_GT(test::leastClearance(document), 0.0);
  for (int event = 1; event <= 60; ++event) {
    mouse.jumpTo(start + V(0.0, 0.02 * event, 0.0));
    EXPECT_GT(test::leastClearance(document), -kMostInside) << mouse.report().sentence;
  }
  EXPECT_NE(mouse.report().sentence.find("block"), std::string::npos) << mouse.report().sentence;
}

TEST(Obstacles, HipsDraggedDownStopAtTheFloor) {
  Document document = openHumanoid();
  addObstacle(document, makeFloor(0.7));
  const int pelvis = document.figure->findLink("pelvis");
  document.obstacles.front().links = {pelvis, document.figure->findLink("left_thigh")};
  Mouse mouse(document, pelvis, V::Zero());
  mouse.request().freeRoot = true;
  for (int event = 0; event < 60; ++event) {
    mouse.jumpTo(mouse.request().drag->target - kMouse * V::UnitY());
    EXPECT_GT(test::leastClearance(document, {pelvis}), -kMostInside);
  }
  EXPECT_NEAR(test::leastClearance(document, {pelvis}), 0.0, kMostInside) << mouse.report().sentence;
}

}  // namespace
}  // namespace limber::obstacles_test
