// SPDX-License-Identifier: MIT
#include "limber/posing/loops_along.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/posing/outcome.h"
#include "limber/posing/posed_problem.h"

namespace limber {

namespace {

constexpr double kRoundingOfFiles = 1e-4;  // mean link lengths, radians: smaller gaps are closed without a word

/// The active coordinates of a problem whose unlocked joints may move.
std::vector<int> movableCoordinates(const IkProblem& problem, const Couplings& couplings) {
  std::vector<char> usable = usableCoordinates(problem, false);
  for (const Couplings::Term& term : couplings.terms())
    if (!usable[term.follower]) usable[term.driver] = 0;
  std::vector<int> active;
  for (int c = 0; c < std::ssize(usable); ++c)
    if (usable[c] && !couplings.isFollower(c)) active.push_back(c);
  return active;
}

/// How large a gap is, in units of the smallest gap that counts.
double sizeOf(const LoopGap& gap) { return std::max(gap.length / LoopGap::kLength, gap.angle / LoopGap::kAngle); }

/// "3 mm", "2 degrees", "3 mm and 2 degrees": what exceeds the tolerance of closed loops.
std::string sizeInWords(const LoopGap& gap) {
  std::string text;
  if (!(gap.length <= LoopGap::kLength)) text = lengthInWords(gap.length);
  if (gap.angle <= LoopGap::kAngle) return text;
  char angle[48];
  std::snprintf(angle, sizeof angle, "%.3g degrees", 180.0 / std::numbers::pi * gap.angle);
  return text.empty() ? angle : text + " and " + angle;
}

}  // namespace

LoopCloser::LoopCloser(const IkProblem& problem) : figure_(problem.figure) {
  if (figure_->loops().empty()) return;
  FeasibleSet feasibleSet(*figure_, limitsOf(problem));
  const std::vector<int> active = movableCoordinates(problem, feasibleSet.couplings());
  projection_.emplace(figure_, std::move(feasibleSet), active);
}

/// Projects the pose. Where all links around a loop are in line, no small step brings its sides nearer, so that a pose
/// beside it is tried, too.
bool LoopCloser::project(Pose& pose) {
  constexpr double kAside = 0.03;  // radians, metres
  Eigen::VectorXd step = Eigen::VectorXd::Zero(figure_->stepSize());
  for (const int c : projection_->active()) step[c] = kAside * std::sin(1.0 + c);
  Pose aside;
  integrate(*figure_, pose, step, aside);
  if (projection_->close(pose)) return true;
  if (!projection_->close(aside) && sizeOf(largestGap(*figure_, aside)) >= sizeOf(largestGap(*figure_, pose)))
    return false;
  pose = aside;
  return largestGap(*figure_, pose).isClosed();
}

bool LoopCloser::close(Pose& pose) {
  if (!isNeeded()) return true;
  const LoopGap before = largestGap(*figure_, pose);
  if (!before.isClosed()) project(pose);
  return finish(before, pose);
}

bool LoopCloser::follow(Pose& pose) {
  if (!isNeeded()) return true;
  const LoopGap before = largestGap(*figure_, pose);
  const Pose wanted = pose;
  if (!before.isClosed()) {
    bool isClosed = false;
    if (last_) {
      Eigen::VectorXd step;
      difference(*figure_, last_->wanted, wanted, step);
      integrate(*figure_, last_->closed, step, pose);
      isClosed = projection_->close(pose);
      if (!isClosed) pose = wanted;
    }
    if (!isClosed) isClosed = project(pose);
    if (isClosed) projection_->approach(wanted, pose);
  }
  last_ = Followed{wanted, pose};
  return finish(before, pose);
}

/// Counts what notes() says of a pose. True if its loops are closed.
bool LoopCloser::finish(const LoopGap& before, const Pose& pose) {
  const int at = count_++;
  if (before.length > kRoundingOfFiles * figure_->meanLinkLength() || before.angle > kRoundingOfFiles) {
    if (moved_++ == 0 || sizeOf(before) > sizeOf(gap_)) {
      gap_ = before;
      worst_ = at;
    }
  }
  if (before.isClosed()) return true;
  const Kinematics kinematics = transformsOf(*figure_, pose);
  bool isClosed = true;
  for (int i = 0; i < std::ssize(figure_->loops()); ++i) {
    const LoopGap gap = gapOf(figure_->loops()[i], kinematics);
    if (gap.isClosed()) continue;
    isClosed = false;
    auto known = std::ranges::find(open_, i, &StillOpen::loop);
    if (known == open_.end()) known = open_.insert(known, {.loop = i});
    if (known->poses++ == 0 || sizeOf(gap) > sizeOf(known->gap)) {
      known->gap = gap;
      known->worst = at;
    }
  }
  return isClosed;
}

std::vector<std::string> LoopCloser::notes() const {
  std::vector<std::string> notes;
  const auto frame = [](int at) { return std::to_string(at); };
  if (moved_ > 0 && count_ == 1)
    notes.push_back("the pose was moved to close loops, which were open by up to " + sizeInWords(gap_));
  if (moved_ > 0 && count_ > 1)
    notes.push_back(std::to_string(moved_) + " of " + std::to_string(count_) +
                    " frames were moved to close loops, which were open by up to " + sizeInWords(gap_) + ", in frame " +
                    frame(worst_));
  for (const StillOpen& open : open_) {
    std::string text = "the loop \"" + figure_->loops()[open.loop].name + "\" cannot be closed";
    if (count_ > 1) text += " in " + std::to_string(open.poses) + " of " + std::to_string(count_) + " frames";
    text += ": it stays open by " + sizeInWords(open.gap);
    if (count_ > 1) text += " in frame " + frame(open.worst);
    notes.push_back(std::move(text));
  }
  return notes;
}

std::vector<std::string> closeLoops(IkProblem& problem) {
  if (problem.figure->loops().empty() || largestGap(*problem.figure, problem.pose).isClosed()) return {};
  LoopCloser closer(problem);
  closer.close(problem.pose);
  return closer.notes();
}

void bringLoopsAlong(const Pose& before, std::span<const int> editedJoints, IkProblem& problem) {
  const Figure& figure = *problem.figure;
  if (figure.loops().empty()) return;
  const FeasibleSet feasibleSet(figure, limitsOf(problem));
  const Couplings& couplings = feasibleSet.couplings();
  std::vector<char> usable = usableCoordinates(problem, false);
  for (const Couplings::Term& term : couplings.terms())
    if (!usable[term.follower]) usable[term.driver] = 0;
  const auto close = [&] {
    std::vector<int> active;
    for (int c = 0; c < figure.stepSize(); ++c)
      if (usable[c] && !couplings.isFollower(c)) active.push_back(c);
    return LoopProjection(problem.figure, feasibleSet, active).close(problem.pose);
  };
  const std::vector<char> all = usable;
  for (const int joint : editedJoints) {
    const Joint& edited = figure.joint(joint);
    for (int c = edited.stepIndex; c < edited.stepIndex + stepSize(edited.type); ++c) {
      usable[c] = 0;
      for (const Couplings::Term& term : couplings.terms())
        if (term.follower == c) usable[term.driver] = 0;
    }
  }
  const Pose edited = problem.pose;
  if (close()) return;
  problem.pose = edited;
  usable = all;
  if (!close()) problem.pose = before;
}

}  // namespace limber
