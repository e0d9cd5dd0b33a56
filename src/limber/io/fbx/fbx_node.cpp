// SPDX-License-Identifier: MIT
#include "limber/io/fbx/fbx_node.h"

#include <bit>
#include <cstring>

namespace limber::io {

namespace {

constexpr std::uint32_t kVersion = 7400;
constexpr std::size_t kEndSize = 13;

/// Little-endian.
template <typename Number>
void appendBytes(Number number, std::string& out) {
  using Bits = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
  const Bits bits = std::bit_cast<Bits>(number);
  for (std::size_t i = 0; i < sizeof(Number); ++i) out += static_cast<char>(bits >> 8 * i & 255u);
}

}  // namespace

FbxNode& FbxNode::add(bool value) {
  properties_ += {'C', static_cast<char>(value ? 1 : 0)};
  ++count_;
  return *this;
}

FbxNode& FbxNode::add(std::int32_t value) {
  properties_ += 'I';
  appendBytes(value, properties_);
  ++count_;
  return *this;
}

FbxNode& FbxNode::add(std::int64_t value) {
  properties_ += 'L';
  appendBytes(value, properties_);
  ++count_;
  return *this;
}

FbxNode& FbxNode::add(double value) {
  properties_ += 'D';
  appendBytes(value, properties_);
  ++count_;
  return *this;
}

FbxNode& FbxNode::addText(char type, std::string_view text) {
  properties_ += type;
  appendBytes(static_cast<std::uint32_t>(text.size()), properties_);
  properties_ += text;
  ++count_;
  return *this;
}

template <typename Number>
FbxNode& FbxNode::addArray(char type, std::span<const Number> values) {
  properties_ += type;
  appendBytes(static_cast<std::uint32_t>(values.size()), properties_);
  appendBytes(std::uint32_t{0}, properties_);  // not compressed
  appendBytes(static_cast<std::uint32_t>(values.size_bytes()), properties_);
  for (const Number value : values) appendBytes(value, properties_);
  ++count_;
  return *this;
}

template FbxNode& FbxNode::addArray(char, std::span<const double>);
template FbxNode& FbxNode::addArray(char, std::span<const float>);
template FbxNode& FbxNode::addArray(char, std::span<const std::int32_t>);
template FbxNode& FbxNode::addArray(char, std::span<const std::int64_t>);

void FbxNode::write(std::string& file) const {
  const std::size_t start = file.size();
  appendBytes(std::uint32_t{0}, file);  // the end, when it is known
  appendBytes(count_, file);
  appendBytes(static_cast<std::uint32_t>(properties_.size()), file);
  file += static_cast<char>(name_.size());
  file += name_;
  file += properties_;
  for (const FbxNode& child : children_) child.write(file);
  // Without properties an empty node has an end as well, and so have these two, in files of Autodesk.
  if (!children_.empty() || count_ == 0 || name_ == "AnimationStack" || name_ == "AnimationLayer")
    file.append(kEndSize, '\0');
  std::string end;
  appendBytes(static_cast<std::uint32_t>(file.size()), end);
  file.replace(start, end.size(), end);
}

std::string fbxFile(const FbxNode& root) {
  std::string file("Kaydara FBX Binary  \0\x1a\0", 23);
  appendBytes(kVersion, file);
  for (const FbxNode& child : root.children_) child.write(file);
  file.append(kEndSize, '\0');
  file.append("\xfa\xbc\xab\x09\xd0\xc8\xd4\x66\xb1\x76\xfb\x83\x1c\xf7\x26\x7e", 16);
  file.append(4, '\0');
  file.append(16 - file.size() % 16, '\0');  // 1 to 16
  appendBytes(kVersion, file);
  file.append(120, '\0');
  file.append("\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b", 16);
  return file;
}

FbxNode& FbxProperties::begin(const char* name, const char* type, const char* label, const char* flags) {
  return node_.child("P").add(name).add(type).add(label).add(flags);
}

FbxProperties& FbxProperties::number(const char* name, double value, const char* type, const char* label) {
  begin(name, type, label, "").add(value);
  return *this;
}

FbxProperties& FbxProperties::integer(const char* name, int value, const char* type, const char* label) {
  begin(name, type, label, "").add(std::int32_t{value});
  return *this;
}

FbxProperties& FbxProperties::time(const char* name, std::int64_t value) {
  begin(name, "KTime", "Time", "").add(value);
  return *this;
}

FbxProperties& FbxProperties::text(const char* name, std::string_view value) {
  begin(name, "KString", "", "").add(value);
  return *this;
}

FbxProperties& FbxProperties::vector(const char* name, const char* type, const Eigen::Vector3d& value,
                                     const char* flags) {
  begin(name, type, "", flags).add(value.x()).add(value.y()).add(value.z());
  return *this;
}

}  // namespace limber::io
