// SPDX-License-Identifier: MIT
#include "limber/body/hand_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/body/body_map.h"
#include "limber/body/body_words.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/shortest_turn.h"
#include "limber/problem/bend.h"

namespace limber {

namespace {

constexpr int kMitten = 5;                // of digitOf(): a block of fingers
constexpr double kOneKnuckle = 0.13;      // of a finger's length: hinges nearer to each other turn one phalanx
constexpr double kMetacarpal = 0.5;       // a first bone that starts this much nearer to the palm is inside it
constexpr double kFingersFan = 0.60;      // radians, largest angle of a finger to the mean of its neighbours
constexpr double kThumbDiverges = 0.35;   // radians, least angle of a thumb to the mean of the others
constexpr double kShortestFinger = 0.35;  // of the longest
constexpr double kPalmTells = 0.6;        // radians between fingers and the line from the wrist to the knuckles

/// A finger at rest.
struct FingerChain {
  std::vector<int> links;               ///< moving links, one per phalanx: the last of hinges in a row
  std::vector<Eigen::Vector3d> places;  ///< positions of these, and of the tip
  Eigen::Vector3d base() const { return places.front(); }
  Eigen::Vector3d tip() const { return places.back(); }
  double length() const {
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < places.size(); ++i) sum += (places[i + 1] - places[i]).norm();
    return sum;
  }
};

// ---- By names -------------------------------------------------------------------------------------------------------

/// The place of the number in a stem such as "finger 0"; npos for none.
std::size_t fingerNumber(const std::string& stem) {
  const std::size_t finger = stem.find("finger");
  return finger == std::string::npos ? finger : stem.find_first_of("0123456789", finger);
}

/// The digit in a name, 0 to 4; kMitten for fingers in a block, -1 for none. firstNumber: the number of the thumb, '0'
/// or '1', in names such as "finger 0".
int digitOf(const std::string& name, char firstNumber) {
  const std::string stem = sidedName(name).stem;
  const std::optional<BodyPart> digit = digitNamed(stem);
  const bool isInPalm = digit != BodyPart::Thumb && stem.find("metacarpal") != std::string::npos;
  if (!digit || isInPalm) return -1;
  if (digit != BodyPart::Fingers) return static_cast<int>(*digit) - static_cast<int>(BodyPart::Thumb);
  const std::size_t number = fingerNumber(stem);
  if (number == std::string::npos) return kMitten;
  const int counted = stem[number] - firstNumber;
  return counted >= 0 && counted < 5 ? counted : -1;
}

bool isTipName(const std::string& name) {
  const std::string stem = sidedName(name).stem;
  return stem.ends_with("tip") || stem.ends_with("end") || stem.ends_with("nub");
}

/// Biped and some robots count fingers from 0, MakeHuman from 1; the first is the thumb.
char firstFingerNumber(const std::vector<std::string>& names) {
  const bool hasZero = std::ranges::any_of(names, [](const std::string& name) {
    const std::string stem = sidedName(name).stem;
    const std::size_t number = fingerNumber(stem);
    return number != std::string::npos && stem[number] == '0';
  });
  return hasZero ? '0' : '1';
}

// ---- Chains ---------------------------------------------------------------------------------------------------------

class HandFinder {
 public:
  explicit HandFinder(const BodyMap& body)
      : figure_(body.figure()), names_(body.names()), rest_(body.rest()), ways_(body.ways()) {}

  /// Chains below the palm by the digit in their names.
  std::array<FingerChain, kDigitCount + 1> namedChains(int palm) const {
    std::array<std::vector<int>, kDigitCount + 1> links;
    const char first = firstFingerNumber(names_);
    for (const int link : withAllBelow(figure_, palm)) {
      const int digit = link == palm ? -1 : digitOf(names_[link], first);
      if (digit >= 0) links[digit].push_back(link);
    }
    std::array<FingerChain, kDigitCount + 1> chains;
    for (std::size_t i = 0; i < links.size(); ++i) {
      std::ranges::sort(links[i]);
      chains[i] = chainOf(palm, inALine(links[i]));
    }
    return chains;
  }

  /// The chains from the palm outward that have at least two joints.
  std::vector<FingerChain> chainsOn(int palm) const {
    std::vector<FingerChain> chains;
    for (const int child : figure_.children(palm)) {
      std::vector<int> way;
      for (int link = child; link >= 0; link = ways_.next[link]) way.push_back(link);
      FingerChain chain = chainOf(palm, way);
      if (chain.links.size() >= 2) chains.push_back(std::move(chain));
    }
    return chains;
  }

  Eigen::Vector3d placeOf(int link) const { return rest_.worldFromLink[link].translation; }
  const Kinematics& rest() const { return rest_; }

  /// The place of the tip with each bounded hinge of the finger at the middle of its range, the palm staying at rest;
  /// world.
  Eigen::Vector3d bentTip(int palm, const FingerChain& chain) const {
    Pose pose = restPose(figure_);
    for (int link = chain.links.back(); link > palm; link = figure_.link(link).parent) {
      const Joint& joint = figure_.joint(link);
      if (joint.type == JointType::Revolute && std::isfinite(joint.limits.lower) && std::isfinite(joint.limits.upper))
        pose.coordinates[joint.poseIndex] = 0.5 * (joint.limits.lower + joint.limits.upper);
    }
    const Kinematics bent = transformsOf(figure_, pose);
    const int last = chain.links.back();
    const Eigen::Vector3d inLink = rest_.worldFromLink[last].inverse() * chain.tip();
    return rest_.worldFromLink[palm] * (bent.worldFromLink[palm].inverse() * (bent.worldFromLink[last] * inLink));
  }

 private:
  /// The first link, and each further one whose parent is the one before it.
  std::vector<int> inALine(const std::vector<int>& links) const {
    std::vector<int> line;
    for (const int link : links)
      if (line.empty() || figure_.isAncestorOrSelf(line.back(), link)) line.push_back(link);
    return line;
  }

  FingerChain chainOf(int palm, const std::vector<int>& way) const {
    FingerChain chain;
    std::vector<int> moving;
    for (const int link : way)
      if (turnsLink(figure_.joint(link))) moving.push_back(link);
    if (moving.empty()) return chain;
    const double length = (placeOf(way.front()) - tipOf(way.back())).norm();
    for (const int link : moving) {
      const bool isHinge = figure_.joint(link).type == JointType::Revolute;
      const double near = isHinge ? kOneKnuckle * length : 1e-3 * length;
      const bool isSamePlace = !chain.links.empty() && (placeOf(link) - chain.places.back()).norm() <= near;
      if (isSamePlace) chain.links.back() = link;
      else chain.links.push_back(link);
      if (isSamePlace) chain.places.back() = placeOf(link);
      else chain.places.push_back(placeOf(link));
    }
    chain.places.push_back(tipOf(way.back()));
    leaveThree(palm, chain);
    return chain;
  }

  /// Leaves at most three joints: drops those of the fingertip, and that of a metacarpal bone within the palm.
  void leaveThree(int palm, FingerChain& chain) const {
    const auto dropTip = [&] {
      chain.links.pop_back();
      chain.places.pop_back();
    };
    if (chain.links.size() > 1 && isTipName(names_[chain.links.back()])) dropTip();
    if (chain.links.size() > 4) dropTip();
    if (chain.links.size() < 4) return;
    const double first = (chain.places[0] - placeOf(palm)).norm(), second = (chain.places[1] - placeOf(palm)).norm();
    const bool isInPalm = first < kMetacarpal * second;
    while (chain.links.size() > 3)
      if (isInPalm && chain.links.size() == 4) {
        chain.links.erase(chain.links.begin());
        chain.places.erase(chain.places.begin());
      } else dropTip();
  }

  Eigen::Vector3d tipOf(int link) const {
    const EndEffector end = farEndOf(figure_, link);
    return rest_.worldFromLink[end.link] * end.point;
  }

  const Figure& figure_;
  const std::vector<std::string>& names_;
  const Kinematics& rest_;
  const OutwardWays& ways_;
};

/// Unit, or zero.
Eigen::Vector3d fingerDirection(const Eigen::Vector3d& v) {
  return v.norm() > 1e-12 ? Eigen::Vector3d(v.normalized()) : Eigen::Vector3d(Eigen::Vector3d::Zero());
}

using FingerSet = std::array<FingerChain, kDigitCount>;

// ---- By shape -------------------------------------------------------------------------------------------------------

/// The thumb: the chain that points farthest from the mean of the others. Returns its index and the angle, radians.
std::pair<std::size_t, double> mostDivergent(const std::vector<FingerChain>& chains) {
  std::pair<std::size_t, double> found{0, -1.0};
  for (std::size_t i = 0; i < chains.size(); ++i) {
    Eigen::Vector3d others = Eigen::Vector3d::Zero();
    for (std::size_t k = 0; k < chains.size(); ++k)
      if (k != i) others += fingerDirection(chains[k].tip() - chains[k].base());
    const double angle = angleBetween(others, chains[i].tip() - chains[i].base());
    if (angle > found.second) found = {i, angle};
  }
  return found;
}

/// Digits by shape; empty if the chains are not fingers.
std::optional<FingerSet> arrange(std::vector<FingerChain> chains) {
  if (chains.size() < 4 || chains.size() > kDigitCount) return std::nullopt;
  double longest = 0.0;
  for (const FingerChain& chain : chains) longest = std::max(longest, chain.length());
  for (const FingerChain& chain : chains)
    if (chain.length() < kShortestFinger * longest) return std::nullopt;
  const auto [thumb, angle] = mostDivergent(chains);
  if (angle < kThumbDiverges) return std::nullopt;
  FingerSet fingers;
  fingers[0] = chains[thumb];
  chains.erase(chains.begin() + static_cast<std::ptrdiff_t>(thumb));
  Eigen::Vector3d along = Eigen::Vector3d::Zero(), first = along, middle = along;
  for (const FingerChain& chain : chains) {
    along += fingerDirection(chain.tip() - chain.base());
    first += fingerDirection(chain.places[1] - chain.base());
    middle += chain.base() / static_cast<double>(chains.size());
  }
  for (const FingerChain& chain : chains)
    if (angleBetween(along, chain.tip() - chain.base()) > kFingersFan ||
        angleBetween(first, chain.places[1] - chain.base()) > kFingersFan)
      return std::nullopt;
  // The knuckles' line, toward the thumb.
  along.normalize();
  Eigen::Vector3d across = Eigen::Vector3d::Zero();
  for (const FingerChain& a : chains)
    for (const FingerChain& b : chains) {
      Eigen::Vector3d way = a.base() - b.base();
      way -= way.dot(along) * along;
      if (way.norm() > across.norm()) across = way;
    }
  if (across.norm() < 1e-12) return std::nullopt;
  const Eigen::Vector3d toThumb = 0.5 * (fingers[0].base() + fingers[0].tip()) - middle;
  if (across.dot(toThumb) < 0.0) across = -across;
  std::ranges::stable_sort(
      chains, [&](const FingerChain& a, const FingerChain& b) { return a.base().dot(across) > b.base().dot(across); });
  for (std::size_t i = 0; i < chains.size(); ++i) fingers[i + 1] = std::move(chains[i]);
  return fingers;
}

// ---- The hand's axes ------------------------------------------------------------------------------------------------

/// The existing fingers from index to little finger.
std::vector<const FingerChain*> fourFingers(const FingerSet& fingers) {
  std::vector<const FingerChain*> found;
  for (std::size_t i = 1; i < kDigitCount; ++i)
    if (!fingers[i].links.empty()) found.push_back(&fingers[i]);
  return found;
}

/// Along the fingers and to the thumb's side, in the world at rest; empty if fewer than two fingers define them.
std::optional<std::pair<Eigen::Vector3d, Eigen::Vector3d>> alongAndAcross(const HandFinder& finder, int palm,
                                                                          const FingerSet& fingers) {
  const auto four = fourFingers(fingers);
  if (four.size() < 2) return std::nullopt;
  Eigen::Vector3d bones = Eigen::Vector3d::Zero(), knuckles = bones;
  for (const FingerChain* finger : four) {
    bones += fingerDirection(finger->places[1] - finger->base());
    knuckles += finger->base() / static_cast<double>(four.size());
  }
  // If the palm begins at a wrist, the line from the wrist is more reliable than fingers that may be bent at rest.
  const Eigen::Vector3d fromWrist = knuckles - finder.placeOf(palm);
  const bool hasWrist = fromWrist.norm() > 0.3 * four.front()->length() && angleBetween(fromWrist, bones) < kPalmTells;
  const Eigen::Vector3d along = fingerDirection(hasWrist ? fromWrist : bones);
  Eigen::Vector3d across = four.front()->base() - four.back()->base();
  across -= across.dot(along) * along;
  if (along.norm() < 0.5 || across.norm() < 1e-9) return std::nullopt;
  return std::pair{along, Eigen::Vector3d(across.normalized())};
}

/// True if the fingers bend to the side of a normal of the palm, and the thumb is on that side.
bool isPalmar(const HandFinder& finder, int palm, const FingerSet& fingers, const Eigen::Vector3d& normal) {
  double evidence = 0.0;
  for (const FingerChain* finger : fourFingers(fingers)) {
    const Eigen::Vector3d bent = finder.bentTip(palm, *finger) - finger->base();
    evidence += bent.dot(normal) / std::max(finger->length(), 1e-12);
  }
  const FingerChain& thumb = fingers[0];
  if (!thumb.links.empty()) {
    const FingerChain* index = fourFingers(fingers).front();
    evidence += (thumb.tip() - index->base()).dot(normal) / std::max(thumb.length(), 1e-12);
  }
  return evidence >= 0.0;
}

/// Sets linkFromStraight: turns each bone straight, one after the other from the palm outward.
void findStraight(const HandFinder& finder, const FingerChain& chain, const Eigen::Vector3d& straightInHand,
                  HandParts& hand) {
  const Eigen::Matrix3d& palm = finder.rest().worldFromLink[hand.palm].rotation;
  const Eigen::Vector3d straight = hand.palmFromHand * straightInHand;
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  // in the palm's axes, the sum of the bends so far
  for (std::size_t i = 0; i < chain.links.size(); ++i) {
    const Eigen::Vector3d bone = turn * (palm.transpose() * (chain.places[i + 1] - chain.places[i]));
    if (bone.norm() > 1e-9) turn = shortestTurn(bone, straight).toRotationMatrix() * turn;
    const Eigen::Matrix3d& link = finder.rest().worldFromLink[chain.links[i]].rotation;
    hand.linkFromStraight[chain.links[i]] = (turn * palm.transpose() * link).transpose() * hand.palmFromHand;
  }
}

void takeFingers(const HandFinder& finder, const FingerSet& fingers, HandParts& hand) {
  for (std::size_t i = 0; i < kDigitCount; ++i) {
    hand.digits[i] = fingers[i].links;
    findStraight(finder, fingers[i], i == 0 ? kStraightThumb : kStraightFinger, hand);
  }
}

Eigen::Matrix3d axesOf(const Eigen::Vector3d& across, const Eigen::Vector3d& along, BodySide side) {
  Eigen::Matrix3d axes;
  const Eigen::Vector3d normal = side == BodySide::Left ? along.cross(across) : across.cross(along);
  axes << across, along, normal;
  return axes;
}

std::optional<HandParts> handOn(const HandFinder& finder, int palm, const FingerSet& fingers, BodySide told) {
  const auto axes = alongAndAcross(finder, palm, fingers);
  if (!axes) return std::nullopt;
  const auto& [along, across] = *axes;
  HandParts hand;
  hand.palm = palm;
  hand.side = told != BodySide::Middle                               ? told
              : isPalmar(finder, palm, fingers, across.cross(along)) ? BodySide::Right
                                                                     : BodySide::Left;
  hand.palmFromHand = finder.rest().worldFromLink[palm].rotation.transpose() * axesOf(across, along, hand.side);
  takeFingers(finder, fingers, hand);
  return hand;
}

FingerSet digitsOf(std::array<FingerChain, kDigitCount + 1>& named) {
  FingerSet fingers;
  std::copy_n(named.begin(), kDigitCount, fingers.begin());
  return fingers;
}

}  // namespace

std::optional<HandParts> findHandParts(const BodyMap& body, int palm, BodySide side,
                                       const Eigen::Matrix3d& palmFromHand) {
  const HandFinder finder(body);
  auto named = finder.namedChains(palm);
  FingerSet fingers = digitsOf(named);
  const bool hasNames = std::ranges::any_of(named, [](const FingerChain& chain) { return !chain.links.empty(); });
  if (!hasNames) {
    auto found = arrange(finder.chainsOn(palm));
    if (!found) return std::nullopt;
    fingers = std::move(*found);
  }
  if (auto hand = handOn(finder, palm, fingers, side)) return hand;
  HandParts hand;
  hand.palm = palm;
  hand.side = side;
  hand.palmFromHand = palmFromHand;
  takeFingers(finder, fingers, hand);
  hand.mitten = named[kMitten].links;
  findStraight(finder, named[kMitten], kStraightFinger, hand);
  return hand;
}

std::optional<HandParts> findLoneHand(const BodyMap& body) {
  const Figure& figure = body.figure();
  const std::vector<std::string>& names = body.names();
  const HandFinder finder(body);
  std::vector<int> fingers;
  BodySide side = BodySide::Middle;
  const char first = firstFingerNumber(names);
  std::array<bool, kDigitCount> has{};
  for (int i = 0; i < figure.linkCount(); ++i) {
    const int digit = digitOf(names[i], first);
    if (digit < 0 || digit >= kMitten) continue;
    fingers.push_back(i);
    has[digit] = true;
    if (const BodySide told = sidedName(names[i]).side; told != BodySide::Middle) side = told;
  }
  if (std::ranges::count(has, true) >= 2) {
    int palm = fingers.front();
    for (const int finger : fingers) palm = commonAncestor(figure, palm, finger);
    if (palm >= 0) {
      auto named = finder.namedChains(palm);
      const bool canBend = std::ranges::any_of(named, [](const FingerChain& chain) { return chain.links.size() > 1; });
      auto hand = canBend ? handOn(finder, palm, digitsOf(named), side) : std::nullopt;
      if (hand) return hand;
    }
  }
  for (int link = 0; link < figure.linkCount(); ++link) {
    if (figure.children(link).size() < 4) continue;
    if (const auto arranged = arrange(finder.chainsOn(link)))
      if (auto hand = handOn(finder, link, *arranged, side)) return hand;
  }
  return std::nullopt;
}

}  // namespace limber
