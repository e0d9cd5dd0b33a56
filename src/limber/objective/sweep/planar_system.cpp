// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/planar_system.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "limber/vector/processor.h"

namespace limber {

namespace {

constexpr int kAlignment = 64;  // bytes
constexpr int kArrays = 22;
constexpr int kFewLinks = 2 * kMostFoldedRows, kManyLinks = 100;  // four and eight lanes are faster from these on
constexpr double kLeastFolded = 1e-30;                            // the powers of smaller stiffnesses underflow
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

PlanarRows rowsFor(const PlanarChain& chain) {
  const int count = chain.count();
  const bool folds = count < kFewLinks && std::all_of(chain.stiffnesses().begin(), chain.stiffnesses().end(),
                                                      [](double stiffness) { return stiffness >= kLeastFolded; });
  PlanarRows rows;
  rows.lanes = folds ? 2 : count < kManyLinks ? 4 : 8;
  rows.rows = isFolded(rows) ? 2 * (count / 4 + 1) : (count + rows.lanes - 1) / rows.lanes;
  return rows;
}

}  // namespace

void PlanarSystem::bind(const PlanarChain& chain) {
  chain_ = &chain;
  rows_ = rowsFor(chain);
  isSolved_ = false;
  hasOneGoal_ = chain.goals().size() == 1;
  if (hasOneGoal_) {
    const PlanarGoal& goal = chain.goals()[0];
    question_.target[0] = goal.target.x();
    question_.target[1] = goal.target.y();
    question_.target[2] = question_.target[3] = 0.0;
    question_.weight = goal.weight;
    question_.compliance = 1.0 / goal.weight;
    question_.constant = chain.constant();
    question_.reach = chain.reach();
  }
  kernels_ = &planarKernels(rows_, hasAvx2());
  // Each array begins at a cache line, those of a long chain at different offsets within a page.
  constexpr int kLine = kAlignment / static_cast<int>(sizeof(double));
  const int size = (rows_.rows * rows_.lanes + kLine - 1) / kLine * kLine + (isFolded(rows_) ? 0 : kLine);
  if (memory_.size() < static_cast<std::size_t>(kArrays * size + kLine)) memory_.resize(kArrays * size + kLine);
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  double* next = memory_.data() + (kAlignment - address % kAlignment) % kAlignment / sizeof(double);
  for (double** array : {&length_,
                         &stiffness_,
                         &rest_,
                         &inwardStiffness_,
                         &inwardRest_,
                         &turns_,
                         &directions_,
                         &current_.angles.angle,
                         &current_.angles.sine,
                         &current_.angles.cosine,
                         &trial_.angles.angle,
                         &trial_.angles.sine,
                         &trial_.angles.cosine,
                         &factors_.bend,
                         &factors_.x,
                         &factors_.y,
                         &factors_.spike,
                         &factors_.carry,
                         &current_.angles.across,
                         &current_.angles.down,
                         &trial_.angles.across,
                         &trial_.angles.down})
    *array = std::exchange(next, next + size);
  rows_.length = length_;
  rows_.stiffness = stiffness_;
  rows_.rest = rest_;
  rows_.inwardStiffness = inwardStiffness_;
  rows_.inwardRest = inwardRest_;
  layOut();
  riccati_.bind(chain);
  for (PlanarPulls* pulls :
       {&current_.residuals, &trial_.residuals, &curvatureMultipliers_, &multipliers_, &wanted_, &linear_})
    pulls->resize(chain.goals().size());
}

/// Padding is a tail of length zero, at rest when straight; in a folded chain also zeros next to the middle.
void PlanarSystem::layOut() {
  const int count = chain_->count();
  largestStiffness_ = 0.0;
  forEachPlace(rows_, [&](int i, int at) {
    const int hinge = std::min(i, count - 1);
    length_[at] = i < count ? chain_->lengths()[hinge] : 0.0;
    stiffness_[at] = chain_->stiffnesses()[hinge];
    rest_[at] = i < count ? chain_->rests()[hinge] : 0.0;
    largestStiffness_ = std::max(largestStiffness_, stiffness_[at]);
  });
  if (!isFolded(rows_)) return;
  const int middle = placeOf(rows_, rows_.rows - 1);
  length_[middle + 2] = inwardStiffness_[middle + 2] = inwardRest_[middle + 2] = 0.0;
  forEachPlace(rows_, [&](int i, int at) {
    const bool isBeyond = i >= rows_.rows;
    const int inward = isBeyond ? at : i > 0 ? placeOf(rows_, i - 1) : middle;
    inwardStiffness_[inward] = stiffness_[at];
    inwardRest_[inward] = isBeyond ? -rest_[at] : rest_[at];
  });
}

void PlanarSystem::place(const Pose& pose) {
  double direction = 0.0;
  placeBy([&](int i) { return direction = chain_->angle(i, direction, pose); });
}

void PlanarSystem::evaluateCurrent() {
  PlanarSums sums;
  kernels_->evaluate(rows_, current_.angles, sums);
  judge(current_, sums);
}

void PlanarSystem::writePose(Pose& pose) const {
  double before = 0.0;
  forEachPlace(rows_, [&](int i, int at) {
    if (i >= chain_->count()) return;
    chain_->setCoordinate(i, before, current_.angles.angle[at], pose);
    before = current_.angles.angle[at];
  });
}

/// Residual and f for one goal, from the sums over the chain.
inline void PlanarSystem::judgeGoal(Iterate& iterate, const PlanarSums& at) {
  const double x = at.x - question_.target[0], y = at.y - question_.target[1];
  iterate.residuals[0] = {x, y};
  iterate.bending = at.bending;
  iterate.objective = chain_->constant() + 0.5 * (at.bending + question_.weight * (x * x + y * y));
}

/// Residuals and f from the sums over the chain.
void PlanarSystem::judge(Iterate& iterate, const PlanarSums& at) {
  if (hasOneGoal_) return judgeGoal(iterate, at);
  const auto& goals = chain_->goals();
  iterate.bending = at.bending;
  double f = chain_->constant() + 0.5 * at.bending;
  Eigen::Vector2d hinge = Eigen::Vector2d::Zero();
  forEachPlace(rows_, [&](int i, int place) {
    const Eigen::Vector2d u(iterate.angles.cosine[place], iterate.angles.sine[place]);
    for (std::size_t k = 0; k < goals.size(); ++k)
      if (goals[k].segment == i) iterate.residuals[k] = hinge + goals[k].endAt(u.y(), u.x()) - goals[k].target;
    hinge += rows_.length[place] * u;
  });
  for (std::size_t k = 0; k < goals.size(); ++k) f += 0.5 * goals[k].weight * iterate.residuals[k].squaredNorm();
  iterate.objective = f;
}

double PlanarSystem::goalPart() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < current_.residuals.size(); ++k)
    sum += 0.5 * chain_->goals()[k].weight * current_.residuals[k].squaredNorm();
  return sum;
}

/// Rounding of positions, relative to the chain's reach, and of angles, which add up independently.
double PlanarSystem::rounding(const Iterate& iterate) const {
  double sum = 4.0 * kEpsilon * iterate.objective;
  const double place = 4.0 * kEpsilon * chain_->reach();
  for (std::size_t k = 0; k < iterate.residuals.size(); ++k)
    sum += chain_->goals()[k].weight * place * (iterate.residuals[k].norm() + place);
  return sum + 8.0 * kEpsilon * std::sqrt(largestStiffness_ * iterate.bending);
}

double PlanarSystem::gradientNorm() {
  if (chain_->goals().size() == 1) {
    const Eigen::Vector2d force = chain_->goals()[0].weight * current_.residuals[0];
    return kernels_->gradientNorm(rows_, current_.angles, force.x(), force.y());
  }
  copyGradient(gradient_);
  return gradient_.cwiseAbs().maxCoeff();
}

void PlanarSystem::copyGradient(Eigen::VectorXd& gradient) const {
  gradient.resize(chain_->count());
  double torque = 0.0;
  Eigen::Vector2d force = Eigen::Vector2d::Zero();
  forEachPlaceBack(rows_, [&](int i, int at) {
    if (i >= chain_->count()) return;
    const Eigen::Vector2d u(current_.angles.cosine[at], current_.angles.sine[at]);
    torque += rows_.length[at] * (u.x() * force.y() - u.y() * force.x());
    for (std::size_t k = 0; k < chain_->goals().size(); ++k) {
      const PlanarGoal& goal = chain_->goals()[k];
      if (goal.segment != i) continue;
      const Eigen::Vector2d end = goal.endAt(u.y(), u.x());
      const Eigen::Vector2d pull = goal.weight * current_.residuals[k];
      torque += end.x() * pull.y() - end.y() * pull.x();
      force += pull;
    }
    const double before = i > 0 ? current_.angles.angle[placeBefore(rows_, i, at)] : 0.0;
    const double moment = rows_.stiffness[at] * ((current_.angles.angle[at] - before) - rows_.rest[at]);
    gradient[i] = chain_->sign(i) * (torque + moment);
  });
}

bool PlanarSystem::factor(const PlanarPulls& multipliers, double damping) {
  question_.damping = damping;
  if (hasOneGoal_) {
    curvatureMultipliers_[0] = multipliers[0];
    Eigen::Map<Eigen::Vector2d>(question_.multiplier) = multipliers[0];
    const Verdict found = isFolded(rows_) ? solveFold(current_.residuals[0]) : solveEnds();
    usesRiccati_ = found == Verdict::Marginal;
    if (!usesRiccati_) return found == Verdict::Definite;
  } else {
    for (std::size_t k = 0; k < curvatureMultipliers_.size(); ++k) curvatureMultipliers_[k] = multipliers[k];
    usesRiccati_ = true;
  }
  return riccati_.sweep(*chain_, rows_, current_.angles, multipliers, damping, {current_.residuals, nullptr});
}

/// The verdict from the pivots and from S or a multiple of it: its determinant, the sum of the two products of which
/// that is the difference, and a number with the sign of S's first entry. lastIsSure: the last pivot is not a
/// difference of nearly equal numbers.
inline PlanarSystem::Verdict PlanarSystem::verdict(double determinant, double magnitude, double xx, int negatives,
                                                   double largestCarry, bool lastIsSure) {
  const bool isSure = lastIsSure && largestCarry <= kLargestCarry && std::isfinite(determinant) &&
                      std::abs(determinant) >= kNearlySingular * magnitude;
  if (!isSure) return Verdict::Marginal;
  const int positives = determinant < 0.0 ? 1 : xx > 0.0 ? 2 : 0;
  return negatives + positives == 2 ? Verdict::Definite : Verdict::Indefinite;
}

/// Sets the right-hand side of the step.
inline void PlanarSystem::ask(const Eigen::Vector2d& wanted) {
  wanted_[0] = wanted;
  Eigen::Map<Eigen::Vector2d>(question_.wanted) = wanted;
  Eigen::Map<Eigen::Vector2d>(question_.residual) = current_.residuals[0];
}

/// Copies the trial from moved_.
inline void PlanarSystem::takeTrial() {
  trial_.residuals[0] = Eigen::Map<const Eigen::Vector2d>(moved_.residual);
  trial_.bending = moved_.bending;
  trial_.objective = moved_.objective;
  multipliers_[0] = Eigen::Map<const Eigen::Vector2d>(moved_.multiplier);
}

/// Solves the system of a folded chain and computes the trial.
PlanarSystem::Verdict PlanarSystem::solveFold(const Eigen::Vector2d& wanted) {
  ask(wanted);
  kernels_->solve(rows_, current_.angles, question_, trial_.angles, moved_);
  isSolved_ = true;
  takeTrial();
  return moved_.isDefinite ? Verdict::Definite : examineFold();
}

/// The verdict, if solve() is not certain.
PlanarSystem::Verdict PlanarSystem::examineFold() const {
  PlanarMiddle middle;
  kernels_->examine(rows_, current_.angles, question_, middle);
  return verdict(middle.determinant, middle.magnitude, std::copysign(1.0, middle.pivot) * middle.xx,
                 middle.negatives + (middle.pivot < 0.0), middle.largestCarry,
                 std::abs(middle.pivot) >= kNearlySingular * std::abs(middle.difference));
}

/// Solves the tridiagonal system of the ends, and computes S from the sums over all lanes.
PlanarSystem::Verdict PlanarSystem::solveEnds() {
  kernels_->forward(rows_, question_, current_.angles, factors_, ends_);
  const int lanes = rows_.lanes;
  double xx = question_.compliance, yy = xx, xy = 0.0, gx = 0.0, gy = 0.0;
  double negatives = ends_.negatives, largestCarry = ends_.largestCarry;
  for (int j = 0; j < lanes; ++j) {
    xx += ends_.xx[j];
    xy += ends_.xy[j];
    yy += ends_.yy[j];
    gx += ends_.bendX[j];
    gy += ends_.bendY[j];
  }
  double carry = 0.0, pivotBefore = 0.0, bendBefore = 0.0, xBefore = 0.0, yBefore = 0.0;
  for (int j = 0; j < lanes; ++j) {
    double pivot = ends_.stiffness[j], bend = ends_.bend[j], x = ends_.x[j], y = ends_.y[j];
    if (j + 1 < lanes) {
      pivot += ends_.firstStiffness[j + 1] - ends_.spikeSpike[j + 1];
      bend += ends_.spikeBend[j + 1] - ends_.firstMoment[j + 1];
      x += ends_.spikeX[j + 1];
      y += ends_.spikeY[j + 1];
    }
    if (j > 0) {
      carry = ends_.spike[j] / pivotBefore;
      endCarry_[j - 1] = carry;
      largestCarry = std::max(largestCarry, std::abs(carry));
      pivot -= ends_.spike[j] * carry;
      bend += carry * bendBefore;
      x += carry * xBefore;
      y += carry * yBefore;
    }
    negatives += pivot < 0.0;
    const double inverse = 1.0 / pivot;
    endBend_[j] = bend * inverse;
    endX_[j] = x * inverse;
    endY_[j] = y * inverse;
    xx += x * endX_[j];
    xy += x * endY_[j];
    yy += y * endY_[j];
    gx += bend * endX_[j];
    gy += bend * endY_[j];
    pivotBefore = pivot;
    bendBefore = bend;
    xBefore = x;
    yBefore = y;
  }
  S_ << xx, xy, xy, yy;
  Sg_ = {gx, gy};
  const double products = xx * yy, square = xy * xy;
  return verdict(products - square, std::abs(products) + square, xx, static_cast<int>(negatives), largestCarry,
                 std::abs(pivotBefore) >= kNearlySingular * std::abs(ends_.stiffness[lanes - 1]));
}

void PlanarSystem::step(const PlanarPulls& curvedness) {
  if (!usesRiccati_) {
    const Eigen::Vector2d wanted = current_.residuals[0] + curvedness[0];
    if (!isFolded(rows_)) stepByMultiplier(wanted);
    else if (!isSolved_ || wanted != wanted_[0]) solveFold(wanted);
    if (moved_.isGood) return;
  }
  stepOtherwise(curvedness);
}

/// The step, if the multiplier gives none or an inaccurate one.
void PlanarSystem::stepOtherwise(const PlanarPulls& curvedness) {
  if (!usesRiccati_) {
    usesRiccati_ =
        riccati_.sweep(*chain_, rows_, current_.angles, curvatureMultipliers_, question_.damping, {wanted_, nullptr});
    if (!usesRiccati_) return;
  }
  for (std::size_t k = 0; k < wanted_.size(); ++k) wanted_[k] = current_.residuals[k] + curvedness[k];
  stepByRiccati();
  for (std::size_t k = 0; k < wanted_.size(); ++k) {
    multipliers_[k] = chain_->goals()[k].weight * linear_[k];
    moved_.decrement -= chain_->goals()[k].weight * current_.residuals[k].dot(linear_[k] - wanted_[k]);
  }
}

/// The new multiplier and the trial.
void PlanarSystem::stepByMultiplier(const Eigen::Vector2d& wanted) {
  ask(wanted);
  const double bx = wanted.x() - Sg_.x(), by = wanted.y() - Sg_.y(), determinant = S_.determinant();
  const double nuX = (S_(1, 1) * bx - S_(0, 1) * by) / determinant, nuY = (S_(0, 0) * by - S_(1, 0) * bx) / determinant;
  PlanarAnswer answer{{}, {nuX, nuY}, {Sg_.x(), Sg_.y()}};
  const int last = rows_.lanes - 1;
  double turn = answer.end[last] = -(endBend_[last] + nuX * endX_[last] + nuY * endY_[last]);
  for (int j = last - 1; j >= 0; --j)
    answer.end[j] = turn = -(endBend_[j] + nuX * endX_[j] + nuY * endY_[j]) + endCarry_[j] * turn;
  kernels_->back(rows_, question_, factors_, answer, current_.angles, trial_.angles, moved_);
  takeTrial();
}

void PlanarSystem::stepByRiccati() {
  const PlanarRiccati::Load load{wanted_, nullptr};
  riccati_.sweep(*chain_, rows_, current_.angles, curvatureMultipliers_, question_.damping, load);
  riccati_.rollOut(*chain_, rows_, current_.angles, load, turns_, directions_, linear_);
  moveTrial();
}

/// The trial from turns_ and directions_.
void PlanarSystem::moveTrial() {
  isSolved_ = false;
  const int count = chain_->count();
  double slope = 0.0, squared = 0.0, largest = 0.0, swing = 0.0, before = 0.0, last = 0.0;
  forEachPlace(rows_, [&](int i, int at) {
    if (i >= count) {
      trial_.angles.angle[at] = last;
      return;
    }
    const double angle = current_.angles.angle[at], turn = turns_[at];
    slope += rows_.stiffness[at] * ((angle - before) - rows_.rest[at]) * turn;
    squared += turn * turn;
    largest = std::max(largest, std::abs(turn));
    swing = std::max(swing, std::abs(directions_[at]));
    trial_.angles.angle[at] = last = angle + directions_[at];
    before = angle;
  });
  PlanarSums sums;
  kernels_->evaluate(rows_, trial_.angles, sums);
  moved_.decrement = -slope;
  moved_.squared = squared;
  moved_.largest = largest;
  moved_.swing = swing;
  judge(trial_, sums);
}

double PlanarSystem::findLowestCurvature(const PlanarPulls& multipliers, double damping) {
  constexpr int kRounds = 40;
  constexpr double kGoldenRatio = 0.6180339887498949;
  const int count = chain_->count();
  isSolved_ = false;
  for (Eigen::Vector2d& residual : wanted_) residual.setZero();
  // The first vector is orthogonal to no symmetric one.
  for (int i = 0; i < count; ++i) {
    const double part = kGoldenRatio * i;
    turns_[placeOf(rows_, i)] = 1.0 + 0.5 * (part - std::floor(part));
  }
  double curvature = 0.0;
  double* moments = trial_.angles.sine;  // scratch: there is no trial now
  for (int round = 0; round < kRounds; ++round) {
    double norm = 0.0;
    for (int i = 0; i < count; ++i) norm = std::max(norm, std::abs(turns_[placeOf(rows_, i)]));
    for (int i = 0; i < count; ++i) moments[placeOf(rows_, i)] = -turns_[placeOf(rows_, i)] / norm;
    const PlanarRiccati::Load load{wanted_, moments};
    if (!riccati_.sweep(*chain_, rows_, current_.angles, multipliers, damping, load)) return 0.0;
    riccati_.rollOut(*chain_, rows_, current_.angles, load, turns_, directions_, linear_);
    double squared = 0.0, along = 0.0;
    for (int i = 0; i < count; ++i) {
      const int at = placeOf(rows_, i);
      squared += turns_[at] * turns_[at];
      along -= turns_[at] * moments[at];
    }
    if (!(squared > 0.0) || !std::isfinite(squared)) return 0.0;
    const double before = curvature;
    curvature = along / squared - damping;  // v . H v / v . v
    if (round > 2 && std::abs(curvature - before) <= 1e-3 * std::abs(curvature)) break;
  }
  // Normalises sign and size: the first significant hinge turns by a positive angle, and all angles sum to a radian.
  double sum = 0.0, largest = 0.0;
  for (int i = 0; i < count; ++i) {
    sum += std::abs(turns_[placeOf(rows_, i)]);
    largest = std::max(largest, std::abs(turns_[placeOf(rows_, i)]));
  }
  int first = 0;
  while (first + 1 < count && std::abs(turns_[placeOf(rows_, first)]) < 1e-3 * largest) ++first;
  const double scale = (turns_[placeOf(rows_, first)] < 0.0 ? -1.0 : 1.0) / sum;
  for (int i = 0; i < count; ++i) turns_[placeOf(rows_, i)] *= scale;
  return curvature;
}

void PlanarSystem::stepAlongCurvature(double factor) {
  double direction = 0.0;
  for (int i = 0; i < chain_->count(); ++i) {
    const int at = placeOf(rows_, i);
    turns_[at] *= factor;
    directions_[at] = direction += turns_[at];
  }
  moveTrial();
}

void PlanarSystem::copyStep(Eigen::VectorXd& turns) const {
  turns.resize(chain_->count());
  double before = 0.0;
  for (int i = 0; i < chain_->count(); ++i) {
    const int at = placeOf(rows_, i);
    const double turned = trial_.angles.angle[at] - current_.angles.angle[at];
    turns[i] = turned - before;
    before = turned;
  }
}

}  // namespace limber
