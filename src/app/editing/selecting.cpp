// SPDX-License-Identifier: MIT
#include "app/editing/selecting.h"

#include <algorithm>
#include <iterator>

namespace limber::app {

namespace {

/// The selections that a click on a link can make, from the widest to the narrowest.
std::vector<std::vector<int>> levelsOf(const NamedParts& parts, int link) {
  std::vector<std::vector<int>> levels = {parts.linksOf(parts.wholeOf(link))};
  const std::vector<int> own = parts.linksOf(parts.partOfLink[link]);
  if (own != levels.back()) levels.push_back(own);
  if (own.size() > 1) levels.push_back({link});
  return levels;
}

bool isAllSelected(const Selection& selection, const std::vector<int>& links) {
  return std::ranges::all_of(links, [&](int link) { return selection.hasLink(link); });
}

/// The middle of a part's shape, world.
Eigen::Vector3d middleOfShape(const Figure& figure, const Kinematics& kinematics, const FigurePart& part) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  int count = 0;
  for (const int link : part.links)
    for (const Capsule& capsule : figure.link(link).capsules) {
      sum += kinematics.worldFromLink[link] * Eigen::Vector3d(0.5 * (capsule.start + capsule.end));
      ++count;
    }
  return count > 0 ? Eigen::Vector3d(sum / count) : kinematics.worldFromLink[part.mainLink].translation;
}

}  // namespace

Selection clickedSelection(const NamedParts& parts, const Selection& present, int link) {
  const std::vector<std::vector<int>> levels = levelsOf(parts, link);
  const std::vector<int> selected = present.allLinks();
  std::size_t level = 0;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (selected == levels[i]) level = std::min(i + 1, levels.size() - 1);
  const bool isAlone = level + 1 == levels.size() && levels[level].size() == 1;
  if (isAlone) return selectionOf(levels[level], link);
  const int part = level == 0 ? parts.wholeOf(link) : parts.partOfLink[link];
  return selectionOf(levels[level], parts.mainLinkOf(part));
}

Selection toggledSelection(const Selection& present, const std::vector<int>& links, int main) {
  const std::vector<int> selected = present.allLinks();
  std::vector<int> all;
  if (isAllSelected(present, links)) {
    std::ranges::set_difference(selected, links, std::back_inserter(all));
    return selectionOf(std::move(all), present.joint);
  }
  std::ranges::set_union(selected, links, std::back_inserter(all));
  return selectionOf(std::move(all), main);
}

Selection boxedSelection(const Document& document, const Kinematics& kinematics, const NamedParts& parts,
                         const render::View& view, const Eigen::Vector2d& corner, const Eigen::Vector2d& opposite) {
  const Eigen::Vector2d low = corner.cwiseMin(opposite), high = corner.cwiseMax(opposite);
  std::vector<int> links = document.selection.allLinks();
  int main = document.selection.joint;
  for (std::size_t i = 0; i < parts.parts.size(); ++i) {
    const FigurePart& part = parts.parts[i];
    if (part.kind != PartKind::Part) continue;
    const auto at = render::projectToPixel(view, middleOfShape(*document.figure, kinematics, part));
    if (!at || (at->array() < low.array()).any() || (at->array() > high.array()).any()) continue;
    const std::vector<int> all = parts.linksOf(static_cast<int>(i));
    links.insert(links.end(), all.begin(), all.end());
    if (main < 0) main = part.mainLink;
  }
  return selectionOf(std::move(links), main);
}

std::vector<int> leadingLinks(const NamedParts& parts, const Selection& selection) {
  std::vector<int> leading;
  for (const int link : selection.allLinks()) {
    const int whole = parts.wholeOf(link);
    const bool isWhole = isAllSelected(selection, parts.linksOf(whole));
    leading.push_back(isWhole ? parts.mainLinkOf(whole) : link);
  }
  std::ranges::sort(leading);
  const auto repeated = std::ranges::unique(leading);
  leading.erase(repeated.begin(), repeated.end());
  return leading;
}

std::vector<int> turnedTogether(const NamedParts& parts, const Selection& selection) {
  if (selection.joint < 0) return {};
  std::vector<int> joints = {selection.joint};
  const int own = parts.wholeOf(selection.joint);
  for (const int link : leadingLinks(parts, selection))
    if (link != selection.joint && (parts.wholeOf(link) != own || !isAllSelected(selection, parts.linksOf(own))))
      joints.push_back(link);
  return joints;
}

std::string heldName(const Document& document, const NamedParts& parts, int link) {
  const FigurePart& whole = parts[parts.wholeOf(link)];
  return whole.mainLink == link ? whole.name : document.figure->link(link).name;
}

std::string selectionInWords(const Document& document, const NamedParts& parts, const Selection& selection) {
  std::vector<std::string> names;
  std::vector<int> left = selection.allLinks();
  while (!left.empty()) {
    int part = parts.partOfLink[left.front()], widest = -1;
    for (; part >= 0; part = parts[part].parent)
      if (isAllSelected(selection, parts.linksOf(part))) widest = part;
    const std::vector<int> named = widest >= 0 ? parts.linksOf(widest) : std::vector<int>{left.front()};
    names.push_back(widest >= 0 ? parts[widest].name : document.figure->link(left.front()).name);
    std::erase_if(left, [&](int link) { return std::ranges::binary_search(named, link); });
  }
  if (names.empty()) return "nothing";
  if (names.size() == 1) return names[0];
  return names[0] + " and " + (names.size() == 2 ? names[1] : std::to_string(names.size() - 1) + " more");
}

}  // namespace limber::app
