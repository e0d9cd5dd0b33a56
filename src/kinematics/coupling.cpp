// SPDX-License-Identifier: MIT
#include "kinematics/coupling.h"

#include <algorithm>
#include <cassert>

namespace limber {

double Couplings::Term::value(double q) const {
  const auto& c = coefficients;
  return q * (c[0] + q * (c[1] + q * (c[2] + q * c[3])));
}

double Couplings::Term::slope(double q) const {
  const auto& c = coefficients;
  return c[0] + q * (2.0 * c[1] + q * (3.0 * c[2] + q * 4.0 * c[3]));
}

double Couplings::Term::bend(double q) const {
  const auto& c = coefficients;
  return 2.0 * c[1] + q * (6.0 * c[2] + q * 12.0 * c[3]);
}

Couplings::Couplings(const Figure& figure, std::span<const char> enabled) {
  assert(enabled.size() == figure.couplings().size());
  std::vector<const Coupling*> sorted;
  for (std::size_t i = 0; i < enabled.size(); ++i)
    if (enabled[i]) sorted.push_back(&figure.couplings()[i]);
  std::sort(sorted.begin(), sorted.end(),
            [](const Coupling* a, const Coupling* b) { return a->follower < b->follower; });
  for (const Coupling* coupling : sorted) {
    const Joint& follower = figure.joint(coupling->follower);
    followers_.push_back({follower.stepIndex, follower.poseIndex, coupling->offset, static_cast<int>(terms_.size()),
                          static_cast<int>(coupling->terms.size())});
    for (const Coupling::Term& term : coupling->terms) {
      const Joint& driver = figure.joint(term.driver);
      terms_.push_back({follower.stepIndex, driver.stepIndex, driver.poseIndex, term.coefficients});
    }
  }
}

bool Couplings::isFollower(int coordinate) const {
  const auto found = std::lower_bound(followers_.begin(), followers_.end(), coordinate,
                                      [](const Follower& f, int c) { return f.coordinate < c; });
  return found != followers_.end() && found->coordinate == coordinate;
}

void Couplings::apply(Pose& pose) const {
  for (const Follower& follower : followers_) {
    double q = follower.offset;
    for (const Term& term : termsOf(follower)) q += term.value(pose.coordinates[term.driverPoseIndex]);
    pose.coordinates[follower.poseIndex] = q;
  }
}

}  // namespace limber
