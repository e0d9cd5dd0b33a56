// SPDX-License-Identifier: MIT
#include "limber/ways/arm_solver.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/ways/parallel_triple.h"
#include "limber/ways/resultant.h"
#include "limber/ways/spherical_triple.h"

namespace limber::ways {

namespace {

constexpr double kAccepted = 1e-10;        ///< error after Newton's method of a way, in sizes of the arm and radians
constexpr double kNearMiss = 1e-6;         ///< an error below it that is not accepted leaves the question open
constexpr double kSameWay = 1e-6;          ///< difference of coordinates of one way
constexpr double kMergedWay = 3e-2;        ///< difference below which ways merge if the middle between them solves too
constexpr double kSingular = 1e-5;         ///< product of singular values below which joints may be free
constexpr double kCoincident = 1e-6;       ///< product of singular values below which ways coincide
constexpr double kProbe = 2e-2;            ///< length of a step along a curve of ways
constexpr double kGoodElimination = 1e-9;  ///< quality below which an elimination may lose ways
constexpr double kSureElimination = 1e-7;  ///< quality from which on one elimination is enough if its numbers agree
constexpr int kSearchStarts = 600;
constexpr int kFreeValues = 64;
constexpr double kNearLimits = 1e-3;    ///< part of an angle or of the arm's size that Newton's method may correct
constexpr double kSearchedSlide = 3.0;  ///< range of starts of slides, in sizes of the arm

/// Seemingly random axes that complete an arm of fewer than six joints; only answers that leave them at zero count.
Screw addedScrew(int i) {
  const double x = 0.7 + 2.3 * i;
  return {Eigen::Vector3d(std::sin(3.1 * x), std::cos(1.9 * x), std::sin(1.3 * x + 0.5)).normalized(),
          0.8 * Eigen::Vector3d(std::cos(2.7 * x), std::sin(4.3 * x + 1.0), std::cos(5.9 * x + 2.0)), false};
}

/// Coordinates that are spread evenly (a Kronecker sequence).
void spread(const Loop& loop, int index, std::array<double, kMaxLoop>& q) {
  constexpr double kRoot = 0.8566748838545029;  // of x^7 = x + 1, inverted
  double root = 1.0;
  for (int i = 0; i < loop.count; ++i) {
    root *= kRoot;
    const double part = std::fmod(0.5 + root * index, 1.0);
    q[i] = loop.screws[i].isSlide ? kSearchedSlide * (2.0 * part - 1.0) : wrapAngle(2.0 * std::numbers::pi * part);
  }
}

/// Exchanges slides with parallel hinges after them, with which they commute, so that hinges come together.
Loop withSlidesLast(Loop loop) {
  for (int round = 0; round < loop.count; ++round)
    for (int i = 0; i + 1 < loop.count; ++i) {
      const Screw &a = loop.screws[i], &b = loop.screws[i + 1];
      if (!a.isSlide || b.isSlide || a.axis.cross(b.axis).norm() > 1e-9) continue;
      std::swap(loop.screws[i], loop.screws[i + 1]);
      std::swap(loop.joint[i], loop.joint[i + 1]);
      std::swap(loop.preferred[i], loop.preferred[i + 1]);
    }
  return loop;
}

bool solveByShape(const Loop& loop, Candidates& candidates, Shape& shape) {
  const int n = loop.count;
  Eigen::Vector3d centre;
  if (const int i = findSphericalTriple(loop, centre); i >= 0) {
    const int first = (i + 3) % n;
    const bool isMoved = first != 0;  // the triple went around: it is after the goal
    solveSpherical(startedAt(first, loop), isMoved ? loop.goal.inverse() * centre : centre, candidates);
    shape = Shape::SphericalTriple;
    return true;
  }
  for (const bool commutes : {false, true}) {
    const Loop other = commutes ? withSlidesLast(loop) : loop;
    const int i = findParallelTriple(other);
    if (i < 0) continue;
    solveParallel(startedAt(n == 3 ? 0 : (i + n - 1) % n, other), candidates);
    shape = Shape::ParallelTriple;
    return true;
  }
  shape = Shape::ThreeHinges;
  return solveThreeHinges(loop, candidates);
}

}  // namespace

std::string_view shapeName(Shape shape) {
  switch (shape) {
    case Shape::SphericalTriple: return "three axes meet";
    case Shape::ParallelTriple: return "three axes are parallel";
    case Shape::ThreeHinges: return "three hinges and slides";
    case Shape::Search: return "search";
    case Shape::Position: return "position of three joints";
    case Shape::General: break;
  }
  return "general";
}

ArmSolver::ArmSolver(const ScrewChain& chain, Aspect aspect) : chain_(chain), scaled_(chain), aspect_(aspect) {
  const int most = aspect == Aspect::Position ? 3 : kMaxJoints;
  if (!chain.fault.empty()) fault_ = chain.fault;
  else if (chain.count > most)
    fault_ = "a position alone leaves " + std::to_string(chain.count - 3) + " of the " + std::to_string(chain.count) +
             " joints free: give an orientation too, or lock joints";
  if (!fault_.empty()) return;
  centre_ = chain.home.translation;
  for (int i = 0; i < chain.count; ++i) centre_ += chain.screws[i].point;
  centre_ /= chain.count + 1;
  size_ = (chain.home.translation - centre_).norm();
  for (int i = 0; i < chain.count; ++i) {
    Screw& screw = scaled_.screws[i];
    screw.point -= centre_;
    screw.point -= screw.axis.dot(screw.point) * screw.axis;  // the point of the axis that is nearest to the origin
    if (!screw.isSlide) size_ = std::max(size_, screw.point.norm());
  }
  if (!(size_ > 1e-12)) size_ = 1.0;
  for (int i = 0; i < chain.count; ++i) scaled_.screws[i].point /= size_;
  scaled_.home = scaled(chain.home);
}

Transform ArmSolver::scaled(const Transform& worldFromTip) const {
  return {worldFromTip.rotation, (worldFromTip.translation - centre_) / size_};
}

Coordinates ArmSolver::scaled(const Coordinates& q) const {
  Coordinates result = q;
  for (int i = 0; i < chain_.count; ++i)
    if (chain_.screws[i].isSlide) result[i] /= size_;
  return result;
}

Coordinates ArmSolver::unscaled(const Coordinates& q) const {
  Coordinates result = q;
  for (int i = 0; i < chain_.count; ++i)
    if (chain_.screws[i].isSlide) result[i] *= size_;
  return result;
}

Loop ArmSolver::loopOf(const Transform& goal, const Coordinates& preferred) const {
  Loop loop;
  loop.count = chain_.count;
  for (int i = 0; i < loop.count; ++i) {
    loop.screws[i] = scaled_.screws[i];
    loop.joint[i] = i;
    loop.preferred[i] = preferred[i];
  }
  loop.goal = goal * scaled_.home.inverse();
  return loop;
}

void ArmSolver::solve(const Transform& worldFromTip, const Coordinates& preferred, Ways& ways, Effort effort) const {
  const Transform goal = scaled(worldFromTip);
  const Coordinates start = scaled(preferred);
  solveLoop(loopOf(goal, start), goal, start, 0, effort, ways);
}

void ArmSolver::solveHolding(int joint, const Transform& worldFromTip, const Coordinates& preferred, Ways& ways,
                             Effort effort) const {
  const Transform goal = scaled(worldFromTip);
  const Coordinates start = scaled(preferred);
  solveLoop(without(joint, start[joint], loopOf(goal, start)), goal, start, 1u << joint, effort, ways);
}

/// Completes the arm to six joints and eliminates from several of them on. Returns the number of eliminations.
int ArmSolver::eliminate(const Loop& loop, const Transform& goal, unsigned held, Effort effort, Candidates& candidates,
                         Ways& ways, bool& isUndecided) const {
  Loop six = loop;
  for (; six.count < 6; ++six.count) {
    six.screws[six.count] = addedScrew(six.count);
    six.joint[six.count] = kMaxJoints - 1;
    six.preferred[six.count] = 0.0;
  }
  int eliminations = 0;
  for (int first = 0; first < 6 && eliminations < 2; ++first) {
    const Loop turned = startedAt(first, six);
    if (turned.screws[5].isSlide) continue;
    candidates.count = 0;
    const Elimination elimination = solveByResultant(turned, candidates);
    if (elimination.quality < kGoodElimination) continue;
    ++eliminations;
    take(candidates, goal, held, ways, isUndecided);
    // Each real eigenvalue of a well-conditioned elimination is a way, and none is missing.
    const bool isWhole = loop.count == 6 && !isUndecided && elimination.quality >= kSureElimination &&
                         static_cast<int>(ways.all.size()) == elimination.realValues && ways.all.size() % 2 == 0;
    if (isWhole) break;
    // Complex roots come in pairs, so that the number of ways of six joints is even.
    if (effort != Effort::Sure && !isUndecided && (loop.count < 6 ? !ways.all.empty() : ways.all.size() % 2 == 0))
      break;
  }
  return eliminations;
}

/// Newton's method from poses that are spread evenly.
void ArmSolver::search(const Loop& loop, const Transform& goal, unsigned held, Candidates& candidates, Ways& ways,
                       bool& isUndecided) const {
  std::array<double, kMaxLoop> q = {};
  for (int start = 0; start < kSearchStarts;) {
    candidates.count = 0;
    for (int k = 0; k < 100; ++k, ++start) {
      spread(loop, start, q);
      candidates.add(loop, q);
    }
    take(candidates, goal, held, ways, isUndecided);
  }
}

void ArmSolver::solveLoop(const Loop& loop, const Transform& goal, const Coordinates& preferred, unsigned held,
                          Effort effort, Ways& ways) const {
  ways.all.clear();
  Candidates candidates;
  for (int i = 0; i < chain_.count; ++i)
    if (held >> i & 1u)
      for (auto& value : candidates.value) value[i] = preferred[i];
  bool isUndecided = false;
  std::string_view doubt;
  const auto isAnyFree = [&] { return std::ranges::any_of(ways.all, &Way::isFree); };
  const auto solveClosed = [&](const Loop& closed) {
    if (aspect_ == Aspect::Position) {
      ways.shape = Shape::Position;
      solvePosition(closed, scaled_.home.translation, goal.translation, candidates);
    } else if (loop.count < 3 || !solveByShape(closed, candidates, ways.shape)) {
      return false;
    }
    take(candidates, goal, held, ways, isUndecided, effort == Effort::WithinLimits);
    return true;
  };
  if (solveClosed(loop)) {
    // A joint that one equation of the closed form leaves free may be bound by another: other values of it are tried.
    Loop other = loop;
    for (int k = 1; k <= kFreeValues && candidates.isFree && (held ? ways.all.empty() : !isAnyFree()); ++k) {
      spread(loop, k, other.preferred);
      candidates.count = 0;
      solveClosed(other);
    }
    if (candidates.isFree && ways.all.empty() && held == 0) search(loop, goal, held, candidates, ways, isUndecided);
  } else {
    ways.shape = Shape::General;
    const int eliminations = eliminate(loop, goal, held, effort, candidates, ways, isUndecided);
    doubt = "the ways are eigenvalues of a resultant, which rounding may hide: there may be more";
    if (eliminations == 0) {
      ways.shape = Shape::Search;
      doubt = "the resultant of this arm is singular, and its ways are those that a search found: there may be more";
      search(loop, goal, held, candidates, ways, isUndecided);
      isUndecided = false;
    }
  }
  if (isAnyFree()) {
    ways.completeness = Completeness::Infinite;
    ways.reason = "a joint is free: there are infinitely many ways, of which the list has examples";
  } else if (candidates.isFree) {
    ways.completeness = Completeness::Open;
    ways.reason = "the closed form leaves a joint free, of which some values were tried: there may be more";
  } else if (!doubt.empty() || candidates.isOverflow) {
    ways.completeness = Completeness::Open;
    ways.reason = doubt.empty() ? "the equations have too many roots: there may be more ways" : doubt;
  } else if (isUndecided || candidates.isUnsure) {
    ways.completeness = Completeness::Open;
    ways.reason = "the pose is so near a singular one that rounding may hide a way: there may be more";
  } else {
    ways.completeness = Completeness::Proved;
    ways.reason = "all roots of the closed form are isolated: there are no other ways";
  }
}

bool ArmSolver::hasClosedForm(int held, const Coordinates& at) const {
  Loop loop = loopOf({}, scaled(at));
  if (held >= 0) loop = without(held, scaled(at)[held], loop);
  if (aspect_ == Aspect::Position || loop.count < 3) return aspect_ == Aspect::Position;
  const auto hinges = std::count_if(loop.screws.begin(), loop.screws.begin() + loop.count,
                                    [](const Screw& screw) { return !screw.isSlide; });
  Eigen::Vector3d centre;
  return hinges == 3 || findSphericalTriple(loop, centre) >= 0 || findParallelTriple(loop) >= 0 ||
         findParallelTriple(withSlidesLast(loop)) >= 0;
}

/// False if a coordinate is clearly outside its limits, with angles by whole turns.
bool ArmSolver::mayBeWithinLimits(const Coordinates& q) const {
  for (int i = 0; i < chain_.count; ++i) {
    const Interval limits = chain_.limits[i];
    const bool isSlide = chain_.screws[i].isSlide;
    const double unit = isSlide ? size_ : 1.0, slack = kNearLimits * unit;
    double x = q[i] * unit;
    if (!isSlide && x < limits.lower - slack)
      x += 2.0 * std::numbers::pi * std::ceil((limits.lower - slack - x) / (2.0 * std::numbers::pi));
    if (!isSlide && x > limits.upper + slack)
      x -= 2.0 * std::numbers::pi * std::ceil((x - limits.upper - slack) / (2.0 * std::numbers::pi));
    if (x < limits.lower - slack || x > limits.upper + slack) return false;
  }
  return true;
}

void ArmSolver::take(const Candidates& candidates, const Transform& goal, unsigned held, Ways& ways, bool& isUndecided,
                     bool onlyWithinLimits) const {
  const int n = chain_.count;
  const auto differenceOf = [&](const Coordinates& a, const Coordinates& b) {
    Coordinates d = a - b;
    for (int i = 0; i < n; ++i)
      if (!chain_.screws[i].isSlide) d[i] = wrapAngle(d[i]);
    return d;
  };
  for (int i = 0; i < candidates.count; ++i) {
    Way way{.q = Coordinates(n)};
    for (int k = 0; k < n; ++k) way.q[k] = candidates.value[i][k];
    if (!way.q.allFinite() || (onlyWithinLimits && !mayBeWithinLimits(way.q))) continue;
    way.error = polish(scaled_, aspect_, goal, way.q, held);
    if (!(way.error <= kAccepted)) {
      isUndecided = isUndecided || way.error <= kNearMiss;
      continue;
    }
    for (int k = 0; k < n; ++k)
      if (!chain_.screws[k].isSlide) way.q[k] = wrapAngle(way.q[k]);
    const bool isKnown = std::any_of(ways.all.begin(), ways.all.end(), [&](const Way& other) {
      const Coordinates d = differenceOf(scaled(other.q), way.q);
      const double largest = d.cwiseAbs().maxCoeff();
      if (largest <= kSameWay || largest > kMergedWay) return largest <= kSameWay;
      Error error;
      ArmJacobian jacobian;
      return errorOf(scaled_, aspect_, goal, way.q + 0.5 * d, error, jacobian) <= kAccepted;
    });
    if (isKnown) continue;
    const double manipulability = manipulabilityOf(scaled_, aspect_, way.q);
    if (manipulability <= kSingular) probeFreedom(goal, held, way);
    isUndecided = isUndecided || (!way.isFree && manipulability <= kCoincident);
    way.q = unscaled(way.q);
    ways.all.push_back(way);
  }
}

/// A singular Jacobian says that a joint may be free; only a step along its null vector shows whether it is.
void ArmSolver::probeFreedom(const Transform& goal, unsigned held, Way& way) const {
  Error error;
  ArmJacobian jacobian;
  errorOf(scaled_, aspect_, goal, way.q, error, jacobian);
  for (int i = 0; i < chain_.count; ++i)
    if (held >> i & 1u) return;
  const SingularDirections singular = singularDirectionsOf(jacobian, aspect_);
  for (int k = 0; k < chain_.count && singular.square[k] < 1e-8; ++k) {
    Coordinates moved = way.q + kProbe * singular.direction[k];
    if (polish(scaled_, aspect_, goal, moved) > kAccepted) continue;
    const Coordinates change = moved - way.q;
    if (change.norm() < 0.3 * kProbe) continue;
    way.isFree = true;
    for (int i = 0; i < chain_.count; ++i)
      if (std::abs(change[i]) > 1e-3 * kProbe) way.freeJoints |= 1u << i;
  }
}

}  // namespace limber::ways
