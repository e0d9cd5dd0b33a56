// SPDX-License-Identifier: MIT
// The enabled couplings of a figure (kinematics/figure.h): values and derivatives of followers by their drivers.
//
// A ball joint that copies another takes the same step, so its first derivative is 1 and its second 0. A scalar joint
// may follow how far the bone t of a ball joint points along an axis a, x = a . R t. Under a step R exp(s), with
// b = R^T a and n = t x b,
//
//   dx/ds = n,   d2x/ds2 = D = 1/2 (b t' + t b') - (b . t) 1      and for p(x):   p' n,   p'' n n' + p' D
//
// which is smooth for every rotation, because x is a cosine and not an angle.
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/pose.h"

namespace limber {

/// c1 x + c2 x^2 + c3 x^3 + c4 x^4.
struct Quartic {
  std::array<double, 4> coefficients{};

  double value(double x) const;
  double slope(double x) const;      ///< first derivative
  double curvature(double x) const;  ///< second derivative
};

/// An interval that contains the curve's values for all x of the given one; it need not be the smallest.
Interval rangeOf(const Quartic& curve, const Interval& x);

class Couplings {
 public:
  /// The contribution of one driver to one follower.
  struct Drive {
    enum class Kind {
      Scalar,    ///< the curve at the value of a scalar joint
      Pointing,  ///< the curve at x of a ball joint: three terms, one for each axis of its step
      Alike,     ///< a ball joint that copies another: three terms
    } kind = Kind::Scalar;
    int driver = 0;  ///< step coordinate; the first of a ball joint's three
    int driverPoseIndex = 0;
    Quartic curve = {};
    Coupling::Pointing pointing = {};
    int firstTerm = 0, termCount = 1;

    /// The value that it adds to a scalar follower.
    double value(const Pose& pose) const;
  };
  /// A nonzero entry of the Jacobian of followers by drivers; step coordinates.
  struct Term {
    int follower = 0, driver = 0;
  };
  /// Two terms of one follower with a mixed second derivative.
  struct Cross {
    int term = 0, other = 0;
  };
  /// A step coordinate that follows others; a ball joint has three consecutive ones.
  struct Follower {
    int coordinate = 0, poseIndex = 0;
    bool isScalar = true;
    double offset = 0.0;
    int firstDrive = 0, driveCount = 0;
    int firstTerm = 0, termCount = 0;
    int firstCross = 0, crossCount = 0;
  };

  Couplings() = default;
  /// enabled has one entry for each of the figure's couplings.
  Couplings(const Figure& figure, std::span<const char> enabled);

  bool isEmpty() const { return followers_.empty(); }
  std::span<const Follower> followers() const { return followers_; }
  std::span<const Drive> drives() const { return drives_; }
  std::span<const Term> terms() const { return terms_; }
  std::span<const Cross> crosses() const { return crosses_; }
  std::span<const Drive> drivesOf(const Follower& follower) const {
    return std::span(drives_).subspan(follower.firstDrive, follower.driveCount);
  }
  std::span<const Term> termsOf(const Follower& follower) const {
    return std::span(terms_).subspan(follower.firstTerm, follower.termCount);
  }
  /// True if the step coordinate follows others.
  bool isFollower(int coordinate) const;

  /// Sets every follower to the value that its drivers give it.
  void apply(Pose& pose) const;

  /// First and second derivatives by each term's driver (`terms()` numbers), and mixed second derivatives (`crosses()`
  /// numbers). Allocates nothing once the vectors have their sizes.
  void differentiate(const Pose& pose, std::vector<double>& slopes, std::vector<double>& curvatures,
                     std::vector<double>& crossCurvatures) const;

 private:
  void addScalar(const Figure& figure, const Coupling& coupling);
  void addBall(const Figure& figure, const Coupling& coupling);

  std::vector<Follower> followers_;  ///< ascending by coordinate
  std::vector<Drive> drives_;
  std::vector<Term> terms_;
  std::vector<Cross> crosses_;  ///< three in a row for each Pointing
};

}  // namespace limber
