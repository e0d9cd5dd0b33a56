// SPDX-License-Identifier: MIT
#include "limber/io/human.h"

#include <cmath>
#include <string_view>

#include "limber/io/base/resources.h"
#include "limber/io/base/text.h"
#include "limber/kinematics/figure_parts.h"
#include "limber/scene/figure_change.h"

namespace limber::io {

namespace {

constexpr std::string_view kHuman = "human", kWithoutFingers = "human-without-fingers";
constexpr HumanShape kAsInFile;                                          // resources/figures/human.json
constexpr double kLeastBodyMassIndex = 16.0, kMostBodyMassIndex = 40.0;  // kg / m^2

/// Parts whose girth grows with the mass of the body.
bool hasGirth(const std::string& link) {
  for (const std::string_view part : {"pelvis", "back", "chest", "neck", "clavicle", "arm", "thigh", "shank"})
    if (link.ends_with(part)) return true;
  return false;
}

/// Scales the girth, which is perpendicular to the bone. At zero angles bones are along y, those of clavicles along x.
void thicken(Link& link, double girth) {
  const bool liesAcross = link.name.ends_with("clavicle");
  for (Capsule& capsule : link.capsules) {
    capsule.radius *= girth;
    if (liesAcross) continue;
    for (Eigen::Vector3d* end : {&capsule.start, &capsule.end})
      *end = Eigen::Vector3d(girth, 1.0, girth).cwiseProduct(*end);
  }
}

Result<FigurePointer> shaped(const Figure& figure, const HumanShape& shape) {
  const double length = shape.height / kAsInFile.height, mass = shape.mass / kAsInFile.mass;
  const double girth = std::sqrt(mass / (length * length * length));
  FigureParts parts = takeApart(figure);
  scaleLengths(parts, length);
  for (Link& link : parts.links) {
    if (hasGirth(link.name)) thicken(link, girth);
    link.mass *= mass;
  }
  FigureEdit edit = putTogether(std::move(parts), keepLinks(figure));
  if (!edit.figure) return Error{std::string(kHuman), "", edit.fault};
  return edit.figure;
}

}  // namespace

double usualMass(double height) { return kAsInFile.mass * (height * height) / (kAsInFile.height * kAsInFile.height); }
double lightestMass(double height) { return kLeastBodyMassIndex * height * height; }
double heaviestMass(double height) { return kMostBodyMassIndex * height * height; }

bool isHuman(const std::string& name) {
  const std::string_view kind = std::string_view(name).substr(0, name.find(':'));
  return kind == kHuman || kind == kWithoutFingers;
}

Result<HumanShape> parseHuman(const std::string& name) {
  const auto fault = [&](const std::string& cause) { return Error{name, "", cause}; };
  HumanShape shape;
  std::string_view rest = name;
  const auto next = [&rest] {
    const std::string_view part = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    return part;
  };
  const bool endsEarly = rest.ends_with(':');
  shape.hasFingers = next() == kHuman;
  if (endsEarly) return fault("a number is missing after the colon: human:HEIGHT or human:HEIGHT:MASS");
  if (rest.empty()) return shape;
  const auto height = numberOf(next());
  if (!height || !(*height >= kLeastHeight && *height <= kMostHeight))
    return fault("the height must be a number of metres from " + inShort(kLeastHeight, 4) + " to " +
                 inShort(kMostHeight, 4));
  shape.height = *height;
  shape.mass = usualMass(shape.height);
  if (rest.empty()) return shape;
  const auto mass = numberOf(next());
  const double least = std::ceil(lightestMass(shape.height)), most = std::floor(heaviestMass(shape.height));
  if (!mass || !(*mass >= least && *mass <= most))
    return fault("the mass of a human of " + inShort(shape.height, 4) + " m must be a number of kilograms from " +
                 inShort(least, 4) + " to " + inShort(most, 4));
  shape.mass = *mass;
  if (!rest.empty()) return fault("nothing may follow the mass: human:HEIGHT:MASS");
  return shape;
}

Result<FigurePointer> makeHuman(const HumanShape& shape) {
  const std::string file = shape.hasFingers ? "figures/human.json" : "figures/human_without_fingers.json";
  const auto path = findResource(file);
  if (!path) return Error{std::string(kHuman), "", file + " was not found among the resources of this program"};
  Result<FigurePointer> figure = readFigure(*path);
  const bool isAsInFile = shape.height == kAsInFile.height && shape.mass == kAsInFile.mass;
  if (!figure || isAsInFile) return figure;
  return shaped(**figure, shape);
}

}  // namespace limber::io
