// SPDX-License-Identifier: MIT
#include "limber/body/limb.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "limber/body/body_map.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber {

namespace {

constexpr double kForkShare = 0.5;        // of the reach of the branch through which the walk came
constexpr double kLimbShare = 1.0 / 3.0;  // of the figure's size

/// The farthest point of a set of links from a given point.
struct Farthest {
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
  double distance = 0.0;
};

Farthest farthestOf(const BodyMap& body, const std::vector<int>& links, const Eigen::Vector3d& from) {
  Farthest farthest{from, 0.0};
  for (const int link : links)
    for (const Eigen::Vector3d& place : body.outline()[link])
      if (const double distance = (place - from).norm(); distance > farthest.distance) farthest = {place, distance};
  return farthest;
}

bool isMoving(const Figure& figure, int link) { return figure.joint(link).type != JointType::Fixed; }

/// The reach of the walk's branch. Measuring it at every link would take quadratic time on a tree with many short
/// twigs. The farthest place found last and the triangle inequality decide nearly always.
class BranchReach {
 public:
  BranchReach(const BodyMap& body, int top) : body_(body), top_(top) { measureFrom(body.jointAtRest(top)); }

  /// True if `distance` is at least kForkShare of the branch's reach from `place`.
  bool isRivalledBy(double distance, const Eigen::Vector3d& place) {
    if (distance >= kForkShare * (atMost_ + (place - seenFrom_).norm())) return true;
    if (distance < kForkShare * (known_ - place).norm()) return false;
    measureFrom(place);
    return distance >= kForkShare * atMost_;
  }

  /// Extends the branch by its parent and the parent's other subtrees, whose farthest point is `others`.
  void growTo(int parent, const Farthest& others) {
    const Eigen::Vector3d& place = body_.jointAtRest(parent);
    const Farthest own = farthestOf(body_, {parent}, place);
    atMost_ = std::max({atMost_ + (place - seenFrom_).norm(), others.distance, own.distance});
    for (const Farthest& candidate : {others, own})
      if (candidate.distance > (known_ - place).norm()) known_ = candidate.place;
    seenFrom_ = place;
    top_ = parent;
  }

 private:
  void measureFrom(const Eigen::Vector3d& place) {
    const Farthest farthest = farthestOf(body_, withAllBelow(body_.figure(), top_), place);
    known_ = farthest.place;
    atMost_ = farthest.distance;
    seenFrom_ = place;
  }

  const BodyMap& body_;
  int top_;
  Eigen::Vector3d known_, seenFrom_;
  double atMost_ = 0.0;  // seen from seenFrom_
};

/// The farthest points of a link's subtrees except one child's: of all subtrees, and of moving ones.
struct SiblingBranches {
  Farthest all, moving;
};

SiblingBranches branchesBeside(const BodyMap& body, int parent, int child) {
  const Figure& figure = body.figure();
  SiblingBranches out;
  for (const int other : figure.children(parent)) {
    if (other == child) continue;
    const std::vector<int> links = withAllBelow(figure, other);
    const Farthest farthest = farthestOf(body, links, body.jointAtRest(parent));
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

std::vector<int> countLimbs(const BodyMap& body) {
  const Figure& figure = body.figure();
  const double enough = kLimbShare * body.size();
  std::vector<Box> boxes(figure.linkCount());
  std::vector<char> moves(boxes.size(), 0);
  std::vector<int> limbs(boxes.size(), 0);
  for (int link = figure.linkCount() - 1; link >= 0; --link) {  // children before their parents
    for (const int child : figure.children(link)) {
      if (moves[child] && reachAlongAxes(boxes[child], body.jointAtRest(child)) >= enough) ++limbs[link];
      boxes[link].extend(boxes[child]);
      moves[link] |= moves[child];
    }
    for (const Eigen::Vector3d& place : body.outline()[link]) boxes[link].extend(place);
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

const PlacesOfLinks& BodyMap::outline() const {
  return outline_.get([&] {
    PlacesOfLinks places(figure_.linkCount());
    for (int i = 0; i < figure_.linkCount(); ++i) {
      const Transform& worldFromLink = rest().worldFromLink[i];
      places[i].push_back(worldFromLink.translation);
      for (const Capsule& capsule : figure_.link(i).capsules)
        for (const Eigen::Vector3d& end : {capsule.start, capsule.end}) places[i].push_back(worldFromLink * end);
    }
    for (const Site& site : figure_.sites())
      places[site.link].push_back(rest().worldFromLink[site.link] * site.linkFromSite.translation);
    return places;
  });
}

std::vector<char> BodyMap::limbOf(int link) const {
  int top = rigidTopOf(figure_, link);
  BranchReach branch(*this, top);
  for (int parent = figure_.link(top).parent; parent >= 0; parent = figure_.link(top).parent) {
    const SiblingBranches others = branchesBeside(*this, parent, top);
    const bool isRivalled =
        others.moving.distance > 0.0 && branch.isRivalledBy(others.moving.distance, jointAtRest(parent));
    const Joint& joint = figure_.joint(parent);
    if (isRivalled || (joint.type == JointType::Free && !joint.translationLocked)) {
      std::vector<char> limb(figure_.linkCount(), 0);
      for (const int inLimb : withAllBelow(figure_, top)) limb[inLimb] = 1;
      return limb;
    }
    branch.growTo(parent, others.all);
    top = parent;
  }
  return std::vector<char>(figure_.linkCount(), 1);
}

double BodyMap::size() const {
  return size_.get([&] {
    Box box;
    for (const Transform& worldFromLink : rest().worldFromLink) box.extend(worldFromLink.translation);
    return box.sizes().maxCoeff();
  });
}

const OutwardWays& BodyMap::ways() const {
  return ways_.get([&] { return outwardWays(figure_, rest()); });
}

/// By link: the number of its moving subtrees that reach far enough.
const std::vector<int>& BodyMap::limbCounts() const {
  return limbCounts_.get([&] { return countLimbs(*this); });
}

bool BodyMap::hasLimbs() const {
  return std::ranges::any_of(limbCounts(), [](int limbs) { return limbs >= 2; });
}

const std::vector<char>& BodyMap::trunks() const {
  return trunks_.get([&] {
    std::vector<int> limbs = limbCounts();
    for (int i = figure_.linkCount() - 1; i >= 0; --i)  // of all links of one rigid part, at its topmost link
      if (const int parent = figure_.link(i).parent; parent >= 0 && !isMoving(figure_, i)) limbs[parent] += limbs[i];
    std::vector<char> trunks(limbs.size(), 0);
    for (int i = 0; i < figure_.linkCount(); ++i) trunks[i] = limbs[rigidTopOf(figure_, i)] >= 2;
    return trunks;
  });
}

}  // namespace limber
