// SPDX-License-Identifier: MIT
// The state that a drag keeps from event to event, and the results that it must not change.
#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber::warm_drag_test {
namespace {

struct Course {
  std::vector<Pose> poses;
  std::vector<double> objectives;
  int iterations = 0;
};

/// The arm's tool is pulled along a line that leaves its reach half way.
Course dragArm(bool keeps) {
  Document document = makeDocument(makeArm());
  PosingRequest request;
  request.startPose = document.pose;
  request.drag = DragGoal{6, {0.0, 0.1, 0.0}, Eigen::Vector3d::Zero(), 1.0};
  Posing posing;
  Course run;
  for (int event = 0; event < 120; ++event) {
    request.drag->target = {0.3 + 0.012 * event, 0.8 - 0.002 * event, 0.1};
    request.followsLast = keeps && event > 0;
    const PosingReport report = solveToEnd(posing, document, request);
    EXPECT_EQ(report.summary.status, SolveStatus::Converged) << event;
    run.iterations += report.summary.iterations();
    run.objectives.push_back(report.summary.objective);
    run.poses.push_back(document.pose);
  }
  return run;
}

TEST(WarmDrag, KeepsTheMinimaAndNeedsFewerIterations) {
  const Course warm = dragArm(true), cold = dragArm(false);
  for (std::size_t event = 0; event < warm.poses.size(); ++event)
    EXPECT_NEAR(warm.objectives[event], cold.objectives[event], 1e-9 * (1.0 + cold.objectives[event])) << event;
  EXPECT_LT(warm.iterations, cold.iterations);
}

TEST(WarmDrag, TheSameEventsGiveTheSameBits) {
  const Course once = dragArm(true), again = dragArm(true);
  for (std::size_t event = 0; event < once.poses.size(); ++event) EXPECT_TRUE(once.poses[event] == again.poses[event]);
}

}  // namespace
}  // namespace limber::warm_drag_test
