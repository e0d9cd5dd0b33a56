// SPDX-License-Identifier: MIT
#include "limber/ways/loop.h"

namespace limber::ways {

Loop startedAt(int first, const Loop& loop) {
  if (first == 0) return loop;
  Loop result;
  result.count = loop.count;
  result.goal = loop.goal;
  const Transform inverse = loop.goal.inverse();
  for (int i = 0; i < loop.count; ++i) {
    const int from = (first + i) % loop.count;
    result.screws[i] = first + i < loop.count ? loop.screws[from] : moved(inverse, loop.screws[from]);
    result.joint[i] = loop.joint[from];
    result.preferred[i] = loop.preferred[from];
  }
  return result;
}

Loop without(int index, double coordinate, const Loop& loop) {
  Loop result = loop;
  const Transform motion = motionOf(loop.screws[index], coordinate);
  result.count = loop.count - 1;
  for (int i = index; i < result.count; ++i) {
    result.screws[i] = moved(motion, loop.screws[i + 1]);
    result.joint[i] = loop.joint[i + 1];
    result.preferred[i] = loop.preferred[i + 1];
  }
  result.goal = loop.goal * motion.inverse();
  return result;
}

void Candidates::add(const Loop& loop, const std::array<double, kMaxLoop>& coordinates) {
  if (count == kMax) {
    isOverflow = true;
    return;
  }
  for (int i = 0; i < loop.count; ++i) value[count][loop.joint[i]] = coordinates[i];
  ++count;
}

}  // namespace limber::ways
