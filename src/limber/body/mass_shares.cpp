// SPDX-License-Identifier: MIT
#include "limber/body/mass_shares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "limber/body/body_map.h"

namespace limber {

namespace {

constexpr double kSameDensity = 1e-6;  // relative: scaling and text files leave digits off

/// Fractions of the whole body, for paired parts of one side. Dempster, as printed in Winter, Biomechanics and Motor
/// Control of Human Movement, table 4.1; thorax, head and neck, and foot divided as in docs/humanoid.md.
double massFractionOf(BodyPart part) {
  switch (part) {
    case BodyPart::Hips: return 0.142;
    case BodyPart::Spine: return 0.139 + 0.08 + 0.1044;  // abdomen, lower and upper thorax
    case BodyPart::Neck: return 0.014;
    case BodyPart::Head: return 0.067;
    case BodyPart::Clavicle: return 0.0158;
    case BodyPart::UpperArm: return 0.028;
    case BodyPart::LowerArm: return 0.016;
    case BodyPart::Hand: return 0.006;
    case BodyPart::UpperLeg: return 0.1;
    case BodyPart::LowerLeg: return 0.0465;
    case BodyPart::Foot: return 0.0125;
    case BodyPart::Toes: return 0.002;
    default: return 0.0;  // fingers: with the hand
  }
}

double volumeOf(const Link& link) {
  double volume = 0.0;
  for (const Capsule& capsule : link.capsules) volume += limber::volumeOf(capsule);
  return volume;
}

/// True for masses that are volumes times one density.
bool areEstimates(const Figure& figure, const std::vector<double>& volumes) {
  const double volume = std::accumulate(volumes.begin(), volumes.end(), 0.0);
  double mass = 0.0;
  for (const Link& link : figure.links()) mass += link.mass;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const double expected = volume > 0.0 ? mass * volumes[i] / volume : 0.0;
    if (std::abs(figure.link(i).mass - expected) > kSameDensity * mass) return false;
  }
  return true;
}

/// The part that a link belongs to: its own, or that of the nearest link above that has one.
std::vector<const BodyPlace*> placesOf(const Figure& figure, const BodyPlaces& parts) {
  std::vector<const BodyPlace*> places(figure.linkCount(), nullptr);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const auto found = parts.find(i);
    const int parent = figure.link(i).parent;
    if (found != parts.end()) places[i] = &found->second;
    else if (parent >= 0) places[i] = places[parent];
  }
  return places;
}

BodyPlace segmentOf(BodyPlace place) {
  if (isDigit(place.part)) place.part = BodyPart::Hand;
  return place;
}

std::vector<double> sharesOfAPerson(const Figure& figure, const BodyPlaces& parts, const std::vector<double>& volumes) {
  const std::vector<const BodyPlace*> places = placesOf(figure, parts);
  std::map<BodyPlace, double> volumeOfSegment;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i]) volumeOfSegment[segmentOf(*places[i])] += volumes[i];
  std::vector<double> shares(volumes.size(), 0.0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i] || !(volumes[i] > 0.0)) continue;
    const BodyPlace segment = segmentOf(*places[i]);
    shares[i] = massFractionOf(segment.part) * volumes[i] / volumeOfSegment[segment];
  }
  return shares;
}

bool makeSumOne(std::vector<double>& shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(sum > 0.0) || !std::isfinite(sum)) return false;
  for (double& share : shares) share /= sum;
  return true;
}

}  // namespace

std::vector<double> massShares(const Figure& figure) {
  const BodyMap& body = bodyMapOf(figure);
  std::vector<double> volumes, shares;
  for (const Link& link : figure.links()) {
    volumes.push_back(volumeOf(link));
    shares.push_back(link.mass);
  }
  if (areEstimates(figure, volumes) && body.isPerson()) shares = sharesOfAPerson(figure, body.places(), volumes);
  if (makeSumOne(shares)) return shares;
  for (int i = 0; i < figure.linkCount(); ++i) shares[i] = figure.linkLength(i) > 0.0 ? 1.0 : 0.0;
  if (!makeSumOne(shares)) shares.assign(shares.size(), 1.0 / static_cast<double>(shares.size()));
  return shares;
}

}  // namespace limber
