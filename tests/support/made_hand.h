// SPDX-License-Identifier: MIT
// A hand of ball joints or hinges, left or right, with names of several conventions or none.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"

namespace limber::test {

struct HandKind {
  bool isLeft = false;
  bool hasHinges = false;  ///< false: ball joints
  int fingers = 4;         ///< without the thumb
  /// The names of the phalanges by a convention, thumb first; empty for meaningless names.
  std::vector<std::string> names = {};
};

/// A hand with fingers along y, of at most 90 mm. The palm faces z, and the thumb of a right hand is at +x. The root is
/// free.
inline std::shared_ptr<const Figure> makeMadeHand(const HandKind& kind = {}) {
  const double side = kind.isLeft ? -1.0 : 1.0;
  FigureBuilder builder("made hand");
  const int palm = builder.addLink({.name = "base"}, {.name = "base joint", .type = JointType::Free});
  std::size_t phalanx = 0;
  const auto nameNext = [&] {
    const std::string name = kind.names.empty() ? "part" + std::to_string(phalanx) : kind.names.at(phalanx);
    ++phalanx;
    return name;
  };
  const auto addFinger = [&](const Eigen::Vector3d& base, const Eigen::Vector3d& along, const Eigen::Vector3d& axis,
                             const std::array<double, 3>& lengths) {
    int parent = palm;
    Eigen::Vector3d place = base;
    for (const double length : lengths) {
      Joint joint{.type = kind.hasHinges ? JointType::Revolute : JointType::Ball,
                  .parentFromJoint = Transform::fromTranslation(place)};
      if (kind.hasHinges) {
        joint.axis = axis;
        joint.limits = {-0.3, 1.7};
      }
      const std::string name = nameNext();
      joint.name = name + " joint";
      Link link{.name = name, .parent = parent};
      link.capsules = {{.start = Eigen::Vector3d::Zero(), .end = length * along, .radius = 0.006}};
      parent = builder.addLink(link, joint);
      place = length * along;
    }
  };
  const Eigen::Vector3d bend = Eigen::Vector3d::UnitX();  // turns y to z
  const Eigen::Vector3d thumb = Eigen::Vector3d(0.8 * side, 0.5, 0.33).normalized();
  addFinger({0.03 * side, 0.03, 0.005}, thumb, thumb.cross(Eigen::Vector3d(-0.4 * side, 0.3, 1.0)).normalized(),
            {0.045, 0.03, 0.025});
  for (int i = 0; i < kind.fingers; ++i)
    addFinger({(0.025 - 0.018 * i) * side, 0.095 - 0.003 * i * i, 0.0}, Eigen::Vector3d::UnitY(), bend,
              {0.042 - 0.002 * i, 0.025, 0.02});
  return test::built(builder);
}

}  // namespace limber::test
