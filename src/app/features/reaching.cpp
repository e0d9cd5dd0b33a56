// SPDX-License-Identifier: MIT
#include "app/features/reaching.h"

#include <chrono>
#include <utility>

#include "app/settings/units.h"
#include "limber/io/base/file.h"
#include "limber/io/mesh/ply.h"
#include "limber/problem/new_goal.h"

namespace limber::app {

namespace {

constexpr const char* kReachTitle = "Workspace";
constexpr std::chrono::milliseconds kToldEvery{250};  // each report costs the window a frame

/// True when both allow the same poses.
bool allowsTheSame(const Document& a, const Document& b) {
  return a.figure == b.figure && a.joints == b.joints && a.pins == b.pins && a.couplingEnabled == b.couplingEnabled &&
         a.linearLimitEnabled == b.linearLimitEnabled;
}

bool asksForTheSame(const ReachQuestion& a, const ReachQuestion& b) {
  return a.link == b.link && a.pointInLink == b.pointInLink && a.cellsAcross == b.cellsAcross;
}

/// The end effector of the selected goal, else of the selected link, else of the first goal, else of the figure.
ReachPlan planOf(const Document& document, const Settings& settings) {
  const Figure& figure = *document.figure;
  ReachPlan plan{.question = {.cellsAcross = settings.reachCells}};
  const auto take = [&](int link, const Eigen::Vector3d& point, const std::string& words) {
    plan.question.link = link;
    plan.question.pointInLink = point;
    plan.endEffector = words;
  };
  const GoalItem* goal = findGoal(document, document.selection.goal);
  const bool isLinkSelected = document.selection.joint >= 0;
  if (!goal && !isLinkSelected && !document.goals.empty()) goal = &document.goals.front();
  if (goal) {
    take(goal->link, goal->pointInLink, "goal on " + figure.link(goal->link).name);
    return plan;
  }
  const EndEffector end = isLinkSelected ? endEffectorOf(figure, document.selection.joint) : mainEndEffector(figure);
  take(end.link, end.point, "end of " + figure.link(end.link).name);
  return plan;
}

/// "13649 cells reachable, 2300 undecided".
std::string reachProgressInWords(const ReachProgress& progress) {
  const auto [undecided, reachable, notFound, outside] = progress.counts;
  if (progress.phase == ReachProgress::Phase::Bound) return "excluding cells that no pose reaches";
  const std::string counts = std::to_string(reachable) + " cells reachable, ";
  return progress.phase == ReachProgress::Phase::Flood
             ? counts + std::to_string(undecided) + " undecided"
             : counts + "trying the boundary: " + std::to_string(undecided) + " left";
}

}  // namespace

void Reaching::start(const Document& document, const Settings& settings) {
  const ReachQuestion question = planOf(document, settings).question;
  asked_ = document;
  found_.reset();
  isEnough_ = std::make_shared<std::atomic<bool>>(false);
  const auto work = [this, document, question, unit = settings.unit,
                     isEnough = isEnough_](const Job::Progress& progress) -> Job::Finish {
    auto found = std::make_shared<FoundReach>();
    found->question = question;
    auto told = std::chrono::steady_clock::now();
    found->answer = findReachable(document, question, [&](const ReachProgress& now) {
      if (std::chrono::steady_clock::now() - told < kToldEvery) return !isEnough->load();
      told = std::chrono::steady_clock::now();
      return progress(now.part, reachProgressInWords(now)) && !isEnough->load();
    });
    found->shell = std::make_shared<const ReachShell>(makeReachShell(found->answer.map));
    return [this, found = std::move(found), unit] { take(found, unit); };
  };
  job_.start(kReachTitle, work);
}

void Reaching::finishEarly() {
  if (isRunning()) isEnough_->store(true);
}

void Reaching::forget() {
  job_.cancel();
  found_.reset();
}

void Reaching::take(std::shared_ptr<const FoundReach> found, LengthUnit unit) {
  const ReachAnswer& answer = found->answer;
  if (!answer.fault.empty()) {
    notice_ = Notice::error("There is no workspace: " + answer.fault);
    return;
  }
  if (answer.isCancelled && answer.map.counts()[static_cast<std::size_t>(CellState::Reachable)] == 0) return;
  notice_ = {"Workspace: " + inUnit(sentenceOf(answer.map), unit), false, 8.0};
  found_ = std::move(found);
}

std::optional<Notice> Reaching::update(const Document& document, const Settings& settings, bool isPanelShown) {
  if ((isRunning() || found_) && !allowsTheSame(asked_, document)) forget();
  if (found_ && !found_->answer.stillHolds(document.pose)) forget();
  if (const auto finish = job_.collect(); finish && *finish) (*finish)();
  if (isPanelShown) plan(document, settings);
  return std::exchange(notice_, std::nullopt);
}

void Reaching::plan(const Document& document, const Settings& settings) {
  ReachPlan plan = planOf(document, settings);
  if (!plan_.endEffector.empty() && asksForTheSame(plan.question, plan_.question) && allowsTheSame(planned_, document))
    return;
  plan.fault = planReach(document, plan.question, plan.grid);
  plan_ = std::move(plan);
  planned_ = document;
}

std::optional<io::Error> writeShell(const FoundReach& found, const Document& document,
                                    const std::filesystem::path& path) {
  return io::writeFileAtomically(path,
                                 io::formatPly(*found.shell, commentsOf(document, found.question, found.answer.map)));
}

}  // namespace limber::app
