// SPDX-License-Identifier: MIT
// Limber's own formats as text: members in reading order, numbers as the shortest decimals that read back the same.
#pragma once

#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace limber::io {

using OrderedJson = nlohmann::ordered_json;

/// A number that is not finite has no JSON: throws JsonFault.
OrderedJson toJson(double number);
OrderedJson toJson(const Eigen::Ref<const Eigen::VectorXd>& numbers);
OrderedJson toJson(const std::vector<double>& numbers);
/// The quaternion when it gives the same matrix to the last bit, else the rows.
OrderedJson rotationToJson(const Eigen::Matrix3d& rotation);
/// Text on one line. What is no UTF-8 in a string becomes U+FFFD, here and in all that Limber writes.
std::string compactJson(const OrderedJson& value);
/// Text with two spaces of indentation in which short values and rows of numbers stay on one line; ends in a newline.
std::string formatJson(const OrderedJson& value);

}  // namespace limber::io
