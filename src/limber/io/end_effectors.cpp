// SPDX-License-Identifier: MIT
#include "limber/io/end_effectors.h"

#include <cctype>

#include "limber/io/base/text.h"
#include "limber/io/robot/robot_parts.h"

namespace limber::io {

namespace {

/// The end of the link's capsules that is farthest from its joint.
Eigen::Vector3d tipOf(const Link& link) {
  Eigen::Vector3d tip = Eigen::Vector3d::Zero();
  for (const Capsule& capsule : link.capsules)
    for (const Eigen::Vector3d& end : {capsule.start, capsule.end})
      if (end.norm() > tip.norm()) tip = end;
  return tip;
}

/// 0 to 2 in the order of the sites, 3 for links without one.
int rankOf(bool isTool, bool isLeaf) { return isTool ? (isLeaf ? 0 : 1) : (isLeaf ? 2 : 3); }

/// True for usual names of tool frames: tool0, tcp, ee_link, gripper, hand, flange, ...
bool isToolName(std::string_view name) {
  // Whole words: "ee" matches "panda_ee" and "ee_link", but not "wheel".
  constexpr std::string_view kWords = "tool tool0 tcp ee eef effector endeffector hand gripper flange grasp toe";
  std::string word;
  for (std::size_t i = 0; i <= name.size(); ++i) {
    const char c = i < name.size() ? name[i] : '_';
    if (std::isalnum(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    if (isAmong(word, kWords)) return true;
    word.clear();
  }
  return false;
}

}  // namespace

void addEndEffectors(const std::vector<char>& hasSite, std::set<std::string> taken, FigureBuilder& builder,
                     const std::vector<Eigen::Vector3d>& tips) {
  const int linkCount = static_cast<int>(hasSite.size());
  std::vector<char> isLeaf(linkCount, 1);
  std::vector<char> moves(linkCount, 0);
  for (int i = 0; i < linkCount; ++i) {
    const int parent = builder.link(i).parent;
    moves[i] = builder.joint(i).type != JointType::Fixed;
    if (parent < 0) continue;
    isLeaf[parent] = 0;
    moves[i] |= moves[parent];
  }
  for (int rank = 0; rank < 3; ++rank)
    for (int i = 0; i < linkCount; ++i) {
      const Link& link = builder.link(i);
      if (taken.size() >= kMaxRobotSites) return;
      if (hasSite[i] || !moves[i] || rankOf(isToolName(link.name), isLeaf[i] != 0) != rank) continue;
      const bool isFrame = !isLeaf[i] || builder.joint(i).type == JointType::Fixed;
      std::string name = link.name;
      while (!taken.insert(name).second) name += "_end";
      const Eigen::Vector3d tip = tips.empty() ? tipOf(link) : tips[i];
      builder.addSite({name, i, Transform::fromTranslation(isFrame ? Eigen::Vector3d::Zero() : tip)});
    }
}

}  // namespace limber::io
