// SPDX-License-Identifier: MIT
#include "limber/objective/joint_chain.h"

#include <algorithm>
#include <cassert>

#include "limber/kinematics/loops.h"

namespace limber {

namespace {

/// One mark for each step coordinate.
using Marks = std::vector<char>;

/// Usable coordinates without followers and without the drivers of a follower that cannot move.
Marks movable(const Couplings& couplings, std::span<const char> usable) {
  Marks marks(usable.begin(), usable.end());
  for (const Couplings::Term& term : couplings.terms())
    if (!usable[term.follower]) marks[term.driver] = 0;
  for (const Couplings::Follower& follower : couplings.followers()) marks[follower.coordinate] = 0;
  return marks;
}

/// Marks the coordinates of one joint and of its drivers.
void markJoint(const Figure& figure, const Couplings& couplings, int joint, Marks& marks) {
  const Joint& j = figure.joint(joint);
  for (int c = j.stepIndex; c < j.stepIndex + stepSize(j.type); ++c) {
    marks[c] = 1;
    for (const Couplings::Term& term : couplings.terms())
      if (term.follower == c) marks[term.driver] = 1;
  }
}

/// By link: its joint moves the chain's links. All of them for a goal of the whole figure.
std::vector<char> jointsAbove(const Figure& figure, const JointChain& chain) {
  std::vector<char> above(figure.linkCount(), chain.links.empty());
  for (int link : chain.links)
    for (; link >= 0; link = figure.link(link).parent) above[link] = 1;
  return above;
}

/// True if the marked coordinates move the joint, directly or as a follower.
bool isMovedBy(const Figure& figure, const Couplings& couplings, int joint, const Marks& marks) {
  Marks own(marks.size(), 0);
  markJoint(figure, couplings, joint, own);
  for (std::size_t c = 0; c < own.size(); ++c)
    if (own[c] && marks[c]) return true;
  return false;
}

/// Marks the coordinates that move the chain's links, directly or through a follower.
void markAbove(const Figure& figure, const Couplings& couplings, const JointChain& chain, Marks& marks) {
  const std::vector<char> above = jointsAbove(figure, chain);
  for (int joint = 0; joint < figure.linkCount(); ++joint)
    if (above[joint]) markJoint(figure, couplings, joint, marks);
}

/// Marks what a chain adds to the union.
void markChain(const Figure& figure, const Couplings& couplings, const JointChain& chain, Marks& marks) {
  if (chain.joints.empty()) return markAbove(figure, couplings, chain, marks);
  for (const int joint : chain.joints) markJoint(figure, couplings, joint, marks);
}

/// Marks the usable coordinates above the chain's links that are below a marked one. True if it marked any.
bool markCompensation(const Figure& figure, const Couplings& couplings, const JointChain& chain, const Marks& canMove,
                      Marks& marks) {
  Marks added(marks.size(), 0);
  bool isMoved = false;
  if (chain.loop) {
    const std::vector<int> around = linksAround(figure, *chain.loop);
    isMoved = std::ranges::any_of(around, [&](int joint) { return isMovedBy(figure, couplings, joint, marks); });
    if (isMoved)
      for (const int joint : around) markJoint(figure, couplings, joint, added);
  } else {
    const std::vector<char> above = jointsAbove(figure, chain);
    for (int joint = 0; joint < figure.linkCount(); ++joint) {
      if (!above[joint]) continue;
      if (isMoved) markJoint(figure, couplings, joint, added);
      isMoved = isMoved || isMovedBy(figure, couplings, joint, marks);
    }
  }
  bool marked = false;
  for (std::size_t c = 0; c < marks.size(); ++c)
    if (added[c] && canMove[c] && !marks[c]) marks[c] = marked = true;
  return marked;
}

}  // namespace

std::vector<int> tableOf(const Figure& figure, const Couplings& couplings, const JointChain& chain,
                         const std::vector<int>& active) {
  Marks moves(figure.stepSize(), 0);
  markAbove(figure, couplings, chain, moves);
  std::vector<int> table;
  for (std::size_t k = 0; k < active.size(); ++k)
    if (moves[active[k]]) table.push_back(static_cast<int>(k));
  return table;
}

ChainUnion uniteChains(const Figure& figure, const Couplings& couplings, std::span<const JointChain> chains,
                       std::span<const char> usable) {
  assert(static_cast<int>(usable.size()) == figure.stepSize());
  ChainUnion result;
  const int size = figure.stepSize();
  const Marks canMove = movable(couplings, usable);
  const auto names = [](const JointChain& chain) { return !chain.joints.empty(); };
  Marks marks(size, std::none_of(chains.begin(), chains.end(), names));
  for (const JointChain& chain : chains) {
    Marks own(size, 0);
    if (!chain.onlyCompensates) markChain(figure, couplings, chain, own);
    bool isUsable = false;
    for (int c = 0; c < size; ++c) {
      isUsable = isUsable || (own[c] && canMove[c]);
      marks[c] = marks[c] || own[c];
    }
    result.isEmpty.push_back(names(chain) && !isUsable);
  }
  for (int c = 0; c < size; ++c) marks[c] = marks[c] && canMove[c];
  // A coordinate that compensates for one chain may move the links of another.
  for (bool marked = std::any_of(chains.begin(), chains.end(), names); marked;) {
    marked = false;
    for (const JointChain& chain : chains)
      if (chain.onlyCompensates) marked = markCompensation(figure, couplings, chain, canMove, marks) || marked;
  }
  for (int c = 0; c < figure.stepSize(); ++c)
    if (marks[c]) result.active.push_back(c);
  return result;
}

}  // namespace limber
