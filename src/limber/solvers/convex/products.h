// SPDX-License-Identifier: MIT
// Products of small matrices of run-time size, without templates over their types: each pair of types would take a
// second to compile, and the interior-point method has dozens of pairs.
#pragma once

#include <Eigen/Core>

namespace limber {

using MatrixIn = const Eigen::Ref<const Eigen::MatrixXd>&;
using MatrixOut = Eigen::Ref<Eigen::MatrixXd>;

// The result must not alias the factors.
void setProduct(MatrixIn a, MatrixIn b, MatrixOut ab);
void setTransposedProduct(MatrixIn a, MatrixIn b, MatrixOut atb);      ///< a' b
void setProductWithTransposed(MatrixIn a, MatrixIn b, MatrixOut abt);  ///< a b'

}  // namespace limber
