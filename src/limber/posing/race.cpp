// SPDX-License-Identifier: MIT
#include "limber/posing/race.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace limber {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMaxThreads = 8;
constexpr double kFirstProgressMs = 5.0;  // a solve that takes longer shows its progress ...
constexpr const char* kTimeLimit =
    kHasThreads ? "time limit: not done after 20 s" : "time limit: not done after 0.25 s";
constexpr double kProgressMs = 50.0;  // ... and again after each interval of this length

/// The view of a running solve: its curve and present pose, without earlier poses.
LaneResult progressOf(const LaneResult& soFar, const RaceIterate& latest, const Pose& pose) {
  LaneResult shown{.solver = soFar.solver, .pose = pose, .iterations = soFar.iterations, .timeMs = soFar.timeMs};
  shown.report.outcome = Outcome::BudgetSpent;
  shown.report.summary.objective = latest.record.objective;
  shown.report.summary.gradientNorm = latest.record.gradientNorm;
  shown.iterates.reserve(soFar.iterates.size() + 1);
  const auto add = [&](const RaceIterate& iterate) {
    shown.iterates.push_back({iterate.iteration, iterate.run, iterate.record, iterate.timeMs, {}});
  };
  for (const RaceIterate& iterate : soFar.iterates) add(iterate);
  if (shown.iterates.empty() || shown.iterates.back().iteration != latest.iteration) add(latest);
  return shown;
}

}  // namespace

Race::Race(int threads)
    : threadCount_(threads > 0
                       ? threads
                       : std::clamp(static_cast<int>(std::thread::hardware_concurrency()) - 1, 1, kMaxThreads)) {}

Race::~Race() { stop(); }

void Race::choose(const std::vector<std::string>& solvers) {
  if (std::ranges::equal(solvers, views_, {}, {}, &LaneView::solver)) return;
  std::vector<std::shared_ptr<Lane>> lanes;
  std::vector<LaneView> views;
  const std::lock_guard lock(mutex_);
  for (const std::string& solver : solvers) {
    const auto old = std::find_if(lanes_.begin(), lanes_.end(),
                                  [&](const auto& lane) { return lane && lane->lane.solver() == solver; });
    if (old != lanes_.end()) {
      lanes.push_back(std::move(*old));
      views.push_back(std::move(views_[old - lanes_.begin()]));
    } else {
      lanes.push_back(std::make_shared<Lane>(solver));
      lanes.back()->isWanted = input_ != nullptr;
      views.push_back({solver, input_ != nullptr, input_ != nullptr, nullptr});
    }
  }
  for (const auto& lane : lanes_)
    if (lane) lane->isDropped = true;
  lanes_ = std::move(lanes);
  views_ = std::move(views);
  hasWork_.notify_all();
}

void Race::request(const IkProblem& problem, PosingRequest request, From from) {
  if (!request.startPose) request.startPose = problem.pose;
  if (from == From::Given) ++starts_;
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t revision = revision_ + 1;
    input_ = std::make_shared<Input>(Input{problem, std::move(request), revision, starts_});
    revision_ = revision;
    for (const auto& lane : lanes_) {
      lane->isWanted = true;
      lane->posted.reset();
    }
  }
  for (LaneView& view : views_) view.isRunning = view.isWaiting = true;
  startThreads();
  hasWork_.notify_all();
}

void Race::clear() {
  const std::lock_guard lock(mutex_);
  ++revision_;
  input_.reset();
  for (const auto& lane : lanes_) {
    lane->isWanted = false;
    lane->posted.reset();
  }
  for (LaneView& view : views_) view = {.solver = view.solver};
  isIdle_.notify_all();
}

void Race::startThreads() {
  if (!kHasThreads || !threads_.empty()) return;
  isStopping_ = false;
  for (int i = 0; i < threadCount_; ++i) threads_.emplace_back([this] { runLanes(); });
}

void Race::stop() {
  {
    const std::lock_guard lock(mutex_);
    ++revision_;
    isStopping_ = true;
    for (const auto& lane : lanes_) lane->isWanted = false;
  }
  for (LaneView& view : views_) view.isRunning = view.isWaiting = false;
  hasWork_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

bool Race::collect() {
  if (!kHasThreads) runNextLane();
  const std::lock_guard lock(mutex_);
  bool hasChanged = false;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    views_[i].isWaiting = lanes_[i]->isWanted;
    if (!lanes_[i]->posted) continue;
    views_[i].result = std::move(lanes_[i]->posted);
    views_[i].isRunning = !views_[i].result->isEnded;
    hasChanged = true;
  }
  return hasChanged;
}

bool Race::isRunningLocked() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->isWanted || lane->isRunning; });
}

bool Race::isBusy() const {
  const std::lock_guard lock(mutex_);
  return isRunningLocked() || std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->posted; });
}

void Race::wait() {
  for (std::size_t i = 0; !kHasThreads && i < lanes_.size(); ++i) runNextLane();
  {
    std::unique_lock lock(mutex_);
    isIdle_.wait(lock, [this] { return !isRunningLocked(); });
  }
  collect();
}

/// The next lane: one that was quick last time, otherwise the one that has waited longest.
std::shared_ptr<Race::Lane> Race::nextLane() {
  std::shared_ptr<Lane> next;
  const auto rank = [](const Lane& lane) { return std::pair(lane.lastMs >= kQuickLaneMs, lane.turn); };
  for (const auto& lane : lanes_)
    if (lane->isWanted && !lane->isRunning && (!next || rank(*lane) < rank(*next))) next = lane;
  return next;
}

void Race::runLanes() {
  std::unique_lock lock(mutex_);
  while (!isStopping_) {
    const std::shared_ptr<Lane> lane = nextLane();
    if (!lane) {
      if (!isRunningLocked()) isIdle_.notify_all();
      hasWork_.wait(lock);
      continue;
    }
    runLane(lane, lock);
  }
}

/// Solves a lane without the lock, and posts the result.
void Race::runLane(const std::shared_ptr<Lane>& lane, std::unique_lock<std::mutex>& lock) {
  const std::shared_ptr<const Input> input = input_;
  lane->isWanted = false;
  lane->isRunning = true;
  lane->turn = ++turns_;
  lock.unlock();
  LaneResult result = solve(*lane, *input);
  lock.lock();
  lane->isRunning = false;
  lane->lastMs = result.timeMs;
  if (lane->isDropped || input->revision != revision_) return;
  lane->posted = std::make_shared<const LaneResult>(std::move(result));
  if (!wake_) return;
  lock.unlock();
  wake_();
  lock.lock();
}

/// Without threads: solves the next lane here.
void Race::runNextLane() {
  std::unique_lock lock(mutex_);
  if (const std::shared_ptr<Lane> lane = nextLane()) runLane(lane, lock);
}

bool Race::post(Lane& lane, LaneResult result) {
  {
    const std::lock_guard lock(mutex_);
    if (lane.isDropped || result.revision != revision_) return false;
    lane.posted = std::make_shared<const LaneResult>(std::move(result));
  }
  if (wake_) wake_();
  return true;
}

/// Runs on a thread of the race, without a lock.
LaneResult Race::solve(Lane& lane, const Input& input) {
  if (lane.start != input.start) lane.lane.restart(input.problem.pose);
  lane.start = input.start;
  const Clock::time_point begin = Clock::now();
  double nextProgress = kFirstProgressMs;
  bool isTooLong = false;
  const auto keepGoing = [&](const LaneResult& soFar, const RaceIterate& latest, const Pose& pose) {
    if (lane.isDropped.load(std::memory_order_relaxed) || revision_.load(std::memory_order_relaxed) != input.revision)
      return false;
    const double elapsed = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    isTooLong = elapsed > kMaxLaneMs;
    if (isTooLong) return false;
    if (elapsed < nextProgress) return true;
    nextProgress = elapsed + kProgressMs;
    LaneResult shown = progressOf(soFar, latest, pose);
    shown.revision = input.revision;
    return post(lane, std::move(shown));
  };
  LaneResult result = lane.lane.solve(input.problem, input.request, keepGoing, kMaxRacedDense);
  result.revision = input.revision;
  if (isTooLong) {
    result.report.outcome = Outcome::BudgetSpent;
    result.report.sentence = kTimeLimit;
  }
  return result;
}

}  // namespace limber
