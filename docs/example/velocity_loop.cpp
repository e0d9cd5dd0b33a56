// SPDX-License-Identifier: MIT
// A control loop at 1 kHz: a tool moves down onto a table at 0.1 m/s and then slides along it, within the limits of
// joint positions and velocities. At the contact the wanted velocity leads no farther down than the table.
//   velocity_loop robot.urdf
#include <limber/ik.h>
#include <limber/io.h>
#include <limber/posing/velocity_step.h>

#include <algorithm>
#include <cmath>
#include <iostream>

int main(int count, char** arguments) {
  const auto robot = limber::readFigure(count > 1 ? arguments[1] : "robot.urdf");
  if (!robot) return std::cerr << robot.error().message() << '\n', 1;
  limber::Ik ik(*robot);
  ik.add(limber::position("tool", {0.5, -0.1, 0.3}));
  ik.add(limber::direction("tool", {0, 0, 1}, {0, 0, -1}));
  if (!ik.search().isReached()) return 1;
  limber::Pose pose = ik.pose();

  constexpr double kTable = 0.25, kPeriod = 0.001;  // metres, seconds
  limber::VelocityStep step(*robot);
  const int tool = step.add({.end = "tool"});
  for (int tick = 0; tick < 3000; ++tick) {
    const double height = limber::placeOf(**robot, pose, "tool").translation.z();
    const double down = std::max(-0.1, (kTable - height) / kPeriod);  // stops at the table within this period
    step[tool].twist << 0, 0.05, down, 0, 0, 0;
    const limber::VelocityAnswer& next = step.solve(pose, kPeriod);
    if (!next.isReached) return std::cerr << "tick " << tick << ": a limit keeps the tool from its velocity\n", 1;
    pose = next.pose;
  }
  const Eigen::Vector3d place = limber::placeOf(**robot, pose, "tool").translation;
  std::cout << "the tool is at " << place.transpose() << '\n';
  return std::abs(place.z() - kTable) < 1e-6 ? 0 : 1;
}
