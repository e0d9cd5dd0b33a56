// SPDX-License-Identifier: MIT
#include "posing/player.h"

#include <algorithm>

#include "posing/problem.h"

namespace limber {

namespace {

bool asksSomething(const Document& document) {
  if (document.mode != Mode::Inverse) return false;
  return std::ranges::any_of(document.goals, &GoalItem::enabled) ||
         std::ranges::any_of(document.pins, [](const Pin& pin) { return pin.position || pin.rotation; });
}

}  // namespace

Player::Player(const Document& document)
    : figure_(document.figure), timeline_(document.timeline), joints_(document.joints),
      couplingEnabled_(document.couplingEnabled), linearLimitEnabled_(document.linearLimitEnabled),
      sampler_(std::make_shared<const TimelineSampler>(document)), set_(*document.figure, limitsOf(document)) {}

bool Player::isFor(const Document& document) const {
  return figure_ == document.figure && timeline_ == document.timeline && joints_ == document.joints &&
         couplingEnabled_ == document.couplingEnabled && linearLimitEnabled_ == document.linearLimitEnabled;
}

std::optional<PosingRequest> Player::cue(double time, bool goesOn, Document& document) {
  document.time = time;
  sampler_->setGoals(time, document.goals);
  if (sampler_->hasPoses()) {
    Pose keyed = sampler_->poseAt(time);
    set_.project(keyed);
    const bool carriesOn = goesOn && keyed_.coordinates.size() == keyed.coordinates.size();
    const Eigen::VectorXd change = carriesOn ? sampler_->stepBetween(keyed_, document.pose)
                                             : Eigen::VectorXd::Zero(figure_->stepSize());
    keyed_ = keyed;
    document.pose = keyed;
    if (!asksSomething(document)) return std::nullopt;
    integrate(*figure_, document.pose, change, document.pose);
    set_.project(document.pose);
    return PosingRequest{.followsLast = goesOn, .startPose = std::move(keyed), .pullsToStart = true};
  }
  if (!goesOn || startPose_.coordinates.size() == 0) startPose_ = document.pose;
  if (!asksSomething(document)) return std::nullopt;
  return PosingRequest{.followsLast = goesOn, .startPose = startPose_};
}

}  // namespace limber
