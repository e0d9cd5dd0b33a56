// SPDX-License-Identifier: MIT
#include "app/editing/goal_kinds.h"


namespace limber::app {

namespace {

constexpr GoalKind kKinds[] = {
    {GoalType::Position, "position", "brings a point to a place", true, 0, true, "", false, false, false},
    {GoalType::Orientation, "orientation",
     "turns the end effector's x and y to given directions; each can be left free", false, 2, false, "x along", false,
     false, false},
    {GoalType::PositionOrientation, "position and orientation", "brings a point to a place and turns its frame there",
     true, 2, true, "x along", true, false, false},
    {GoalType::Direction, "direction", "turns the end effector's x to a given direction; the turn about it is free",
     false, 1, false, "x along", false, false, false},
    {GoalType::Aim, "aim", "points the end effector's x at a place, as a torch or the eyes do", true, 1, true, "",
     false, false, false},
    {GoalType::Line, "on a line", "keeps a point on a line", true, 0, true, "Line along", false, false, false},
    {GoalType::Plane, "on a plane", "keeps a point on a plane, as a hand on a table", true, 0, true, "Normal", false,
     false, false},
    {GoalType::HalfSpace, "beside a plane", "keeps a point on the side of a plane that its normal points to", true, 0,
     true, "Normal", false, false, false},
    {GoalType::Distance, "distance", "keeps a point within a distance of a place or of another link's point", true, 0,
     true, "", false, true, true},
    {GoalType::Relative, "relative to a link",
     "keeps a point and its frame at those of another link: two hands on one tube", true, 2, false, "", true, false,
     true},
    {GoalType::KeepPose, "keep pose", "pulls every joint to the pose that was kept", false, 0, false, "", false, false,
     false},
    {GoalType::CentreOfMass, "centre of mass", "keeps the centre of mass above or below a place", false, 0, true, "",
     false, false, false},
    {GoalType::Swivel, "swivel",
     "turns the bend of a knee or an elbow toward a direction, about the line through both ends of the limb; all other "
     "goals take precedence",
     true, 0, false, "Bends toward", false, false, false},
};

}  // namespace

std::span<const GoalKind> goalKinds() { return kKinds; }

const GoalKind& kindOf(GoalType type) { return kKinds[static_cast<std::size_t>(type)]; }

std::string titleOf(const GoalItem& goal) {
  return goal.name.empty() ? "goal " + std::to_string(goal.id) : goal.name;
}

}  // namespace limber::app
