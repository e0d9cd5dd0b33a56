// SPDX-License-Identifier: MIT
#include "limber/scene/point_names.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "limber/body/body_map.h"

namespace limber {

namespace {

std::string withoutDecoration(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// The observed points and the names of the figure that are matched so far.
class Matching {
 public:
  Matching(const std::vector<std::string>& observed, const std::vector<std::string>& names)
      : observed_(observed), names_(names), found_(observed.size()) {}

  void match(std::size_t observed, const std::string& name) {
    if (!left_.contains(observed) && found_[observed].empty() && taken_.insert(name).second) found_[observed] = name;
  }
  /// Excludes a point from all further matches.
  void leave(std::size_t observed) { left_.insert(observed); }

  /// Matches names with equal, non-empty keys.
  template <class Key>
  void matchBy(Key key) {
    std::unordered_map<std::string, std::string> byKey;
    for (const std::string& name : names_)
      if (const std::string k = key(name); !k.empty()) byKey.emplace(k, name);
    for (std::size_t i = 0; i < observed_.size(); ++i)
      if (const auto found = byKey.find(key(observed_[i])); found != byKey.end()) match(i, found->second);
  }

  std::vector<std::string> take() { return std::move(found_); }

 private:
  const std::vector<std::string>& observed_;
  const std::vector<std::string>& names_;
  std::vector<std::string> found_;
  std::set<std::string> taken_;
  std::set<std::size_t> left_;
};

std::map<BodyPlace, std::vector<int>> byPlace(const BodyPlaces& parts) {
  std::map<BodyPlace, std::vector<int>> out;
  for (const auto& [index, place] : parts) out[place].push_back(index);
  return out;
}

/// Joints of the trunk are at different positions in every skeleton; a spine that met them all would be contorted.
bool isTrunk(BodyPart part) {
  return part == BodyPart::Hips || part == BodyPart::Spine || part == BodyPart::Neck || part == BodyPart::Clavicle;
}

/// True if shoulders and hips of both sides are observed, which determine the trunk.
bool hasLimbs(const std::map<BodyPlace, std::vector<int>>& parts) {
  for (const BodyPart part : {BodyPart::UpperArm, BodyPart::UpperLeg})
    for (const BodySide side : {BodySide::Left, BodySide::Right})
      if (!parts.contains({part, side})) return false;
  return true;
}

void matchParts(const Document& document, const std::vector<std::string>& observed, Matching& matching) {
  const Figure& figure = *document.figure;
  const auto ofFigure = byPlace(bodyMapOf(figure).places());
  if (ofFigure.empty()) return;
  const auto ofObserved = byPlace(recogniseParts(observed));
  const bool leavesTrunk = hasLimbs(ofObserved);
  for (const auto& [place, points] : ofObserved) {
    const auto links = ofFigure.find(place);
    if (links == ofFigure.end() || isDigit(place.part)) continue;  // only equal names match fingers, which are many
    if (leavesTrunk && isTrunk(place.part)) {
      for (const int point : points) matching.leave(point);
      continue;
    }
    const std::size_t count = links->second.size();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double share = points.size() > 1 ? static_cast<double>(i) / static_cast<double>(points.size() - 1) : 0.0;
      const auto which = static_cast<std::size_t>(std::lround(share * static_cast<double>(count - 1)));
      matching.match(points[i], figure.link(links->second[which]).name);
    }
  }
}

}  // namespace

std::optional<FigurePoint> findPoint(const Figure& figure, std::string_view name) {
  if (const int site = figure.findSite(name); site >= 0) {
    const Site& found = figure.sites()[site];
    return FigurePoint{found.link, found.linkFromSite.translation};
  }
  if (const int link = figure.findLink(name); link >= 0) return FigurePoint{.link = link};
  if (const int joint = figure.findJoint(name); joint >= 0) return FigurePoint{.link = joint};
  return std::nullopt;
}

std::vector<std::string> pointNames(const Figure& figure) {
  std::vector<std::string> names;
  for (const Site& site : figure.sites()) names.push_back(site.name);
  for (const Link& link : figure.links())
    if (figure.findSite(link.name) < 0) names.push_back(link.name);
  return names;
}

std::vector<std::string> guessPointNames(const Document& document, const std::vector<std::string>& observed) {
  std::vector<std::string> names = pointNames(*document.figure);
  for (const Joint& joint : document.figure->joints()) names.push_back(joint.name);
  Matching matching(observed, names);
  matching.matchBy([](const std::string& name) { return name; });
  matchParts(document, observed, matching);  // before nearly equal names: a "LeftShoulder" may be a clavicle
  matching.matchBy(withoutDecoration);
  return matching.take();
}

}  // namespace limber
