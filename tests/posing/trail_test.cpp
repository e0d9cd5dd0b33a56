// SPDX-License-Identifier: MIT
#include "limber/posing/trail.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"

namespace limber::trail_test {
namespace {

using V = Eigen::Vector3d;

/// The events of a drag: a target on a line, and a chain that turns as it goes, by a parabola of `bend`.
struct Line {
  double bend = 0.0;
  std::shared_ptr<const Figure> figure = makePlanarChain(3);
  Trail trail = {};
  static V target(double t) { return {1.0 + 2.0 * t, 0.5 * t, 0.0}; }
  Pose pose(double t) const {
    Pose pose = restPose(*figure);
    pose.coordinates[1] = 0.3 * t + bend * t * t;
    pose.coordinates[2] = -0.1 * t;
    return pose;
  }
  void note(double t) { trail.note(*figure, target(t), pose(t), 7.0); }
  Pose guess(double t) const {
    Pose guess;
    trail.guess(*figure, trail.ahead(target(t)), guess);
    return guess;
  }
};

TEST(Trail, GoesOnAsTheTargetDoes) {
  Line line;
  line.note(0.0);
  line.note(1.0);
  for (const double t : {1.25, 2.0, 2.5})
    EXPECT_LT((line.guess(t).coordinates - line.pose(t).coordinates).norm(), 1e-14) << t;
  EXPECT_EQ(line.trail.rest(), 7.0);
}

TEST(Trail, FollowsAParabolaThroughThreeEventsOfUnequalLength) {
  for (const double second : {0.6, 1.0, 1.7}) {
    Line line{.bend = 0.2};
    line.note(0.0);
    line.note(1.0);
    line.note(1.0 + second);
    for (const double t : {1.2 + second, 2.0 + second})
      EXPECT_LT((line.guess(t).coordinates - line.pose(t).coordinates).norm(), 1e-13) << second << ", " << t;
  }
}

TEST(Trail, FollowsTheLineWhereTheTargetMovesUnevenly) {
  Line line{.bend = 0.2};
  line.note(0.0);
  line.note(1.0);
  line.note(4.0);  // three times as far
  const Ahead ahead = line.trail.ahead(Line::target(5.5));
  EXPECT_DOUBLE_EQ(ahead.last, 0.5);
  EXPECT_EQ(ahead.before, 0.0);
}

TEST(Trail, SaysNothingOfATargetThatRestsOrTurnsBack) {
  Line line;
  line.note(0.0);
  EXPECT_FALSE(line.trail.ahead(Line::target(1.0)).isKnown()) << "after one event";
  line.note(1.0);
  EXPECT_FALSE(line.trail.ahead(Line::target(1.0)).isKnown());
  EXPECT_FALSE(line.trail.ahead(Line::target(0.5)).isKnown());
  EXPECT_EQ(line.trail.ahead(Line::target(9.0)).last, 2.0) << "no farther than twice the last move";
  line.note(1.0);
  EXPECT_FALSE(line.trail.ahead(Line::target(2.0)).isKnown()) << "from rest";
  line.trail = {};
  EXPECT_FALSE(line.trail.ahead(Line::target(2.0)).isKnown());
}

}  // namespace
}  // namespace limber::trail_test
