// SPDX-License-Identifier: MIT
// Arms of all families, as screws.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "limber/kinematics/pose.h"
#include "limber/ways/arm_solver.h"

namespace limber::test {

struct RandomArms {
  std::mt19937 generator;

  double number(double lower = -1.0, double upper = 1.0) {
    return std::uniform_real_distribution<double>(lower, upper)(generator);
  }
  Eigen::Vector3d point() { return {number(), number(), number()}; }
  Eigen::Vector3d direction() {
    std::normal_distribution<double> normal;
    return Eigen::Vector3d(normal(generator), normal(generator), normal(generator)).normalized();
  }

  ways::ScrewChain chainOf(const std::vector<ways::Screw>& screws) {
    ways::ScrewChain chain;
    chain.count = static_cast<int>(screws.size());
    for (int i = 0; i < chain.count; ++i) chain.screws[i] = screws[i];
    chain.home = {ways::turnAbout(direction(), number(-3, 3)), point()};
    return chain;
  }

  /// Axes at random; types: H for a hinge, S for a slide.
  std::vector<ways::Screw> screws(const std::string& types) {
    std::vector<ways::Screw> result;
    for (const char type : types) {
      const Eigen::Vector3d axis = direction();
      result.push_back({axis, point(), type == 'S'});
    }
    return result;
  }

  /// Rows: length, twist, offset of Denavit and Hartenberg, and 1 for a slide.
  ways::ScrewChain denavitHartenberg(const std::vector<std::array<double, 4>>& rows) {
    Transform frame;
    std::vector<ways::Screw> result;
    for (const auto& [length, twist, offset, slides] : rows) {
      result.push_back({frame.rotation.col(2), frame.translation, slides > 0.0});
      frame = frame * Transform::fromTranslation({0, 0, offset});
      frame = frame * Transform{ways::turnAbout(Eigen::Vector3d::UnitX(), twist), {length, 0, 0}};
    }
    ways::ScrewChain chain = chainOf(result);
    chain.home = frame;
    return chain;
  }

  ways::Coordinates coordinates(const ways::ScrewChain& chain) {
    ways::Coordinates q(chain.count);
    for (int i = 0; i < chain.count; ++i) q[i] = number(-3.1, 3.1) * (chain.screws[i].isSlide ? 0.3 : 1.0);
    return q;
  }
};

/// The largest difference of coordinates, with angles up to whole turns.
inline double differenceOf(const ways::ScrewChain& chain, const ways::Coordinates& a, const ways::Coordinates& b) {
  double largest = 0.0;
  for (int i = 0; i < chain.count; ++i)
    largest = std::max(largest, std::abs(chain.screws[i].isSlide ? a[i] - b[i] : wrapAngle(a[i] - b[i])));
  return largest;
}

/// An arm of every family that ArmSolver distinguishes, and of some that look special to the resultant.
struct ArmFamily {
  const char* name;
  ways::ScrewChain (*make)(RandomArms& random);
  bool isClosedForm;  ///< three axes meet or are parallel
};

inline std::vector<ArmFamily> armFamilies() {
  using ways::ScrewChain;
  constexpr double kQuarter = std::numbers::pi / 2;
  const auto meeting = [](RandomArms& r, const std::string& types, int first) {
    auto screws = r.screws(types);
    const Eigen::Vector3d centre = r.point();
    for (int i = first; i < first + 3; ++i) screws[i].point = centre;
    return r.chainOf(screws);
  };
  static const auto meet = meeting;
  const auto parallel = [](RandomArms& r, int count, int first) {
    auto screws = r.screws(std::string(static_cast<std::size_t>(count), 'H'));
    screws[first + 1].axis = -screws[first].axis;
    screws[first + 2].axis = screws[first].axis;
    return r.chainOf(screws);
  };
  static const auto along = parallel;
  return {
      {"spherical wrist with offsets",
       [](RandomArms& r) -> ScrewChain {
         return r.denavitHartenberg({{0, kQuarter, 0, 0},
                                     {.4318, 0, 0, 0},
                                     {.0203, -kQuarter, .15, 0},
                                     {0, kQuarter, .4318, 0},
                                     {0, -kQuarter, 0, 0},
                                     {0, 0, 0.1, 0}});
       },
       true},
      {"spherical wrist in line",
       [](RandomArms& r) -> ScrewChain {
         return r.denavitHartenberg({{0, kQuarter, 0.3, 0},
                                     {.4, 0, 0, 0},
                                     {0, -kQuarter, 0, 0},
                                     {0, kQuarter, .4, 0},
                                     {0, -kQuarter, 0, 0},
                                     {0, 0, 0.1, 0}});
       },
       true},
      {"three parallel",
       [](RandomArms& r) -> ScrewChain {
         return r.denavitHartenberg({{0, kQuarter, .089, 0},
                                     {-.425, 0, 0, 0},
                                     {-.392, 0, 0, 0},
                                     {0, kQuarter, .109, 0},
                                     {0, -kQuarter, .095, 0},
                                     {0, 0, .082, 0}});
       },
       true},
      {"slide before a spherical wrist",
       [](RandomArms& r) -> ScrewChain {
         return r.denavitHartenberg({{0, -kQuarter, .4, 0},
                                     {0, kQuarter, .15, 0},
                                     {0, 0, .3, 1},
                                     {0, -kQuarter, 0, 0},
                                     {0, kQuarter, 0, 0},
                                     {0, 0, .2, 0}});
       },
       true},
      {"random with spherical wrist", [](RandomArms& r) { return meet(r, "HHHHHH", 3); }, true},
      {"random with spherical shoulder", [](RandomArms& r) { return meet(r, "HHHHHH", 0); }, true},
      {"random with spherical middle", [](RandomArms& r) { return meet(r, "HHHHHH", 1); }, true},
      {"slide, hinge, hinge, wrist", [](RandomArms& r) { return meet(r, "SHHHHH", 3); }, true},
      {"hinge, slide, hinge, wrist", [](RandomArms& r) { return meet(r, "HSHHHH", 3); }, true},
      {"hinge, slide, slide, wrist", [](RandomArms& r) { return meet(r, "HSSHHH", 3); }, true},
      {"three slides and a wrist", [](RandomArms& r) { return meet(r, "SSSHHH", 3); }, true},
      {"random with three parallel", [](RandomArms& r) { return along(r, 6, 1); }, true},
      {"three parallel first", [](RandomArms& r) { return along(r, 6, 0); }, true},
      {"three parallel last", [](RandomArms& r) { return along(r, 6, 3); }, true},
      {"five joints, three parallel", [](RandomArms& r) { return along(r, 5, 1); }, true},
      {"SCARA",
       [](RandomArms& r) -> ScrewChain {
         return r.denavitHartenberg({{.3, 0, .2, 0}, {.25, std::numbers::pi, 0, 0}, {0, 0, .1, 1}, {0, 0, .05, 0}});
       },
       true},
      {"general", [](RandomArms& r) { return r.chainOf(r.screws("HHHHHH")); }, false},
      {"general with a slide", [](RandomArms& r) { return r.chainOf(r.screws("HHSHHH")); }, false},
      {"two intersecting pairs",
       [](RandomArms& r) {
         auto screws = r.screws("HHHHHH");
         screws[1].point = screws[0].point;
         screws[5].point = screws[4].point;
         return r.chainOf(screws);
       },
       false},
      {"two parallel",
       [](RandomArms& r) {
         auto screws = r.screws("HHHHHH");
         screws[2].axis = screws[1].axis;
         return r.chainOf(screws);
       },
       false},
      {"offset wrist",
       [](RandomArms& r) -> ScrewChain {
         return r.denavitHartenberg({{0, kQuarter, 0, 0},
                                     {.54, 0, 0, 0},
                                     {0, kQuarter, 0, 0},
                                     {0, -kQuarter, .54, 0},
                                     {0, kQuarter, .15, 0},
                                     {0, 0, 0.16, 0}});
       },
       false},
      {"three hinges and three slides", [](RandomArms& r) { return r.chainOf(r.screws("SHSHSH")); }, true},
      {"four hinges and two slides", [](RandomArms& r) { return r.chainOf(r.screws("SSHHHH")); }, false},
      {"general, five joints", [](RandomArms& r) { return r.chainOf(r.screws("HHHHH")); }, false},
      {"general, four joints", [](RandomArms& r) { return r.chainOf(r.screws("HHHH")); }, false},
  };
}

}  // namespace limber::test
