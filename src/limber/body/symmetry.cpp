// SPDX-License-Identifier: MIT
#include "limber/body/symmetry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "limber/body/body_map.h"
#include "limber/body/body_words.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber {

namespace {

constexpr double kPlaceTolerance = 0.02;     // of the figure's size: largest distance from the partner's image
constexpr double kPartnerTolerance = 0.06;   // of a link's length: largest difference of partners ...
constexpr double kNamesakeTolerance = 0.25;  // ... and of partners that are also paired by name
constexpr double kAxisTolerance = 0.97;      // cosine between an axis and its partner's image
constexpr double kLeastShare = 0.85;         // of the moving joints: least share with a partner
constexpr double kCountsAsMuch = 0.02;       // of the joints: if planes match equally many, names decide
constexpr std::size_t kMostPlanes = 64;

bool isMovingJoint(const Figure& figure, int i) { return stepSize(figure.joint(i).type) > 0; }

/// A figure in one pose, with the joints below each link.
struct StandingTree {
  const Figure& figure;
  Kinematics kinematics;
  std::vector<Eigen::Vector3d> below;  ///< mean of the joints from here on outward
  std::vector<int> countBelow;         ///< of them
  double size = 1.0;                   ///< diagonal of the box around all joints, metres

  StandingTree(const Figure& f, const Pose& pose) : figure(f) {
    computeTransforms(f, pose, kinematics);
    const int count = f.linkCount();
    below.resize(count, Eigen::Vector3d::Zero());
    countBelow.resize(count, 0);
    Eigen::Vector3d low = placeOf(0), high = low;
    for (int i = count - 1; i >= 0; --i) {
      below[i] += placeOf(i);
      ++countBelow[i];
      if (const int parent = f.link(i).parent; parent >= 0) {
        below[parent] += below[i];
        countBelow[parent] += countBelow[i];
      }
      below[i] /= countBelow[i];
      low = low.cwiseMin(placeOf(i));
      high = high.cwiseMax(placeOf(i));
    }
    size = std::max((high - low).norm(), f.meanLinkLength());
  }
  const Eigen::Vector3d& placeOf(int i) const { return kinematics.worldFromLink[i].translation; }
  const Eigen::Matrix3d& rotationOf(int i) const { return kinematics.worldFromLink[i].rotation; }
  const Eigen::Vector3d& meanOf(int i) const { return below[i]; }
  Eigen::Vector3d axisOf(int i) const { return rotationOf(i) * figure.joint(i).axis; }
};

/// The partner of each link, and how well they match.
struct Pairing {
  std::vector<int> partner;
  int matched = 0;      ///< moving joints with a partner
  int pairs = 0;        ///< of them, not their own partner
  int agreeing = 0;     ///< of those, also paired by name
  double misfit = 0.0;  ///< sum of distances, metres
};

/// Partners by names, -1 for none.
std::vector<int> partnersByName(const Figure& figure, std::vector<BodySide>& side) {
  const int count = figure.linkCount();
  std::vector<int> partner(count, -1);
  side.assign(count, BodySide::Middle);
  const auto match = [&](auto&& nameOf) {
    std::map<std::string, std::array<std::vector<int>, 2>> stems;
    for (int i = 0; i < count; ++i) {
      const SidedName sided = nameOf(i);
      if (sided.side == BodySide::Middle) continue;
      if (side[i] == BodySide::Middle) side[i] = sided.side;
      if (partner[i] < 0) stems[sided.stem][sided.side == BodySide::Left ? 0 : 1].push_back(i);
    }
    for (const auto& [stem, both] : stems) {
      if (both[0].size() != 1 || both[1].size() != 1) continue;
      partner[both[0][0]] = both[1][0];
      partner[both[1][0]] = both[0][0];
    }
  };
  const auto withoutLastNumber = [](SidedName sided) {  // "leg 01 016": exporters number their nodes
    const std::size_t end = sided.stem.find_last_not_of("0123456789");
    if (end != std::string::npos && end + 1 < sided.stem.size()) sided.stem.erase(end + 1);
    return sided;
  };
  match([&](int i) { return sidedName(figure.link(i).name); });
  match([&](int i) { return sidedName(figure.joint(i).name); });
  match([&](int i) { return withoutLastNumber(sidedName(figure.link(i).name)); });
  return partner;
}

/// The plane between pairs of links; empty if the pairs coincide.
std::optional<Mirror> planeBetween(const StandingTree& tree, const std::vector<int>& partner,
                                   const std::vector<BodySide>& side) {
  Mirror plane{Eigen::Vector3d::Zero(), 0.0};
  for (int i = 0; i < tree.figure.linkCount(); ++i)
    if (const int j = partner[i]; j >= 0 && side[i] == BodySide::Left)
      plane.normal += tree.placeOf(i) - tree.placeOf(j);
  if (!(plane.normal.norm() > kPlaceTolerance * tree.size)) return std::nullopt;
  plane.normal.normalize();
  int count = 0;
  for (int i = 0; i < tree.figure.linkCount(); ++i)
    if (const int j = partner[i]; j >= 0 && j != i) {
      plane.offset += plane.normal.dot(tree.placeOf(i) + tree.placeOf(j)) / 2.0;
      ++count;
    }
  plane.offset /= count;
  return plane;
}

std::vector<int> rootsOf(const Figure& figure) {
  std::vector<int> roots;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.link(i).parent < 0) roots.push_back(i);
  return roots;
}

/// The planes between two children of one link, and the plane that the names suggest.
std::vector<Mirror> candidatePlanes(const StandingTree& tree, const std::optional<Mirror>& named) {
  std::vector<Mirror> planes;
  if (named) planes.push_back(*named);
  const Figure& figure = tree.figure;
  const auto add = [&](int a, int b) {
    if (figure.joint(a).type != figure.joint(b).type || planes.size() >= kMostPlanes) return;
    const Eigen::Vector3d apart = tree.meanOf(a) - tree.meanOf(b);
    if (apart.norm() < kPlaceTolerance * tree.size) return;
    const Eigen::Vector3d normal = apart.normalized();
    const double offset = 0.5 * normal.dot(tree.meanOf(a) + tree.meanOf(b));
    const auto isSame = [&](const Mirror& known) {
      const double cosine = known.normal.dot(normal);
      return std::abs(cosine) > 0.9999 &&
             std::abs(known.offset - (cosine > 0.0 ? offset : -offset)) < 0.1 * kPlaceTolerance * tree.size;
    };
    if (std::none_of(planes.begin(), planes.end(), isSame)) planes.push_back({normal, offset});
  };
  const auto addAll = [&](std::span<const int> siblings) {
    for (std::size_t i = 0; i < siblings.size() && planes.size() < kMostPlanes; ++i)
      for (std::size_t k = i + 1; k < siblings.size(); ++k) add(siblings[i], siblings[k]);
  };
  addAll(rootsOf(figure));
  for (int i = 0; i < figure.linkCount(); ++i) addAll(figure.children(i));
  return planes;
}

/// True if a link can be the image of another: type, position, length and axis match.
bool fits(const StandingTree& tree, const Mirror& plane, int a, int b, bool areNamesakes) {
  const Figure& figure = tree.figure;
  if (figure.joint(a).type != figure.joint(b).type) return false;
  if ((plane.imageOf(tree.placeOf(a)) - tree.placeOf(b)).norm() > kPlaceTolerance * tree.size) return false;
  const double lengthA = figure.linkLength(a), lengthB = figure.linkLength(b);
  const double tolerance = areNamesakes ? kNamesakeTolerance : kPartnerTolerance;
  if (std::abs(lengthA - lengthB) > tolerance * std::max(lengthA, lengthB)) return false;
  return !isScalar(figure.joint(a)) || std::abs(plane.directionOf(tree.axisOf(a)).dot(tree.axisOf(b))) > kAxisTolerance;
}

/// Pairs the links of two lists, or of one list with itself, so that the links below them match best.
void pairUp(const StandingTree& tree, const Mirror& plane, std::span<const int> listA, std::span<const int> listB,
            const std::vector<int>& named, std::vector<int>& partner) {
  struct Chance {
    double misfit;
    int a, b;
  };
  std::vector<Chance> chances;
  for (const int a : listA)
    for (const int b : listB) {
      const bool areNamesakes = named[a] == b;
      if (!fits(tree, plane, a, b, areNamesakes)) continue;
      double misfit = (plane.imageOf(tree.meanOf(a)) - tree.meanOf(b)).norm() / tree.size;
      misfit += std::abs(tree.countBelow[a] - tree.countBelow[b]);
      if (areNamesakes) misfit -= 2.0 * kPlaceTolerance;  // prefers namesakes among links that fit
      chances.push_back({misfit, a, b});
    }
  std::stable_sort(chances.begin(), chances.end(),
                   [](const Chance& x, const Chance& y) { return x.misfit < y.misfit; });
  for (const Chance& chance : chances) {
    int& a = partner[chance.a];
    int& b = partner[chance.b];
    if (a >= 0 || b >= 0) continue;
    a = chance.b;
    b = chance.a;
  }
}

/// Pairs by name the links that match none but whose parents are paired, such as thumbs of different lengths.
void pairTheRest(const Figure& figure, const std::vector<int>& named, std::vector<int>& partner) {
  const auto partnerOf = [&](int i) { return i < 0 ? -1 : partner[i]; };
  for (int i = 0; i < figure.linkCount(); ++i) {
    const int j = named[i];
    if (j < 0 || partnerOf(i) >= 0 || partnerOf(j) >= 0 || figure.joint(i).type != figure.joint(j).type) continue;
    if (figure.link(j).parent != partnerOf(figure.link(i).parent)) continue;
    partner[i] = j;
    partner[j] = i;
  }
}

void countPairs(const StandingTree& tree, const Mirror* plane, const std::vector<int>& named, Pairing& pairing) {
  for (int i = 0; i < tree.figure.linkCount(); ++i) {
    const int j = pairing.partner[i];
    if (j < 0 || !isMovingJoint(tree.figure, i)) continue;
    ++pairing.matched;
    if (j != i) ++pairing.pairs;
    if (j != i && named[i] == j) ++pairing.agreeing;
    if (plane) pairing.misfit += (plane->imageOf(tree.placeOf(i)) - tree.placeOf(j)).norm();
  }
}

/// From the roots outward: the children of partners are paired.
Pairing pairByPlane(const StandingTree& tree, const Mirror& plane, const std::vector<int>& named) {
  Pairing pairing;
  pairing.partner.assign(tree.figure.linkCount(), -1);
  const std::vector<int> roots = rootsOf(tree.figure);
  pairUp(tree, plane, roots, roots, named, pairing.partner);
  for (int i = 0; i < tree.figure.linkCount(); ++i)
    if (const int j = pairing.partner[i]; j >= i)
      pairUp(tree, plane, tree.figure.children(i), tree.figure.children(j), named, pairing.partner);
  countPairs(tree, &plane, named, pairing);
  return pairing;
}

/// By names alone. The parents of partners are partners; a link without a side is its own partner if its parent is.
Pairing pairByNames(const StandingTree& tree, const std::vector<int>& named, const std::vector<BodySide>& side) {
  const Figure& figure = tree.figure;
  Pairing pairing;
  pairing.partner.assign(figure.linkCount(), -1);
  const auto partnerOf = [&](int i) { return i < 0 ? -1 : pairing.partner[i]; };
  for (int i = 0; i < figure.linkCount(); ++i) {
    const int parent = figure.link(i).parent, j = named[i];
    if (parent >= 0 && partnerOf(parent) < 0) continue;
    const bool isMiddle = side[i] == BodySide::Middle;
    if (isMiddle && partnerOf(parent) == parent) pairing.partner[i] = i;
    if (j > i && figure.joint(i).type == figure.joint(j).type && figure.link(j).parent == partnerOf(parent)) {
      pairing.partner[i] = j;
      pairing.partner[j] = i;
    }
  }
  countPairs(tree, nullptr, named, pairing);
  return pairing;
}

int movingCount(const Figure& figure) {
  int count = 0;
  for (int i = 0; i < figure.linkCount(); ++i) count += isMovingJoint(figure, i);
  return count;
}

bool isEnough(const Pairing& pairing, int moving) {
  return pairing.pairs >= 2 && pairing.matched >= kLeastShare * moving;
}

/// More joints count first, then more pairs that agree with names, then the smaller misfit.
bool isBetterPairing(const Pairing& a, const Pairing& b, int moving) {
  if (std::abs(a.matched - b.matched) > kCountsAsMuch * moving) return a.matched > b.matched;
  if (a.agreeing != b.agreeing) return a.agreeing > b.agreeing;
  if (a.matched != b.matched) return a.matched > b.matched;
  if (a.pairs != b.pairs) return a.pairs > b.pairs;
  return a.misfit < b.misfit;
}

/// Points the normal to the left side by names; without names along x, else z, else y.
void pointToTheLeft(const StandingTree& tree, const Pairing& pairing, const std::vector<BodySide>& named,
                    Mirror& plane) {
  double votes = 0.0;
  for (int i = 0; i < tree.figure.linkCount(); ++i)
    if (const int j = pairing.partner[i]; j >= 0 && j != i && named[i] == BodySide::Left)
      votes += plane.normal.dot(tree.meanOf(i) - tree.meanOf(j)) > 0.0 ? 1.0 : -1.0;
  if (votes == 0.0) {
    const Eigen::Vector3d& n = plane.normal;
    votes = std::abs(n.x()) > 0.1 ? n.x() : std::abs(n.z()) > 0.1 ? n.z() : n.y();
  }
  if (votes >= 0.0) return;
  plane.normal = -plane.normal;
  plane.offset = -plane.offset;
}

std::shared_ptr<const Symmetry> makeSymmetry(const StandingTree& tree, const Pose& rest, const Pairing& pairing,
                                             const std::vector<BodySide>& named, Mirror plane, bool isByNames) {
  pointToTheLeft(tree, pairing, named, plane);
  const Figure& figure = tree.figure;
  const int count = figure.linkCount();
  auto symmetry = std::make_shared<Symmetry>();
  symmetry->normal = plane.normal;
  symmetry->offset = plane.offset;
  symmetry->partner = pairing.partner;
  symmetry->rest = rest;
  symmetry->isByNames = isByNames;
  symmetry->side.assign(count, BodySide::Middle);
  symmetry->linkMirror.assign(count, Eigen::Matrix3d::Identity());
  symmetry->jointMirror.assign(count, Eigen::Matrix3d::Identity());
  symmetry->sign.assign(count, 1.0);
  const Eigen::Matrix3d s = plane.linear();
  for (int i = 0; i < figure.linkCount(); ++i) {
    const int j = pairing.partner[i];
    if (j < 0) continue;
    if (j > i) {  // the links below decide if the joints themselves are in one place
      const bool isLeft =
          isByNames ? named[i] == BodySide::Left : plane.normal.dot(tree.meanOf(i) - tree.meanOf(j)) > 0.0;
      symmetry->side[i] = isLeft ? BodySide::Left : BodySide::Right;
      symmetry->side[j] = isLeft ? BodySide::Right : BodySide::Left;
    }
    symmetry->linkMirror[i] = tree.rotationOf(i).transpose() * s * tree.rotationOf(j);
    symmetry->jointMirror[i] = worldFromJoint(figure, tree.kinematics, i).rotation.transpose() * s *
                               worldFromJoint(figure, tree.kinematics, j).rotation;
    const double along = plane.directionOf(tree.axisOf(i)).dot(tree.axisOf(j));
    const JointType type = figure.joint(i).type;
    if (type == JointType::Prismatic) symmetry->sign[i] = along >= 0.0 ? 1.0 : -1.0;
    if (type == JointType::Revolute) symmetry->sign[i] = along >= 0.0 ? -1.0 : 1.0;
  }
  return symmetry;
}

/// All joints at zero, balls unturned.
Pose zeroPose(const Figure& figure) {
  Pose pose{Eigen::VectorXd::Zero(figure.poseSize())};
  for (int i = 0; i < figure.linkCount(); ++i)
    if (hasRotation(figure.joint(i))) setJointRotation(figure, i, Eigen::Quaterniond::Identity(), pose);
  return pose;
}

std::string countOf(int n, const char* what) { return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s"); }

std::string noteOn(const Figure& figure, const Pairing& pairing, const std::vector<int>& named) {
  int otherwise = 0, without = 0;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const int j = pairing.partner[i], byName = named[i];
    if (!isMovingJoint(figure, i)) continue;
    if (j < 0) ++without;
    else if (byName >= 0 && byName != j) ++otherwise;
  }
  std::string note;
  if (otherwise > 0) note = "the names pair " + countOf(otherwise, "joint") + " otherwise: the geometry counts";
  if (without > 0) {
    if (!note.empty()) note += "; ";
    note += countOf(without, "joint") + " without a partner stay" + (without == 1 ? "s" : "") + " as they are";
  }
  return note;
}

/// In one pose by geometry; null when no plane fits.
FoundSymmetry symmetryOfPose(const Figure& figure, const Pose& pose, const std::vector<int>& named,
                             const std::vector<BodySide>& side) {
  const StandingTree tree(figure, pose);
  const int moving = movingCount(figure);
  const std::vector<Mirror> planes = candidatePlanes(tree, planeBetween(tree, named, side));
  Pairing best;
  const Mirror* plane = nullptr;
  for (const Mirror& candidate : planes) {
    Pairing pairing = pairByPlane(tree, candidate, named);
    if (!isEnough(pairing, moving) || (plane && !isBetterPairing(pairing, best, moving))) continue;
    best = std::move(pairing);
    plane = &candidate;
  }
  if (!plane) return {};
  pairTheRest(figure, named, best.partner);
  return {makeSymmetry(tree, pose, best, side, *plane, false), noteOn(figure, best, named)};
}

FoundSymmetry symmetryOfNames(const Figure& figure, const std::vector<int>& named, const std::vector<BodySide>& side) {
  const Pose pose = restPose(figure);
  const StandingTree tree(figure, pose);
  const Pairing pairing = pairByNames(tree, named, side);
  const auto plane = planeBetween(tree, pairing.partner, side);
  if (!plane || !isEnough(pairing, movingCount(figure))) return {};
  std::string note = "the pose of rest is not symmetric: the sides are told by the names alone";
  if (const std::string more = noteOn(figure, pairing, named); !more.empty()) note += "; " + more;
  return {makeSymmetry(tree, pose, pairing, side, *plane, true), note};
}

bool branches(const Figure& figure) {
  if (rootsOf(figure).size() > 1) return true;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.children(i).size() > 1) return true;
  return false;
}

FoundSymmetry findSymmetry(const Figure& figure) {
  if (!branches(figure)) return {nullptr, "this figure has no two sides: nothing in it branches"};
  std::vector<BodySide> side;
  const std::vector<int> named = partnersByName(figure, side);
  const Pose rest = restPose(figure);
  FoundSymmetry found = symmetryOfPose(figure, rest, named, side);
  if (!found.symmetry) {
    const Pose zero = zeroPose(figure);
    if (!(zero == rest)) found = symmetryOfPose(figure, zero, named, side);
  }
  if (!found.symmetry) found = symmetryOfNames(figure, named, side);
  if (!found.symmetry)
    found.note = "this figure has no two sides: neither its shape at rest nor the names of its joints pair them";
  return found;
}

}  // namespace

const FoundSymmetry& BodyMap::symmetry() const {
  return symmetry_.get([&] { return findSymmetry(figure_); });
}

}  // namespace limber
