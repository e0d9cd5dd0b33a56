// SPDX-License-Identifier: MIT
// The README's use of the library, word for word, and a check that it solved.
#include <limber/ik.h>

#include <cstdlib>
#include <iostream>

#include "kinematics/pose.h"

int main() {
  limber::Ik ik(limber::makeArm());  // default solver, limits on, every joint
  const limber::GoalId tool = ik.add(limber::position("tool", {0.4, 0.6, 0.2}));
  ik.add(limber::direction("tool", {0, 1, 0}, {0, -1, 0}).weight(0.1));  // y of the tool points down
  limber::Answer answer = ik.solve();                                    // .pose .outcome .goals[0].error .sentence
  ik[tool].target.x() = 0.45;
  answer = ik.solve();  // continues from the last pose
  std::cout << answer.sentence << ", " << 1e3 * answer.goals[0].error << " mm off\n";
  return answer.goals[0].reached && ownAnswer() == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
