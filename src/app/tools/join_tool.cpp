// SPDX-License-Identifier: MIT
// Joins two points of the figure, which the user clicks, to a closed loop.
#include <algorithm>
#include <limits>

#include "app/tools/tools.h"
#include "limber/problem/new_goal.h"
#include "limber/scene/closed_rest.h"
#include "limber/scene/join.h"

namespace limber::app {

namespace {

constexpr double kSnap = 14.0;  // from the cursor to a named point of the link, pixels at display scale 1

/// The point of the link at the cursor: its joint, a joint of a child, a site or its end, if one is near, else the
/// point of its surface.
JoinedPoint pointAt(const Stage& stage, const Hit& hit) {
  const Figure& figure = *stage.document().figure;
  const Transform& place = stage.picture.kinematics.worldFromLink[hit.link];
  std::vector<Eigen::Vector3d> named = {Eigen::Vector3d::Zero(), endEffectorOf(figure, hit.link).point};
  for (const int child : figure.children(hit.link)) named.push_back(figure.joint(child).parentFromJoint.translation);
  for (const Site& site : figure.sites())
    if (site.link == hit.link) named.push_back(site.linkFromSite.translation);
  const Eigen::Vector2d cursor(stage.pointer.x, stage.pointer.y);
  double least = kSnap * stage.picture.displayScale;
  JoinedPoint found{hit.link, place.inverse() * hit.point};
  if (figure.isPlanar()) found.point = place.inverse() * Eigen::Vector3d(hit.point.x(), hit.point.y(), 0.0);
  for (const Eigen::Vector3d& point : named) {
    const auto pixel = render::projectToPixel(stage.picture.view(), place * point);
    if (!pixel || (*pixel - cursor).norm() >= least) continue;
    least = (*pixel - cursor).norm();
    found.point = point;
  }
  return found;
}

void join(Stage& stage, const JoinedPoint& first, const JoinedPoint& second) {
  const Document& document = stage.document();
  const Figure& figure = *document.figure;
  stage.ui.planting.reset();
  stage.stop();
  const LoopClosure loop = loopBetween(figure, stage.picture.kinematics, first, second);
  LoopChange change = tryLoops(document, addLoop(figure, loop));
  if (!change.edit.figure) return stage.fail(change.edit.fault);
  stage.ui.reveal = Panel::Figure;
  if (!change.open.empty()) {
    stage.ui.figure.join = {"join " + loop.name, std::make_shared<const LoopChange>(std::move(change))};
    stage.ui.figure.joinWanted = true;
    return;
  }
  stage.editor.edit("join " + loop.name, "", [&](Document& d) { takeLoops(change, d); });
  stage.say(figure.link(first.link).name + " and " + figure.link(second.link).name +
                " are joined: " + std::to_string(degreesOfFreedom(stage.document().figure)) + " degrees of freedom",
            8.0);
}

struct JoinTool : Tool {
  std::unique_ptr<Tool> leave(Stage& stage, const Modifiers& held) override { return besideTool(stage, held); }
  void release(Stage& stage, const Modifiers&) override { joinAt(stage, stage.pointer.pressed); }
  std::string hint(const Planting& planting) const override {
    return planting.first ? "Join: click the point of the other part.  Esc cancels."
                          : "Join: click a point of the first part.  Esc cancels.";
  }
};

}  // namespace

std::unique_ptr<Tool> makeJoinTool() { return std::make_unique<JoinTool>(); }

void startJoining(Stage& stage) {
  const Document& document = stage.document();
  stage.ui.planting = Planting{.clicks = Planting::Clicks::Join};
  stage.ui.message = {};
  if (const int link = document.selection.joint; link >= 0)
    stage.ui.planting->first = endEffectorOf(*document.figure, link);
}

void joinAt(Stage& stage, const std::optional<Hit>& hit) {
  if (!hit || hit->link < 0) return;
  const JoinedPoint point = pointAt(stage, *hit);
  std::optional<EndEffector>& first = stage.ui.planting->first;
  if (!first) {
    first = EndEffector{.link = point.link, .point = point.point};
  } else if (first->link == point.link) {
    stage.fail("that is the same link: click another one");
  } else {
    join(stage, {first->link, first->point}, point);
  }
}

}  // namespace limber::app
