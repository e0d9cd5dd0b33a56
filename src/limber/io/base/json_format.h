// SPDX-License-Identifier: MIT
// Writing JSON: members keep their order, numbers are the shortest decimals that read back the same.
#pragma once

#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace limber::io {

using OrderedJson = nlohmann::ordered_json;

/// Throws JsonFault for a number that is not finite.
OrderedJson toJson(double number);
OrderedJson toJson(const Eigen::Ref<const Eigen::VectorXd>& numbers);
OrderedJson toJson(const std::vector<double>& numbers);
/// The quaternion (x, y, z, w) when it gives the same matrix to the last bit, else the three rows.
OrderedJson rotationToJson(const Eigen::Matrix3d& rotation);
/// Text on one line. Invalid UTF-8 in strings becomes U+FFFD, here and in everything that Limber writes.
std::string compactJson(const OrderedJson& value);
/// Text with an indentation of two spaces; short values and rows of numbers stay on one line. Ends in a newline.
std::string formatJson(const OrderedJson& value);

}  // namespace limber::io
