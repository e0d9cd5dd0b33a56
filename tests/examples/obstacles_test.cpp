// SPDX-License-Identifier: MIT
// A figure dragged against obstacles and against itself: it stops, slides, and never goes in. What is inside is measured
// here by samples and formulas of boxes, not by what the posing uses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "example_scenes.h"
#include "posing/contacts.h"

namespace limber::obstacles_test {
namespace {

using V = Eigen::Vector3d;

constexpr double kMostInside = 1e-3;  // metres, as issue 7 asks
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

/// Of a point from a box, below zero inside; from the half-space below a plane.
double distanceTo(const Obstacle& obstacle, const V& point) {
  const V p = obstacle.worldFromObstacle.inverse() * point;
  if (obstacle.shape == Obstacle::Shape::Plane) return p.y();
  const V beyond = p.cwiseAbs() - 0.5 * obstacle.size;
  return beyond.cwiseMax(0.0).norm() + std::min(beyond.maxCoeff(), 0.0);
}

double clearanceOf(const Obstacle& obstacle, const Transform& world, const Capsule& capsule) {
  constexpr int kSamples = 60;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kSamples; ++i)
    least = std::min(least, distanceTo(obstacle, world * (capsule.start + i / double(kSamples) * (capsule.end - capsule.start))));
  return least - capsule.radius;
}

/// The least of any capsule of the links (empty: of all) from any obstacle, metres.
double leastClearance(const Document& document, const std::vector<int>& links = {}) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    if (!links.empty() && std::ranges::find(links, i) == links.end()) continue;
    for (const Capsule& capsule : document.figure->link(i).capsules)
      for (const Obstacle& obstacle : document.obstacles)
        least = std::min(least, clearanceOf(obstacle, kinematics.worldFromLink[static_cast<std::size_t>(i)], capsule));
  }
  return least;
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
      EXPECT_GT(leastClearance(document_), -kMostInside) << report_.sentence;
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
  ASSERT_GT(leastClearance(document), 0.0) << "starts clear";
  Mouse mouse(document, hand, V::Zero());
  mouse.moveTo({0.3, 1.2, 0.4});
  EXPECT_EQ(mouse.report().outcome, Outcome::Reached) << mouse.report().sentence;
  mouse.moveTo({0.3, 0.85, 0.4});
  EXPECT_GT(mouse.place().y(), 1.02) << "on the table";
  EXPECT_NEAR(leastClearance(document, {hand}), 0.0, kMostInside);
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

TEST(Obstacles, HipsDraggedDownStopAtTheFloor) {
  Document document = openHumanoid();
  addObstacle(document, makeFloor(0.7));
  const int pelvis = document.figure->findLink("pelvis");
  document.obstacles.front().links = {pelvis, document.figure->findLink("left_thigh")};
  Mouse mouse(document, pelvis, V::Zero());
  mouse.request().freeRoot = true;
  for (int event = 0; event < 60; ++event) {
    mouse.jumpTo(mouse.request().drag->target - kMouse * V::UnitY());
    EXPECT_GT(leastClearance(document, {pelvis}), -kMostInside);
  }
  EXPECT_NEAR(leastClearance(document, {pelvis}), 0.0, kMostInside) << mouse.report().sentence;
}

}  // namespace
}  // namespace limber::obstacles_test
