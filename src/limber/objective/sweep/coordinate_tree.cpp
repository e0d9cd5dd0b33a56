// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/coordinate_tree.h"

#include <algorithm>

namespace limber {

namespace {

class Builder {
 public:
  Builder(const Figure& figure, const std::vector<int>& activeIndex, const FeasibleSet& feasible, CoordinateTree& tree)
      : figure_(figure), activeIndex_(activeIndex), followerOf_(activeIndex.size(), -1),
        staysAlone_(activeIndex.size(), 0), tree_(tree) {
    const Couplings& couplings = feasible.couplings();
    for (std::size_t i = 0; i < couplings.followers().size(); ++i)
      for (const Couplings::Term& term : couplings.termsOf(couplings.followers()[i])) {
        if (this->activeIndex(term.driver) < 0) continue;
        followerOf_[term.follower] = static_cast<int>(i);
        staysAlone_[term.follower] = staysAlone_[term.driver] = 1;
        tree_.drivers.push_back(this->activeIndex(term.driver));
      }
    std::sort(tree_.drivers.begin(), tree_.drivers.end());
    tree_.drivers.erase(std::unique(tree_.drivers.begin(), tree_.drivers.end()), tree_.drivers.end());
    for (std::size_t c = 0; c < activeIndex.size(); ++c)
      if (activeIndex[c] >= 0 && feasible.isTied(static_cast<int>(c))) staysAlone_[c] = 1;
  }

  void build(const std::vector<std::unique_ptr<Goal>>& goals, const StayTerm& stay) {
    const int count = figure_.linkCount();
    std::vector<char> isLoaded(count, 0), endsRun(count, 0);
    const auto load = [&](int loaded) {
      endsRun[loaded] = 1;
      for (int link = loaded; link >= 0 && !isLoaded[link]; link = figure_.link(link).parent) isLoaded[link] = 1;
    };
    for (const auto& goal : goals)
      for (int which = 0; which < goal->linkCount(); ++which) load(goal->link(which));
    for (const StayTerm::Body& body : stay.bodies()) load(body.link);
    std::vector<int> runOf(count, -1), waiting;
    reserve(activeIndex_.size());
    for (int link = figure_.linkCount() - 1; link >= 0; --link) {
      if (!isLoaded[link]) addUnloaded(link);
      else if (figure_.link(link).parent < 0) waiting.push_back(link);
    }
    while (!waiting.empty()) {
      const int link = waiting.back(), parent = figure_.link(link).parent;
      waiting.pop_back();
      const int run = addLink(link, parent < 0 ? -1 : runOf[parent]);
      runOf[link] = run;
      const std::size_t before = waiting.size();
      const auto children = figure_.children(link);
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        if (isLoaded[*child]) waiting.push_back(*child);
      if (endsRun[link] || waiting.size() > before + 1) openRun_ = -1;
    }
    for (const auto& goal : goals) {
      tree_.goalRuns.emplace_back();
      for (int which = 0; which < goal->linkCount(); ++which) tree_.goalRuns.back().push_back(runOf[goal->link(which)]);
    }
    for (const StayTerm::Body& body : stay.bodies()) tree_.stayRuns.push_back(runOf[body.link]);
    std::sort(tree_.unloaded.begin(), tree_.unloaded.end(),
              [](const auto& a, const auto& b) { return a.coordinate < b.coordinate; });
  }

 private:
  void reserve(std::size_t size) {
    for (std::vector<int>* list : {&tree_.coordinates, &tree_.active, &tree_.followers}) list->reserve(size);
    tree_.runs.reserve(size);
    tree_.unloaded.reserve(size);
  }

  int activeIndex(int coordinate) const { return activeIndex_[coordinate]; }
  bool moves(int coordinate) const { return activeIndex(coordinate) >= 0 || followerOf_[coordinate] >= 0; }

  /// Active index of the first active one of its three coordinates, -1 for none.
  int activeOfRotation(int first) const {
    for (int axis = 0; axis < 3; ++axis)
      if (const int k = activeIndex(first + axis); k >= 0) return k;
    return -1;
  }

  /// `first` is the end of the joint's scalars, where its rotation begins if it has one.
  bool movesRotation(const Joint& joint, int first) const {
    if (first == joint.stepIndex + stepSize(joint.type)) return false;
    return activeOfRotation(first) >= 0 || followerOf_[first] >= 0;
  }

  /// Adds the elements of a link below the run `above`. Returns the run that its children continue.
  int addLink(int link, int above) {
    const Joint& joint = figure_.joint(link);
    const int scalarEnd = joint.stepIndex + scalarCount(joint);
    for (int c = joint.stepIndex; c < scalarEnd; ++c)
      if (moves(c)) above = addScalar(c, above);
    if (movesRotation(joint, scalarEnd)) above = addRotation(scalarEnd, above);
    return above;
  }

  int addScalar(int coordinate, int above) {
    const bool isAlone = staysAlone_[coordinate] != 0;
    if (above < 0 || openRun_ != above || isAlone)
      tree_.runs.push_back({tree_.elementCount(), tree_.elementCount(), above, false});
    const int run = static_cast<int>(tree_.runs.size()) - 1;
    openRun_ = isAlone ? -1 : run;
    addElement(coordinate, activeIndex(coordinate));
    ++tree_.runs.back().end;
    return run;
  }

  void addElement(int coordinate, int active) {
    tree_.coordinates.push_back(coordinate);
    tree_.active.push_back(active);
    tree_.followers.push_back(followerOf_[coordinate]);
  }

  int addRotation(int coordinate, int above) {
    const int element = tree_.elementCount();
    tree_.runs.push_back({element, element + 1, above, true});
    addElement(coordinate, activeOfRotation(coordinate));
    openRun_ = -1;
    return static_cast<int>(tree_.runs.size()) - 1;
  }

  /// Adds the scalars of a link without goals below as unloaded, its rotation as a run without a parent.
  void addUnloaded(int link) {
    const Joint& joint = figure_.joint(link);
    const int scalarEnd = joint.stepIndex + scalarCount(joint);
    for (int c = joint.stepIndex; c < scalarEnd; ++c)
      if (moves(c)) tree_.unloaded.push_back({c, activeIndex(c), followerOf_[c]});
    if (movesRotation(joint, scalarEnd)) addRotation(scalarEnd, -1);
  }

  const Figure& figure_;
  const std::vector<int>& activeIndex_;
  std::vector<int> followerOf_;   ///< by step coordinate: index among the followers, -1 for none that moves
  std::vector<char> staysAlone_;  ///< by step coordinate
  CoordinateTree& tree_;
  int openRun_ = -1;  ///< the last run, if the next scalar may join it
};

}  // namespace

CoordinateTree makeCoordinateTree(const Figure& figure, const std::vector<std::unique_ptr<Goal>>& goals,
                                  const StayTerm& stay, const std::vector<int>& activeIndex,
                                  const FeasibleSet& feasible) {
  CoordinateTree tree;
  Builder(figure, activeIndex, feasible, tree).build(goals, stay);
  return tree;
}

}  // namespace limber
