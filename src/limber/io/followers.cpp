// SPDX-License-Identifier: MIT
#include "limber/io/followers.h"

#include <algorithm>
#include <cmath>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"

namespace limber::io {

namespace {

constexpr double kSameValue = 1e-4;  // radians or metres; sources round

}  // namespace

Followers::Followers(const IkProblem& problem)
    : figure_(*problem.figure), couplings_(*problem.figure, activeCouplings(problem)) {
  for (int i = 0; i < figure_.linkCount(); ++i)
    if (const Joint& joint = figure_.joint(i); poseSize(joint.type) > 0 && couplings_.isFollower(joint.stepIndex))
      links_.push_back(i);
}

void Followers::compare(const Pose& given, const Pose& coupled, std::span<const char> isNamed) {
  for (const int link : links_) {
    if (isNamed.empty() || !isNamed[static_cast<std::size_t>(link)]) continue;
    const Joint& joint = figure_.joint(link);
    Contradiction found{.link = link, .firstFrame = frames_};
    if (poseSize(joint.type) == 1) {
      found.given = given.coordinates[joint.poseIndex];
      found.coupled = coupled.coordinates[joint.poseIndex];
    } else {
      found.coupled = jointRotation(figure_, given, link).angularDistance(jointRotation(figure_, coupled, link));
    }
    if (std::abs(found.given - found.coupled) <= kSameValue) continue;
    const auto known = std::ranges::find(contradictions_, link, &Contradiction::link);
    Contradiction& entry = known == contradictions_.end() ? contradictions_.emplace_back(found) : *known;
    ++entry.frames;
  }
}

void Followers::apply(Pose& pose, std::span<const char> isNamed) {
  if (links_.empty()) return;
  const Pose given = pose;
  couplings_.apply(pose);
  compare(given, pose, isNamed);
  ++frames_;
}

std::shared_ptr<const Motion> Followers::applied(std::shared_ptr<const Motion> motion, std::span<const char> isNamed) {
  if (links_.empty()) return motion;
  auto changed = std::make_shared<Motion>();
  changed->name = motion->name;
  changed->frameTime = motion->frameTime;
  for (int frame = 0; frame < motion->frameCount; ++frame) {
    Pose pose = motion->poseAt(figure_, frame);
    apply(pose, isNamed);
    changed->append(pose);
  }
  return changed;
}

std::vector<std::string> Followers::notes() const {
  std::vector<std::string> notes;
  for (const Contradiction& found : contradictions_) {
    const Joint& joint = figure_.joint(found.link);
    const double unit = joint.type == JointType::Prismatic ? figure_.fileFrame().metresPerUnit : 1.0;
    std::string text = "the joint " + inQuotes(joint.name);
    if (frames_ > 1)
      text += " contradicts its coupling in " + std::to_string(found.frames) + " of " + std::to_string(frames_) +
              " frames, first in frame " + std::to_string(found.firstFrame) + ", where it";
    if (poseSize(joint.type) == 1)
      text += " is " + inShort(found.given / unit, 6) + " and becomes " + inShort(found.coupled / unit, 6);
    else text += " is " + inShort(found.coupled, 6) + " rad away from the joint that it copies, which decides";
    if (frames_ <= 1 && poseSize(joint.type) == 1) text += ", because it follows other joints";
    notes.push_back(std::move(text));
  }
  return notes;
}

}  // namespace limber::io
