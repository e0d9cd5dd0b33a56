// SPDX-License-Identifier: MIT
// Functions of one coordinate in models of OpenSim.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "limber/io/robot/xml.h"
#include "limber/kinematics/figure.h"

namespace limber::io {

/// c0 + c1 q + ... + c4 q^4
using OsimPolynomial = std::array<double, 5>;

/// A function of a coordinate: a polynomial of at most the fourth degree, or a spline through points.
class OsimFunction {
 public:
  /// c0 + c1 q
  static OsimFunction linear(double c0, double c1) { return OsimFunction({c0, c1, 0, 0, 0}); }
  /// The function in `holder`: a child such as <LinearFunction>, or the one within a child <function>; nothing if it
  /// has none. Throws an Error for a function that is not known.
  static std::optional<OsimFunction> find(const XmlElement& holder);

  double at(double q) const;
  /// Nothing for a spline.
  const std::optional<OsimPolynomial>& polynomial() const { return polynomial_; }
  /// A number if the function does not depend on the coordinate.
  std::optional<double> constant() const;
  /// Between the first and the last point of a spline; unbounded for others.
  const Interval& domain() const { return domain_; }

 private:
  explicit OsimFunction(const OsimPolynomial& polynomial) : polynomial_(polynomial) {}
  /// `isLinear`: straight lines between the points.
  OsimFunction(std::vector<double> x, std::vector<double> y, bool isNatural, bool isLinear);
  static OsimFunction read(const XmlElement& element, int depth);
  void bend(bool isNatural);

  std::optional<OsimPolynomial> polynomial_;
  std::vector<double> x_, y_, sigma_;  ///< of a spline; sigma: a sixth of the second derivatives
  double scale_ = 1.0;                 ///< of a spline
  Interval domain_;
};

}  // namespace limber::io
