// SPDX-License-Identifier: MIT
#include "io/figure_source.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "io/bvh.h"
#include "io/file.h"
#include "io/json.h"
#include "io/resources.h"
#include "kinematics/standard_figures.h"

namespace limber::io {

namespace {

constexpr std::string_view kPlanar = "planar:", kBall = "ball:", kArm = "arm",
                           kHumanoid = "humanoid";

Result<FigureSource> openHumanoid() {
  const auto path = findResource("figures/humanoid.json");
  if (!path) return Error{std::string(kHumanoid), "", "figures/humanoid.json is not among the resources of this program"};
  Result<FigurePointer> figure = readFigure(*path);
  if (!figure) return figure.error();
  return FigureSource{*figure, nullptr, {}};
}

}  // namespace

bool isStandardFigure(const std::string& name) {
  return name == kHumanoid || name == kArm || name.starts_with(kPlanar) || name.starts_with(kBall);
}

Result<FigureSource> openStandardFigure(const std::string& name) {
  if (name == kHumanoid) return openHumanoid();
  if (name == kArm) return FigureSource{makeArm(), nullptr, {}};
  const bool isPlanar = name.starts_with(kPlanar);
  const char* first = name.data() + (isPlanar ? kPlanar : kBall).size();
  const char* last = name.data() + name.size();
  int count = 0;
  const auto [end, status] = std::from_chars(first, last, count);
  if (status != std::errc() || end != last || count < 1 || count > kMaxChainLinks)
    return Error{name, "", std::string("the number of links must be a whole number from 1 to ") + std::to_string(kMaxChainLinks)};
  return FigureSource{isPlanar ? makePlanarChain(count) : makeBallChain(count), nullptr, {}};
}

bool looksLikeBvh(std::string_view text) {
  constexpr std::string_view kWord = "hierarchy";
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text.size() >= kWord.size() && std::equal(kWord.begin(), kWord.end(), text.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

Result<FigureSource> openFigureSource(const std::string& nameOrPath, const std::filesystem::path& folder) {
  if (isStandardFigure(nameOrPath)) return openStandardFigure(nameOrPath);
  const std::filesystem::path path = folder / nameOrPath;
  const Result<std::string> text = readFile(path);
  if (!text) return text.error();
  if (looksLikeBvh(*text)) {
    Result<BvhFile> bvh = parseBvh(*text, path.string());
    if (!bvh) return bvh.error();
    return FigureSource{bvh->figure, bvh->motion, bvh->notes};
  }
  if (text->size() > kMaxJsonBytes) return Error{path.string(), "", "is too large for a figure"};
  Result<FigurePointer> figure = parseFigure(*text, path.string());
  if (!figure) return figure.error();
  return FigureSource{*figure, nullptr, {}};
}

}  // namespace limber::io
