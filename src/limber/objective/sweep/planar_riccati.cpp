// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/planar_riccati.h"

#include <algorithm>
#include <numeric>

namespace limber {

namespace {

Eigen::Vector2d across(const Eigen::Vector2d& v) { return {-v.y(), v.x()}; }

}  // namespace

void PlanarRiccati::bind(const PlanarChain& chain) {
  gains_.resize(chain.count());
  goalOrder_.resize(chain.goals().size());
  std::iota(goalOrder_.begin(), goalOrder_.end(), 0);
  std::sort(goalOrder_.begin(), goalOrder_.end(), [&](int a, int b) {
    const int s = chain.goals()[a].segment, t = chain.goals()[b].segment;
    return s != t ? s > t : a < b;
  });
}

bool PlanarRiccati::sweep(const PlanarChain& chain, const PlanarRows& rows, const PlanarAngles& angles,
                          const std::vector<Eigen::Vector2d>& multipliers, double damping, const Load& load) {
  double a = 0.0, alpha = 0.0;
  Eigen::Vector2d b = Eigen::Vector2d::Zero(), beta = b, force = b;  // force: sum of multipliers of the goals beyond
  Eigen::Matrix2d C = Eigen::Matrix2d::Zero();
  auto next = goalOrder_.begin();
  bool isDefinite = true;
  forEachPlaceBack(rows, [&](int i, int at) {
    if (i >= chain.count() || !isDefinite) return;
    const double sine = angles.sine[at], cosine = angles.cosine[at];
    // Transforms the quadratic from the segment's end to its hinge.
    const Eigen::Vector2d u = rows.length[at] * Eigen::Vector2d(cosine, sine), t = across(u), Ct = C * t;
    a += 2.0 * b.dot(t) + t.dot(Ct) - u.dot(force);
    alpha += beta.dot(t);
    b += Ct;
    for (; next != goalOrder_.end() && chain.goals()[*next].segment == i; ++next) {
      const int k = *next;
      const PlanarGoal& goal = chain.goals()[k];
      const Eigen::Vector2d end = goal.endAt(sine, cosine), turn = across(end);
      const Eigen::Vector2d pull = goal.weight * load.residuals[k];
      a += goal.weight * turn.squaredNorm() - multipliers[k].dot(end);
      b += goal.weight * turn;
      C.diagonal().array() += goal.weight;
      alpha += turn.dot(pull);
      beta += pull;
      force += multipliers[k];
    }
    const double before = i > 0 ? angles.angle[placeBefore(rows, i, at)] : 0.0;
    const double moment =
        load.moments ? load.moments[at] : rows.stiffness[at] * ((angles.angle[at] - before) - rows.rest[at]);
    const double stiffness = rows.stiffness[at] + damping, pivot = a + stiffness;
    if (!(isDefinite = pivot > 0.0)) return;
    const double inverse = 1.0 / pivot, kept = stiffness * inverse;
    gains_[i] = {a, b.x(), b.y(), alpha + moment, inverse};
    beta -= b * ((alpha + moment) * inverse);
    C -= (inverse * b) * b.transpose();
    alpha = kept * alpha - a * inverse * moment;
    a *= kept;
    b *= kept;
  });
  return isDefinite;
}

void PlanarRiccati::rollOut(const PlanarChain& chain, const PlanarRows& rows, const PlanarAngles& angles,
                            const Load& load, double* turns, double* directions,
                            std::vector<Eigen::Vector2d>& linear) const {
  double turned = 0.0;
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();
  linear.resize(chain.goals().size());
  auto next = goalOrder_.rbegin();
  forEachPlace(rows, [&](int i, int at) {
    if (i >= chain.count()) return;
    const Gain& gain = gains_[i];
    turns[at] = -(gain.moment + gain.turn * turned + gain.x * shift.x() + gain.y * shift.y()) * gain.inverse;
    turned += turns[at];
    directions[at] = turned;
    for (; next != goalOrder_.rend() && chain.goals()[*next].segment == i; ++next) {
      const int k = *next;
      const Eigen::Vector2d end = chain.goals()[k].endAt(angles.sine[at], angles.cosine[at]);
      linear[k] = load.residuals[k] + shift + turned * across(end);
    }
    shift += turned * rows.length[at] * Eigen::Vector2d(-angles.sine[at], angles.cosine[at]);
  });
}

}  // namespace limber
