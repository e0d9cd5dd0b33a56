// SPDX-License-Identifier: MIT
#include "app/drag_chain.h"

#include <algorithm>

namespace limber::app {

std::vector<int> joinedAbove(const Document& document, int link, bool freesRoot) {
  const Figure& figure = *document.figure;
  std::vector<int> joints;
  for (; link >= 0; link = figure.link(link).parent) {
    const JointSettings& settings = document.joints[static_cast<std::size_t>(link)];
    const JointType type = figure.joint(link).type;
    const bool isFreed = freesRoot && figure.link(link).parent < 0 && type == JointType::Free;
    if (stepSize(type) > 0 && (isFreed || !(settings.locked || settings.rigidity >= 1.0))) joints.push_back(link);
  }
  std::ranges::reverse(joints);
  return joints;
}

std::vector<char> byLink(const Document& document, const std::vector<int>& joints) {
  if (joints.empty()) return {};
  std::vector<char> marks(static_cast<std::size_t>(document.figure->linkCount()), 0);
  for (const int joint : joints) marks[static_cast<std::size_t>(joint)] = 1;
  return marks;
}

std::vector<int> nearest(const std::vector<int>& joints, int count) {
  const auto kept = std::clamp<std::ptrdiff_t>(count, 0, std::ssize(joints));
  return {joints.end() - kept, joints.end()};
}

}  // namespace limber::app
