// SPDX-License-Identifier: MIT
#include "limber/io/robot/mjcf_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/robot/robot_parts.h"

namespace limber::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxIncludedFiles = 64;
constexpr std::size_t kMaxIncludedBytes = 16u << 20;  // of all together
constexpr std::size_t kMaxClasses = 5000;             // each copies the attributes of outer classes
constexpr std::size_t kMaxDefaultLength = 1000;       // of an attribute in it
constexpr std::array<const char*, 5> kOrientations = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

// The attributes that are read from defaults; others are not kept.
constexpr std::string_view kTagsWithDefaults = "joint geom site mesh material";
constexpr std::array<std::string_view, 23> kAttributesWithDefaults = {
    "type", "pos",  "quat",    "axisangle", "xyaxes",   "zaxis", "euler", "axis",  "range", "limited", "ref",  "fromto",
    "size", "mass", "density", "rgba",      "material", "mesh",  "group", "scale", "name",  "file",    "align"};

std::string keyOf(std::string_view tag, std::string_view attribute) {
  return std::string(tag) + "." + std::string(attribute);
}

/// Sets the defaults of the element's tag in the class.
void overlay(const XmlElement& element, MjcfDefaults& defaults) {
  if (!isAmong(element.name(), kTagsWithDefaults)) return;
  const bool turns = std::ranges::any_of(kOrientations, [&](const char* name) { return element.has(name); });
  if (turns)  // an orientation replaces one in another notation
    for (const char* name : kOrientations) defaults.erase(keyOf(element.name(), name));
  for (const std::string_view name : kAttributesWithDefaults)
    if (const auto value = element.find(name.data())) {
      if (value->size() > kMaxDefaultLength) element.fail(std::string(name) + " is too long for a default");
      defaults[keyOf(element.name(), name)] = *value;
    }
}

Eigen::Vector3d unit(const MjcfElement& element, const char* attribute, const Eigen::Vector3d& v) {
  if (!(v.norm() > 1e-9)) element.fail(std::string(attribute) + " has a direction of zero length");
  return v.normalized();
}

/// The shortest rotation from z to the direction; about x if it is -z.
Eigen::Matrix3d turnZTo(const Eigen::Vector3d& direction) {
  const Eigen::Vector3d axis = Eigen::Vector3d::UnitZ().cross(direction);
  const double sine = axis.norm();
  return Eigen::AngleAxisd(std::atan2(sine, direction.z()),
                           sine > 1e-10 ? Eigen::Vector3d(axis / sine) : Eigen::Vector3d::UnitX())
      .toRotationMatrix();
}

}  // namespace

std::optional<std::string_view> MjcfElement::find(const char* attribute) const {
  if (const auto own = xml_.find(attribute)) return own;
  const auto found = defaults_->find(keyOf(xml_.name(), attribute));
  return found != defaults_->end() ? std::optional<std::string_view>(found->second) : std::nullopt;
}

std::string MjcfElement::text(const char* attribute, std::string_view otherwise) const {
  return std::string(find(attribute).value_or(otherwise));
}

std::vector<double> MjcfElement::numbers(const char* attribute, std::size_t least, std::size_t most) const {
  const auto text = find(attribute);
  if (!text) return {};
  auto parsed = parseNumbers(*text);
  if (!parsed) fail(std::string(attribute) + "=" + inQuotes(*text) + " must be finite numbers");
  if (parsed->size() < least || parsed->size() > most)
    fail(std::string(attribute) + " must be " + std::to_string(least) +
         (most > least ? " to " + std::to_string(most) : "") + " numbers, not " + std::to_string(parsed->size()));
  for (const double value : *parsed)
    if (std::abs(value) > kMaxXmlNumber) fail(std::string(attribute) + " is larger than 1e9");
  return std::move(*parsed);
}

double MjcfElement::number(const char* attribute, double otherwise) const {
  const std::vector<double> values = numbers(attribute, 1, 1);
  return values.empty() ? otherwise : values[0];
}

Eigen::Vector3d MjcfElement::vector3(const char* attribute, const Eigen::Vector3d& otherwise) const {
  const std::vector<double> values = numbers(attribute, 3, 3);
  return values.empty() ? otherwise : Eigen::Vector3d(values.data());
}

double MjcfElement::radians(double angle) const {
  return compiler_->isInDegrees ? angle * std::numbers::pi / 180.0 : angle;
}

Transform MjcfElement::place() const {
  return {orientation().value_or(Eigen::Matrix3d::Identity()), vector3("pos", Eigen::Vector3d::Zero())};
}

std::optional<Eigen::Matrix3d> MjcfElement::orientation() const {
  const bool isOwn = std::ranges::any_of(kOrientations, [&](const char* name) { return xml_.has(name); });
  for (auto name = kOrientations.rbegin(); name != kOrientations.rend(); ++name)  // others have precedence over quat
    if (isOwn ? xml_.has(*name) : find(*name).has_value()) return orientationBy(*name);
  return std::nullopt;
}

std::optional<Eigen::Matrix3d> MjcfElement::orientationBy(const char* attribute) const {
  const std::string_view name = attribute;
  if (name == "quat") {
    const std::vector<double> q = numbers(attribute, 4, 4);
    const Eigen::Quaterniond quaternion(q[0], q[1], q[2], q[3]);
    if (!(quaternion.norm() > 1e-9)) fail("quat has no length");
    return quaternion.normalized().toRotationMatrix();
  }
  if (name == "axisangle") {
    const std::vector<double> a = numbers(attribute, 4, 4);
    return Eigen::AngleAxisd(radians(a[3]), unit(*this, attribute, Eigen::Vector3d(a.data()))).toRotationMatrix();
  }
  if (name == "xyaxes") {
    const std::vector<double> a = numbers(attribute, 6, 6);
    const Eigen::Vector3d x = unit(*this, attribute, Eigen::Vector3d(a.data())), y = Eigen::Vector3d(a.data() + 3);
    Eigen::Matrix3d rotation;
    rotation.col(0) = x;
    rotation.col(1) = unit(*this, attribute, y - x.dot(y) * x);
    rotation.col(2) = rotation.col(0).cross(rotation.col(1));
    return rotation;
  }
  if (name == "zaxis") return turnZTo(unit(*this, attribute, vector3(attribute, Eigen::Vector3d::UnitZ())));
  const Eigen::Vector3d angles = vector3(attribute, Eigen::Vector3d::Zero());
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = compiler_->eulerSequence[i];
    const bool isFixedAxis = letter < 'a';
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(radians(angles[i]), Eigen::Vector3d::Unit(letter - (isFixedAxis ? 'X' : 'x')))
            .toRotationMatrix();
    rotation = isFixedAxis ? Eigen::Matrix3d(turn * rotation) : Eigen::Matrix3d(rotation * turn);
  }
  return rotation;
}

MjcfText::MjcfText(std::string_view bytes, const fs::path& path, const OpenContext& context)
    : context_(context), main_(std::make_unique<XmlFile>(bytes, path)) {
  const std::vector<XmlElement> sections = children(root());
  for (const XmlElement& section : sections)
    if (section.name() == "compiler") readCompiler(section);
  for (const XmlElement& section : sections)
    if (section.name() == "default") readDefaults(section, {}, true);
  classes_[mainClass_];
}

void MjcfText::readCompiler(const XmlElement& element) {
  const auto choose = [&](const char* attribute, std::string_view one, std::string_view other, bool& isOne) {
    const auto value = element.find(attribute);
    if (!value) return;
    if (*value != one && *value != other)
      element.fail(std::string(attribute) + " must be " + std::string(one) + " or " + std::string(other));
    isOne = *value == one;
  };
  choose("angle", "degree", "radian", compiler_.isInDegrees);
  choose("coordinate", "global", "local", compiler_.isGlobal);
  choose("autolimits", "true", "false", compiler_.takesRangesAsLimits);
  choose("alignfree", "true", "false", compiler_.alignsFree);
  if (const auto value = element.find("inertiafromgeom")) compiler_.prefersGeomMasses = *value == "true";
  if (const auto value = element.find("eulerseq")) compiler_.eulerSequence = *value;
  if (compiler_.eulerSequence.size() != 3 || compiler_.eulerSequence.find_first_not_of("xyzXYZ") != std::string::npos)
    element.fail("eulerseq must be three letters of xyzXYZ");
  if (const auto value = element.find("assetdir")) compiler_.meshFolder = *value;
  if (const auto value = element.find("meshdir")) compiler_.meshFolder = *value;
}

void MjcfText::readDefaults(const XmlElement& element, const MjcfDefaults& around, bool isTop) {
  std::string name(element.find("class").value_or(""));
  if (name.empty() && !isTop) element.fail("needs the attribute class");
  if (isTop && !name.empty() && classes_.empty()) mainClass_ = name;
  if (name.empty()) name = mainClass_;
  if (classes_.size() == kMaxClasses)
    element.fail("there are more than " + std::to_string(kMaxClasses) + " default classes");
  const std::vector<XmlElement> inside = children(element);
  MjcfDefaults& defaults = classes_.try_emplace(name, around).first->second;
  for (const XmlElement& child : inside) overlay(child, defaults);
  for (const XmlElement& child : inside)
    if (child.name() == "default") readDefaults(child, defaults, false);
}

const MjcfDefaults& MjcfText::classOf(const XmlElement& user, const std::string& name) const {
  const auto found = classes_.find(name);
  if (found == classes_.end()) user.fail("there is no default class " + inQuotes(name));
  return found->second;
}

std::vector<XmlElement> MjcfText::children(const XmlElement& element) {
  std::vector<XmlElement> all;
  for (const XmlElement& child : element.children()) {
    if (child.name() != "include") {
      all.push_back(child);
      continue;
    }
    const std::vector<XmlElement> more = children(included(child).root());
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

std::vector<XmlElement> MjcfText::inSections(std::string_view name) {
  std::vector<XmlElement> all;
  for (const XmlElement& section : children(root())) {
    if (section.name() != name) continue;
    const std::vector<XmlElement> more = children(section);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

const XmlFile& MjcfText::included(const XmlElement& include) {
  const auto [known, isNew] = fileOf_.try_emplace(include.id(), nullptr);
  if (!isNew) return *known->second;
  const fs::path written = include.need("file");
  if (!staysInFolder(written) && !context_.mayLeaveFolder)
    include.fail("the file " + inQuotes(written.string()) + " is outside the folder of the model");
  fs::path path = (main_->path().parent_path() / written).lexically_normal();
  std::error_code ignored;
  if (const fs::path beside = include.file().parent_path() / written;
      !fs::exists(path, ignored) && fs::exists(beside, ignored))
    path = beside.lexically_normal();
  const bool isTwice = path == main_->path().lexically_normal() ||
                       std::ranges::any_of(files_, [&](const auto& file) { return file->path() == path; });
  if (isTwice) include.fail("the file " + inQuotes(written.string()) + " is included twice, or by itself");
  if (files_.size() == kMaxIncludedFiles)
    include.fail("more than " + std::to_string(kMaxIncludedFiles) + " files are included");
  const Result<std::string> bytes = readFile(path, kMaxIncludedBytes - includedBytes_);
  if (!bytes) include.fail(bytes.error().message());
  includedBytes_ += bytes->size();
  files_.push_back(std::make_unique<XmlFile>(*bytes, path));
  return *(fileOf_[include.id()] = files_.back().get());
}

}  // namespace limber::io
