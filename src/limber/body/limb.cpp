// SPDX-License-Identifier: MIT
#include "limber/body/limb.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "limber/kinematics/forward_kinematics.h"

namespace limber {

namespace {

constexpr double kForkShare = 0.5;        // of the reach of the branch through which the walk came
constexpr double kLimbShare = 1.0 / 3.0;  // of the figure's size

/// The positions of the figure's joints, sites and capsule ends at rest.
class RestPlaces {
 public:
  explicit RestPlaces(const Figure& figure) : figure_(figure), places_(figure.linkCount()) {
    const Kinematics rest = transformsOf(figure, restPose(figure));
    for (int i = 0; i < figure.linkCount(); ++i) {
      const Transform& worldFromLink = rest.worldFromLink[i];
      std::vector<Eigen::Vector3d>& places = places_[i];
      places.push_back(worldFromLink.translation);
      for (const Capsule& capsule : figure.link(i).capsules) {
        places.push_back(worldFromLink * capsule.start);
        places.push_back(worldFromLink * capsule.end);
      }
    }
    for (const Site& site : figure.sites())
      places_[site.link].push_back(rest.worldFromLink[site.link] * site.linkFromSite.translation);
  }

  const Figure& figure() const { return figure_; }
  /// The joint first.
  const std::vector<Eigen::Vector3d>& of(int link) const { return places_[link]; }
  const Eigen::Vector3d& jointOf(int link) const { return of(link).front(); }

 private:
  const Figure& figure_;
  std::vector<std::vector<Eigen::Vector3d>> places_;
};

/// The farthest point of a set of links from a given point.
struct Farthest {
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
  double distance = 0.0;
};

Farthest farthestOf(const RestPlaces& places, const std::vector<int>& links, const Eigen::Vector3d& from) {
  Farthest farthest{from, 0.0};
  for (const int link : links)
    for (const Eigen::Vector3d& place : places.of(link))
      if (const double distance = (place - from).norm(); distance > farthest.distance) farthest = {place, distance};
  return farthest;
}

bool isMoving(const Figure& figure, int link) { return figure.joint(link).type != JointType::Fixed; }

/// The reach of the walk's branch. Measuring it at every link would take quadratic time on a tree with many short
/// twigs. The farthest place found last and the triangle inequality decide nearly always.
class BranchReach {
 public:
  BranchReach(const RestPlaces& places, int top) : places_(places), top_(top) { measureFrom(places.jointOf(top)); }

  /// True if `distance` is at least kForkShare of the branch's reach from `place`.
  bool isRivalledBy(double distance, const Eigen::Vector3d& place) {
    if (distance >= kForkShare * (atMost_ + (place - seenFrom_).norm())) return true;
    if (distance < kForkShare * (known_ - place).norm()) return false;
    measureFrom(place);
    return distance >= kForkShare * atMost_;
  }

  /// Extends the branch by its parent and the parent's other subtrees, whose farthest point is `others`.
  void growTo(int parent, const Farthest& others) {
    const Eigen::Vector3d& place = places_.jointOf(parent);
    const Farthest own = farthestOf(places_, {parent}, place);
    atMost_ = std::max({atMost_ + (place - seenFrom_).norm(), others.distance, own.distance});
    for (const Farthest& candidate : {others, own})
      if (candidate.distance > (known_ - place).norm()) known_ = candidate.place;
    seenFrom_ = place;
    top_ = parent;
  }

 private:
  void measureFrom(const Eigen::Vector3d& place) {
    const Farthest farthest = farthestOf(places_, withAllBelow(places_.figure(), top_), place);
    known_ = farthest.place;
    atMost_ = farthest.distance;
    seenFrom_ = place;
  }

  const RestPlaces& places_;
  int top_;
  Eigen::Vector3d known_, seenFrom_;
  double atMost_ = 0.0;  // seen from seenFrom_
};

/// The farthest points of a link's subtrees except one child's: of all subtrees, and of moving ones.
struct Branches {
  Farthest all, moving;
};

Branches branchesBeside(const RestPlaces& places, int parent, int child) {
  const Figure& figure = places.figure();
  Branches out;
  for (const int other : figure.children(parent)) {
    if (other == child) continue;
    const std::vector<int> links = withAllBelow(figure, other);
    const Farthest farthest = farthestOf(places, links, places.jointOf(parent));
    if (farthest.distance >= out.all.distance) out.all = farthest;
    const bool moves = std::ranges::any_of(links, [&](int link) { return isMoving(figure, link); });
    if (moves && farthest.distance >= out.moving.distance) out.moving = farthest;
  }
  return out;
}

using Box = Eigen::AlignedBox3d;

/// The largest distance along one axis from a point to a side of a box.
double reachAlongAxes(const Box& box, const Eigen::Vector3d& from) {
  return std::max((box.max() - from).maxCoeff(), (from - box.min()).maxCoeff());
}

/// By link: the number of its moving subtrees that reach far enough.
std::vector<int> countLimbs(const Figure& figure) {
  const RestPlaces places(figure);
  const double enough = kLimbShare * figureSize(figure);
  std::vector<Box> boxes(figure.linkCount());
  std::vector<char> moves(boxes.size(), 0);
  std::vector<int> limbs(boxes.size(), 0);
  for (int link = figure.linkCount() - 1; link >= 0; --link) {  // children before their parents
    for (const int child : figure.children(link)) {
      if (moves[child] && reachAlongAxes(boxes[child], places.jointOf(child)) >= enough) ++limbs[link];
      boxes[link].extend(boxes[child]);
      moves[link] |= moves[child];
    }
    for (const Eigen::Vector3d& place : places.of(link)) boxes[link].extend(place);
    if (isMoving(figure, link)) moves[link] = 1;
  }
  return limbs;
}

}  // namespace

std::vector<int> withAllBelow(const Figure& figure, int top) {
  std::vector<int> links = {top};
  for (std::size_t k = 0; k < links.size(); ++k)
    links.insert(links.end(), figure.children(links[k]).begin(), figure.children(links[k]).end());
  return links;
}

int commonAncestor(const Figure& figure, int a, int b) {
  while (a >= 0 && !figure.isAncestorOrSelf(a, b)) a = figure.link(a).parent;
  return a;
}

OutwardWays outwardWays(const Figure& figure, const Kinematics& rest) {
  OutwardWays ways{std::vector<double>(figure.linkCount(), 0.0), std::vector<int>(figure.linkCount(), -1)};
  for (int i = figure.linkCount() - 1; i > 0; --i) {
    const int parent = figure.link(i).parent;
    if (parent < 0) continue;
    const double length = (rest.worldFromLink[i].translation - rest.worldFromLink[parent].translation).norm();
    if (ways.next[parent] >= 0 && ways.reach[i] + length < ways.reach[parent]) continue;
    ways.reach[parent] = ways.reach[i] + length;
    ways.next[parent] = i;
  }
  return ways;
}

int rigidTopOf(const Figure& figure, int link) {
  while (!isMoving(figure, link) && figure.link(link).parent >= 0) link = figure.link(link).parent;
  return link;
}

std::vector<char> findLimb(const Figure& figure, int link) {
  const RestPlaces places(figure);
  int top = rigidTopOf(figure, link);
  BranchReach branch(places, top);
  for (int parent = figure.link(top).parent; parent >= 0; parent = figure.link(top).parent) {
    const Branches others = branchesBeside(places, parent, top);
    const bool isRivalled =
        others.moving.distance > 0.0 && branch.isRivalledBy(others.moving.distance, places.jointOf(parent));
    const Joint& joint = figure.joint(parent);
    if (isRivalled || (joint.type == JointType::Free && !joint.translationLocked)) {
      std::vector<char> limb(figure.linkCount(), 0);
      for (const int inLimb : withAllBelow(figure, top)) limb[inLimb] = 1;
      return limb;
    }
    branch.growTo(parent, others.all);
    top = parent;
  }
  return std::vector<char>(figure.linkCount(), 1);
}

double figureSize(const Figure& figure) {
  const Kinematics rest = transformsOf(figure, restPose(figure));
  Box box;
  for (const Transform& worldFromLink : rest.worldFromLink) box.extend(worldFromLink.translation);
  return box.sizes().maxCoeff();
}

bool hasLimbs(const Figure& figure) {
  return std::ranges::any_of(countLimbs(figure), [](int limbs) { return limbs >= 2; });
}

std::vector<char> findTrunks(const Figure& figure) {
  std::vector<int> limbs = countLimbs(figure);
  for (int i = figure.linkCount() - 1; i >= 0; --i)  // of all links of one rigid part, at its topmost link
    if (const int parent = figure.link(i).parent; parent >= 0 && !isMoving(figure, i)) limbs[parent] += limbs[i];
  std::vector<char> trunks(limbs.size(), 0);
  for (int i = 0; i < figure.linkCount(); ++i) trunks[i] = limbs[rigidTopOf(figure, i)] >= 2;
  return trunks;
}

}  // namespace limber
