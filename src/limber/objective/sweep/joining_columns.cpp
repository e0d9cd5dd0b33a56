// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/joining_columns.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {

void JoiningColumns::take(const Objective& objective, const Evaluation& evaluation,
                          const std::vector<Residual>& multipliers) {
  diagonals.clear();
  parts.clear();
  firstUnknown.assign(objective.goals().size(), -1);
  Matrix6d cross;
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    const Goal& goal = *objective.goals()[k];
    if (goal.linkCount() == 1) continue;
    const std::vector<int>& runs = objective.tree().goalRuns[k];
    const auto& jacobians = evaluation.jacobians[k];
    const bool isZero = std::all_of(jacobians.begin(), jacobians.end(), [](const auto& j) { return j.isZero(0.0); });
    if (!isZero && goal.weight() > 0.0) {
      firstUnknown[k] = static_cast<int>(diagonals.size());
      takeMultipliers(goal, jacobians, runs);
    }
    if (!goal.crossesLinks()) continue;
    for (int a = 0; a < goal.linkCount(); ++a)
      for (int b = a + 1; b < goal.linkCount(); ++b) {
        if (runs[a] < 0 || runs[b] < 0) continue;
        goal.computeCrossCurvature(evaluation.kinematics, multipliers[k], a, b, cross);
        takeCrossCurvature(cross, runs[a], runs[b]);
      }
  }
}

void JoiningColumns::takeMultipliers(const Goal& goal, const std::vector<TwistJacobian>& jacobians,
                                     const std::vector<int>& runs) {
  const int first = static_cast<int>(diagonals.size());
  const double scale = std::sqrt(goal.weight());
  for (int row = 0; row < goal.residualSize(); ++row) diagonals.push_back(-1.0);
  for (std::size_t which = 0; which < runs.size(); ++which)
    for (int row = 0; row < goal.residualSize() && runs[which] >= 0; ++row)
      parts.push_back({first + row, runs[which], scale * jacobians[which].row(row).transpose()});
}

void JoiningColumns::takeCrossCurvature(Matrix6d rest, int run, int other) {
  constexpr double kNegligible = 1e-15;  // relative to the largest entry of X
  double largest = 0.0;
  for (int rank = 0; rank < 6; ++rank) {
    Eigen::Index i = 0, j = 0;
    const double pivot = rest.cwiseAbs().maxCoeff(&i, &j);
    largest = std::max(largest, pivot);
    if (!(pivot > kNegligible * largest)) return;
    const Vector6d u = rest.col(j) / rest(i, j), v = rest.row(i).transpose();
    rest.noalias() -= u * v.transpose();
    const double balance = std::sqrt(v.norm() / u.norm()), half = std::numbers::sqrt2 / 2.0;
    for (const double sign : {1.0, -1.0}) {
      const int unknown = static_cast<int>(diagonals.size());
      diagonals.push_back(-sign);
      parts.push_back({unknown, run, half * balance * u});
      parts.push_back({unknown, other, sign * half / balance * v});
    }
  }
}

}  // namespace limber
