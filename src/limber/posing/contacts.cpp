// SPDX-License-Identifier: MIT
#include "limber/posing/contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "limber/body/arm_pairs.h"
#include "limber/body/body_map.h"
#include "limber/posing/posed_problem.h"

namespace limber {

namespace {

using V = Eigen::Vector3d;

// Lengths are in mean link lengths; for a human, 0.01 is about 2 mm. Measurements are from random drags of the humanoid
// among three boxes, half of them with self-avoidance.

// A pair that penetrates deeper becomes live. Multipliers keep a live pair to the same tolerance (kApart in
// multipliers.cpp). Of 640 events, a tenth of the value changes none, and 40 times it leaves a link 0.11 mm inside.
constexpr double kEntered = 5e-5;
// A plane is replaced if another one separates by this much more. With 0, a hand that slides along a table's edge takes
// 44 % more iterations; with ten times the value, the hand wobbles by 2.6 mm instead of 0.1.
constexpr double kGain = 1e-4;
// A pair that begins inside by less may stay, but must not go deeper: 10 mm for a human, about the play of a skin over
// its capsules. A hand that began 10 mm inside a box stayed, and one 20 mm inside was moved out.
constexpr double kShallow = 0.05;
// A pair that begins inside by less is moved out: twice kEntered, so that the residual of one event does not count as
// penetration at the start of the next.
constexpr double kSlack = 1e-4;
// Distance of the samples on a path, relative to the radii of the pair. If the middle line crosses an obstacle, one
// sample has the capsule inside by at least three quarters of its radius.
constexpr double kStride = 0.5;
// Largest number of samples: those of a path of 1 m for a radius of 10 mm.
constexpr int kMaxStrides = 200;
// Links with one link between them are excluded if they are nearer at rest than this part of both radii. Of 200 poses
// with joints turned by up to 0.1 radians, 180 have a pair inside with a value of 0, and 32 with 0.25, 0.5 or 1.
constexpr double kNextButOne = 0.5;

/// The nearest link above with a capsule, -1 for none.
int solidParentOf(const Figure& figure, int link) {
  do link = figure.link(link).parent;
  while (link >= 0 && figure.link(link).capsules.empty());
  return link;
}

/// Number of steps in the tree of links with capsules: 0 for the same link, 1 for neighbours, 3 for three or more.
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

/// movers: per link, the nearest link at or above it whose joint moves, -1 for none.
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

/// held: per link, 1 if its position is pinned or held.
void findHeldLinks(const IkProblem& problem, const PosingRequest& request, std::vector<char>& held) {
  held.assign(problem.figure->linkCount(), 0);
  for (const Hold& hold : request.holds) held[hold.goal.link] = 1;
  for (const Pin& pin : problem.pins)
    if (pin.position) held[pin.link] = 1;
}

}  // namespace

void Contacts::takeFigure(const std::shared_ptr<const Figure>& figure) {
  if (figure == figure_) return;
  figure_ = figure;
  live_.clear();
  safetyDistance_ = safety_ = 0.0;
  parts_.clear();
  selfPairs_.clear();
  moves_.clear();
  obstacles_.clear();
  solids_.clear();
  for (int link = 0; link < figure->linkCount(); ++link)
    for (const Capsule& capsule : figure->link(link).capsules)
      parts_.push_back({link, {capsule.start, capsule.end}, capsule.radius, -1});
  capsuleCount_ = parts_.size();
  rest_.clear();
  pairsOf_ = SelfAvoidance::Off;
}

void Contacts::takeSettings(const IkProblem& problem) {
  if (problem.safetyDistance != safetyDistance_) {
    safetyDistance_ = problem.safetyDistance;
    safety_ = safetyDistance_ > 0.0 ? safetyDistance_ + kLeft * figure_->meanLinkLength() : 0.0;
    live_.clear();
  }
  if (problem.disabledPairs == disabledPairs_) return;
  disabledPairs_ = problem.disabledPairs;
  pairsOf_ = SelfAvoidance::Off;
  live_.clear();
  moves_.clear();
}

void Contacts::findSegments() {
  const BodyPlaces& places = bodyMapOf(*figure_).places();
  segments_.clear();
  segmentOf_.assign(figure_->linkCount(), -1);
  for (int link = 0; link < figure_->linkCount(); ++link) {
    const int parent = figure_->link(link).parent;
    const bool isOfHand = parent >= 0 && segmentOf_[parent] >= 0 && std::ranges::any_of(places, [&](const auto& entry) {
                            return entry.second.part == BodyPart::Hand && segmentOf_[entry.first] == segmentOf_[parent];
                          });
    segmentOf_[link] = isOfHand ? segmentOf_[parent] : static_cast<int>(segments_.size());
    if (!isOfHand) segments_.emplace_back();
  }
  for (int p = 0; p < static_cast<int>(capsuleCount_); ++p) {
    Segment& segment = segments_[segmentOf_[parts_[p].link]];
    if (!segment.parts.empty() && parts_[segment.parts[0]].link != parts_[p].link) segment.isOneLink = false;
    segment.parts.push_back(p);
  }
  for (Segment& segment : segments_)
    if (segment.isOneLink && !segment.parts.empty()) segment.hull = hullOf(segment.parts);
}

/// A capsule that contains parts of one link. Its middle line is that of a part, or connects two ends that are far
/// apart, whichever gives the least volume.
Capsule Contacts::hullOf(std::span<const int> parts) const {
  std::vector<V> ends;
  for (const int p : parts) ends.insert(ends.end(), {parts_[p].line.start, parts_[p].line.end});
  const auto farthestFrom = [&](const V& point) {
    return *std::ranges::max_element(ends, {}, [&](const V& end) { return (end - point).squaredNorm(); });
  };
  Capsule best;
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](const LineEnds& line) {
    double radius = 0.0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const auto [onLine, end] = closestPoints(line, {ends[i], ends[i]});
      radius = std::max(radius, (onLine - end).norm() + parts_[parts[i / 2]].radius);
    }
    const double volume = radius * radius * ((line.end - line.start).norm() + 4.0 / 3.0 * radius);
    if (volume < least) best = {line.start, line.end, radius};
    least = std::min(least, volume);
  };
  const V far = farthestFrom(ends[0]);
  offer({farthestFrom(far), far});
  for (const int p : parts) offer(parts_[p].line);
  return best;
}

/// Finds the pairs of all capsules, or of arms and the links that they avoid, once for a figure.
void Contacts::findSelfPairs() {
  if (std::exchange(pairsOf_, avoidance_) == avoidance_) return;
  selfPairs_.clear();
  if (capsuleCount_ > kMaxSelfCapsules) return;
  findSegments();
  const auto linkOf = [&](int part) { return parts_[part].link; };
  if (rest_.empty()) place(transformsOf(*figure_, restPose(*figure_)), rest_);
  if (avoidance_ == SelfAvoidance::All) {
    for (int a = 0; a < static_cast<int>(capsuleCount_); ++a)
      for (int b = 0; b < a; ++b)
        if (const ContactPair pair{a, b, false}; mayMeet(pair)) selfPairs_.push_back(pair);
  } else {
    std::vector<std::vector<int>> partsOf(figure_->linkCount());
    for (int p = 0; p < static_cast<int>(capsuleCount_); ++p) partsOf[linkOf(p)].push_back(p);
    for (const auto& [link, other] : findArmPairs(*figure_))
      for (const int a : partsOf[link])
        for (const int b : partsOf[other]) selfPairs_.push_back({a, b, false});
  }
  std::erase_if(selfPairs_, [&](const ContactPair& pair) {
    const int link = linkOf(pair.part), other = linkOf(pair.other);
    return std::ranges::binary_search(disabledPairs_, LinkPair{std::min(link, other), std::max(link, other)});
  });
  std::stable_sort(selfPairs_.begin(), selfPairs_.end(), [&](const ContactPair& x, const ContactPair& y) {
    const int a = linkOf(x.part), b = linkOf(x.other), c = linkOf(y.part), d = linkOf(y.other);
    return std::tuple(segmentOf_[a], segmentOf_[b], a, b) < std::tuple(segmentOf_[c], segmentOf_[d], c, d);
  });
}

/// False for capsules of neighbouring links, and for those that overlap or nearly overlap at rest, whatever the safety
/// distance.
bool Contacts::mayMeet(const ContactPair& pair) const {
  const int steps = solidStepsBetween(*figure_, parts_[pair.part].link, parts_[pair.other].link);
  if (steps <= 1) return false;
  const double margin = (steps == 2 ? kNextButOne * radiiOf(pair) : 0.0) - safety_;
  return boundAt(pair, rest_) > margin || clearanceAt(pair, rest_) > margin;
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
    solids_.push_back(counts ? makeSolid(obstacle) : Solid{});
    if (!counts) continue;
    for (const Obstacle::Point& point : obstacle.points)
      parts_.push_back({point.link, {point.pointInLink, point.pointInLink}, 0.0, static_cast<int>(i)});
  }
}

void Contacts::addCandidate(const ContactPair& pair) {
  const int place = static_cast<int>(candidates_.size());
  Group group{.link = parts_[pair.part].link, .first = place, .last = place + 1};
  if (!pair.isObstacle) {
    group.other = parts_[pair.other].link;
    const int a = segmentOf_[group.link], b = segmentOf_[group.other];
    if (a != b) group.segments[0] = a, group.segments[1] = b;
  }
  const auto isOf = [&](const Group& last) {
    if (group.segments[0] >= 0) return std::ranges::equal(last.segments, group.segments);
    return last.segments[0] < 0 && last.link == group.link && last.other == group.other &&
           (group.other >= 0 || candidates_.back().pair.other == pair.other);
  };
  candidates_.push_back({pair});
  if (!groups_.empty() && isOf(groups_.back())) groups_.back().last = place + 1;
  else groups_.push_back(group);
}

void Contacts::findCandidates(const IkProblem& problem, const PosingRequest& request, std::span<const char> moves,
                              SelfAvoidance avoidance) {
  findHeldLinks(problem, request, heldNow_);
  if (std::ranges::equal(moves, moves_) && heldNow_ == held_ && avoidance == avoidance_) return;
  moves_.assign(moves.begin(), moves.end());
  held_ = heldNow_;
  avoidance_ = avoidance;
  candidates_.clear();
  groups_.clear();
  findMovers(*figure_, moves, movers_);
  const auto moverOf = [&](int part) { return movers_[parts_[part].link]; };
  for (int o = 0; o < static_cast<int>(solids_.size()); ++o) {
    if (solids_[o].isEmpty()) continue;
    for (int p = 0; p < static_cast<int>(parts_.size()); ++p) {
      const Part& part = parts_[p];
      if (moverOf(p) < 0 || held_[part.link]) continue;
      if (part.obstacle >= 0 ? part.obstacle == o : keepsOut(obstacles_[o], part.link)) addCandidate({p, o, true});
    }
  }
  if (avoidance == SelfAvoidance::Off) return;
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

/// A lower bound of the clearance that is cheap.
double Contacts::boundAt(const ContactPair& pair, std::span<const Placed> placed) const {
  const Placed& a = placed[pair.part];
  if (pair.isObstacle) return heightAbove(solidOf(pair), a.centre) - a.reach - safety_;
  const Placed& b = placed[pair.other];
  return (a.centre - b.centre).norm() - a.reach - b.reach - safety_;
}

void Contacts::setPlane(LiveContact& contact, const V& normal) const {
  contact.normal = normal;
  contact.gap = contact.radii + contact.asked;
  if (contact.pair.isObstacle) contact.gap += supportOf(solidOf(contact.pair), normal);
}

void Contacts::makeLive(Candidate& candidate, const Separation& separation, double asked) {
  const auto lineOf = [&](int p) {
    const Part& part = parts_[p];
    return ClearanceGoal::Line{part.link, part.line.start, part.line.end};
  };
  const ContactPair& pair = candidate.pair;
  candidate.isLive = true;
  LiveContact contact{.pair = pair, .line = lineOf(pair.part), .radii = keptBy(pair), .asked = asked};
  if (!pair.isObstacle) contact.otherLine = lineOf(pair.other);
  setPlane(contact, separation.normal);
  live_.push_back(contact);
}

/// The clearance to which a pair is held. A pose that begins slightly inside would jump if it had to come out; with a
/// safety distance it must. An arm may be as deep as at rest or when the drag began.
double Contacts::askedOf(const ContactPair& pair, double clearance) const {
  const double unit = figure_->meanLinkLength();
  if (clearance >= -kSlack * unit) return 0.0;
  if (begun_.empty() && begunPose_.coordinates.size() > 0) place(transformsOf(*figure_, begunPose_), begun_);
  const double begun = begun_.empty() ? 0.0 : clearanceAt(pair, begun_);
  if (!pair.isObstacle && avoidance_ == SelfAvoidance::Arms) {
    const double deepest = std::min(begun, clearanceAt(pair, rest_));
    return deepest + safety_ < -kSlack * unit ? deepest : 0.0;
  }
  return safety_ == 0.0 && begun > -kShallow * unit && begun < -kSlack * unit ? begun : 0.0;
}

void Contacts::begin(const IkProblem& problem, const PosingRequest& request, std::span<const char> moves,
                     SelfAvoidance avoidance) {
  takeFigure(problem.figure);
  takeSettings(problem);
  takeObstacles(problem);
  findCandidates(problem, request, moves, avoidance);
  const std::vector<LiveContact> before = std::move(live_);
  live_.clear();
  begun_.clear();
  if (candidates_.empty()) return;
  begunPose_ = isNatural(problem, request) ? Pose{} : request.startPose ? *request.startPose : problem.pose;
  for (Candidate& candidate : candidates_) candidate.isLive = false;
  const bool isAmongObstacles = groups_.front().other < 0;
  if (!isAmongObstacles && before.empty()) return;
  computeTransforms(*figure_, problem.pose, scratch_);
  place(scratch_, start_);
  if (isAmongObstacles) beginAmongObstacles(before);
  beginWithItself(before);
}

void Contacts::beginAmongObstacles(std::span<const LiveContact> before) {
  boundGroups();
  const double unit = figure_->meanLinkLength();
  for (Group& group : groups_) {
    if (group.other >= 0) return;
    if (group.bound > kShown * unit) continue;
    boundCandidates(group);
    for (int c = group.first; c < group.last; ++c) {
      Candidate& candidate = candidates_[c];
      if (candidate.bound > kShown * unit) continue;
      const ContactPair& pair = candidate.pair;
      const Separation separation = separationAt(pair, start_);
      const double clearance = candidate.bound = separation.distance - keptBy(pair);
      const auto old = std::ranges::find(before, pair, &LiveContact::pair);
      if (old == before.end() && clearance > -kSlack * unit) continue;
      makeLive(candidate, separation, askedOf(pair, clearance));
      if (old != before.end()) keepPlane(live_.back(), old->normal, separation);
    }
  }
}

/// Pairs that pressed last stay live while they are near; others become live at the end of the solve.
void Contacts::beginWithItself(std::span<const LiveContact> before) {
  for (const LiveContact& old : before) {
    if (old.pair.isObstacle) continue;
    const auto candidate = std::ranges::find(candidates_, old.pair, &Candidate::pair);
    if (candidate == candidates_.end()) continue;
    const Separation separation = separationAt(old.pair, start_);
    const double clearance = separation.distance - keptBy(old.pair);
    if (clearance > kShown * figure_->meanLinkLength()) continue;
    makeLive(*candidate, separation, askedOf(old.pair, clearance));
    keepPlane(live_.back(), old.normal, separation);
  }
}

/// Sets the plane of the last solve unless the best one separates clearly better.
void Contacts::keepPlane(LiveContact& contact, const V& normal, const Separation& best) const {
  if (separationAlong(contact.pair, start_, normal) > best.distance - kGain * figure_->meanLinkLength())
    setPlane(contact, normal);
}

/// Bounds the clearances from obstacles by a ball around each link.
void Contacts::boundGroups() {
  placeBalls(start_);
  for (Group& group : groups_) {
    if (group.other >= 0) return;
    const LinkBall& ball = balls_[group.link];
    group.isNear = false;
    group.bound = heightAbove(solidOf(candidates_[group.first].pair), ball.centre) - ball.radius - safety_;
  }
}

/// Bounds them by a ball around each part.
void Contacts::boundCandidates(Group& group) {
  if (group.isNear) return;
  group.isNear = true;
  for (int c = group.first; c < group.last; ++c) {
    Candidate& candidate = candidates_[c];
    candidate.bound = boundAt(candidate.pair, start_);
  }
}

/// Balls that contain the balls of their link's parts.
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
  const bool fits = problem.figure == figure_ && problem.obstacles == obstacles_ &&
                    problem.safetyDistance == safetyDistance_ && problem.disabledPairs == disabledPairs_;
  return fits ? std::span<const LiveContact>(live_) : std::span<const LiveContact>();
}

/// Samples the straight path at distances of at most kStride of the radii.
bool Contacts::meetsOnTheWay(const ContactPair& pair) const {
  const int a = pair.part, b = pair.other;
  double shift = shiftOf(start_[a].line, now_[a].line);
  if (!pair.isObstacle) shift += shiftOf(start_[b].line, now_[b].line);
  const double kept = keptBy(pair);
  const double stride = kStride * std::max(kept, kShown * figure_->meanLinkLength());
  const int count = std::clamp(static_cast<int>(std::ceil(shift / stride)), 1, kMaxStrides);
  for (int k = 1; k <= count; ++k) {
    const double share = static_cast<double>(k) / count;
    between_[a].line = blend(start_[a].line, now_[a].line, share);
    if (!pair.isObstacle) between_[b].line = blend(start_[b].line, now_[b].line, share);
    if (separationAt(pair, between_).distance < kept - kEntered * figure_->meanLinkLength()) return true;
  }
  return false;
}

Contacts::Entry Contacts::enter(const Kinematics& kinematics) {
  place(kinematics, now_);
  return std::max(enterObstacles(), enterItself(kinematics));
}

Contacts::Entry Contacts::enterObstacles() {
  Entry entry = Entry::None;
  if (groups_.front().other >= 0) return entry;
  between_.resize(now_.size());
  shifts_.assign(figure_->linkCount(), 0.0);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    double& shift = shifts_[parts_[p].link];
    shift = std::max(shift, shiftOf(start_[p].line, now_[p].line));
  }
  const double unit = figure_->meanLinkLength();
  for (Group& group : groups_) {
    if (group.other >= 0) break;
    const double shift = shifts_[group.link];
    if (shift <= group.bound) continue;
    boundCandidates(group);
    Candidate* deepest = nullptr;  // only this one becomes live: it mostly moves out the others of the link, too
    Separation planeOfDeepest;
    double most = kEntered * unit;
    for (int c = group.first; c < group.last; ++c) {
      Candidate& candidate = candidates_[c];
      const ContactPair& pair = candidate.pair;
      if (candidate.isLive || shift <= candidate.bound) continue;
      const Separation separation = separationAt(pair, start_);
      candidate.bound = separation.distance - keptBy(pair);
      if (shift <= candidate.bound) continue;
      const double depth = keptBy(pair) - separationAlong(pair, now_, separation.normal);
      if (depth <= most || !meetsOnTheWay(pair)) continue;
      deepest = &candidate;
      planeOfDeepest = separation;
      most = depth;
    }
    if (!deepest) continue;
    makeLive(*deepest, planeOfDeepest, 0.0);
    entry = std::max(entry, most > kShallow * unit ? Entry::Deep : Entry::Shallow);
  }
  return entry;
}

/// Only the end matters, not the path: an arm may move around the body in one solve. The plane of a pair is that of its
/// segments if its own leads to the other side, so that all capsules of a trunk push to the same side.
Contacts::Entry Contacts::enterItself(const Kinematics& kinematics) {
  const double unit = figure_->meanLinkLength();
  if (groups_.back().other < 0) return Entry::None;
  placeHulls(kinematics, now_);
  Entry entry = Entry::None;
  for (const Group& group : groups_) {
    if (group.other < 0) continue;
    int deepest = -1;
    Separation planeOfDeepest;
    double most = kEntered * unit, asked = 0.0;
    visitNear(group, 0.0, [&](int c, const Separation& separation) {
      if (candidates_[c].isLive) return;
      const double clearance = separation.distance - keptBy(candidates_[c].pair);
      if (clearance >= -most) return;
      const double least = askedOf(candidates_[c].pair, clearance);
      if (least - clearance <= most) return;
      deepest = c;
      planeOfDeepest = separation;
      most = least - clearance;
      asked = least;
    });
    if (deepest < 0) continue;
    if (group.segments[0] >= 0) {
      const V out = separationOf(hulls_[group.segments[0]].line, hulls_[group.segments[1]].line).normal;
      if (planeOfDeepest.normal.dot(out) < 0.0) planeOfDeepest.normal = out;
    }
    makeLive(candidates_[deepest], planeOfDeepest, asked);
    entry = Entry::Shallow;
  }
  return entry;
}

template <class Visit>
void Contacts::visitNear(const Group& group, double margin, Visit visit) const {
  if (group.segments[0] >= 0) {
    const Hull& a = hulls_[group.segments[0]];
    const Hull& b = hulls_[group.segments[1]];
    if (separationOf(a.line, b.line).distance > a.radius + b.radius + safety_ + margin) return;
  }
  for (int c = group.first; c < group.last; ++c) {
    const ContactPair& pair = candidates_[c].pair;
    if (boundAt(pair, now_) > margin) continue;
    const Separation separation = separationAt(pair, now_);
    if (separation.distance <= keptBy(pair) + margin) visit(c, separation);
  }
}

/// Encloses each segment by the capsule of its link, or by a ball.
void Contacts::placeHulls(const Kinematics& kinematics, std::span<const Placed> placed) const {
  hulls_.resize(segments_.size());
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& segment = segments_[i];
    Hull& hull = hulls_[i];
    if (segment.parts.empty()) continue;
    if (segment.isOneLink) {
      const Transform& worldFromLink = kinematics.worldFromLink[parts_[segment.parts[0]].link];
      hull = {worldFromLink * LineEnds{segment.hull.start, segment.hull.end}, segment.hull.radius};
      continue;
    }
    V low = placed[segment.parts[0]].centre, high = low;
    for (const int p : segment.parts) {
      low = low.cwiseMin(placed[p].centre);
      high = high.cwiseMax(placed[p].centre);
    }
    const V centre = 0.5 * (low + high);
    hull = {{centre, centre}, 0.0};
    for (const int p : segment.parts)
      hull.radius = std::max(hull.radius, (placed[p].centre - centre).norm() + placed[p].reach);
  }
}

void Contacts::takeInside(const Kinematics& kinematics) {
  if (groups_.empty()) return;
  place(kinematics, now_);
  placeHulls(kinematics, now_);
  for (const Group& group : groups_) {
    if (group.other < 0) continue;
    visitNear(group, -kSlack * figure_->meanLinkLength(), [&](int c, const Separation& separation) {
      if (candidates_[c].isLive) return;
      makeLive(candidates_[c], separation,
               askedOf(candidates_[c].pair, separation.distance - keptBy(candidates_[c].pair)));
    });
  }
}

void Contacts::keepPressing(std::span<const char> presses) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < live_.size(); ++i)
    if (presses[i]) live_[kept++] = live_[i];
  live_.resize(kept);
}

void Contacts::release() {
  live_.clear();
  for (Candidate& candidate : candidates_) candidate.isLive = false;
}

void Contacts::goOnFrom(const Kinematics& kinematics) {
  place(kinematics, start_);
  boundGroups();
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

template <class Visit>
void Contacts::visitInside(const Kinematics& kinematics, double tolerance, Visit visit) const {
  if (candidates_.empty()) return;
  place(kinematics, now_);
  const double deepest = -tolerance * figure_->meanLinkLength();
  const auto judge = [&](int c, const Separation& separation) {
    const ContactPair& pair = candidates_[c].pair;
    const double clearance = separation.distance - keptBy(pair);
    if (clearance >= deepest) return;
    const auto contact = std::ranges::find(live_, pair, &LiveContact::pair);
    const double asked = contact != live_.end() ? contact->asked : pair.isObstacle ? 0.0 : askedOf(pair, clearance);
    if (clearance < asked + deepest) visit(c, separation, asked);
  };
  if (groups_.back().other >= 0) placeHulls(kinematics, now_);
  for (const Group& group : groups_) {
    if (group.other >= 0) {
      visitNear(group, 0.0, judge);
      continue;
    }
    for (int c = group.first; c < group.last; ++c)
      if (boundAt(candidates_[c].pair, now_) <= 0.0) judge(c, separationAt(candidates_[c].pair, now_));
  }
}

bool Contacts::isClear(const Kinematics& kinematics, double tolerance) const {
  bool isClear = true;
  visitInside(kinematics, tolerance, [&](int, const Separation&, double) { isClear = false; });
  return isClear;
}

void Contacts::report(const IkProblem& problem, const Kinematics& kinematics, std::span<const char> presses,
                      std::vector<ContactReport>& contacts) const {
  contacts.clear();
  if (live_.empty() && safety_ == 0.0) return;
  place(kinematics, now_);
  for (std::size_t i = 0; i < live_.size(); ++i)
    addReport(problem, live_[i].pair, separationAt(live_[i].pair, now_), live_[i].asked, !presses.empty() && presses[i],
              contacts);
  if (safety_ > 0.0) {
    visitInside(kinematics, kLeft, [&](int c, const Separation& separation, double asked) {
      const ContactPair& pair = candidates_[c].pair;
      if (std::ranges::find(live_, pair, &LiveContact::pair) == live_.end())
        addReport(problem, pair, separation, asked, false, contacts);
    });
  }
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const ContactReport& a, const ContactReport& b) { return a.clearance < b.clearance; });
}

std::string Contacts::otherInWords(const IkProblem& problem, const ContactPair& pair) const {
  return pair.isObstacle ? obstacleInWords(problem.obstacles[pair.other]) : figure_->link(parts_[pair.other].link).name;
}

Contacts::Nearest Contacts::nearest(const IkProblem& problem, const Kinematics& kinematics) const {
  Nearest nearest;
  if (candidates_.empty()) return nearest;
  place(kinematics, now_);
  const ContactPair* pair = nullptr;
  for (const Candidate& candidate : candidates_) {
    if (boundAt(candidate.pair, now_) + safety_ >= nearest.clearance) continue;
    const double clearance = separationAt(candidate.pair, now_).distance - radiiOf(candidate.pair);
    if (clearance >= nearest.clearance) continue;
    nearest.clearance = clearance;
    pair = &candidate.pair;
  }
  if (!pair) return nearest;
  nearest.link = parts_[pair->part].link;
  nearest.other = otherInWords(problem, *pair);
  return nearest;
}

void Contacts::addReport(const IkProblem& problem, const ContactPair& pair, const Separation& separation, double asked,
                         bool stops, std::vector<ContactReport>& contacts) const {
  const double unit = figure_->meanLinkLength();
  const double beyond = separation.distance - keptBy(pair);
  if (beyond > kShown * unit) return;
  const Part& part = parts_[pair.part];
  ContactReport entry;
  entry.link = part.link;
  entry.clearance = separation.distance - radiiOf(pair);
  entry.asked = safetyDistance_ + asked;
  if (pair.isObstacle) {
    entry.obstacle = problem.obstacles[pair.other].id;
  } else {
    entry.otherLink = parts_[pair.other].link;
  }
  entry.other = otherInWords(problem, pair);
  entry.stops = stops;
  entry.isInside = beyond < asked - kLeft * unit;
  const LineEnds& line = now_[pair.part].line;
  const bool isStartLower = separation.normal.dot(line.start) <= separation.normal.dot(line.end);
  entry.point = (isStartLower ? line.start : line.end) - part.radius * separation.normal;
  entry.normal = separation.normal;
  const auto same = std::find_if(contacts.begin(), contacts.end(), [&](const ContactReport& c) {
    return c.link == entry.link && c.obstacle == entry.obstacle && c.otherLink == entry.otherLink;
  });
  if (same == contacts.end()) {
    contacts.push_back(std::move(entry));
    return;
  }
  entry.stops = same->stops = entry.stops || same->stops;
  if (entry.clearance < same->clearance) *same = std::move(entry);
}

std::string selfAvoidanceFault(const Figure& figure) {
  std::size_t count = 0;
  for (const Link& link : figure.links()) count += link.capsules.size();
  if (count <= kMaxSelfCapsules) return {};
  return "no self-avoidance: the figure has " + std::to_string(count) + " capsules, more than " +
         std::to_string(kMaxSelfCapsules);
}

std::vector<ContactReport> findContacts(const IkProblem& problem) {
  std::vector<ContactReport> contacts;
  const SelfAvoidance avoidance = problem.selfAvoidance.value_or(SelfAvoidance::Off);
  if (problem.obstacles.empty() && avoidance == SelfAvoidance::Off) return contacts;
  Contacts all;
  all.begin(problem, {}, std::vector<char>(problem.figure->stepSize(), 1), avoidance);
  const Kinematics kinematics = transformsOf(*problem.figure, problem.pose);
  all.takeInside(kinematics);
  all.report(problem, kinematics, {}, contacts);
  return contacts;
}

}  // namespace limber
