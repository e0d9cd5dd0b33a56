// SPDX-License-Identifier: MIT
// An MJCF model as text: its files, with what they include put in place, the settings of its compiler, and the default
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
  bool isGlobal = false;              ///< coordinate="global": places are given in the world
  bool takesRangesAsLimits = true;    ///< autolimits
  bool prefersGeomMasses = false;     ///< inertiafromgeom="true"
  std::string eulerSequence = "xyz";  ///< capitals turn about fixed axes
  std::string meshFolder;             ///< meshdir, else assetdir
};

/// Attributes by "tag.attribute", those of the classes around it among them.
using MjcfDefaults = std::map<std::string, std::string, std::less<>>;

/// An element whose attributes are filled in by its class.
class MjcfElement {
 public:
  MjcfElement(const XmlElement& xml, const MjcfDefaults& defaults, const MjcfCompiler& compiler)
      : xml_(xml), defaults_(&defaults), compiler_(&compiler) {}

  const XmlElement& xml() const { return xml_; }
  std::optional<std::string_view> find(const char* attribute) const;
  std::string text(const char* attribute, std::string_view otherwise) const;
  /// Between `least` and `most` finite numbers within kMaxXmlNumber; none when the attribute is not there.
  std::vector<double> numbers(const char* attribute, std::size_t least, std::size_t most) const;
  double number(const char* attribute, double otherwise) const;
  Eigen::Vector3d vector3(const char* attribute, const Eigen::Vector3d& otherwise) const;
  /// An angle, or two, in radians.
  double radians(double angle) const;

  /// pos, with quat, axisangle, xyaxes, zaxis or euler.
  Transform place() const;
  /// Of the element or of its class, whichever speaks of it first; none when neither does.
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
  /// Reads the compiler's settings and the default classes; throws XmlFault. `bytes` and included files are parsed
  /// once; files are taken from the folder of `path` and below it, elsewhere only if the context lets them.
  MjcfText(std::string_view bytes, const std::filesystem::path& path, const OpenContext& context);

  const MjcfCompiler& compiler() const { return compiler_; }
  const std::filesystem::path& path() const { return main_->path(); }
  XmlElement root() const { return main_->root(); }

  /// Children of an element; in the place of an <include> those of the file that it names.
  std::vector<XmlElement> children(const XmlElement& element);
  /// What stands in all top-level sections of the name.
  std::vector<XmlElement> inSections(std::string_view name);

  /// Defaults of a class: fails, naming `user`, when there is none.
  const MjcfDefaults& classOf(const XmlElement& user, const std::string& name) const;
  const std::string& mainClass() const { return mainClass_; }

 private:
  const XmlFile& included(const XmlElement& include);
  void readCompiler(const XmlElement& element);
  void readDefaults(const XmlElement& element, const MjcfDefaults& around, bool isTop);

  OpenContext context_;
  std::unique_ptr<XmlFile> main_;
  std::vector<std::unique_ptr<XmlFile>> files_;  ///< included
  std::unordered_map<const void*, const XmlFile*> fileOf_;  ///< by the <include>
  std::size_t includedBytes_ = 0;
  MjcfCompiler compiler_;
  std::map<std::string, MjcfDefaults> classes_;
  std::string mainClass_ = "main";
};

}  // namespace limber::io
