// SPDX-License-Identifier: MIT
// A control loop with a robot of the sample data: a warm solve allocates nothing.
#include <gtest/gtest.h>

#include <filesystem>

#include "limber/io/read.h"
#include "limber/posing/ik.h"
#include "locations.h"
#include "support/allocation_count.h"

namespace limber::control_loop_test {
namespace {

constexpr int kTicks = 500;  // of a lap

TEST(ControlLoop, OfAPandaAllocatesNothingAfterALap) {
  const auto path = std::filesystem::path(LIMBER_SHARED_DATA_DIR) / "urdf/panda/panda.urdf";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
  const auto robot = readFigure(path.string());
  ASSERT_TRUE(robot) << robot.error().message();
  Ik ik(*robot);
  Pose pose = ik.pose();
  for (const Joint& joint : ik.figure().joints())
    if (isScalar(joint) && joint.limits.isBounded())
      pose.coordinates[joint.poseIndex] = 0.6 * joint.limits.lower + 0.4 * joint.limits.upper;
  ik.setPose(pose);
  const Transform start = ik.placeOf("panda_link8");
  const GoalId hand = ik.add(placement("panda_link8", start));
  for (int tick = 0; tick < 2 * kTicks; ++tick) {
    const double angle = 2.0 * 3.14159265358979 * tick / kTicks;
    ik[hand].target = start.translation + 0.05 * Eigen::Vector3d(std::cos(angle) - 1.0, std::sin(angle), 0.0);
    const std::size_t before = test::allocationCount();
    const Answer& answer = ik.solve();
    const std::size_t count = test::allocationCount() - before;
    ASSERT_TRUE(answer.isReached()) << tick << ": " << answer.sentence;
    ASSERT_TRUE(tick < kTicks || count == 0u) << tick << ": " << count << " allocations";
  }
}

}  // namespace
}  // namespace limber::control_loop_test
