// SPDX-License-Identifier: MIT
#include "limber/io/figure_source.h"

#include <algorithm>
#include <charconv>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/resources.h"
#include "limber/io/figure_formats.h"
#include "limber/io/human.h"
#include "limber/io/unread_formats.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::io {

namespace {

constexpr std::string_view kPlanar = "planar:", kBall = "ball:", kArm = "arm", kHumanoid = "humanoid";

Result<FigureSource> sourceOf(const Result<FigurePointer>& figure) {
  if (!figure) return figure.error();
  return FigureSource{.figure = *figure};
}

Result<FigureSource> openHumanoid() {
  const auto path = findResource("figures/humanoid.json");
  if (!path) return Error{std::string(kHumanoid), "", "the resource figures/humanoid.json was not found"};
  return sourceOf(readFigure(*path));
}

Result<FigureSource> openHuman(const std::string& name) {
  const Result<HumanShape> shape = parseHuman(name);
  if (!shape) return shape.error();
  return sourceOf(makeHuman(*shape));
}

}  // namespace

bool isStandardFigure(const std::string& name) {
  return name == kHumanoid || isHuman(name) || name == kArm || name.starts_with(kPlanar) || name.starts_with(kBall);
}

Result<FigureSource> openStandardFigure(const std::string& name) {
  if (name == kHumanoid) return openHumanoid();
  if (isHuman(name)) return openHuman(name);
  if (name == kArm) return FigureSource{.figure = makeArm()};
  const bool isPlanar = name.starts_with(kPlanar);
  const char* first = name.data() + (isPlanar ? kPlanar : kBall).size();
  const char* last = name.data() + name.size();
  int count = 0;
  const auto [end, status] = std::from_chars(first, last, count);
  if (status != std::errc() || end != last || count < 1 || count > kMaxChainLinks)
    return Error{name, "",
                 std::string("the number of links must be a whole number from 1 to ") + std::to_string(kMaxChainLinks)};
  return FigureSource{.figure = isPlanar ? makePlanarChain(count) : makeBallChain(count)};
}

Result<FigureSource> openFigureSource(const std::string& nameOrPath, const std::filesystem::path& folder,
                                      const OpenContext& context) {
  if (isStandardFigure(nameOrPath)) return openStandardFigure(nameOrPath);
  const std::filesystem::path path = folder / nameOrPath;
  const Result<std::string> text = readFile(path);
  if (!text) return text.error();
  if (auto fault = findUnread(*text, path)) return *std::move(fault);
  if (const FigureFormat* format = findFigureFormat(*text, path)) {
    Result<FigureSource> source = format->read(*text, path, context);
    if (source) source->format = format->name;
    return source;
  }
  if (text->size() > kMaxJsonBytes) return Error{path.string(), "", "is too large for a figure"};
  return sourceOf(parseFigure(*text, path.string()));
}

bool hasSameBones(const Figure& a, const Figure& b) {
  constexpr double kRounding = 1e-9;  // relative, of converting a length to another unit and back
  if (a.linkCount() != b.linkCount()) return false;
  for (int i = 0; i < a.linkCount(); ++i) {
    const Transform &one = a.joint(i).parentFromJoint, &other = b.joint(i).parentFromJoint;
    const Eigen::Vector3d oneInFile = one.translation / a.fileFrame().metresPerUnit;
    const Eigen::Vector3d otherInFile = other.translation / b.fileFrame().metresPerUnit;
    if (a.link(i).parent != b.link(i).parent || a.joint(i).type != b.joint(i).type || one.rotation != other.rotation ||
        (oneInFile - otherInFile).norm() > kRounding * std::max(oneInFile.norm(), otherInFile.norm()))
      return false;
  }
  return true;
}

}  // namespace limber::io
