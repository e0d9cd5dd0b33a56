// SPDX-License-Identifier: MIT
#include "app/drag/drag_chain.h"

#include <algorithm>

#include "limber/body/body_map.h"
#include "render/draw_list.h"

namespace limber::app {

namespace {

bool isSome(const std::vector<char>& limb) {
  return std::ranges::find(limb, 0) != limb.end() && std::ranges::find(limb, 1) != limb.end();
}

/// Names a limb by the topmost part of the body in it.
std::string nameOfLimb(const Document& document, const std::vector<char>& limb) {
  for (const auto& [link, place] : bodyMapOf(*document.figure).places())
    if (limb[link]) return std::string(limbName(place.part));
  return "limb";
}

}  // namespace

std::vector<int> joinedAbove(const Document& document, int link, bool freesRoot) {
  const Figure& figure = *document.figure;
  std::vector<int> joints;
  for (; link >= 0; link = figure.link(link).parent) {
    const JointSettings& settings = document.joints[link];
    const JointType type = figure.joint(link).type;
    const bool isFreed = freesRoot && figure.isFreeRoot(link);
    if (stepSize(type) > 0 && (isFreed || !(settings.locked || settings.rigidity >= 1.0))) joints.push_back(link);
  }
  std::ranges::reverse(joints);
  return joints;
}

std::vector<char> byLink(const Document& document, const std::vector<int>& joints) {
  if (joints.empty()) return {};
  std::vector<char> marks(static_cast<std::size_t>(document.figure->linkCount()), 0);
  for (const int joint : joints) marks[joint] = 1;
  return marks;
}

std::vector<char> limbThatReaches(const Document& document, int link) {
  const Figure& figure = *document.figure;
  if (document.solver.posing != PosingChoice::Natural || figure.linkCount() > render::kClutterLinks) return {};
  std::vector<char> limb = bodyMapOf(figure).limbOf(link);
  return isSome(limb) ? limb : std::vector<char>{};
}

std::string limbWords(const Document& document, const std::vector<char>& limb, bool bodyMoves) {
  if (!isSome(limb)) return {};
  const std::string name = nameOfLimb(document, limb);
  if (!bodyMoves) return name + " reaches";
  return name == "arm" || name == "head" ? "trunk leans" : "body follows";
}

std::vector<int> nearest(const std::vector<int>& joints, int count) {
  const auto kept = std::clamp<std::ptrdiff_t>(count, 0, std::ssize(joints));
  return {joints.end() - kept, joints.end()};
}

}  // namespace limber::app
