// SPDX-License-Identifier: MIT
#include "limber/io/json/pose_prior_json.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "limber/io/base/json.h"
#include "limber/io/base/resources.h"

namespace limber::io {

namespace {

constexpr const char* kPosePriorFile = "pose_prior.json";
constexpr double kRoundingOfPrior = 1e-9;  // largest asymmetry of a matrix, relative to its largest entry

BodyPart readPriorPart(const JsonValue& value) {
  for (int i = 0; i < kPriorPartCount; ++i)
    if (value.text() == boneName(static_cast<BodyPart>(i))) return static_cast<BodyPart>(i);
  value.fail("is not a part of the body");
}

template <int Size>
Eigen::Matrix<double, Size, Size> readSymmetric(const JsonValue& value) {
  Eigen::Matrix<double, Size, Size> matrix;
  const std::vector<JsonValue> rows = value.elements();
  if (static_cast<int>(rows.size()) != Size) value.fail("must have " + std::to_string(Size) + " rows");
  for (int i = 0; i < Size; ++i) {
    const std::vector<double> row = rows[i].numbers(Size);
    for (int j = 0; j < Size; ++j) matrix(i, j) = row[j];
  }
  if ((matrix - matrix.transpose()).cwiseAbs().maxCoeff() > kRoundingOfPrior * matrix.cwiseAbs().maxCoeff())
    value.fail("is not symmetric");
  return matrix;
}

template <typename Matrix>
void requirePositive(const JsonValue& value, const Matrix& matrix) {
  if (Eigen::LLT<Matrix>(matrix).info() != Eigen::Success) value.fail("is not positive definite");
}

PriorJoint readPriorJoint(const JsonValue& value, BodyPart part) {
  PriorJoint joint;
  joint.mean = Eigen::Quaterniond(value.at("mean").quaternion());
  const JsonValue precision = value.at("precision");
  joint.precision = readSymmetric<3>(precision);
  Eigen::Matrix3d tested = joint.precision;
  if (part == BodyPart::Hips) tested(1, 1) = std::max(tested(1, 1), 1.0);  // the heading has no preferred value
  requirePositive(precision, tested);
  return joint;
}

PosePrior::Coupling readPriorCoupling(const JsonValue& value) {
  PosePrior::Coupling coupling;
  coupling.parent = readPriorPart(value.at("parent"));
  coupling.child = readPriorPart(value.at("child"));
  if (coupling.parent == coupling.child) value.fail("couples a part with itself");
  coupling.precision = readSymmetric<6>(value.at("precision"));
  requirePositive(value.at("precision"), coupling.precision);
  return coupling;
}

PosePrior posePriorFromJson(const JsonValue& value) {
  if (value.at("format").text() != "limber pose prior") value.at("format").fail("is not a pose prior");
  value.at("version").integerIn(1, 1);
  PosePrior prior;
  const JsonValue parts = value.at("parts");
  for (int i = 0; i < kPriorPartCount; ++i) {
    const auto part = static_cast<BodyPart>(i);
    const std::string name(boneName(part));
    prior.joints[i] = readPriorJoint(parts.at(name), part);
  }
  if (const auto couplings = value.find("couplings"))
    for (const JsonValue& coupling : couplings->elements()) prior.couplings.push_back(readPriorCoupling(coupling));
  return prior;
}

}  // namespace

Result<PosePrior> parsePosePrior(std::string_view text, const std::string& file) {
  return readJsonText<PosePrior>(text, file, posePriorFromJson);
}

Result<std::shared_ptr<const PosePrior>> shippedPosePrior() {
  const auto path = findResource(kPosePriorFile);
  if (!path) return Error{kPosePriorFile, {}, "not found: the installation lacks it"};
  return readJsonFile<std::shared_ptr<const PosePrior>>(
      *path, [](const JsonValue& value) { return std::make_shared<const PosePrior>(posePriorFromJson(value)); });
}

void addPosePrior(IkProblem& problem) {
  if (const auto prior = shippedPosePrior()) problem.posePrior = *prior;
}

void readPosePriorFor(const JsonValue& place, IkProblem& problem) {
  const auto prior = shippedPosePrior();
  if (!prior) place.fail(prior.error().message());
  problem.posePrior = *prior;
}

}  // namespace limber::io
