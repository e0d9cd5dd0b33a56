// SPDX-License-Identifier: MIT
// Splines are those of Forsythe, Malcolm and Moler, "Computer methods for mathematical computations" (1977), section
// 4.4, as SIMM and OpenSim have them. With h_i = x_{i+1} - x_i, D_i = (y_{i+1} - y_i) / h_i and w = (x - x_i) / h_i:
//
//   S(x) = w y_{i+1} + (1 - w) y_i + h_i^2 ((w^3 - w) s_{i+1} + ((1 - w)^3 - (1 - w)) s_i)
//   h_{i-1} s_{i-1} + 2 (h_{i-1} + h_i) s_i + h_i s_{i+1} = D_i - D_{i-1}
//
// where s_i is a sixth of the second derivative. At the ends the third derivative is that of the cubic through the
// first and the last four points; s = 0 there for a natural spline. Beyond the ends S is straight.
#include "limber/io/robot/osim_function.h"

#include <algorithm>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"

namespace limber::io {

namespace {

constexpr std::string_view kOsimFunctions =
    "Constant LinearFunction PolynomialFunction SimmSpline NaturalCubicSpline GCVSpline PiecewiseLinearFunction "
    "MultiplierFunction";

std::vector<double> functionNumbers(const XmlElement& element, std::string_view child) {
  const auto found = element.child(child);
  if (!found) return {};
  auto numbers = parseNumbers(found->text());
  if (!numbers) found->fail("must be finite numbers");
  return std::move(*numbers);
}

double functionNumber(const XmlElement& element, std::string_view child, double otherwise) {
  const std::vector<double> numbers = functionNumbers(element, child);
  if (numbers.size() > 1) element.fail("<" + std::string(child) + "> must be one number");
  return numbers.empty() ? otherwise : numbers.front();
}

}  // namespace

std::optional<OsimFunction> OsimFunction::find(const XmlElement& holder) {
  for (const XmlElement& child : holder.children()) {
    if (isAmong(child.name(), kOsimFunctions)) return read(child, 0);
    const std::vector<XmlElement> inner = child.children();
    if (child.name() == "function" && !inner.empty()) return read(inner.front(), 0);
    if (child.find("name").value_or("") == "function") child.fail("this function is not known");
  }
  return std::nullopt;
}

OsimFunction OsimFunction::read(const XmlElement& element, int depth) {
  constexpr int kDeepest = 10;
  constexpr std::size_t kDegree = 4;
  const std::string_view type = element.name();
  if (type == "Constant") return linear(functionNumber(element, "value", 0.0), 0.0);
  if (type == "LinearFunction" || type == "PolynomialFunction") {  // the highest power first
    std::vector<double> given = functionNumbers(element, "coefficients");
    if (given.empty() && type == "LinearFunction") given = {1.0, 0.0};
    if (given.empty() || given.size() > (type == "LinearFunction" ? 2 : kDegree + 1))
      element.fail("has " + countInWords(given.size(), "coefficient") + "; polynomials are read up to the 4th degree");
    OsimPolynomial polynomial{};
    std::copy(given.rbegin(), given.rend(), polynomial.begin());
    return OsimFunction(polynomial);
  }
  if (type == "MultiplierFunction") {
    const auto inner = element.child("function");
    const std::vector<XmlElement> functions = inner ? inner->children() : std::vector<XmlElement>();
    if (functions.empty() || depth == kDeepest) element.fail("needs a <function>");
    OsimFunction function = read(functions.front(), depth + 1);
    const double scale = functionNumber(element, "scale", 1.0);
    function.scale_ *= scale;
    if (function.polynomial_)
      for (double& coefficient : *function.polynomial_) coefficient *= scale;
    return function;
  }
  if (!isAmong(type, kOsimFunctions)) element.fail("the function " + inQuotes(type) + " is not known");
  std::vector<double> x = functionNumbers(element, "x"), y = functionNumbers(element, "y");
  if (x.empty() || x.size() != y.size()) element.fail("needs as many numbers in <x> as in <y>");
  for (std::size_t i = 1; i < x.size(); ++i)
    if (!(x[i] > x[i - 1])) element.fail("the numbers in <x> must increase");
  for (const std::vector<double>* numbers : {&x, &y})
    for (const double number : *numbers)
      if (std::abs(number) > kMaxXmlNumber) element.fail("a number is larger than 1e9");
  if (x.size() == 1) return linear(y.front(), 0.0);
  return {std::move(x), std::move(y), type == "NaturalCubicSpline", type == "PiecewiseLinearFunction"};
}

OsimFunction::OsimFunction(std::vector<double> x, std::vector<double> y, bool isNatural, bool isLinear)
    : x_(std::move(x)), y_(std::move(y)), sigma_(x_.size(), 0.0), domain_{x_.front(), x_.back()} {
  if (x_.size() == 2) {
    const double slope = (y_[1] - y_[0]) / (x_[1] - x_[0]);
    polynomial_ = {y_[0] - slope * x_[0], slope, 0, 0, 0};
    domain_ = {};
  } else if (!isLinear) {
    bend(isNatural);
  }
}

void OsimFunction::bend(bool isNatural) {
  const std::size_t n = x_.size();
  std::vector<double> h(n - 1), slope(n - 1), diagonal(n), right(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x_[i + 1] - x_[i];
    slope[i] = (y_[i + 1] - y_[i]) / h[i];
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    diagonal[i] = 2.0 * (h[i - 1] + h[i]);
    right[i] = slope[i] - slope[i - 1];
  }
  // The third divided difference of four points.
  const auto third = [&](std::size_t i) {
    const double one = (slope[i + 1] - slope[i]) / (x_[i + 2] - x_[i]);
    return ((slope[i + 2] - slope[i + 1]) / (x_[i + 3] - x_[i + 1]) - one) / (x_[i + 3] - x_[i]);
  };
  diagonal[0] = isNatural ? 1.0 : -h[0];
  diagonal[n - 1] = isNatural ? 1.0 : -h[n - 2];
  if (!isNatural && n > 3) {
    right[0] = h[0] * h[0] * third(0);
    right[n - 1] = -h[n - 2] * h[n - 2] * third(n - 4);
  }
  const auto above = [&](std::size_t i) { return isNatural && i == 0 ? 0.0 : h[i]; };
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = (isNatural && i == n - 1 ? 0.0 : h[i - 1]) / diagonal[i - 1];
    diagonal[i] -= factor * above(i - 1);
    right[i] -= factor * right[i - 1];
  }
  sigma_[n - 1] = right[n - 1] / diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) sigma_[i] = (right[i] - above(i) * sigma_[i + 1]) / diagonal[i];
}

double OsimFunction::at(double q) const {
  if (polynomial_) {
    double value = 0.0;
    for (auto c = polynomial_->rbegin(); c != polynomial_->rend(); ++c) value = value * q + *c;
    return value;
  }
  const std::size_t last = x_.size() - 2;
  const std::size_t i = std::min<std::size_t>(
      std::max<std::ptrdiff_t>(std::upper_bound(x_.begin(), x_.end(), q) - x_.begin() - 1, 0), last);
  const double h = x_[i + 1] - x_[i], slope = (y_[i + 1] - y_[i]) / h;
  double value = 0.0;
  if (q < x_[0]) {
    value = y_[0] + (q - x_[0]) * (slope - h * (sigma_[1] + 2.0 * sigma_[0]));
  } else if (q > x_.back()) {
    value = y_.back() + (q - x_.back()) * (slope + h * (2.0 * sigma_[i + 1] + sigma_[i]));
  } else {
    const double w = (q - x_[i]) / h, v = 1.0 - w;
    value = w * y_[i + 1] + v * y_[i] + h * h * ((w * w * w - w) * sigma_[i + 1] + (v * v * v - v) * sigma_[i]);
  }
  return scale_ * value;
}

std::optional<double> OsimFunction::constant() const {
  if (!polynomial_ || std::any_of(polynomial_->begin() + 1, polynomial_->end(), [](double c) { return c != 0.0; }))
    return std::nullopt;
  return polynomial_->front();
}

}  // namespace limber::io
