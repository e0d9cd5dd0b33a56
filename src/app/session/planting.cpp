// SPDX-License-Identifier: MIT
#include "app/session/pointer.h"

#include "app/session/reference_picture.h"
#include "app/session/session.h"
#include "limber/body/named_axes.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_types.h"

namespace limber::app {

namespace {

void plant(Session& session, GoalType type, const EndEffector& end, const std::optional<EndEffector>& other = {}) {
  session.ui.planting.reset();
  const GoalTypeInfo& info = infoOf(type);
  session.editor.edit(std::string("add goal: ") + info.label, "",
                      [&](Document& d) { d.selection.goal = addGoal(d, type, end, other); });
  session.ui.scrollGoals = true;
  if (!info.hasEndEffector()) return session.say(std::string("goal added: ") + info.label);
  session.say(std::string("goal added on ") + session.document().figure->link(end.link).name + ": " + info.label);
}

/// The end effector of an aim or direction goal: the link's first named axis, such as that of a face or of fingers.
EndEffector looking(const Document& document, GoalType type, const EndEffector& end) {
  if (infoOf(type).axes != 1) return end;
  const std::vector<NamedAxis> axes = namedAxes(*document.figure, end.link);
  return axes.empty() ? end : axes.front().end;
}

/// The link's natural end effector, moved to where its surface was clicked.
EndEffector clickedEnd(const Session& session, const Hit& hit) {
  EndEffector end = endEffectorOf(*session.document().figure, hit.link);
  Eigen::Vector3d point = hit.point;
  if (session.document().figure->isPlanar()) point.z() = 0.0;
  end.point = session.picture.kinematics.worldFromLink[hit.link].inverse() * point;
  return end;
}

}  // namespace

void startPlanting(Session& session, GoalType type) {
  if (!infoOf(type).hasEndEffector()) return plant(session, type, {});
  session.ui.planting = Planting{.type = type};
  session.ui.message = {};
}

void plantAt(Session& session, const std::optional<Hit>& hit) {
  const Planting planting = *session.ui.planting;
  if (planting.isInPicture()) return clickPicture(session, hit);
  const GoalTypeInfo& info = infoOf(planting.type);
  const bool isOnLink = hit && hit->link >= 0;
  if (!planting.first) {
    if (!isOnLink) return;
    if (info.isBend && upperBoneOf(*session.document().figure, hit->link).link < 0)
      return session.fail("there is no bone above it to bend against: click a shank or a forearm");
    const EndEffector end = looking(session.document(), planting.type, clickedEnd(session, *hit));
    if (info.other == OtherLink::None) return plant(session, planting.type, end);
    session.ui.planting->first = end;
  } else if (isOnLink && hit->link == planting.first->link) {
    session.fail("that is the same link: click another one");
  } else if (isOnLink) {
    plant(session, planting.type, *planting.first, clickedEnd(session, *hit));
  } else if (info.other == OtherLink::Optional && !hit) {
    plant(session, planting.type, *planting.first);
  }
}

std::string plantingHint(const Planting& planting) {
  if (planting.isInPicture()) return pictureHint(planting);
  const GoalTypeInfo& info = infoOf(planting.type);
  const std::string what = std::string("Add goal, ") + info.label + ": click ";
  const bool mayBeBeside = planting.first && info.other == OtherLink::Optional;
  const char* where = info.isBend       ? "the bone below the bend, a shank or a forearm"
                      : !planting.first ? "its point on the figure"
                      : mayBeBeside     ? "the other link, or beside the figure for a place"
                                        : "the other link";
  return what + where + ".  Esc cancels.";
}

}  // namespace limber::app
