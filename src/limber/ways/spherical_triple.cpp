// SPDX-License-Identifier: MIT
#include "limber/ways/spherical_triple.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cmath>

#include "limber/ways/joint_pair.h"
#include "limber/ways/roots.h"
#include "limber/ways/subproblems.h"

namespace limber::ways {

namespace {

constexpr double kSlack = 1e-4;      ///< excess up to which an answer may be exact after Newton's method
constexpr double kMeeting = 1e-9;    ///< distance of axes that meet, relative to the arm's size
constexpr double kParallel = 1e-6;   ///< sine of axes that do not meet in one point
constexpr double kSlideReach = 8.0;  ///< a slide beyond this cannot reach, in arm sizes and distances of the goal

/// The point nearest both axes; false if they are parallel or pass each other.
bool meet(const Screw& a, const Screw& b, Eigen::Vector3d& point) {
  const Eigen::Vector3d normal = a.axis.cross(b.axis), between = b.point - a.point;
  const double sine = normal.norm();
  if (sine < kParallel || std::abs(normal.dot(between)) > kMeeting * sine) return false;
  point = a.point + between.cross(b.axis).dot(normal) / (sine * sine) * a.axis;
  return true;
}

bool passesThrough(const Screw& screw, const Eigen::Vector3d& point) {
  return screw.axis.cross(point - screw.point).norm() <= kMeeting;
}

/// Turns of three hinges, by their index:  R_i R_j R_k = rotation. Calls use(q) for each answer.
template <typename Use>
void forEachTurn(const Loop& loop, const std::array<int, 3>& hinges, std::array<double, kMaxLoop>& q,
                 const Eigen::Matrix3d& rotation, Candidates& candidates, const Use& use) {
  const auto [first, second, third] = hinges;
  const Eigen::Vector3d& a = loop.screws[first].axis;
  const Eigen::Vector3d& b = loop.screws[second].axis;
  const Eigen::Vector3d& c = loop.screws[third].axis;
  const Eigen::Vector3d image = rotation * c;
  const Angles middle = turnToPlane(b, c, a, a.dot(image));
  if (middle.excess > kSlack) return;
  for (int i = 0; i < middle.count; ++i) {
    q[second] = middle.isFree ? loop.preferred[second] : middle.value[i];
    const Eigen::Matrix3d turn = turnAbout(b, q[second]);
    const Angles outer = turnOnto(a, turn * c, image);
    q[first] = outer.isFree ? loop.preferred[first] : outer.value[0];
    const Eigen::Matrix3d rest = (turnAbout(a, q[first]) * turn).transpose() * rotation;
    const Eigen::Vector3d lever = c.unitOrthogonal();
    q[third] = turnOnto(c, lever, rest * lever).value[0];
    candidates.isFree = candidates.isFree || middle.isFree || outer.isFree;
    use();
  }
}

template <typename Use>
void forEachPosition(const Loop& loop, int count, const Eigen::Vector3d& point, const Eigen::Vector3d& target,
                     Candidates& candidates, const Use& use) {
  std::array<double, kMaxLoop> q = {};
  if (count == 0) {
    use(q);
    return;
  }
  if (count == 1) {
    const Screw& joint = loop.screws[0];
    const Angles turn = joint.isSlide ? Angles{.count = 1, .value = {joint.axis.dot(target - point)}}
                                      : turnOnto(joint.axis, point - joint.point, target - joint.point);
    q[0] = turn.isFree ? loop.preferred[0] : turn.value[0];
    candidates.isFree = candidates.isFree || turn.isFree;
    use(q);
    return;
  }
  const JointPair pair(loop.screws[0], loop.screws[1]);
  const std::array<double, 2> preferred = {loop.preferred[0], loop.preferred[1]};
  const auto usePair = [&](const Eigen::Vector3d& from) {
    const PairAnswers answers = pair.solve(from, target, preferred);
    candidates.isFree = candidates.isFree || answers.isFree;
    candidates.isUnsure = candidates.isUnsure || answers.isUnsure;
    for (int i = 0; i < answers.count; ++i) {
      q[0] = answers.value[i][0];
      q[1] = answers.value[i][1];
      use(q);
    }
  };
  if (count == 2) {
    usePair(point);
    return;
  }
  const Screw& third = loop.screws[2];
  std::array<double, 5> samples;
  Zeros zeros;
  const double scale = pair.gapScale() * (1.0 + std::pow(target.norm(), third.isSlide ? 4 : 2));
  if (third.isSlide) {
    const double bound = kSlideReach * (1.0 + target.norm() + point.norm());
    for (int k = 0; k < 5; ++k) samples[k] = pair.gap(movedPoint(third, 0.5 * bound * (k - 2), point), target);
    zeros = zerosOfLine(samples, bound, scale);
  } else {
    constexpr double kFifth = 2.0 * 3.14159265358979323846 / 5.0;
    for (int k = 0; k < 5; ++k) samples[k] = pair.gap(movedPoint(third, k * kFifth, point), target);
    zeros = zerosOfCircle(samples, scale);
  }
  if (zeros.isFree) {
    candidates.isFree = true;
    zeros.count = 0;
    zeros.add(loop.preferred[2]);
  }
  candidates.isUnsure = candidates.isUnsure || zeros.isUnsure;
  for (int i = 0; i < zeros.count; ++i) {
    q[2] = zeros.value[i];
    usePair(movedPoint(third, q[2], point));
  }
}

}  // namespace

int findSphericalTriple(const Loop& loop, Eigen::Vector3d& centre) {
  for (int i = loop.count - 3; i >= 0; --i) {
    const Screw &a = loop.screws[i], &b = loop.screws[i + 1], &c = loop.screws[i + 2];
    if (a.isSlide || b.isSlide || c.isSlide) continue;
    if (meet(a, b, centre) && passesThrough(c, centre) && b.axis.cross(c.axis).norm() > kParallel) return i;
  }
  return -1;
}

void solveSpherical(const Loop& loop, const Eigen::Vector3d& centre, Candidates& candidates) {
  const int before = loop.count - 3;
  forEachPosition(loop, before, centre, loop.goal * centre, candidates, [&](std::array<double, kMaxLoop>& q) {
    Eigen::Matrix3d rotation = loop.goal.rotation;
    for (int i = 0; i < before; ++i)
      if (!loop.screws[i].isSlide) rotation = turnAbout(loop.screws[i].axis, -q[i]) * rotation;
    forEachTurn(loop, {before, before + 1, before + 2}, q, rotation, candidates, [&] { candidates.add(loop, q); });
  });
}

bool solveThreeHinges(const Loop& loop, Candidates& candidates) {
  std::array<int, 3> hinges = {};
  int count = 0;
  for (int i = 0; i < loop.count; ++i)
    if (!loop.screws[i].isSlide) {
      if (count == 3) return false;
      hinges[count++] = i;
    }
  if (count < 3) return false;
  std::array<double, kMaxLoop> q = {};
  forEachTurn(loop, hinges, q, loop.goal.rotation, candidates, [&] {
    // The translation is linear in the slides: their directions, turned by the hinges before them.
    Eigen::Matrix3d directions = Eigen::Matrix3d::Zero();
    Transform motion;
    for (int i = 0, slide = 0; i < loop.count; ++i)
      if (loop.screws[i].isSlide) directions.col(slide++) = motion.rotation * loop.screws[i].axis;
      else motion = motion * motionOf(loop.screws[i], q[i]);
    const Eigen::Vector3d apart = loop.goal.translation - motion.translation;
    Eigen::Matrix3d normal = directions.transpose() * directions;
    normal.diagonal().array() += 1e-14;
    const Eigen::Vector3d slides = normal.ldlt().solve(directions.transpose() * apart);
    for (int i = 0, slide = 0; i < loop.count; ++i)
      if (loop.screws[i].isSlide) q[i] = slides[slide++];
    candidates.add(loop, q);
  });
  return true;
}

void solvePosition(const Loop& loop, const Eigen::Vector3d& point, const Eigen::Vector3d& target,
                   Candidates& candidates) {
  forEachPosition(loop, loop.count, point, target, candidates,
                  [&](std::array<double, kMaxLoop>& q) { candidates.add(loop, q); });
}

}  // namespace limber::ways
