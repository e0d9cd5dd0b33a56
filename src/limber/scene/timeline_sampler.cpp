// SPDX-License-Identifier: MIT
#include "limber/scene/timeline_sampler.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "limber/kinematics/figure_builder.h"
#include "limber/scene/clock.h"

namespace limber {

namespace {

std::shared_ptr<const Figure> makeFloatingBody() {
  FigureBuilder builder("target");
  builder.addLink({.name = "target"}, {.type = JointType::Free});
  std::string error;
  return builder.build(error);
}

Pose placeAsPose(const GoalKey& key) {
  Pose pose{Eigen::VectorXd(7)};
  pose.coordinates << key.target, Eigen::Quaterniond(key.targetFrame).normalized().coeffs();
  return pose;
}

}  // namespace

TimelineSampler::TimelineSampler(const Document& document)
    : figure_(document.figure), motion_(motionBeneath(document)) {
  assert(document.timeline);
  const Timeline& timeline = *document.timeline;
  std::vector<double> times;
  std::vector<Pose> poses;
  std::vector<Ease> eases;
  std::map<int, std::vector<std::pair<const TimelineKey*, GoalKey>>> goals;
  for (const TimelineKey& key : timeline.keys) {
    if (key.hasPose()) {
      times.push_back(key.time);
      poses.push_back(key.pose);
      eases.push_back(key.ease);
    }
    for (const GoalKey& goal : key.goals) goals[goal.goal].emplace_back(&key, goal);
  }
  poses_ = PoseTrack(document.figure, jointsThatGoRound(document), timeline.blend, std::move(times), std::move(poses),
                     std::move(eases));
  const std::shared_ptr<const Figure> body = makeFloatingBody();
  for (const auto& [id, keys] : goals) {
    GoalTrack track{.goal = id};
    std::vector<Pose> places;
    std::vector<Ease> goalEases;
    for (const auto& [key, goal] : keys) {
      track.times.push_back(key->time);
      track.enabled.push_back(goal.enabled);
      places.push_back(placeAsPose(goal));
      goalEases.push_back(key->ease);
    }
    track.place = PoseTrack(body, {0}, timeline.blend, track.times, std::move(places), std::move(goalEases));
    goals_.push_back(std::move(track));
  }
  for (const TargetPath& path : timeline.paths)
    if (path.enabled && !path.points.empty()) paths_.push_back({path, PathCurve(path)});
}

void TimelineSampler::setGoals(double time, std::vector<GoalItem>& goals) const {
  const auto itemOf = [&](int id) { return std::ranges::find(goals, id, &GoalItem::id); };
  for (const GoalTrack& track : goals_) {
    const auto goal = itemOf(track.goal);
    if (goal == goals.end()) continue;
    const Pose place = track.place.at(time);
    goal->target = place.coordinates.head<3>();
    goal->targetFrame = Eigen::Quaterniond(place.coordinates.tail<4>()).toRotationMatrix();
    const auto next = std::ranges::upper_bound(track.times, time) - track.times.begin();
    goal->enabled = track.enabled[std::max<std::ptrdiff_t>(next - 1, 0)] != 0;
  }
  for (const PathTrack& track : paths_)
    if (const auto goal = itemOf(track.path.goal); goal != goals.end())
      goal->target = track.curve.atLength(PathCurve::partAt(track.path, time) * track.curve.length());
}

}  // namespace limber
