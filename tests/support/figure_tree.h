// SPDX-License-Identifier: MIT
// Figures made link by link, each with one capsule.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"

namespace limber::test {

struct FigureTree {
  FigureBuilder builder{"tree"};

  /// `at`: the joint in the parent's frame; `end`: the end of the capsule from the joint, zero for none. Metres.
  int add(const std::string& name, int parent, const Eigen::Vector3d& at, const Eigen::Vector3d& end,
          JointType type = JointType::Ball) {
    Link link{.name = name, .parent = parent};
    if (!end.isZero()) link.capsules = {{Eigen::Vector3d::Zero(), end, 0.02}};
    Joint joint{.name = name, .type = type};
    joint.parentFromJoint.translation = at;
    return builder.addLink(link, joint);
  }
  std::shared_ptr<const Figure> build() { return test::built(builder); }
};

}  // namespace limber::test
