// SPDX-License-Identifier: MIT
#include "render/ghosts.h"

namespace limber::render {

namespace {

constexpr double kRod = 0.08;  // radius of links without capsules, in mean link lengths

/// The capsules of a link. A link that is drawn by its surface alone has rods to its joints.
std::vector<Capsule> capsulesOf(const Figure& figure, int link) {
  std::vector<Capsule> capsules = figure.link(link).capsules;
  if (!capsules.empty()) return capsules;
  for (const int child : figure.children(link)) {
    const Eigen::Vector3d& joint = figure.joint(child).parentFromJoint.translation;
    if (!joint.isZero()) capsules.push_back({Eigen::Vector3d::Zero(), joint, kRod * figure.meanLinkLength()});
  }
  return capsules;
}

/// True if two transforms place both ends of a capsule alike within a tolerance.
bool agree(const Capsule& capsule, const Transform& a, const Transform& b, double toleranceSquared) {
  return (a * capsule.start - b * capsule.start).squaredNorm() <= toleranceSquared &&
         (a * capsule.end - b * capsule.end).squaredNorm() <= toleranceSquared;
}

}  // namespace

bool differs(const Figure& figure, const Kinematics& a, const Kinematics& b, double tolerance) {
  for (int i = 0; i < figure.linkCount(); ++i)
    for (const Capsule& capsule : capsulesOf(figure, i))
      if (!agree(capsule, a.worldFromLink[i], b.worldFromLink[i], tolerance * tolerance)) return true;
  return false;
}

void appendGhosts(const Figure& figure, const Kinematics& kinematics, std::span<const Ghost> ghosts, double tolerance,
                  DrawList& list) {
  const bool comparesGhosts = figure.linkCount() <= kClutterLinks;
  for (std::size_t g = 0; g < ghosts.size(); ++g)
    for (int i = 0; i < figure.linkCount(); ++i) {
      const Transform& worldFromLink = ghosts[g].kinematics->worldFromLink[i];
      for (const Capsule& capsule : capsulesOf(figure, i)) {
        const auto isShownBy = [&](const Kinematics& other) {
          return agree(capsule, worldFromLink, other.worldFromLink[i], tolerance * tolerance);
        };
        bool isShown = isShownBy(kinematics);
        for (std::size_t before = 0; comparesGhosts && before < g && !isShown; ++before)
          isShown = isShownBy(*ghosts[before].kinematics);
        if (isShown) continue;
        const Grip grip = ghosts[g].frame >= 0 ? Grip::KeyGhost : Grip::None;
        list.capsules.push_back({worldFromLink * capsule.start, worldFromLink * capsule.end, capsule.radius,
                                 ghosts[g].color, Layer::Ghost, -1, -1, grip, ghosts[g].frame});
      }
    }
}

}  // namespace limber::render
