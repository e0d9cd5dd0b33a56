// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

namespace limber {

/// The rotation R with the largest trace(R M): it lays vectors y_k as near as can be to v_k, in the sense of least
/// squares, when M = sum w_k y_k v_k^T (Wahba's problem; solution of Arun, Huang and Blostein 1987 and Umeyama 1991).
///
/// Where M leaves a turn open (one vector alone), R is the one nearest to `present`.
Eigen::Matrix3d bestRotation(const Eigen::Matrix3d& m, const Eigen::Matrix3d& present);

}  // namespace limber
