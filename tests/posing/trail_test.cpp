// SPDX-License-Identifier: MIT
#include "posing/trail.h"

#include <gtest/gtest.h>

#include "kinematics/standard_figures.h"

namespace limber::trail_test {
namespace {

using V = Eigen::Vector3d;

/// The events of a drag: a target on a line, and a chain that turns as it goes.
struct Line {
  std::shared_ptr<const Figure> figure = makePlanarChain(3);
  Trail trail;
  static V target(double t) { return {1.0 + 2.0 * t, 0.5 * t, 0.0}; }
  Pose pose(double t) const {
    Pose pose = restPose(*figure);
    pose.coordinates[1] = 0.3 * t;
    pose.coordinates[2] = -0.1 * t;
    return pose;
  }
  void note(double t) { trail.note(*figure, target(t), pose(t)); }
};

TEST(Trail, GoesOnAsTheTargetDoes) {
  Line line;
  line.note(0.0);
  line.note(1.0);
  Pose guess;
  for (const double t : {1.25, 2.0, 2.5}) {
    ASSERT_TRUE(line.trail.guess(*line.figure, line.trail.pace(Line::target(t)), guess));
    EXPECT_LT((guess.coordinates - line.pose(t).coordinates).norm(), 1e-14) << t;
  }
}

TEST(Trail, SaysNothingOfATargetThatRestsOrTurnsBack) {
  Line line;
  line.note(0.0);
  EXPECT_EQ(line.trail.pace(Line::target(1.0)), 0.0) << "after one event";
  line.note(1.0);
  EXPECT_EQ(line.trail.pace(Line::target(1.0)), 0.0);
  EXPECT_EQ(line.trail.pace(Line::target(0.5)), 0.0);
  EXPECT_EQ(line.trail.pace(Line::target(9.0)), 2.0) << "no farther than twice the last move";
  Pose guess;
  EXPECT_FALSE(line.trail.guess(*line.figure, 0.0, guess));
  line.note(1.0);
  EXPECT_EQ(line.trail.pace(Line::target(2.0)), 0.0) << "from rest";
  line.trail.forget();
  EXPECT_EQ(line.trail.pace(Line::target(2.0)), 0.0);
}

}  // namespace
}  // namespace limber::trail_test
