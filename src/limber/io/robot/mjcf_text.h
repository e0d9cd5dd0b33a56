// SPDX-License-Identifier: MIT
// The XML of an MJCF model: its files, with included files in their places, the compiler settings, and the default
// classes that fill in attributes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/robot/xml.h"
#include "limber/kinematics/transform.h"

namespace limber::io {

struct MjcfCompiler {
  bool isInDegrees = true;
  bool isGlobal = false;              ///< coordinate="global": positions and orientations are in the world frame
  bool takesRangesAsLimits = true;    ///< autolimits
  bool prefersGeomMasses = false;     ///< inertiafromgeom="true"
  bool alignsFree = false;            ///< alignfree: frames of free bodies move to their inertia
  std::string eulerSequence = "xyz";  ///< capital letters: rotations about fixed axes
  std::string meshFolder;             ///< meshdir, else assetdir
};

/// A class: attributes by "tag.attribute", including those inherited from outer classes.
using MjcfDefaults = std::map<std::string, std::string, std::less<>>;

/// An element whose missing attributes come from its class.
class MjcfElement {
 public:
  MjcfElement(const XmlElement& xml, const MjcfDefaults& defaults, const MjcfCompiler& compiler)
      : xml_(xml), defaults_(&defaults), compiler_(&compiler) {}

  const XmlElement& xml() const { return xml_; }
  std::optional<std::string_view> find(const char* attribute) const;
  std::string text(const char* attribute, std::string_view otherwise) const;
  /// From `least` to `most` finite numbers within kMaxXmlNumber; empty without the attribute.
  std::vector<double> numbers(const char* attribute, std::size_t least, std::size_t most) const;
  double number(const char* attribute, double otherwise) const;
  Eigen::Vector3d vector3(const char* attribute, const Eigen::Vector3d& otherwise) const;
  /// Converts an angle of the file to radians.
  double radians(double angle) const;
  bool takesRangesAsLimits() const { return compiler_->takesRangesAsLimits; }

  /// The transform of pos and quat, axisangle, xyaxes, zaxis or euler.
  Transform place() const;
  /// The orientation in the element, else that in its class; nothing without either.
  std::optional<Eigen::Matrix3d> orientation() const;
  [[noreturn]] void fail(const std::string& cause) const { xml_.fail(cause); }

 private:
  std::optional<Eigen::Matrix3d> orientationBy(const char* attribute) const;
  XmlElement xml_;
  const MjcfDefaults* defaults_;
  const MjcfCompiler* compiler_;
};

class MjcfText {
 public:
  /// Reads compiler settings and default classes. Each file is parsed once; included files must be in the folder of
  /// `path` or below it unless context.mayLeaveFolder. Throws an Error.
  MjcfText(std::string_view bytes, const std::filesystem::path& path, const OpenContext& context);

  const MjcfCompiler& compiler() const { return compiler_; }
  const std::filesystem::path& path() const { return main_->path(); }
  XmlElement root() const { return main_->root(); }

  /// Children of an element; an <include> is replaced by the children of the included file's root.
  std::vector<XmlElement> children(const XmlElement& element);
  /// The children of all top-level sections with this name.
  std::vector<XmlElement> inSections(std::string_view name);

  /// The defaults of a class; fails at the element `user` when there is no such class.
  const MjcfDefaults& classOf(const XmlElement& user, const std::string& name) const;
  const std::string& mainClass() const { return mainClass_; }

 private:
  const XmlFile& included(const XmlElement& include);
  void readCompiler(const XmlElement& element);
  void readDefaults(const XmlElement& element, const MjcfDefaults& around, bool isTop);

  OpenContext context_;
  std::unique_ptr<XmlFile> main_;
  std::vector<std::unique_ptr<XmlFile>> files_;             ///< included
  std::unordered_map<const void*, const XmlFile*> fileOf_;  ///< by XmlElement::id() of the <include>
  std::size_t includedBytes_ = 0;
  MjcfCompiler compiler_;
  std::map<std::string, MjcfDefaults> classes_;
  std::string mainClass_ = "main";
};

}  // namespace limber::io
