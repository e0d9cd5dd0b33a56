// SPDX-License-Identifier: MIT
#include "limber/body/footholds.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "limber/body/body_map.h"

namespace limber {

namespace {

constexpr double kLevelCosine = std::numbers::sqrt3 / 2.0;  // of 30 degrees
constexpr double kFarFromFloor = 0.1;  // of the size: a figure that rests this far below y = 0 has its ground there
constexpr int kFloorFrames = 50;       // frames of a motion that are examined for its floor
constexpr double kFootAtRest = 0.1;    // of the size: a foot is at rest no higher above the figure's lowest point
constexpr double kSoleLength = 0.04;   // of the size: contacts nearer to each other count as one point
constexpr double kLeastDescent = 0.2;  // of the way from a limb's base to its foot: a finger lying flat comes down less
constexpr double kLeastLeg = 0.15;     // of the size: shorter limbs are not legs
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The end of a capsule, or the origin of a link without capsules. The centre of the cap is used, so that a round foot
/// may roll.
struct Contact {
  int link = 0;
  Eigen::Vector3d inLink = Eigen::Vector3d::Zero();
  Eigen::Vector3d inWorld = Eigen::Vector3d::Zero();
  double height = 0.0;  ///< of the contact, metres above y = 0
};

std::vector<Contact> contactsOf(const Figure& figure, const Kinematics& kinematics, const std::vector<int>& links) {
  std::vector<Contact> bare, contacts;
  for (const int link : links) {
    const Transform& worldFromLink = kinematics.worldFromLink[link];
    const auto contact = [&](const Eigen::Vector3d& point, double radius) {
      const Eigen::Vector3d place = worldFromLink * point;
      return Contact{link, point, place, place.y() - radius};
    };
    bare.push_back(contact(Eigen::Vector3d::Zero(), 0.0));
    for (const Capsule& capsule : figure.link(link).capsules)
      for (const Eigen::Vector3d& end : {capsule.start, capsule.end}) contacts.push_back(contact(end, capsule.radius));
  }
  return contacts.empty() ? bare : contacts;
}

double lowestOf(const std::vector<Contact>& contacts) {
  double lowest = kInfinity;
  for (const Contact& contact : contacts) lowest = std::min(lowest, contact.height);
  return lowest;
}

std::vector<int> allLinksOf(const Figure& figure) {
  std::vector<int> all(figure.linkCount());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The figure now and at rest, and its ground.
struct Standing {
  const BodyMap& body;
  const Figure& figure;
  const Kinematics& rest;
  Kinematics now;
  double size = 0.0, lowestAtRest = 0.0, ground = 0.0;

  /// At rest, with the ground at the figure's lowest point.
  explicit Standing(const BodyMap& map)
      : body(map), figure(map.figure()), rest(map.rest()), now(map.rest()), size(map.size()) {
    ground = lowestAtRest = lowestOfLinks(figure, rest, allLinksOf(figure));
  }
  Standing(const IkProblem& problem, const Kinematics& kinematics) : Standing(bodyMapOf(*problem.figure)) {
    now = kinematics;
    if (lowestAtRest >= -kFarFromFloor * size) ground = std::max(0.0, lowestAtRest);
    const double usual = problem.motionFloor.value_or(ground);
    if (usual > ground && usual < ground + kFarFromFloor * size) ground = usual;
  }

  bool isOnGround(double height) const { return height <= ground + kFootholdHeight * size; }
  bool isOnGround(const std::vector<int>& links) const { return isOnGround(lowestOfLinks(figure, now, links)); }
  /// True if the direction of the link that points up at rest still points up.
  bool isLevel(int link) const {
    const Eigen::Vector3d upInLink = rest.worldFromLink[link].rotation.row(1).transpose();
    return (now.worldFromLink[link].rotation * upInLink).y() >= kLevelCosine;
  }
  Eigen::Vector3d placeOf(int link) const { return now.worldFromLink[link].translation; }
};

/// The ball of a foot with toes.
FootBall findBall(const Standing& standing, int foot, int toes) {
  const Transform &rest = standing.rest.worldFromLink[foot], &now = standing.now.worldFromLink[foot];
  const Eigen::Vector3d ball = standing.rest.worldFromLink[toes].translation;
  const Eigen::Vector3d way = ball - rest.translation, forward(way.x(), 0.0, way.z());
  const std::vector<Contact> sole = contactsOf(standing.figure, standing.rest, {foot});
  const Contact& rear =
      *std::ranges::min_element(sole, {}, [&](const Contact& contact) { return forward.dot(contact.inWorld); });
  const Eigen::Vector3d across = Eigen::Vector3d::UnitY().cross(forward).normalized();
  FootBall out{foot, toes, rest.inverse() * ball, rest.rotation.transpose() * across, rear.inLink};
  // The heel's position on the ground follows from turning the foot about the axis until it is as level as at rest.
  const Eigen::Vector3d axis = now.rotation * out.axis, up = now.rotation * rest.rotation.row(1).transpose();
  const double pitch = std::atan2(axis.dot(up.cross(Eigen::Vector3d::UnitY())), up.y());
  const Eigen::Vector3d pivot = now * out.place, heel = now * out.heel;
  out.ground = pivot + Eigen::AngleAxisd(pitch, axis) * (heel - pivot);
  return out;
}

/// True for toes in front of the foot's ankle.
bool hasBall(const Standing& standing, int foot, int toes) {
  if (foot < 0 || toes < 0 || !standing.figure.isAncestorOrSelf(foot, toes)) return false;
  const Eigen::Vector3d way =
      standing.rest.worldFromLink[toes].translation - standing.rest.worldFromLink[foot].translation;
  return std::hypot(way.x(), way.z()) > kSoleLength * standing.size;
}

/// The foot of one side, else its toes.
void addPersonsFoot(const Standing& standing, BodySide side, std::vector<Foothold>& out) {
  const int foot = standing.body.find(BodyPart::Foot, side), toes = standing.body.find(BodyPart::Toes, side);
  for (const int link : {foot, toes}) {
    if (link < 0 || !standing.isOnGround(withAllBelow(standing.figure, link)) || !standing.isLevel(link)) continue;
    Foothold& hold = out.emplace_back(Foothold{.link = link, .isSole = true});
    if (hasBall(standing, foot, toes)) hold.ball = findBall(standing, foot, toes);
    return;
  }
}

/// A link with the links fixed to it; empty if one of these links has a moving child.
std::vector<int> endBodyOf(const Figure& figure, int link) {
  if (figure.joint(link).type == JointType::Fixed || figure.link(link).parent < 0) return {};
  std::vector<int> body = {link};
  for (std::size_t k = 0; k < body.size(); ++k)
    for (const int below : figure.children(body[k])) {
      if (figure.joint(below).type != JointType::Fixed) return {};
      body.push_back(below);
    }
  return body;
}

/// The first link of the limb that ends in a link.
int baseOfLimb(const BodyMap& body, int end) {
  const std::vector<char> limb = body.limbOf(end);
  return static_cast<int>(std::ranges::find(limb, 1) - limb.begin());
}

/// The largest distance between two contacts near the lowest one.
double spreadOf(const std::vector<Contact>& contacts, double tolerance) {
  const double highest = lowestOf(contacts) + tolerance;
  double spread = 0.0;
  for (const Contact& a : contacts)
    for (const Contact& b : contacts)
      if (a.height <= highest && b.height <= highest) spread = std::max(spread, (a.inWorld - b.inWorld).norm());
  return spread;
}

void addOtherFoot(const Standing& standing, int link, std::vector<Foothold>& out) {
  const std::vector<int> body = withAllBelow(standing.figure, link);
  const double atRest = lowestOfLinks(standing.figure, standing.rest, body);
  if (atRest > standing.lowestAtRest + kFootAtRest * standing.size) return;
  const std::vector<Contact> contacts = contactsOf(standing.figure, standing.now, body);
  const Contact lowest = *std::ranges::min_element(contacts, {}, &Contact::height);
  const Eigen::Vector3d way = standing.placeOf(baseOfLimb(standing.body, link)) - lowest.inWorld;
  if (way.norm() < kLeastLeg * standing.size || !(way.y() > kLeastDescent * way.norm())) return;
  if (spreadOf(contacts, kFootholdHeight * standing.size) < kSoleLength * standing.size)
    out.push_back({.link = lowest.link, .point = lowest.inLink});
  else if (standing.isLevel(link)) out.push_back({.link = link, .isSole = true});
}

bool isDraggedWith(const BodyMap& body, int foot, const std::vector<int>& draggedLinks) {
  const std::vector<char> limb = body.limbOf(foot);
  return std::ranges::any_of(draggedLinks, [&](int dragged) { return limb[dragged] != 0; });
}

/// The feet of a figure other than a person, among the leaf bodies for which `counts` is true; none if more than
/// kMostFeet bodies are on the ground.
template <typename Counts>
std::vector<Foothold> otherFeet(const Standing& standing, const Counts& counts) {
  std::vector<int> ends;  // on the ground; the costlier test for a foot follows
  for (int link = 0; link < standing.figure.linkCount(); ++link) {
    const std::vector<int> body = endBodyOf(standing.figure, link);
    if (!body.empty() && counts(link) && standing.isOnGround(body)) ends.push_back(link);
  }
  std::vector<Foothold> feet;
  if (ends.size() > kMostFeet) return feet;
  for (const int link : ends) addOtherFoot(standing, link, feet);
  return feet;
}

}  // namespace

double lowestOfLinks(const Figure& figure, const Kinematics& kinematics, const std::vector<int>& links) {
  return lowestOf(contactsOf(figure, kinematics, links));
}

double floorOf(const Figure& figure, int frames, const std::function<Pose(int)>& poseAt) {
  const std::vector<int> all = allLinksOf(figure);
  Kinematics kinematics;
  std::vector<double> heights;
  const int step = std::max(1, frames / kFloorFrames);
  for (int frame = 0; frame < frames; frame += step) {
    computeTransforms(figure, poseAt(frame), kinematics);
    heights.push_back(lowestOfLinks(figure, kinematics, all));
  }
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::nth_element(heights.begin(), middle, heights.end());
  return *middle;
}

bool isWhollyPinned(const IkProblem& problem, int link) {
  const Pin* pin = findPin(problem, link);
  return pin && pin->position && pin->rotation;
}

std::vector<Foothold> findFootholds(const IkProblem& problem, const Kinematics& kinematics,
                                    const std::vector<int>& draggedLinks) {
  const Standing standing(problem, kinematics);
  std::vector<Foothold> feet;
  if (standing.body.isPerson()) {
    for (const BodySide side : {BodySide::Left, BodySide::Right}) addPersonsFoot(standing, side, feet);
  } else {
    feet = otherFeet(standing, [&](int link) { return freeLinkFor(problem, link) >= 0; });
  }
  std::erase_if(feet, [&](const Foothold& foot) {
    return freeLinkFor(problem, foot.link) < 0 || isWhollyPinned(problem, foot.link) ||
           isDraggedWith(standing.body, foot.link, draggedLinks);
  });
  std::vector<std::size_t> order(feet.size());  // GCC 12 warns of moves of Foothold::ball by std::sort
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return feet[i].link; });
  std::vector<Foothold> sorted;
  for (const std::size_t i : order) sorted.push_back(feet[i]);
  return sorted;
}

const std::vector<Foothold>& BodyMap::feetAtRest() const {
  return feetAtRest_.get([&] { return otherFeet(Standing(*this), [](int) { return true; }); });
}

int freeLinkFor(const IkProblem& problem, int link) {
  const Figure& figure = *problem.figure;
  for (int i = link; i >= 0; i = figure.link(i).parent) {
    const Joint& joint = figure.joint(i);
    const JointSettings& settings = problem.joints[i];
    if (joint.type != JointType::Free || joint.translationLocked) continue;
    const bool staysLocked = settings.locked && !(joint.locked && figure.isFreeRoot(i));
    return staysLocked || settings.translationLocked || settings.rigidity >= 1.0 ? -1 : i;
  }
  return -1;
}

}  // namespace limber
