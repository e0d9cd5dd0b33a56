// SPDX-License-Identifier: MIT
// A human with both feet pinned keeps balance, reaches for two points and looks at one of them.
#include <limber/ik.h>
#include <limber/io.h>

#include <iostream>

int main() {
  const auto human = limber::readFigure("human");
  if (!human) {
    std::cerr << human.error().message() << '\n';
    return 1;
  }
  limber::Ik ik(*human);
  ik.lock("pelvis", false);  // the body may move over its feet
  ik.pin("left foot");
  ik.pin("right foot");
  ik.setKeepsBalance(true);
  const Eigen::Vector3d ball(0.3, 0.5, 0.5);
  ik.add(limber::position("left palm", ball));
  ik.add(limber::position("right palm", {-0.3, 1.4, 0.3}));
  ik.add(limber::lookAt("head", Eigen::Vector3d::UnitZ(), ball).weight(0.1));
  const limber::Answer answer = ik.solve();
  std::cout << answer.sentence << '\n';
  for (const limber::GoalReport& goal : answer.goals) std::cout << 1e3 * goal.error << " mm off\n";
}
