// SPDX-License-Identifier: MIT
#include "limber/scene/join.h"

#include <algorithm>

#include "limber/objective/limits/loop_projection.h"
#include "limber/posing/loops_along.h"
#include "limber/scene/figure_change.h"

namespace limber {

namespace {

std::string newLoopName(const Figure& figure, const std::string& wanted) {
  const auto isTaken = [&](const std::string& name) {
    return std::ranges::find(figure.loops(), name, &LoopClosure::name) != figure.loops().end();
  };
  std::string name = wanted;
  for (int number = 2; isTaken(name); ++number) name = wanted + "_" + std::to_string(number);
  return name;
}

/// The axis of a link's joint in the world; nothing if it has none.
std::optional<Eigen::Vector3d> axisOf(const Figure& figure, const Kinematics& kinematics, int link) {
  const Joint& joint = figure.joint(link);
  if (joint.type != JointType::Revolute) return std::nullopt;
  return kinematics.worldFromLink[link].rotation * joint.axis;
}

}  // namespace

LoopClosure loopBetween(const Figure& figure, const Kinematics& kinematics, const JoinedPoint& first,
                        const JoinedPoint& second) {
  auto axis = axisOf(figure, kinematics, first.link);
  if (!axis) axis = axisOf(figure, kinematics, second.link);
  const Eigen::Matrix3d world =
      Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), axis.value_or(Eigen::Vector3d::UnitZ()))
          .toRotationMatrix();
  const auto frameOn = [&](const JoinedPoint& side) -> Transform {
    return {kinematics.worldFromLink[side.link].rotation.transpose() * world, side.point};
  };
  return {.name = newLoopName(figure, figure.link(first.link).name + "_" + figure.link(second.link).name),
          .kind = LoopClosure::Kind::Ball,
          .link = first.link,
          .linkFromLoop = frameOn(first),
          .other = second.link,
          .otherFromLoop = frameOn(second)};
}

LoopChange tryLoops(const Document& document, FigureEdit edit) {
  LoopChange change{.edit = std::move(edit)};
  if (!change.edit.figure) return change;
  change.edit.figure = closedAtRest(change.edit.figure);
  Document tried = document;
  replaceFigure(tried, change.edit.figure, change.edit.linkFromOld);
  closeLoops(tried);
  change.pose = tried.pose;
  change.open = openLoopsOf(*tried.figure, transformsOf(*tried.figure, tried.pose));
  return change;
}

void takeLoops(const LoopChange& change, Document& document) {
  replaceFigure(document, change.edit.figure, change.edit.linkFromOld);
  document.pose = change.pose;
}

}  // namespace limber
