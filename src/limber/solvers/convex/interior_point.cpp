// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/interior_point.h"

#include "limber/solvers/convex/interior_point_method.h"

namespace limber {

InteriorPoint::InteriorPoint(const Relaxation& relaxation) {
  switch (relaxation.form()) {
    case RelaxationForm::Compact: method_ = makeCompactMethod(relaxation); break;
    case RelaxationForm::Hull: method_ = makeHullMethod(relaxation); break;
  }
}
InteriorPoint::~InteriorPoint() = default;
InteriorPoint::InteriorPoint(InteriorPoint&&) noexcept = default;
InteriorPoint& InteriorPoint::operator=(InteriorPoint&&) noexcept = default;

InteriorPointSummary InteriorPoint::solve(const Relaxation& relaxation, const InteriorPointOptions& options,
                                          const InteriorPointObserver& observer) {
  if (!relaxation.fault().empty()) return {};
  return method_->solve(relaxation, options, observer);
}

Eigen::Matrix3d InteriorPoint::rotation(int frame) const { return method_->rotation(frame); }

Eigen::Vector2d InteriorPoint::cosineAndSine(int frame) const { return method_->cosineAndSine(frame); }

}  // namespace limber
