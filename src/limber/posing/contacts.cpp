// SPDX-License-Identifier: MIT
#include "limber/posing/contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace limber {

namespace {

using V = Eigen::Vector3d;

// In mean link lengths L; of a human, 0.01 L are about 2 mm. Where a figure was measured, it was on random drags of the
// humanoid among three boxes, half of them with self-avoidance.

// A pair that is deeper inside enters the objective. The multipliers hold a live pair to the same (kApart in
// hard_goals.cpp). Of 640 events a tenth of it changes none, and forty times it leaves a link 0.11 mm inside.
constexpr double kEntered = 5e-5;
// Another plane takes over where it separates by so much more. With 0, a hand that slides along a table's edge takes 44
// % more iterations; with ten times it, the hand wobbles by 2.6 mm in place of 0.1.
constexpr double kGain = 1e-4;
// A pair that begins inside by less need not come out, only not go deeper: of a human 10 mm, about the play of a skin
// over its capsules. A hand that began 10 mm inside of a box stayed where it was, and one 20 mm inside came out.
constexpr double kShallow = 0.05;
// A pair that begins inside by less comes out: twice kEntered, so that what one event leaves is no start inside for the
// next.
constexpr double kSlack = 1e-4;
// A pair that is nearer is said to touch, and one deeper by that much is not shown on the way: 2 mm, a line's width on
// a screen that shows the whole body.
constexpr double kShown = 0.01;
// A pair deeper by so much than it may be is said to be inside: by default a goal missed by less counts as reached,
// too.
constexpr double kLeft = 1e-3;
// Of the radii of a pair: how far apart the places on the way are that are looked at. Where the middle line crosses an
// obstacle, one of them has the capsule inside by at least three quarters of its radius.
constexpr double kStride = 0.5;
// Places looked at, at most: those of a way of 1 m with a radius of 10 mm.
constexpr int kMaxStrides = 200;
// Of both radii: links with one between them are left out where they are nearer at rest. Of 200 poses with joints
// turned by up to 0.1 radians, 180 have a pair inside with a factor of 0, and 32 with 0.25, 0.5 or 1.
constexpr double kNextButOne = 0.5;

/// The nearest link above with a capsule, -1 for none.
int solidParentOf(const Figure& figure, int link) {
  do link = figure.link(link).parent;
  while (link >= 0 && figure.link(link).capsules.empty());
  return link;
}

/// Links with capsules from one to the other, counted as steps: 0 for the same, 1 for neighbours; 3 for all that is
/// farther.
int solidStepsBetween(const Figure& figure, int link, int other) {
  if (link == other) return 0;
  const int above = solidParentOf(figure, link), aboveOther = solidParentOf(figure, other);
  if (above == other || aboveOther == link) return 1;
  const bool isTwo = (above >= 0 && above == aboveOther) || (above >= 0 && solidParentOf(figure, above) == other) ||
                     (aboveOther >= 0 && solidParentOf(figure, aboveOther) == link);
  return isTwo ? 2 : 3;
}

LineEnds operator*(const Transform& world, const LineEnds& line) { return {world * line.start, world * line.end}; }

V middleOf(const LineEnds& line) { return 0.5 * (line.start + line.end); }

LineEnds blend(const LineEnds& from, const LineEnds& to, double share) {
  return {from.start + share * (to.start - from.start), from.end + share * (to.end - from.end)};
}

double shiftOf(const LineEnds& from, const LineEnds& to) {
  return std::sqrt(std::max((to.start - from.start).squaredNorm(), (to.end - from.end).squaredNorm()));
}

/// One a link: the nearest link at or above it whose joint moves, -1 for none.
void findMovers(const Figure& figure, std::span<const char> moves, std::vector<int>& movers) {
  movers.resize(figure.linkCount());
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    const auto first = moves.begin() + joint.stepIndex;
    const bool isMoved = std::any_of(first, first + stepSize(joint.type), [](char c) { return c != 0; });
    const int parent = figure.link(i).parent;
    movers[i] = isMoved ? i : parent < 0 ? -1 : movers[parent];
  }
}

/// Links that stand where they are asked to.
std::vector<char> heldLinks(const IkProblem& problem, const PosingRequest& request) {
  std::vector<char> held(problem.figure->linkCount(), 0);
  for (const Hold& hold : request.holds) held[hold.goal.link] = 1;
  for (const Pin& pin : problem.pins)
    if (pin.position) held[pin.link] = 1;
  return held;
}

}  // namespace

void Contacts::takeFigure(const std::shared_ptr<const Figure>& figure) {
  if (figure == figure_) return;
  figure_ = figure;
  live_.clear();
  parts_.clear();
  selfPairs_.clear();
  moves_.clear();
  obstacles_.clear();
  solids_.clear();
  for (int link = 0; link < figure->linkCount(); ++link)
    for (const Capsule& capsule : figure->link(link).capsules)
      parts_.push_back({link, {capsule.start, capsule.end}, capsule.radius, -1});
  capsuleCount_ = parts_.size();
  knowsSelfPairs_ = false;
}

/// Looks at every pair of capsules: only for a figure that is asked to keep out of itself, and once.
void Contacts::findSelfPairs() {
  if (std::exchange(knowsSelfPairs_, true) || capsuleCount_ > kMaxSelfCapsules) return;
  const Kinematics kinematics = transformsOf(*figure_, restPose(*figure_));
  std::vector<Placed> rest;
  place(kinematics, rest);
  const auto linkOf = [&](int part) { return parts_[part].link; };
  for (int a = 0; a < static_cast<int>(capsuleCount_); ++a)
    for (int b = 0; b < a; ++b) {
      const ContactPair pair{a, b, false};
      const int steps = solidStepsBetween(*figure_, linkOf(a), linkOf(b));
      if (steps <= 1) continue;
      const double margin = steps == 2 ? kNextButOne * radiiOf(pair) : 0.0;
      if (boundAt(pair, rest) > margin || separationAt(pair, rest).distance - radiiOf(pair) > margin)
        selfPairs_.push_back(pair);
    }
  std::stable_sort(selfPairs_.begin(), selfPairs_.end(), [&](const ContactPair& x, const ContactPair& y) {
    return std::pair(linkOf(x.part), linkOf(x.other)) < std::pair(linkOf(y.part), linkOf(y.other));
  });
}

void Contacts::takeObstacles(const IkProblem& problem) {
  if (problem.obstacles == obstacles_) return;
  obstacles_ = problem.obstacles;
  live_.clear();
  solids_.clear();
  moves_.clear();
  parts_.resize(capsuleCount_);
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    const Obstacle& obstacle = obstacles_[i];
    const bool counts = obstacle.enabled && findFault(obstacle, problem.figure->linkCount()).empty();
    solids_.push_back(counts ? makeSolid(hullInWorld(obstacle)) : Solid{});
    if (!counts) continue;
    for (const Obstacle::Point& point : obstacle.points)
      parts_.push_back({point.link, {point.pointInLink, point.pointInLink}, 0.0, static_cast<int>(i)});
  }
}

void Contacts::addCandidate(const ContactPair& pair) {
  const int link = parts_[pair.part].link;
  const int other = pair.isObstacle ? -1 : parts_[pair.other].link;
  const bool isSame = !groups_.empty() && groups_.back().link == link && groups_.back().other == other &&
                      (other >= 0 || candidates_.back().pair.other == pair.other);
  const int place = static_cast<int>(candidates_.size());
  if (!isSame) groups_.push_back({.link = link, .other = other, .first = place});
  candidates_.push_back({pair});
  groups_.back().last = place + 1;
}

void Contacts::findCandidates(const IkProblem& problem, const PosingRequest& request, std::span<const char> moves) {
  std::vector<char> held = heldLinks(problem, request);
  if (std::equal(moves.begin(), moves.end(), moves_.begin(), moves_.end()) && held == held_ &&
      problem.avoidsItself == avoidsItself_)
    return;
  moves_.assign(moves.begin(), moves.end());
  held_ = std::move(held);
  avoidsItself_ = problem.avoidsItself;
  candidates_.clear();
  groups_.clear();
  findMovers(*figure_, moves, movers_);
  const auto moverOf = [&](int part) { return movers_[parts_[part].link]; };
  for (int o = 0; o < static_cast<int>(solids_.size()); ++o) {
    if (solids_[o].hull.faces.empty()) continue;
    for (int p = 0; p < static_cast<int>(parts_.size()); ++p) {
      const Part& part = parts_[p];
      if (moverOf(p) < 0 || held_[part.link]) continue;
      if (part.obstacle >= 0 ? part.obstacle == o : keepsOut(obstacles_[o], part.link)) addCandidate({p, o, true});
    }
  }
  if (!problem.avoidsItself) return;
  findSelfPairs();
  for (const ContactPair& pair : selfPairs_)
    if (moverOf(pair.part) != moverOf(pair.other)) addCandidate(pair);
}

void Contacts::place(const Kinematics& kinematics, std::vector<Placed>& placed) const {
  placed.resize(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    Placed& p = placed[i];
    p.line = kinematics.worldFromLink[part.link] * part.line;
    p.centre = middleOf(p.line);
    p.reach = 0.5 * (p.line.end - p.line.start).norm() + part.radius;
  }
}

double Contacts::radiiOf(const ContactPair& pair) const {
  const double radius = parts_[pair.part].radius;
  return pair.isObstacle ? radius : radius + parts_[pair.other].radius;
}

Separation Contacts::separationAt(const ContactPair& pair, std::span<const Placed> placed) const {
  const LineEnds& line = placed[pair.part].line;
  return pair.isObstacle ? separationOf(solidOf(pair), line) : separationOf(line, placed[pair.other].line);
}

double Contacts::separationAlong(const ContactPair& pair, std::span<const Placed> placed, const V& normal) const {
  const double lowest = lowestOf(placed[pair.part].line, normal);
  return pair.isObstacle ? lowest - supportOf(solidOf(pair), normal)
                         : lowest + lowestOf(placed[pair.other].line, -normal);
}

/// Never above the clearance, and cheap.
double Contacts::boundAt(const ContactPair& pair, std::span<const Placed> placed) const {
  const Placed& a = placed[pair.part];
  if (pair.isObstacle) return heightAbove(solidOf(pair).hull, a.centre) - a.reach;
  const Placed& b = placed[pair.other];
  return (a.centre - b.centre).norm() - a.reach - b.reach;
}

void Contacts::setPlane(LiveContact& contact, const V& normal) const {
  contact.normal = normal;
  contact.gap = contact.radii + contact.asked;
  if (contact.pair.isObstacle) contact.gap += supportOf(solidOf(contact.pair), normal);
}

LiveContact Contacts::makeLive(const ContactPair& pair, const Separation& separation, double asked) const {
  const auto lineOf = [&](int p) {
    const Part& part = parts_[p];
    return ClearanceGoal::Line{part.link, part.line.start, part.line.end};
  };
  LiveContact contact{.pair = pair, .line = lineOf(pair.part), .radii = radiiOf(pair), .asked = asked};
  if (!pair.isObstacle) contact.otherLine = lineOf(pair.other);
  setPlane(contact, separation.normal);
  return contact;
}

/// A pose that begins a little inside would jump if it had to come out.
double Contacts::askedOf(const IkProblem& problem, const PosingRequest& request, const ContactPair& pair,
                         double clearance) {
  const double unit = figure_->meanLinkLength();
  if (clearance >= -kSlack * unit) return 0.0;
  if (begun_.empty()) {
    computeTransforms(*figure_, request.startPose ? *request.startPose : problem.pose, scratch_);
    place(scratch_, begun_);
  }
  const double begun = separationAt(pair, begun_).distance - radiiOf(pair);
  return begun > -kShallow * unit && begun < -kSlack * unit ? begun : 0.0;
}

void Contacts::begin(const IkProblem& problem, const PosingRequest& request, std::span<const char> moves) {
  takeFigure(problem.figure);
  takeObstacles(problem);
  findCandidates(problem, request, moves);
  const std::vector<LiveContact> before = std::move(live_);
  live_.clear();
  begun_.clear();
  if (candidates_.empty()) return;
  computeTransforms(*figure_, problem.pose, scratch_);
  place(scratch_, start_);
  boundGroups();
  const double unit = figure_->meanLinkLength();
  for (Group& group : groups_) {
    if (group.bound > kShown * unit) continue;
    boundCandidates(group);
    for (int c = group.first; c < group.last; ++c) {
      Candidate& candidate = candidates_[c];
      if (candidate.bound > kShown * unit) continue;
      const ContactPair& pair = candidate.pair;
      const Separation separation = separationAt(pair, start_);
      const double clearance = candidate.bound = separation.distance - radiiOf(pair);
      const auto old = std::find_if(before.begin(), before.end(), [&](const auto& live) { return live.pair == pair; });
      if (old == before.end() && clearance > -kSlack * unit) continue;
      candidate.isLive = true;
      live_.push_back(makeLive(pair, separation, askedOf(problem, request, pair, clearance)));
      if (old != before.end() && separationAlong(pair, start_, old->normal) > separation.distance - kGain * unit)
        setPlane(live_.back(), old->normal);
    }
  }
}

/// Bounds by one ball a link; no candidate is live.
void Contacts::boundGroups() {
  placeBalls(start_);
  for (Candidate& candidate : candidates_) candidate.isLive = false;
  for (Group& group : groups_) {
    const LinkBall& ball = balls_[group.link];
    group.isNear = false;
    if (group.other >= 0) {
      const LinkBall& other = balls_[group.other];
      group.bound = (ball.centre - other.centre).norm() - ball.radius - other.radius;
    } else {
      group.bound = heightAbove(solidOf(candidates_[group.first].pair).hull, ball.centre) - ball.radius;
    }
  }
}

/// Bounds by one ball a part.
void Contacts::boundCandidates(Group& group) {
  if (group.isNear) return;
  group.isNear = true;
  for (int c = group.first; c < group.last; ++c) {
    Candidate& candidate = candidates_[c];
    candidate.bound = boundAt(candidate.pair, start_);
  }
}

/// Around the balls of the link's parts.
void Contacts::placeBalls(std::span<const Placed> placed) {
  balls_.assign(figure_->linkCount(), {Eigen::Vector3d::Zero(), 0.0});
  for (std::size_t first = 0; first < parts_.size();) {
    std::size_t last = first;
    V low = placed[first].centre, high = low;
    for (; last < parts_.size() && parts_[last].link == parts_[first].link; ++last) {
      low = low.cwiseMin(placed[last].centre);
      high = high.cwiseMax(placed[last].centre);
    }
    LinkBall& ball = balls_[parts_[first].link];
    if (first < capsuleCount_ || ball.radius == 0.0) ball.centre = 0.5 * (low + high);
    for (; first < last; ++first)
      ball.radius = std::max(ball.radius, (placed[first].centre - ball.centre).norm() + placed[first].reach);
  }
}

std::span<const LiveContact> Contacts::guess(const IkProblem& problem) const {
  const bool fits = problem.figure == figure_ && problem.obstacles == obstacles_;
  return fits ? std::span<const LiveContact>(live_) : std::span<const LiveContact>();
}

/// Looked at in strides no longer than half of the thinner of the two.
bool Contacts::meetsOnTheWay(const ContactPair& pair) const {
  const int a = pair.part, b = pair.other;
  double shift = shiftOf(start_[a].line, now_[a].line);
  if (!pair.isObstacle) shift += shiftOf(start_[b].line, now_[b].line);
  const double radii = radiiOf(pair);
  const double stride = kStride * std::max(radii, kShown * figure_->meanLinkLength());
  const int count = std::clamp(static_cast<int>(std::ceil(shift / stride)), 1, kMaxStrides);
  for (int k = 1; k <= count; ++k) {
    const double share = static_cast<double>(k) / count;
    between_[a].line = blend(start_[a].line, now_[a].line, share);
    if (!pair.isObstacle) between_[b].line = blend(start_[b].line, now_[b].line, share);
    if (separationAt(pair, between_).distance < radii - kEntered * figure_->meanLinkLength()) return true;
  }
  return false;
}

Contacts::Entry Contacts::enter(const Kinematics& kinematics) {
  place(kinematics, now_);
  between_.resize(now_.size());
  shifts_.assign(figure_->linkCount(), 0.0);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    double& shift = shifts_[parts_[p].link];
    shift = std::max(shift, shiftOf(start_[p].line, now_[p].line));
  }
  const double unit = figure_->meanLinkLength();
  Entry entry = Entry::None;
  for (Group& group : groups_) {
    const double shift = shifts_[group.link] + (group.other < 0 ? 0.0 : shifts_[group.other]);
    if (shift <= group.bound) continue;
    boundCandidates(group);
    Candidate* deepest = nullptr;  // it alone: others of the same links are mostly brought out along with it
    Separation planeOfDeepest;
    double most = kEntered * unit;
    for (int c = group.first; c < group.last; ++c) {
      Candidate& candidate = candidates_[c];
      const ContactPair& pair = candidate.pair;
      if (candidate.isLive || shift <= candidate.bound) continue;
      const Separation separation = separationAt(pair, start_);
      candidate.bound = separation.distance - radiiOf(pair);
      if (shift <= candidate.bound) continue;
      const double depth = radiiOf(pair) - separationAlong(pair, now_, separation.normal);
      if (depth <= most || !meetsOnTheWay(pair)) continue;
      deepest = &candidate;
      planeOfDeepest = separation;
      most = depth;
    }
    if (!deepest) continue;
    deepest->isLive = true;
    live_.push_back(makeLive(deepest->pair, planeOfDeepest, 0.0));
    if (most > kShallow * unit) entry = Entry::Deep;
    else if (entry == Entry::None) entry = Entry::Shallow;
  }
  return entry;
}

void Contacts::keepPressing(std::span<const char> presses) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < live_.size(); ++i)
    if (presses[i]) live_[kept++] = live_[i];
  live_.resize(kept);
}

void Contacts::goOnFrom(const Kinematics& kinematics) {
  place(kinematics, start_);
  std::vector<char> wasLive;
  for (const Candidate& candidate : candidates_) wasLive.push_back(candidate.isLive);
  boundGroups();
  for (std::size_t c = 0; c < candidates_.size(); ++c) candidates_[c].isLive = wasLive[c] != 0;
}

bool Contacts::choosePlanes(const Kinematics& kinematics, std::span<const char> presses) {
  place(kinematics, now_);
  const double gain = kGain * figure_->meanLinkLength();
  bool isWanted = false;
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const Separation separation = separationAt(live_[i].pair, now_);
    if (separation.distance <= separationAlong(live_[i].pair, now_, live_[i].normal) + gain) continue;
    setPlane(live_[i], separation.normal);
    isWanted = isWanted || presses[i];
  }
  return isWanted;
}

bool Contacts::isClear(const Kinematics& kinematics) const {
  place(kinematics, now_);
  const double deepest = -kShown * figure_->meanLinkLength();
  for (const Candidate& candidate : candidates_) {
    if (boundAt(candidate.pair, now_) > 0.0) continue;
    const auto contact =
        std::find_if(live_.begin(), live_.end(), [&](const auto& c) { return c.pair == candidate.pair; });
    const double asked = contact == live_.end() ? 0.0 : contact->asked;
    if (separationAt(candidate.pair, now_).distance - radiiOf(candidate.pair) < asked + deepest) return false;
  }
  return true;
}

void Contacts::report(const IkProblem& problem, const Kinematics& kinematics, std::span<const char> presses,
                      std::vector<ContactReport>& contacts) const {
  contacts.clear();
  if (live_.empty()) return;
  place(kinematics, now_);
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const LiveContact& contact = live_[i];
    const Separation separation = separationAt(contact.pair, now_);
    ContactReport entry;
    entry.clearance = separation.distance - contact.radii;
    if (entry.clearance > kShown * figure_->meanLinkLength()) continue;
    const Part& part = parts_[contact.pair.part];
    entry.link = part.link;
    if (contact.pair.isObstacle) {
      const Obstacle& obstacle = problem.obstacles[contact.pair.other];
      entry.obstacle = obstacle.id;
      entry.other = obstacleInWords(obstacle);
    } else {
      entry.otherLink = contact.otherLine.link;
      entry.other = figure_->link(entry.otherLink).name;
    }
    entry.stops = !presses.empty() && presses[i];
    entry.isInside = entry.clearance < contact.asked - kLeft * figure_->meanLinkLength();
    const LineEnds& line = now_[contact.pair.part].line;
    const bool isStartLower = separation.normal.dot(line.start) <= separation.normal.dot(line.end);
    entry.point = (isStartLower ? line.start : line.end) - part.radius * separation.normal;
    entry.normal = separation.normal;
    const auto same = std::find_if(contacts.begin(), contacts.end(), [&](const ContactReport& c) {
      return c.link == entry.link && c.obstacle == entry.obstacle && c.otherLink == entry.otherLink;
    });
    if (same == contacts.end()) {
      contacts.push_back(std::move(entry));
      continue;
    }
    entry.stops = same->stops = entry.stops || same->stops;
    if (entry.clearance < same->clearance) *same = std::move(entry);
  }
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const ContactReport& a, const ContactReport& b) { return a.clearance < b.clearance; });
}

std::string selfAvoidanceFault(const Figure& figure) {
  std::size_t count = 0;
  for (const Link& link : figure.links()) count += link.capsules.size();
  if (count <= kMaxSelfCapsules) return {};
  return "its links do not keep out of each other: it has " + std::to_string(count) + " capsules, at most " +
         std::to_string(kMaxSelfCapsules) + " do";
}

std::vector<ContactReport> findContacts(const IkProblem& problem) {
  std::vector<ContactReport> contacts;
  if (problem.obstacles.empty() && !problem.avoidsItself) return contacts;
  Contacts all;
  all.begin(problem, {}, std::vector<char>(problem.figure->stepSize(), 1));
  const Kinematics kinematics = transformsOf(*problem.figure, problem.pose);
  all.report(problem, kinematics, {}, contacts);
  return contacts;
}

}  // namespace limber
