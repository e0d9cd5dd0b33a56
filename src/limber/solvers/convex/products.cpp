// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/products.h"

namespace limber {

void setProduct(MatrixIn a, MatrixIn b, MatrixOut ab) { ab.noalias() = a * b; }
void setTransposedProduct(MatrixIn a, MatrixIn b, MatrixOut atb) { atb.noalias() = a.transpose() * b; }
void setProductWithTransposed(MatrixIn a, MatrixIn b, MatrixOut abt) { abt.noalias() = a * b.transpose(); }

}  // namespace limber
