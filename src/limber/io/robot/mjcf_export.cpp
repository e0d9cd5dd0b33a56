// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numbers>
#include <set>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/robot/mjcf_text.h"
#include "limber/io/robot/robot.h"
#include "limber/io/robot/robot_parts.h"
#include "limber/io/robot/xml_text.h"

namespace limber::io {

namespace {

/// The numbers with blanks between them.
template <typename... Numbers>
std::string numbersText(Numbers... numbers) {
  std::string out;
  ((out += out.empty() ? "" : " ", appendNumber(numbers == 0.0 ? 0.0 : numbers, out)), ...);
  return out;
}

class MjcfPatch {
 public:
  MjcfPatch(const Document& document, const Figure& inFile, const MjcfCompiler& compiler)
      : document_(document), figure_(*document.figure), inFile_(inFile), compiler_(compiler),
        text_(document.source->bytes) {}

  Exported write() {
    for (int i = 0; i < inFile_.linkCount(); ++i) {
      const int link = figure_.findLink(inFile_.link(i).name);
      if (isScalar(inFile_.joint(i))) patchRange(inFile_.joint(i), document_.joints[link].limits);
      patchMass(inFile_.link(i), figure_.link(link));
    }
    const auto couplings = figure_.couplings();
    for (std::size_t i = 0; i < couplings.size(); ++i)
      if (!document_.couplingEnabled[i]) switchOff(figure_.joint(couplings[i].follower).name);
    for (const Site& site : figure_.sites())
      if (inFile_.findSite(site.name) < 0) addSite(site);
    writeLoops();
    return {.bytes = text_.result(), .beside = {}, .notes = {notes_.begin(), notes_.end()}};
  }

 private:
  /// The element of this name in the file itself, not in one that it includes; -1 for none.
  int find(std::string_view tag, std::string_view attribute, const std::string& name) const {
    const auto& elements = text_.elements();
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (elements[i].name == tag && text_.attribute(static_cast<int>(i), attribute) == escapedXml(name))
        return static_cast<int>(i);
    return -1;
  }

  void leave(const std::string& what, const std::string& why) {
    notes_.insert("The " + what + " is not written: " + why + ".");
  }

  void patchRange(const Joint& joint, const Interval& limits) {
    if (limits == joint.limits) return;
    const int element = find("joint", "name", joint.name);
    const std::string what = "limit of " + joint.name;
    if (element < 0) return leave(what, "no joint of the file itself has this name");
    if (!limits.isBounded()) return text_.setAttribute(element, "limited", "false");
    if (!std::isfinite(limits.lower + limits.upper)) return leave(what, "a range has two ends");
    const bool isAngle = joint.type == JointType::Revolute && compiler_.isInDegrees;
    const double unit = isAngle ? 180.0 / std::numbers::pi : 1.0;
    text_.setAttribute(element, "range", numbersText(unit * limits.lower, unit * limits.upper));
    if (!compiler_.takesRangesAsLimits || text_.attribute(element, "limited"))
      text_.setAttribute(element, "limited", "true");
  }

  void patchMass(const Link& before, const Link& link) {
    if (link.mass == before.mass) return;
    const int body = find("body", "name", link.name), inertial = body < 0 ? -1 : text_.child(body, "inertial");
    if (inertial < 0) return leave("mass of " + link.name, "the file has it by geoms");
    text_.setAttribute(inertial, "mass", numbersText(link.mass));
  }

  void switchOff(const std::string& follower) {
    const int equality = find("joint", "joint1", follower);
    if (equality < 0) return leave("coupling of " + follower, "no equality of the file itself names it");
    text_.setAttribute(equality, "active", "false");
  }

  void addSite(const Site& site) {
    const std::string link = figure_.link(site.link).name, what = "site " + inQuotes(site.name);
    const int body = find("body", "name", link);
    if (body < 0) return leave(what, "no body of the file itself is called " + inQuotes(link));
    if (compiler_.isGlobal) return leave(what, "the file's coordinates are global");
    const Eigen::Vector3d& p = site.linkFromSite.translation;
    const Eigen::Quaterniond q = Eigen::Quaterniond(site.linkFromSite.rotation).normalized();
    std::string written =
        "<site name=\"" + escapedXml(site.name) + "\" pos=\"" + numbersText(p.x(), p.y(), p.z()) + '"';
    if (!site.linkFromSite.rotation.isIdentity(0.0))
      written += " quat=\"" + numbersText(q.w(), q.x(), q.y(), q.z()) + '"';
    text_.append(body, written + "/>");
  }

  /// Adds loops that the file has not, and names those that it has and the figure has no longer.
  void writeLoops() {
    std::string equalities;
    for (const LoopClosure& loop : figure_.loops())
      if (std::ranges::find(inFile_.loops(), loop) == inFile_.loops().end()) equalities += equalityOf(loop);
    for (const LoopClosure& loop : inFile_.loops())
      if (std::ranges::find(figure_.loops(), loop) == figure_.loops().end())
        leave("removal of the loop " + inQuotes(loop.name), "the file keeps its equality");
    if (!equalities.empty()) text_.append(0, "<equality>" + equalities + "</equality>");
  }

  /// A pair of sites that meet: a ball. A hinge has two of them along its axis, a weld has frames.
  std::string equalityOf(const LoopClosure& loop) {
    const std::string what = "loop " + inQuotes(loop.name);
    if (loop.other < 0 || find("body", "name", figure_.link(loop.link).name) < 0 ||
        find("body", "name", figure_.link(loop.other).name) < 0) {
      leave(what, "no body of the file itself is called like its links");
      return {};
    }
    if (compiler_.isGlobal) {
      leave(what, "the file's coordinates are global");
      return {};
    }
    const bool isHinge = loop.kind == LoopClosure::Kind::Hinge;
    std::string written;
    for (int k = 0; k < (isHinge ? 2 : 1); ++k) {
      const Transform along = Transform::fromTranslation({0.0, 0.0, k * figure_.meanLinkLength()});
      const std::string name = loop.name + (k == 0 ? "" : "_axis");
      addSite({name + "_a", loop.link, loop.linkFromLoop * along});
      addSite({name + "_b", loop.other, loop.otherFromLoop * along});
      const std::string_view tag = loop.kind == LoopClosure::Kind::Weld ? "weld" : "connect";
      written += "<" + std::string(tag) + " name=\"" + escapedXml(name) + "\" site1=\"" + escapedXml(name + "_a") +
                 "\" site2=\"" + escapedXml(name + "_b") + "\"/>";
    }
    return written;
  }

  const Document& document_;
  const Figure& figure_;
  const Figure& inFile_;
  const MjcfCompiler& compiler_;
  XmlText text_;
  std::set<std::string> notes_;  ///< each once
};

}  // namespace

Result<Exported> formatMjcf(const Document& document) {
  const SourceFile* source = document.source.get();
  if (!source || source->format != SourceFormat::Mjcf || source->bytes.empty())
    return Error{"", "", "only a model that came from a MuJoCo file goes back into one"};
  if (!isValid(*document.figure, document.pose)) return Error{"", "pose", "holds a number that is not finite"};
  const Result<FigureSource> inFile = readMjcf(source->bytes, source->path);
  if (!inFile) return inFile.error();
  if (!hasLinksOfFile(*document.figure, *inFile->figure))
    return Error{"", "", "the links are no longer those of " + source->path.filename().string()};
  return faultsAsErrors<Exported>(source->path.string(), [&] {
    const MjcfText text(source->bytes, source->path, {});
    Exported out = MjcfPatch(document, *inFile->figure, text.compiler()).write();
    if (document.motion) out.notes.push_back("Motions are left out: a model of MuJoCo has none.");
    return out;
  });
}

}  // namespace limber::io
