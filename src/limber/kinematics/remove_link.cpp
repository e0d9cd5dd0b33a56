// SPDX-License-Identifier: MIT
// removeLink of figure_edit.h: removes a subtree and renumbers the remaining parts.
#include <algorithm>

#include "limber/kinematics/figure_faults.h"
#include "limber/kinematics/figure_parts.h"

namespace limber {

namespace {

/// "the link \"a\" goes", "the links \"a\", \"b\" and \"c\" go".
std::string sayGone(std::string_view what, const std::vector<std::string>& names) {
  std::string text = "the " + std::string(what) + (names.size() == 1 ? " " : "s ");
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + inQuotes(names[i]);
  return text + (names.size() == 1 ? " goes" : " go");
}

/// New indices of the links.
struct Renumbering {
  std::vector<int>& now;
  std::vector<std::string>& notes;

  bool isGone(int old) const { return old >= 0 && now[old] < 0; }
  void apply(int& index) const { index = index < 0 ? -1 : now[index]; }

  /// Removes items that name a removed link, renumbers the others, and notes each removed name once.
  template <typename T, typename IndicesOf>
  void filter(std::string_view what, std::vector<T>& all, IndicesOf indicesOf) const {
    std::vector<std::string> gone;
    std::erase_if(all, [&](T& item) {
      const std::vector<int*> indices = indicesOf(item);
      if (std::none_of(indices.begin(), indices.end(), [&](const int* index) { return isGone(*index); })) return false;
      if (std::find(gone.begin(), gone.end(), item.name) == gone.end()) gone.push_back(item.name);
      return true;
    });
    for (T& item : all)
      for (int* index : indicesOf(item)) apply(*index);
    if (!gone.empty()) notes.push_back(sayGone(what, gone));
  }
};

std::vector<int*> jointsOf(Coupling& coupling) {
  std::vector<int*> joints = {&coupling.follower};
  for (Coupling::Term& term : coupling.terms) joints.push_back(&term.driver);
  return joints;
}

std::vector<int*> jointsOf(LinearLimit& limit) {
  std::vector<int*> joints;
  for (LinearLimit::Term& term : limit.terms) joints.push_back(&term.joint);
  return joints;
}

/// Copies the remaining links from `all` to `parts` and numbers them.
void keepLinksThatStay(const FigureParts& all, const Renumbering& renumbering, FigureParts& parts) {
  for (std::size_t i = 0; i < all.links.size(); ++i) {
    if (renumbering.isGone(static_cast<int>(i))) continue;
    renumbering.now[i] = static_cast<int>(parts.links.size());
    parts.links.push_back(all.links[i]);
    renumbering.apply(parts.links.back().parent);
    parts.joints.push_back(all.joints[i]);
    parts.rest.push_back(all.rest[i]);
  }
}

}  // namespace

std::vector<int> subtreeOf(const Figure& figure, int link) {
  std::vector<char> isBelow(figure.linkCount(), 0);
  std::vector<int> subtree;
  for (int i = link; i < figure.linkCount(); ++i) {
    const int parent = figure.link(i).parent;
    if (i != link && (parent < 0 || !isBelow[parent])) continue;
    isBelow[i] = 1;
    subtree.push_back(i);
  }
  return subtree;
}

FigureEdit removeLink(const Figure& figure, int link) {
  const std::vector<int> subtree = subtreeOf(figure, link);
  if (static_cast<int>(subtree.size()) == figure.linkCount()) return failedEdit("the figure would have no link left");
  FigureEdit edit = keepLinks(figure);
  std::vector<std::string> gone;
  for (const int i : subtree) {
    edit.linkFromOld[i] = -1;
    gone.push_back(figure.link(i).name);
  }
  edit.notes.push_back(sayGone("link", gone));
  const FigureParts all = takeApart(figure);
  FigureParts parts = all;
  parts.links.clear();
  parts.joints.clear();
  parts.rest.clear();
  const Renumbering renumbering{edit.linkFromOld, edit.notes};
  keepLinksThatStay(all, renumbering, parts);
  renumbering.filter("site", parts.sites, [](Site& site) { return std::vector<int*>{&site.link}; });
  renumbering.filter("coupling", parts.couplings, [](Coupling& coupling) { return jointsOf(coupling); });
  renumbering.filter("linear limit", parts.linearLimits, [](LinearLimit& limit) { return jointsOf(limit); });
  renumbering.filter("loop", parts.loops, [](LoopClosure& loop) { return std::vector<int*>{&loop.link, &loop.other}; });
  return putTogether(std::move(parts), std::move(edit));
}

}  // namespace limber
