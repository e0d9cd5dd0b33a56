// SPDX-License-Identifier: MIT
#include "app/features/way_finding.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "app/features/shown_figure.h"
#include "limber/posing/contacts.h"
#include "limber/problem/goal_types.h"

namespace limber::app {

namespace {

constexpr double kWaysAtOnce = 0.05;  // seconds: ways found within them are shown in the same frame
constexpr render::Color kWayGhost = {0.30f, 0.62f, 0.95f, 0.55f};

bool isCandidate(const GoalItem& goal) { return goal.enabled && goal.weight > 0.0 && !isPreference(goal); }

/// The id of the goal whose ways are asked for; -1 without goals. `before` is the one that was asked for last.
int chosenGoal(const Document& document, int before) {
  if (findGoal(document, document.selection.goal)) return document.selection.goal;
  const std::vector<int> links = document.selection.allLinks();
  const auto isSelected = [&](int link) { return std::ranges::find(links, link) != links.end(); };
  for (const GoalItem& goal : document.goals)
    if (isCandidate(goal) && isSelected(goal.link)) return goal.id;
  if (const GoalItem* goal = findGoal(document, before); goal && isCandidate(*goal)) return before;
  const auto first = std::ranges::find_if(document.goals, isCandidate);
  return first == document.goals.end() ? -1 : first->id;
}

/// The problem with this goal alone; the others do not matter for the arm.
IkProblem problemOf(const Document& document, int goal) {
  IkProblem problem = document;
  std::erase_if(problem.goals, [&](const GoalItem& item) { return item.id != goal; });
  return problem;
}

std::string touchedBy(const IkProblem& problem, const Pose& pose) {
  if (!avoidsCollisions(problem)) return {};
  IkProblem there = problem;
  there.pose = pose;
  const std::vector<ContactReport> contacts = findContacts(there);
  const auto inside = std::ranges::find_if(contacts, &ContactReport::isInside);
  if (inside == contacts.end()) return {};
  return problem.figure->link(inside->link).name + " with " + inside->other;
}

void findBounds(const IkProblem& problem, FoundWays& found) {
  found.boundsMin.setConstant(std::numeric_limits<double>::infinity());
  found.boundsMax = -found.boundsMin;
  Kinematics kinematics;
  const auto add = [&](const Eigen::Vector3d& point, double radius) {
    found.boundsMin = found.boundsMin.cwiseMin(point - Eigen::Vector3d::Constant(radius));
    found.boundsMax = found.boundsMax.cwiseMax(point + Eigen::Vector3d::Constant(radius));
  };
  for (const ArmWay& way : found.all.ways) {
    computeTransforms(*problem.figure, way.pose, kinematics);
    for (int link = 0; link < problem.figure->linkCount(); ++link) {
      add(kinematics.worldFromLink[link].translation, 0.0);
      for (const Capsule& capsule : problem.figure->link(link).capsules)
        for (const Eigen::Vector3d& end : {capsule.start, capsule.end})
          add(kinematics.worldFromLink[link] * end, capsule.radius);
    }
  }
}

std::shared_ptr<const FoundWays> waysOf(const IkProblem& problem, const Job::Progress& progress) {
  auto found = std::make_shared<FoundWays>();
  progress(0.0, "solving the arm");
  found->all = allWaysOf(problem);
  for (const ArmWay& way : found->all.ways) found->touches.push_back(touchedBy(problem, way.pose));
  findBounds(problem, *found);
  if (found->all.curves.empty() || !progress(0.3, "following the curves")) return found;
  found->paths.emplace(problem, [&](double part, std::string_view what) { return progress(0.3 + 0.7 * part, what); });
  if (found->paths->paths().empty()) found->paths.reset();
  return found;
}

/// "8 ways", "1 way, complete"
std::string countInWords(const AllWays& all) {
  const std::size_t count = all.curves.empty() ? all.ways.size() : all.curves.size();
  const std::string noun = all.curves.empty() ? "way" : "curve";
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s") + (all.isComplete ? ", complete" : "");
}

}  // namespace

void WayFinding::start(const Document& document) {
  isNoticed_ = !isOn_ ? false : isNoticed_;
  isOn_ = true;
  goal_ = chosenGoal(document, goal_);
  const GoalItem* goal = findGoal(document, goal_);
  goalInWords_ = goal ? limber::goalInWords(*goal) + " on " + document.figure->link(goal->link).name : "";
  asked_ = problemOf(document, goal_);
  slid_ = {};
  isBegun_ = true;
  job_.start("All the ways", [this, problem = asked_](const Job::Progress& progress) -> Job::Finish {
    return [this, found = waysOf(problem, progress)] { take(found); };
  });
}

void WayFinding::forget() {
  job_.cancel();
  found_.reset();
  isOn_ = false;
  goal_ = -1;
  goalInWords_.clear();
}

void WayFinding::take(std::shared_ptr<const FoundWays> found) {
  found_ = std::move(found);
  pictures_.assign(found_->all.ways.size(), 0);
  ++generation_;
  if (std::exchange(isNoticed_, true)) return;
  const AllWays& all = found_->all;
  notice_ = all.fault.empty() ? Notice{"All the ways: " + countInWords(all), false, 6.0}
                              : Notice::error("All the ways: " + all.fault);
}

std::optional<Notice> WayFinding::update(const Document& document, bool isInHand) {
  if (isOn_ && asked_.figure != document.figure) forget();
  if (isOn_ && !isInHand && !stillHolds(problemOf(document, chosenGoal(document, goal_)))) start(document);
  if (std::exchange(isBegun_, false)) job_.wait(kWaysAtOnce);
  if (const auto finish = job_.collect(); finish && *finish) (*finish)();
  return std::exchange(notice_, std::nullopt);
}

/// True if the ways are those of the problem. A pose that was taken from them only changes the distances.
bool WayFinding::stillHolds(const IkProblem& problem) const {
  const IkProblem& a = asked_;
  const bool asksTheSame = a.figure == problem.figure && a.joints == problem.joints && a.goals == problem.goals &&
                           a.pins == problem.pins && a.couplingEnabled == problem.couplingEnabled &&
                           a.linearLimitEnabled == problem.linearLimitEnabled && hasSameWorld(a, problem);
  if (!asksTheSame) return false;
  if (problem.pose == a.pose || problem.pose == slid_) return true;
  const auto isThere = [&](const ArmWay& way) { return way.pose == problem.pose; };
  return found_ && std::ranges::any_of(found_->all.ways, isThere);
}

const Pose* WayFinding::poseOfWay(int way) const {
  const bool isThere = found_ && way >= 0 && way < std::ssize(found_->all.ways);
  return isThere ? &found_->all.ways[way].pose : nullptr;
}

int WayFinding::present(const Document& document) const {
  constexpr double kSame = 1e-6;  // radians and metres: the goal is met by rounding in another way
  if (!found_ || asked_.figure != document.figure) return -1;
  const auto isHere = [&](const ArmWay& way) {
    return (way.pose.coordinates - document.pose.coordinates).cwiseAbs().maxCoeff() < kSame;
  };
  const auto& ways = found_->all.ways;
  const auto here = std::ranges::find_if(ways, isHere);
  return here == ways.end() ? -1 : static_cast<int>(here - ways.begin());
}

std::optional<Pose> WayFinding::poseAlong(int path, double at, const Pose& near) {
  const bool isThere = found_ && found_->paths && path >= 0 && path < std::ssize(found_->paths->paths());
  if (!isThere) return std::nullopt;
  const auto allowed = found_->paths->paths()[path].nearestInside(std::clamp(at, 0.0, 1.0));
  if (!allowed) return std::nullopt;
  return slid_ = found_->paths->poseAt(path, *allowed, near);
}

void WayFinding::appendGhost(const Document& document, int way, const Kinematics& kinematics, double pixel,
                             render::DrawList& list) {
  const Pose* pose = asked_.figure == document.figure ? poseOfWay(way) : nullptr;
  if (!pose) return;
  computeKinematics(*document.figure, *pose, ghost_);
  const render::Ghost ghost{&ghost_, kWayGhost};
  render::appendGhosts(*document.figure, kinematics, std::span(&ghost, 1), pixel, list);
}

Document WayFinding::shown(const Document& document, int way) const { return shownFigure(document, *poseOfWay(way)); }

unsigned WayFinding::picture(int way) const { return pictures_[way]; }
void WayFinding::setPicture(int way, unsigned texture) { pictures_[way] = texture; }
void WayFinding::forgetPictures() { std::fill(pictures_.begin(), pictures_.end(), 0); }

}  // namespace limber::app
