// SPDX-License-Identifier: MIT
// The binary form of FBX, version 7.4: a tree of nodes, each with a name, a list of properties and children.
//
//   node      end (4 bytes, from the start of the file), number of properties (4), their bytes (4), length of the name
//             (1), name, properties, children; after children 13 zero bytes
//   property  a letter for its type, then its bytes; texts and arrays have their length in front
//
// There is no published specification; the layout is that of the files of Autodesk's SDK.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>

namespace limber::io {

class FbxNode {
 public:
  explicit FbxNode(std::string name) : name_(std::move(name)) {}

  // Properties, in their order.
  FbxNode& add(bool value);
  FbxNode& add(std::int32_t value);
  FbxNode& add(std::int64_t value);
  FbxNode& add(double value);
  FbxNode& add(std::string_view text) { return addText('S', text); }
  FbxNode& add(const char* text) { return add(std::string_view(text)); }
  FbxNode& addBytes(std::string_view bytes) { return addText('R', bytes); }
  FbxNode& add(std::span<const double> values) { return addArray('d', values); }
  FbxNode& add(std::span<const float> values) { return addArray('f', values); }
  FbxNode& add(std::span<const std::int32_t> values) { return addArray('i', values); }
  FbxNode& add(std::span<const std::int64_t> values) { return addArray('l', values); }
  FbxNode& add(const Eigen::Matrix4d& matrix) { return add(std::span(matrix.data(), 16)); }  ///< column by column

  /// A new last child.
  FbxNode& child(std::string name) { return children_.emplace_back(std::move(name)); }
  /// A child with one property.
  template <typename Value>
  FbxNode& child(std::string name, const Value& value) {
    child(std::move(name)).add(value);
    return *this;
  }

  /// A copy of a node as the last child.
  FbxNode& take(const FbxNode& node) {
    children_.push_back(node);
    return *this;
  }

  std::size_t childCount() const { return children_.size(); }
  void write(std::string& file) const;

 private:
  friend std::string fbxFile(const FbxNode& root);
  FbxNode& addText(char type, std::string_view text);
  template <typename Number>
  FbxNode& addArray(char type, std::span<const Number> values);

  std::string name_, properties_;
  std::uint32_t count_ = 0;
  std::deque<FbxNode> children_;  // references to them stay valid
};

/// The whole file: header, the children of `root`, and the footer that Autodesk's programs look for.
std::string fbxFile(const FbxNode& root);

/// The properties of an object, "P" nodes in a Properties70.
class FbxProperties {
 public:
  explicit FbxProperties(FbxNode& object) : node_(object.child("Properties70")) {}

  FbxProperties& number(const char* name, double value, const char* type = "double", const char* label = "Number");
  FbxProperties& integer(const char* name, int value, const char* type = "int", const char* label = "Integer");
  FbxProperties& time(const char* name, std::int64_t value);
  FbxProperties& text(const char* name, std::string_view value);
  /// type  "Lcl Translation", "Color", ...
  FbxProperties& vector(const char* name, const char* type, const Eigen::Vector3d& value, const char* flags = "A");

 private:
  FbxNode& begin(const char* name, const char* type, const char* label, const char* flags);
  FbxNode& node_;
};

}  // namespace limber::io
