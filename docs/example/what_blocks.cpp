// SPDX-License-Identifier: MIT
// A robot that must reach around a post with one joint limited, and what keeps it from its goals.
//   what_blocks robot.urdf
#include <limber/ik.h>
#include <limber/io.h>

#include <iostream>

int main(int count, char** arguments) {
  const auto robot = limber::readFigure(count > 1 ? arguments[1] : "robot.urdf");
  if (!robot) return std::cerr << robot.error().message() << '\n', 1;
  limber::Ik ik(*robot);
  const limber::GoalId tool = ik.add(limber::position("tool", {0.55, 0.1, 0.35}));  // metres, z up, as in the file
  ik.add(limber::direction("tool", {0, 0, 1}, {0, 0, -1}));                         // its z axis points down
  ik.setLimits("elbow", 0.0, 1.4);
  ik.addCapsule({0.5, 0.3, 0.0}, {0.5, 0.3, 1.0}, 0.05, "post");
  for (const Eigen::Vector3d& target : {Eigen::Vector3d(0.55, 0.1, 0.35), {0.5, 0.3, 0.4}, {1.5, 0.0, 0.4}}) {
    ik[tool].target = target;
    const limber::Answer& answer = ik.search();
    std::cout << target.transpose() << ": " << answer.sentence << '\n';
    for (const int joint : answer.limitedJoints) std::cout << "  limit of " << ik.figure().joint(joint).name << '\n';
    for (const limber::ContactReport& contact : answer.contacts)
      std::cout << "  " << ik.figure().link(contact.link).name << " touches " << contact.other << '\n';
  }
}
