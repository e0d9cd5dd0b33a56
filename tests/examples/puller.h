// SPDX-License-Identifier: MIT
// Common code of the tests of natural posing.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>
#include <string>
#include <utility>

#include "example_scenes.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/posing.h"

namespace limber::test {

inline constexpr double kDegree = 180.0 / std::numbers::pi;

inline Document openFigure(const std::string& name) {
  const auto opened = io::openAny(name);
  EXPECT_TRUE(opened) << opened.error().message();
  return opened ? opened->document : Document{};
}

/// A figure with one dragged link.
struct Puller {
  Document document;
  Posing posing;
  PosingRequest request;
  PosingReport report;
  Kinematics before, now;

  Puller(Document opened, const char* link, PosingChoice choice = PosingChoice::Natural,
         const Eigen::Vector3d& point = Eigen::Vector3d::Zero())
      : document(std::move(opened)) {
    document.solver.posing = choice;
    request.startPose = document.pose;
    request.drag = DragGoal{.link = document.figure->findLink(link), .pointInLink = point};
    EXPECT_GE(request.drag->link, 0) << link;
    computeTransforms(*document.figure, document.pose, before);
    now = before;
  }
  Eigen::Vector3d place(const Kinematics& kinematics, const char* link) const {
    return kinematics.worldFromLink[static_cast<std::size_t>(document.figure->findLink(link))].translation;
  }
  Eigen::Vector3d start() const {
    return before.worldFromLink[static_cast<std::size_t>(request.drag->link)] * request.drag->pointInLink;
  }
  void to(const Eigen::Vector3d& target) {
    request.drag->target = target;
    report = solveToEnd(posing, document, request);
    request.followsLast = true;
    computeTransforms(*document.figure, document.pose, now);
    EXPECT_TRUE(document.pose.coordinates.allFinite());
  }
  double miss() const {
    return (now.worldFromLink[static_cast<std::size_t>(request.drag->link)] * request.drag->pointInLink -
            request.drag->target)
        .norm();
  }
  double turn(const char* link) const {
    const auto i = static_cast<std::size_t>(document.figure->findLink(link));
    return kDegree *
           Eigen::AngleAxisd(now.worldFromLink[i].rotation * before.worldFromLink[i].rotation.transpose()).angle();
  }
  double way(const char* link) const { return (place(now, link) - place(before, link)).norm(); }
  /// How far the place or a point about it has gone.
  double shift(const std::string& link) const {
    const auto i = static_cast<std::size_t>(document.figure->findLink(link));
    double most = 0.0;
    for (const auto& point :
         {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0.1, 0, 0), Eigen::Vector3d(0, 0.1, 0), Eigen::Vector3d(0, 0, 0.2)})
      most = std::max(most, (now.worldFromLink[i] * point - before.worldFromLink[i] * point).norm());
    return most;
  }
  double feetWay() const { return std::max(shift("left_foot"), shift("right_foot")); }
};

}  // namespace limber::test
