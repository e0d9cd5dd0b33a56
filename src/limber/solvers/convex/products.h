// SPDX-License-Identifier: MIT
// Products of small matrices whose sizes are known at run time, for matrices of all types: each product of a pair of
// types takes a compiler a second, and the interior-point method has dozens of pairs.
#pragma once

#include <Eigen/Core>

namespace limber {

using MatrixIn = const Eigen::Ref<const Eigen::MatrixXd>&;
using MatrixOut = Eigen::Ref<Eigen::MatrixXd>;

// The result shares nothing with the factors.
void setProduct(MatrixIn a, MatrixIn b, MatrixOut ab);
void setTransposedProduct(MatrixIn a, MatrixIn b, MatrixOut atb);      ///< a' b
void setProductWithTransposed(MatrixIn a, MatrixIn b, MatrixOut abt);  ///< a b'

}  // namespace limber
