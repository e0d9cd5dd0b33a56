// SPDX-License-Identifier: MIT
#include "limber/posing/arms_out.h"

#include <algorithm>

#include "limber/body/body_map.h"
#include "limber/posing/contacts.h"
#include "limber/posing/least_step.h"

namespace limber {

namespace {

/// Joints of arms and clavicles; the fingers keep their pose.
std::vector<int> jointsOfArms(const Figure& figure) {
  const BodyMap& body = bodyMapOf(figure);
  std::vector<int> joints;
  for (const BodySide side : {BodySide::Left, BodySide::Right}) {
    const int clavicle = body.find(BodyPart::Clavicle, side), hand = body.find(BodyPart::Hand, side);
    const int upper = body.find(BodyPart::UpperArm, side), lower = body.find(BodyPart::LowerArm, side);
    const int top = clavicle >= 0 ? clavicle : upper;
    for (int link = hand >= 0 ? hand : lower; link >= 0; link = figure.link(link).parent) {
      if (stepSize(figure.joint(link).type) > 0) joints.push_back(link);
      if (link == top) break;
    }
  }
  std::ranges::sort(joints);
  return joints;
}

}  // namespace

struct ArmsOut::State {
  IkProblem problem;
  PosingRequest request;
  std::vector<char> moves;
  Contacts contacts;
  Posing posing;
  std::vector<int> joints;  ///< that may move
  std::unique_ptr<LeastStep> leastStep;
  Eigen::VectorXd lastStep;  ///< from the last pose to where it was brought; empty if that was not inside

  void move(const Pose& from);
};

ArmsOut::ArmsOut(const IkProblem& problem) {
  std::vector<int> joints = jointsOfArms(*problem.figure);
  if (joints.empty()) return;
  state_ = std::make_unique<State>();
  IkProblem& own = state_->problem;
  own.figure = problem.figure;
  own.joints = problem.joints;
  own.couplingEnabled = problem.couplingEnabled;
  own.linearLimitEnabled = problem.linearLimitEnabled;
  own.pose = restPose(*own.figure);
  own.selfAvoidance = SelfAvoidance::Arms;
  own.solver.restWeight = 0.0;  // the kept pose is the only pull
  own.solver.reference = RestReference::StartPose;
  own.goals.push_back({.id = 0, .type = GoalType::KeepPose, .kept = own.pose, .chain = joints});
  state_->leastStep = std::make_unique<LeastStep>(own, joints);
  state_->joints = std::move(joints);
  state_->request.startPose = own.pose;  // pairs may be as deep as at rest
  state_->moves.assign(own.figure->stepSize(), 1);
}

ArmsOut::~ArmsOut() = default;
ArmsOut::ArmsOut(ArmsOut&&) noexcept = default;

/// Moves problem.pose, which begins at `from` or the last step from it, by the least step, else by a solve. contacts
/// were begun at `from`.
void ArmsOut::State::move(const Pose& from) {
  Pose pose = problem.pose;
  if (leastStep->solve(contacts, from, pose)) problem.pose = pose;
  else solveToEnd(posing, problem, request);
}

bool ArmsOut::isInside(const Pose& pose) {
  if (!state_ || !isValid(*state_->problem.figure, pose)) return false;
  state_->problem.pose = pose;
  state_->contacts.begin(state_->problem, state_->request, state_->moves, SelfAvoidance::Arms);
  return state_->contacts.isAnyInside(transformsOf(*state_->problem.figure, pose));
}

bool ArmsOut::bringOut(Pose& pose) {
  if (!state_) return false;
  IkProblem& own = state_->problem;
  if (!isInside(pose)) {
    state_->lastStep.resize(0);
    return false;
  }
  own.goals.front().kept = pose;
  const bool isWarm = state_->lastStep.size() > 0;
  if (isWarm) integrate(*own.figure, pose, state_->lastStep, own.pose);
  state_->move(pose);
  if (isWarm && isInside(Pose(own.pose))) {  // the last pose was too different
    isInside(pose);                          // begins the contacts there
    state_->move(pose);
  }
  difference(*own.figure, pose, own.pose, state_->lastStep);
  pose = own.pose;
  return true;
}

const std::vector<int>& ArmsOut::joints() const {
  static const std::vector<int> kNone;
  return state_ ? state_->joints : kNone;
}

}  // namespace limber
