// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

namespace limber {

/// The rotation R with the largest trace(R M): it brings vectors y_k nearest to v_k by least squares if M = sum w_k y_k
/// v_k^T (Wahba's problem; solution of Arun, Huang and Blostein 1987 and Umeyama 1991).
///
/// If M does not determine R (a single vector), R is the solution nearest to `present`.
Eigen::Matrix3d bestRotation(const Eigen::Matrix3d& m, const Eigen::Matrix3d& present);

}  // namespace limber
