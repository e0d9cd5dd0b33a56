// SPDX-License-Identifier: MIT
#include "limber/scene/timeline.h"

#include <algorithm>
#include <cmath>

#include "limber/scene/clock.h"
#include "limber/scene/document.h"
#include "limber/scene/path_curve.h"

namespace limber {

namespace {

constexpr double kMaxPathLength = 1e9;  // metres from the origin

/// Times that differ by less are equal, seconds.
double sameTime(const Timeline& timeline) { return 0.5 / timeline.framesPerSecond; }

std::vector<TimelineKey>::const_iterator keyNear(const Timeline& timeline, double time) {
  return std::ranges::find_if(timeline.keys,
                              [&](const TimelineKey& key) { return std::abs(key.time - time) < sameTime(timeline); });
}

/// The key at a time, which is added if it is missing.
TimelineKey& keyAt(Timeline& timeline, double time) {
  const auto found = keyNear(timeline, time) - timeline.keys.cbegin();
  if (found < std::ssize(timeline.keys)) return timeline.keys[found];
  const auto after = std::ranges::upper_bound(timeline.keys, time, {}, &TimelineKey::time);
  return *timeline.keys.insert(after, {.time = time});
}

void addGoalKey(TimelineKey& key, const GoalKey& goal) {
  const auto found = std::ranges::find(key.goals, goal.goal, &GoalKey::goal);
  if (found == key.goals.end()) key.goals.push_back(goal);
  else *found = goal;
}

bool isPlace(const Eigen::Vector3d& point) {
  return point.allFinite() && point.cwiseAbs().maxCoeff() <= kMaxPathLength;
}

bool isTime(double time) { return time >= 0.0 && time <= kMaxTimelineSeconds; }

std::string faultOfKey(const TimelineKey& key, const Document& document) {
  if (!isTime(key.time)) return "its time is not from 0 to 86400 s";
  if (!key.hasPose() && key.goals.empty()) return "it holds nothing";
  for (const double handle : {key.ease.x1, key.ease.y1, key.ease.x2, key.ease.y2})
    if (!(handle >= 0.0 && handle <= 1.0)) return "a handle of its ease is not from 0 to 1";
  if (key.hasPose() &&
      (key.pose.coordinates.size() != document.figure->poseSize() || !isValid(*document.figure, key.pose)))
    return "its pose is not one of the figure";
  for (std::size_t i = 0; i < key.goals.size(); ++i) {
    const GoalKey& goal = key.goals[i];
    if (!findGoal(document, goal.goal)) return "there is no goal " + std::to_string(goal.goal);
    if (std::ranges::count(key.goals, goal.goal, &GoalKey::goal) > 1)
      return "goal " + std::to_string(goal.goal) + " is keyed twice";
    if (!isPlace(goal.target) || !goal.targetFrame.allFinite()) return "a target is not a place";
  }
  return {};
}

std::string faultOfPath(const TargetPath& path, const Document& document) {
  if (!findGoal(document, path.goal)) return "there is no such goal";
  if (path.points.empty()) return "it has no point";
  if (!std::ranges::all_of(path.points, isPlace)) return "a point is not a place within 1e9 m";
  if (!isTime(path.begin) || !isTime(path.end)) return "its times are not from 0 to 86400 s";
  if (path.end < path.begin) return "it ends before it begins";
  return {};
}

std::string nameOfGoal(const Document& document, int id) {
  const GoalItem* goal = findGoal(document, id);
  return goal && !goal->name.empty() ? "\"" + goal->name + "\"" : std::to_string(id);
}

}  // namespace

double Ease::at(double part) const {
  if (kind == Kind::Step) return part < 1.0 ? 0.0 : 1.0;
  const auto bezier = [](double a, double b, double s) {
    const double u = 1.0 - s;
    return 3.0 * u * u * s * a + 3.0 * u * s * s * b + s * s * s;
  };
  constexpr int kBisections = 52;  // x rises with s, because x1 and x2 are in [0, 1]
  double low = 0.0, high = 1.0;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    (bezier(x1, x2, middle) < part ? low : high) = middle;
  }
  return bezier(y1, y2, 0.5 * (low + high));
}

bool Timeline::hasPoses() const { return std::ranges::any_of(keys, &TimelineKey::hasPose); }

std::string findFault(const Timeline& timeline, const Document& document) {
  if (!(timeline.length > 0.0 && timeline.length <= kMaxTimelineSeconds))
    return "the timeline's length must be above 0 and at most 86400 s";
  if (!(timeline.framesPerSecond > 0.0 && timeline.framesPerSecond <= kMaxFramesPerSecond))
    return "the timeline's frames per second must be above 0 and at most 1000";
  for (std::size_t i = 0; i < timeline.keys.size(); ++i) {
    const std::string key = "key " + std::to_string(i + 1) + " of the timeline: ";
    if (const std::string fault = faultOfKey(timeline.keys[i], document); !fault.empty()) return key + fault;
    if (i > 0 && !(timeline.keys[i].time > timeline.keys[i - 1].time))
      return key + "its time is not after that of the key before";
  }
  for (const TargetPath& path : timeline.paths) {
    const std::string name = "the path of goal " + nameOfGoal(document, path.goal) + ": ";
    if (const std::string fault = faultOfPath(path, document); !fault.empty()) return name + fault;
    if (std::ranges::count(timeline.paths, path.goal, &TargetPath::goal) > 1) return name + "the goal has another one";
  }
  return {};
}

std::string remarkOn(const TargetPath& path) {
  const std::size_t count = path.points.size();
  if (count == 0) return "has no point: the target stays where it is";
  if (count == 1) return "has one point: the target stands still";
  if (path.curve == TargetPath::Curve::Bezier && count % 3 != (path.isClosed ? 0 : 1))
    return "has an incomplete piece at its end: a Bezier curve has " +
           std::string(path.isClosed ? "3, 6, 9" : "4, 7, 10") + " ...";
  if (!(PathCurve(path).length() > 0.0)) return "has all its points in one place: the target stands still";
  if (!(path.end > path.begin)) return "takes no time: the target jumps from its start to its end";
  return {};
}

const TimelineKey* findKey(const Timeline& timeline, double time) {
  const auto found = keyNear(timeline, time);
  return found == timeline.keys.cend() ? nullptr : &*found;
}

const TargetPath* findPath(const Timeline& timeline, int goal) {
  const auto found = std::ranges::find(timeline.paths, goal, &TargetPath::goal);
  return found == timeline.paths.end() ? nullptr : &*found;
}

TargetPath* findPath(Timeline& timeline, int goal) {
  return const_cast<TargetPath*>(findPath(static_cast<const Timeline&>(timeline), goal));
}

Timeline& changeTimeline(Document& document) {
  auto changed = document.timeline ? std::make_shared<Timeline>(*document.timeline) : std::make_shared<Timeline>();
  if (showsMotion(document)) {
    const Clock clock = clockOf(document);
    changed->length = std::clamp(clock.length(), 1.0 / kMaxFramesPerSecond, kMaxTimelineSeconds);
    changed->framesPerSecond = std::min(clock.framesPerSecond, kMaxFramesPerSecond);
  }
  document.timeline = changed;
  return *changed;
}

void keyPose(Document& document) { keyAt(changeTimeline(document), document.time).pose = document.pose; }

bool keyGoals(Document& document, int goal) {
  if (goal >= 0 ? !findGoal(document, goal) : document.goals.empty()) return false;
  TimelineKey& key = keyAt(changeTimeline(document), document.time);
  for (const GoalItem& item : document.goals)
    if (goal < 0 || item.id == goal) addGoalKey(key, {item.id, item.target, item.targetFrame, item.enabled});
  return true;
}

bool removeKey(Document& document, double time) {
  if (!document.timeline || !findKey(*document.timeline, time)) return false;
  Timeline& timeline = changeTimeline(document);
  timeline.keys.erase(keyNear(timeline, time));
  return true;
}

bool setEase(Document& document, double time, const Ease& ease) {
  if (!document.timeline || !findKey(*document.timeline, time)) return false;
  keyAt(changeTimeline(document), time).ease = ease;
  return true;
}

bool moveKey(Document& document, double from, double to) {
  if (!document.timeline || !findKey(*document.timeline, from)) return false;
  Timeline& timeline = changeTimeline(document);
  const auto found = keyNear(timeline, from);
  TimelineKey moved = *found;
  timeline.keys.erase(found);
  TimelineKey& there = keyAt(timeline, std::clamp(to, 0.0, timeline.length));
  there.ease = moved.ease;
  if (moved.hasPose()) there.pose = std::move(moved.pose);
  for (const GoalKey& goal : moved.goals) addGoalKey(there, goal);
  return true;
}

bool addPath(Document& document, int goal) {
  const GoalItem* item = findGoal(document, goal);
  if (!item) return false;
  if (document.timeline && findPath(*document.timeline, goal)) return true;
  Timeline& timeline = changeTimeline(document);
  const Eigen::Vector3d aside = document.figure->meanLinkLength() * Eigen::Vector3d::UnitX();
  timeline.paths.push_back({.goal = goal, .points = {item->target, item->target + aside}, .end = timeline.length});
  return true;
}

void removePath(Document& document, int goal) {
  if (!document.timeline || !findPath(*document.timeline, goal)) return;
  std::erase_if(changeTimeline(document).paths, [&](const TargetPath& path) { return path.goal == goal; });
}

namespace {

/// The path of a goal in a copy of the timeline; null without a path.
TargetPath* changePath(Document& document, int goal) {
  if (!document.timeline || !findPath(*document.timeline, goal)) return nullptr;
  return findPath(changeTimeline(document), goal);
}

/// Splits a Bezier curve at a parameter, which keeps its form. Returns the index of the new point.
int splitBezier(TargetPath& path, const PathCurve& curve, int piece, double t) {
  const PathCurve::Piece& p = curve.piece(piece);
  const auto between = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
    return Eigen::Vector3d(a + t * (b - a));
  };
  const Eigen::Vector3d a = between(p[0], p[1]), b = between(p[1], p[2]), c = between(p[2], p[3]);
  const Eigen::Vector3d d = between(a, b), e = between(b, c), middle = between(d, e);
  const auto first = path.points.begin() + 3 * piece;
  first[1] = a;
  first[2] = c;
  path.points.insert(first + 2, {d, middle, e});
  return 3 * piece + 3;
}

/// The curve's pieces as points of a Bezier path.
std::vector<Eigen::Vector3d> bezierPointsOf(const TargetPath& path) {
  const PathCurve curve(path);
  if (curve.pieceCount() == 0) return path.points;
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < curve.pieceCount(); ++i)
    points.insert(points.end(), curve.piece(i).begin(), curve.piece(i).begin() + 3);
  if (!path.isClosed) points.push_back(curve.piece(curve.pieceCount() - 1)[3]);
  return points;
}

/// The points without handles.
std::vector<Eigen::Vector3d> pointsOnCurve(const TargetPath& path) {
  std::vector<Eigen::Vector3d> points;
  for (std::size_t i = 0; i < path.points.size(); ++i)
    if (!path.isHandle(static_cast<int>(i))) points.push_back(path.points[i]);
  return points;
}

}  // namespace

void movePathPoint(Document& document, int goal, int point, const Eigen::Vector3d& to) {
  TargetPath* path = changePath(document, goal);
  if (!path || point < 0 || point >= std::ssize(path->points) || !isPlace(to)) return;
  const Eigen::Vector3d way = to - path->points[point];
  path->points[point] = to;
  if (path->curve != TargetPath::Curve::Bezier || path->isHandle(point)) return;
  const int count = static_cast<int>(path->points.size());
  for (const int beside : {point - 1, point + 1}) {  // handles move with their point
    const int handle = path->isClosed ? (beside + count) % count : beside;
    if (handle >= 0 && handle < count && path->isHandle(handle)) path->points[handle] += way;
  }
}

int insertPathPoint(Document& document, int goal, double parameter) {
  TargetPath* path = changePath(document, goal);
  if (!path) return -1;
  const PathCurve curve(*path);
  if (curve.pieceCount() == 0) {  // to the side, so that it is visible
    path->points.push_back(curve.at(0.0) + document.figure->meanLinkLength() * Eigen::Vector3d::UnitX());
    return static_cast<int>(path->points.size()) - 1;
  }
  const double held = std::clamp(parameter, 0.0, static_cast<double>(curve.pieceCount()));
  const int piece = std::min(static_cast<int>(held), curve.pieceCount() - 1);
  if (path->curve == TargetPath::Curve::Bezier) return splitBezier(*path, curve, piece, held - piece);
  path->points.insert(path->points.begin() + piece + 1, curve.at(held));
  return piece + 1;
}

void removePathPoint(Document& document, int goal, int point) {
  TargetPath* path = changePath(document, goal);
  if (!path || point < 0 || point >= std::ssize(path->points)) return;
  std::vector<Eigen::Vector3d>& points = path->points;
  const auto at = points.begin() + point;
  if (path->isHandle(point)) {
    const int own = point % 3 == 1 ? point - 1 : point + 1;
    *at = points[static_cast<std::size_t>(own) % points.size()];
    return;
  }
  const bool isBezier = path->curve == TargetPath::Curve::Bezier && points.size() >= 4;
  if (!isBezier) points.erase(at);
  else if (point == 0) points.erase(at, at + 3);
  else if (point + 1 == std::ssize(points)) points.erase(at - 2, points.end());
  else points.erase(at - 1, at + 2);
  if (points.empty()) removePath(document, goal);
}

void setPathCurve(Document& document, int goal, TargetPath::Curve curve) {
  TargetPath* path = changePath(document, goal);
  if (!path || path->curve == curve) return;
  path->points = curve == TargetPath::Curve::Bezier ? bezierPointsOf(*path) : pointsOnCurve(*path);
  path->curve = curve;
}

void setPathClosed(Document& document, int goal, bool isClosed) {
  TargetPath* path = changePath(document, goal);
  if (!path || path->isClosed == isClosed) return;
  if (path->curve == TargetPath::Curve::Bezier && path->points.size() > 1) {
    std::vector<Eigen::Vector3d>& points = path->points;
    const Eigen::Vector3d first = points.front(), last = points.back();
    if (isClosed) points.insert(points.end(), {last + (first - last) / 3.0, first + (last - first) / 3.0});
    else points.resize(points.size() - 2);
  }
  path->isClosed = isClosed;
}

void followPath(Document& document, int goal) {
  const TargetPath* path = document.timeline ? findPath(*document.timeline, goal) : nullptr;
  GoalItem* item = findGoal(document, goal);
  if (!item || !path || !path->enabled || path->points.empty()) return;
  const PathCurve curve(*path);
  item->target = curve.atLength(PathCurve::partAt(*path, document.time) * curve.length());
}

void pruneTimeline(Document& document) {
  if (!document.timeline) return;
  const auto isGone = [&](const auto& entry) { return !findGoal(document, entry.goal); };
  const bool isWhole = std::ranges::none_of(document.timeline->paths, isGone) &&
                       std::ranges::none_of(document.timeline->keys, [&](const TimelineKey& key) {
                         return std::ranges::any_of(key.goals, isGone);
                       });
  if (isWhole) return;
  Timeline& timeline = changeTimeline(document);
  std::erase_if(timeline.paths, isGone);
  for (TimelineKey& key : timeline.keys) std::erase_if(key.goals, isGone);
  std::erase_if(timeline.keys, [](const TimelineKey& key) { return !key.hasPose() && key.goals.empty(); });
}

}  // namespace limber
