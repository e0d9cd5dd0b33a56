// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "kinematics/pose.h"

namespace limber {

/// The enabled couplings of a figure, in step coordinates: which coordinate follows which, and how steeply.
class Couplings {
 public:
  /// One driver of one follower: its share of the follower is c1 q + c2 q^2 + c3 q^3 + c4 q^4.
  struct Term {
    int follower = 0, driver = 0;          ///< step coordinates
    int driverPoseIndex = 0;
    std::array<double, 4> coefficients{};

    double value(double q) const;
    double slope(double q) const;          ///< first derivative
    double bend(double q) const;           ///< second derivative
    double slope(const Pose& pose) const { return slope(pose.coordinates[driverPoseIndex]); }
    double bend(const Pose& pose) const { return bend(pose.coordinates[driverPoseIndex]); }
  };
  struct Follower {
    int coordinate = 0, poseIndex = 0;
    double offset = 0.0;
    int firstTerm = 0, termCount = 0;
  };

  Couplings() = default;
  /// enabled: one for each of the figure's couplings.
  Couplings(const Figure& figure, std::span<const char> enabled);

  bool isEmpty() const { return followers_.empty(); }
  std::span<const Follower> followers() const { return followers_; }
  std::span<const Term> terms() const { return terms_; }
  std::span<const Term> termsOf(const Follower& follower) const {
    return std::span(terms_).subspan(static_cast<std::size_t>(follower.firstTerm),
                                     static_cast<std::size_t>(follower.termCount));
  }
  /// True when the step coordinate follows others.
  bool isFollower(int coordinate) const;

  /// Puts every follower where its drivers want it.
  void apply(Pose& pose) const;

 private:
  std::vector<Follower> followers_;  ///< by coordinate, ascending
  std::vector<Term> terms_;
};

}  // namespace limber
