// SPDX-License-Identifier: MIT
#include "limber/proof/reach_map.h"

#include <cmath>

#include "limber/posing/outcome.h"

namespace limber {

namespace {

/// "12,410".
std::string countInWords(int count) {
  std::string digits = std::to_string(count);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, 1, ',');
  return digits;
}

}  // namespace

std::array<int, 3> ReachMap::placeOf(int cell) const {
  return {cell % size[0], cell / size[0] % size[1], cell / (size[0] * size[1])};
}

int ReachMap::cellAt(const std::array<int, 3>& place) const {
  for (std::size_t k = 0; k < 3; ++k)
    if (place[k] < 0 || place[k] >= size[k]) return -1;
  return place[0] + size[0] * (place[1] + size[1] * place[2]);
}

int ReachMap::cellAt(const Eigen::Vector3d& point) const {
  std::array<int, 3> place{};
  for (int k = 0; k < (isPlanar ? 2 : 3); ++k) {
    const double at = std::floor((point[k] - corner[k]) / edge);
    if (!(at >= 0.0 && at < size[k])) return -1;
    place[k] = static_cast<int>(at);
  }
  return cellAt(place);
}

Eigen::Vector3d ReachMap::centreOf(int cell) const {
  const std::array<int, 3> place = placeOf(cell);
  const double z = isPlanar ? 0.0 : place[2] + 0.5;
  return corner + edge * Eigen::Vector3d(place[0] + 0.5, place[1] + 0.5, z);
}

std::array<int, 4> ReachMap::counts() const {
  std::array<int, 4> counts{};
  for (const CellState state : cells) ++counts[static_cast<std::size_t>(state)];
  return counts;
}

std::string sentenceOf(const ReachMap& map) {
  const auto [undecided, reachable, notFound, outside] = map.counts();
  std::string text = countInWords(reachable) + (reachable == 1 ? " cell" : " cells") + " reachable, " +
                     countInWords(outside) + " proved outside, " + countInWords(notFound) + " not found";
  if (undecided > 0) text += ", " + countInWords(undecided) + " undecided";
  return text + "; a cell is " + lengthInWords(map.edge);
}

}  // namespace limber
