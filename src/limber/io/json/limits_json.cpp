// SPDX-License-Identifier: MIT
#include "limber/io/json/scene_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/kinematics/figure_faults.h"

namespace limber::io {

namespace {

constexpr double kUnitRounding = 1e-12;  // nearer to 1 than this, a length counts as 1 and the axis is not changed
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Eigen::Vector3d readUnit(const JsonValue& value) {
  Eigen::Vector3d axis = value.vector3();
  if (!(axis.norm() > 1e-9 && axis.norm() < kLargestLength)) value.fail("has no direction");
  if (std::abs(axis.norm() - 1.0) > kUnitRounding) axis.normalize();
  return axis;
}

}  // namespace

int indexFromJson(const JsonValue& value, const IndexByName& indexOf, const char* kind) {
  const auto found = indexOf.find(value.text());
  if (found == indexOf.end()) value.fail(std::string("there is no ") + kind + " " + inQuotes(value.text()));
  return found->second;
}

Eigen::Vector3d lengthsFromJson(const JsonValue& value) {
  const Eigen::Vector3d lengths = value.vector3();
  if (lengths.cwiseAbs().maxCoeff() > kLargestLength) value.fail("is more than 1e9 metres away");
  return lengths;
}

Transform placeFromJson(const JsonValue& value) {
  Transform place;
  if (const auto position = value.find("position")) place.translation = lengthsFromJson(*position);
  if (const auto rotation = value.find("rotation")) place.rotation = rotation->rotation();
  return place;
}

Interval intervalFromJson(const JsonValue& value) {
  const std::vector<JsonValue> ends = value.elements();
  if (ends.size() != 2) value.fail("must be [lower, upper], null for an open end");
  Interval interval;
  if (!ends[0].isNull()) interval.lower = ends[0].number();
  if (!ends[1].isNull()) interval.upper = ends[1].number();
  if (interval.lower > interval.upper) value.fail("lower limit is above the upper one");
  return interval;
}

OrderedJson intervalToJson(const Interval& interval) {
  OrderedJson ends = OrderedJson::array({nullptr, nullptr});
  if (interval.lower > -kInfinity) ends[0] = toJson(interval.lower);
  if (interval.upper < kInfinity) ends[1] = toJson(interval.upper);
  return ends;
}

BallLimits ballLimitsFromJson(const JsonValue& value) {
  value.allowOnly("cone_axis twist_axis swing twist");
  BallLimits limits;
  if (const auto axis = value.find("cone_axis")) limits.coneAxis = readUnit(*axis);
  if (const auto axis = value.find("twist_axis")) limits.twistAxis = readUnit(*axis);
  if (const auto swing = value.find("swing"); swing && !swing->isNull()) limits.swing = swing->number();
  if (const auto twist = value.find("twist")) limits.twist = intervalFromJson(*twist);
  if (const std::string fault = findFault(limits); !fault.empty()) value.fail(fault);
  return limits;
}

OrderedJson ballLimitsToJson(const BallLimits& limits) {
  OrderedJson out = {{"cone_axis", toJson(limits.coneAxis)}, {"twist_axis", toJson(limits.twistAxis)}};
  out["swing"] = limits.swing < std::numbers::pi ? toJson(limits.swing) : OrderedJson(nullptr);
  out["twist"] = intervalToJson(limits.twist);
  return out;
}

Coupling couplingFromJson(const JsonValue& value, const IndexByName& jointByName,
                          const std::function<bool(int)>& isBall) {
  value.allowOnly("name follower offset terms");
  Coupling coupling{.name = value.at("name").name(),
                    .follower = indexFromJson(value.at("follower"), jointByName, "joint")};
  if (const auto offset = value.find("offset")) coupling.offset = offset->number();
  for (const JsonValue& term : value.at("terms").elements()) {
    term.allowOnly("driver axis bone coefficients");
    coupling.terms.push_back({.driver = indexFromJson(term.at("driver"), jointByName, "joint")});
    if (term.find("axis") || term.find("bone"))
      coupling.terms.back().pointing = Coupling::Pointing{readUnit(term.at("axis")), readUnit(term.at("bone"))};
    else if (isBall(coupling.follower) && !term.find("coefficients")) continue;  // it has its driver's rotation
    const std::vector<double> numbers = term.at("coefficients").numbers();
    auto& coefficients = coupling.terms.back().coefficients;
    if (numbers.empty() || numbers.size() > coefficients.size())
      term.at("coefficients").fail("must hold 1 to 4 numbers");
    std::copy(numbers.begin(), numbers.end(), coefficients.begin());
  }
  return coupling;
}

OrderedJson couplingToJson(const Figure& figure, const Coupling& coupling) {
  OrderedJson terms = OrderedJson::array();
  for (const Coupling::Term& term : coupling.terms) {
    const auto& c = term.coefficients;
    OrderedJson written = {{"driver", figure.joint(term.driver).name}};
    if (term.pointing) {
      written["axis"] = toJson(term.pointing->axis);
      written["bone"] = toJson(term.pointing->bone);
    }
    if (isScalar(figure.joint(coupling.follower)))
      written["coefficients"] = toJson(Eigen::VectorXd(Eigen::VectorXd::Map(c.data(), 4)));
    terms.push_back(written);
  }
  OrderedJson out = {{"name", coupling.name}, {"follower", figure.joint(coupling.follower).name}};
  if (isScalar(figure.joint(coupling.follower))) out["offset"] = toJson(coupling.offset);
  out["terms"] = terms;
  return out;
}

LinearLimit linearLimitFromJson(const JsonValue& value, const IndexByName& jointByName) {
  value.allowOnly("name terms bounds");
  LinearLimit limit{.name = value.at("name").name()};
  for (const JsonValue& term : value.at("terms").elements()) {
    term.allowOnly("joint coefficient");
    limit.terms.push_back({indexFromJson(term.at("joint"), jointByName, "joint"), term.at("coefficient").number()});
  }
  limit.bounds = intervalFromJson(value.at("bounds"));
  return limit;
}

OrderedJson linearLimitToJson(const Figure& figure, const LinearLimit& limit) {
  OrderedJson terms = OrderedJson::array();
  for (const LinearLimit::Term& term : limit.terms)
    terms.push_back({{"joint", figure.joint(term.joint).name}, {"coefficient", toJson(term.coefficient)}});
  return {{"name", limit.name}, {"terms", terms}, {"bounds", intervalToJson(limit.bounds)}};
}

}  // namespace limber::io
