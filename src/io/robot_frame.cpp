// SPDX-License-Identifier: MIT
#include "io/robot_frame.h"

#include <algorithm>

namespace limber::io {

namespace {

constexpr double kNothing = 1e-12;  // kilograms: zero would ask FigureBuilder for an estimate
constexpr double kStick = 0.06;     // radius of a stick, of its length
constexpr double kMargin = 1.2;     // of a capsule's radius: what is nearer to its axis is reached

double distanceTo(const Capsule& capsule, const Eigen::Vector3d& point) {
  const Eigen::Vector3d along = capsule.end - capsule.start;
  const double length2 = along.squaredNorm();
  const double part = length2 > 0.0 ? std::clamp(along.dot(point - capsule.start) / length2, 0.0, 1.0) : 0.0;
  return (capsule.start + part * along - point).norm();
}

bool isReached(const Link& link, const Eigen::Vector3d& point) {
  return std::ranges::any_of(link.capsules, [&](const Capsule& capsule) {
    return distanceTo(capsule, point) <= kMargin * capsule.radius;
  });
}

}  // namespace

FileFrame zUpFrame() {
  FileFrame frame;
  frame.sceneFromFile << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  return frame;
}

void weighLinks(const std::vector<LinkWeight>& weights, FigureBuilder& builder) {
  if (std::ranges::none_of(weights, [](const LinkWeight& weight) { return weight.mass > 0.0; })) return;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Link& link = builder.link(static_cast<int>(i));
    link.mass = std::max(weights[i].mass, kNothing);
    link.centreOfMass = weights[i].centreOfMass;
  }
}

void addSticks(int linkCount, FigureBuilder& builder) {
  std::vector<std::vector<Capsule>> sticks(static_cast<std::size_t>(linkCount));
  for (int i = 0; i < linkCount; ++i) {
    const int parent = builder.link(i).parent;
    if (parent < 0 || builder.link(parent).capsules.empty()) continue;
    const Eigen::Vector3d end = builder.joint(i).parentFromJoint.translation;
    const bool isJoined =
        isReached(builder.link(parent), end) && isReached(builder.link(parent), Eigen::Vector3d::Zero());
    if (end.norm() > 0.0 && !isJoined)
      sticks[static_cast<std::size_t>(parent)].push_back({Eigen::Vector3d::Zero(), end, kStick * end.norm()});
  }
  for (int i = 0; i < linkCount; ++i) {
    auto& capsules = builder.link(i).capsules;
    const auto& more = sticks[static_cast<std::size_t>(i)];
    capsules.insert(capsules.end(), more.begin(), more.end());
  }
}

}  // namespace limber::io
