// SPDX-License-Identifier: MIT
// What the enabled couplings of a figure (kinematics/figure.h) make of its step coordinates.
//
// A ball that turns as another takes the same step, so its derivatives are 1 and 0. A scalar that follows how far a
// ball's bone t points along an axis a, by x = a . R t, has under a step R exp(s), with b = R^T a and n = t x b,
//
//   dx/ds = n,   d2x/ds2 = D = 1/2 (b t' + t b') - (b . t) 1      and for p(x):   p' n,   p'' n n' + p' D
//
// which is smooth for every rotation, because no angle is taken.
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/pose.h"

namespace limber {

/// c1 x + c2 x^2 + c3 x^3 + c4 x^4.
struct Quartic {
  std::array<double, 4> coefficients{};

  double value(double x) const;
  double slope(double x) const;  ///< first derivative
  double bend(double x) const;   ///< second derivative
};

/// Contains the values for all x of a range, of a curve perhaps more.
Interval rangeOf(const Quartic& curve, const Interval& x);

class Couplings {
 public:
  /// One driver of one follower.
  struct Drive {
    enum class Kind {
      Scalar,    ///< the curve at a scalar
      Pointing,  ///< the curve at x of a ball: three terms, one an axis of its step
      Alike,     ///< a ball that turns as another: three terms
    } kind = Kind::Scalar;
    int driver = 0;  ///< step coordinate, of a ball its first
    int driverPoseIndex = 0;
    Quartic curve;
    Coupling::Pointing pointing;
    int firstTerm = 0, termCount = 1;

    /// What it adds to a scalar follower.
    double value(const Pose& pose) const;
  };
  /// An entry of the derivative of followers by drivers; step coordinates.
  struct Term {
    int follower = 0, driver = 0;
  };
  /// Two terms whose drivers bend their follower together.
  struct Cross {
    int term = 0, other = 0;
  };
  /// A step coordinate that follows; of a ball there are three in a row.
  struct Follower {
    int coordinate = 0, poseIndex = 0;
    bool isScalar = true;
    double offset = 0.0;
    int firstDrive = 0, driveCount = 0;
    int firstTerm = 0, termCount = 0;
    int firstCross = 0, crossCount = 0;
  };

  Couplings() = default;
  /// enabled: one for each of the figure's couplings.
  Couplings(const Figure& figure, std::span<const char> enabled);

  bool isEmpty() const { return followers_.empty(); }
  std::span<const Follower> followers() const { return followers_; }
  std::span<const Drive> drives() const { return drives_; }
  std::span<const Term> terms() const { return terms_; }
  std::span<const Cross> crosses() const { return crosses_; }
  std::span<const Drive> drivesOf(const Follower& follower) const {
    return std::span(drives_).subspan(static_cast<std::size_t>(follower.firstDrive),
                                      static_cast<std::size_t>(follower.driveCount));
  }
  std::span<const Term> termsOf(const Follower& follower) const {
    return std::span(terms_).subspan(static_cast<std::size_t>(follower.firstTerm),
                                     static_cast<std::size_t>(follower.termCount));
  }
  /// True when the step coordinate follows others.
  bool isFollower(int coordinate) const;

  /// Puts every follower where its drivers want it.
  void apply(Pose& pose) const;

  /// First and second derivatives, one a term, and the second across two terms, one a cross. No allocation when warm.
  void differentiate(const Pose& pose, std::vector<double>& slopes, std::vector<double>& bends,
                     std::vector<double>& crossBends) const;

 private:
  void addScalar(const Figure& figure, const Coupling& coupling);
  void addBall(const Figure& figure, const Coupling& coupling);

  std::vector<Follower> followers_;  ///< by coordinate, ascending
  std::vector<Drive> drives_;
  std::vector<Term> terms_;
  std::vector<Cross> crosses_;       ///< of each Pointing three in a row
};

}  // namespace limber
