// SPDX-License-Identifier: MIT
#include "limber/scene/player.h"

#include <algorithm>
#include <utility>

#include "limber/posing/posed_problem.h"
#include "limber/scene/clock.h"

namespace limber {

namespace {

/// The keyed pose, with the last coordinates of the joints that the solve may move.
Pose keptWhereSolved(const Document& document, const PosingRequest& request, const Pose& keyed, const Pose& last) {
  const Figure& figure = *document.figure;
  const PosedProblem problem = makeProblem(document, request);
  if (!problem.objective) return keyed;
  const std::vector<char> moves = movesOf(*problem.objective);
  Pose pose = keyed;
  for (const Joint& joint : figure.joints()) {
    const int size = poseSize(joint.type), steps = stepSize(joint.type);
    const auto first = moves.begin() + joint.stepIndex;
    if (std::find(first, first + steps, 1) != first + steps)
      pose.coordinates.segment(joint.poseIndex, size) = last.coordinates.segment(joint.poseIndex, size);
  }
  return pose;
}

}  // namespace

Player::Player(const Document& document)
    : figure_(document.figure), timeline_(document.timeline), motion_(motionBeneath(document)),
      joints_(document.joints), couplingEnabled_(document.couplingEnabled),
      linearLimitEnabled_(document.linearLimitEnabled), sampler_(std::make_shared<const TimelineSampler>(document)),
      set_(*document.figure, limitsOf(document)), closer_(document) {}

bool Player::isFor(const Document& document) const {
  return figure_ == document.figure && timeline_ == document.timeline && motion_ == motionBeneath(document) &&
         joints_ == document.joints && couplingEnabled_ == document.couplingEnabled &&
         linearLimitEnabled_ == document.linearLimitEnabled;
}

std::optional<PosingRequest> Player::cue(double time, bool goesOn, Document& document) {
  document.time = time;
  if (hasFrames(document)) document.frame = document.motion->frameAt(time);
  sampler_->setGoals(time, document.goals);
  if (sampler_->hasPoses()) {
    Pose keyed = sampler_->poseAt(time);
    set_.project(keyed);
    if (!goesOn) closer_.beginMotion();
    closer_.follow(keyed);
    const bool carriesOn = goesOn && keyed_.coordinates.size() == keyed.coordinates.size();
    const Pose keyedBefore = std::exchange(keyed_, keyed), last = std::exchange(document.pose, keyed);
    if (!asksSomething(document)) return std::nullopt;
    PosingRequest request{
        .followsLast = goesOn, .leadingLink = leadingLink(document), .startPose = keyed, .pullsToStart = true};
    if (carriesOn && avoidsCollisions(document)) document.pose = keptWhereSolved(document, request, keyed, last);
    else if (carriesOn) integrate(*figure_, keyed, sampler_->stepBetween(keyedBefore, last), document.pose);
    set_.project(document.pose);
    return request;
  }
  if (!goesOn || startPose_.coordinates.size() == 0) startPose_ = document.pose;
  if (!asksSomething(document)) return std::nullopt;
  return PosingRequest{.followsLast = goesOn, .leadingLink = leadingLink(document), .startPose = startPose_};
}

}  // namespace limber
