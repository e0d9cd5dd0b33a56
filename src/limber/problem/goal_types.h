// SPDX-License-Identifier: MIT
// The table of goal types (goal_table.cpp). A row has the type's names, the numbers of a goal that it uses, and
// functions that make, judge and place such a goal; the rest of the program uses the row instead of the type.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/goals/goal.h"
#include "limber/problem/ik_problem.h"

namespace limber {

struct GoalError;  // problem/goal_error.h
struct GoalPlace;  // problem/goal_place.h

/// A goal with the current position of its end effector.
struct StandingGoal {
  /// `kinematics` are those of problem.pose. A goal on a link that does not exist is at the world's origin.
  StandingGoal(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& item);

  Eigen::Vector3d offset() const { return point - item.target; }
  Eigen::Vector3d targetAxis() const { return item.targetFrame.col(0); }

  const IkProblem& problem;
  const Kinematics& kinematics;
  const GoalItem& item;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();      ///< world
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  ///< its axes in the world, as columns
};

/// Whether a goal refers to another link.
enum class OtherLink { None, Optional, Required };

struct GoalTypeInfo {
  GoalType type;
  std::string_view name;           ///< in files: "position_orientation"
  const char* label;               ///< for people: "position and orientation"
  const char* about;               ///< one sentence; its subject is the goal
  std::string_view equation = {};  ///< of its potential in Zhao and Badler 1994; empty if it is not there

  // The members of a GoalItem that the type uses.
  bool point = false;           ///< pointInLink
  int axes = 0;                 ///< of frameInLink, with their directionScale: none, x, or x and y
  bool target = false;          ///< the target point
  const char* targetAxis = "";  ///< name of the target frame's x: "Normal"; empty if the frame is not used
  bool share = false;           ///< positionShare
  bool distance = false;
  bool kept = false;  ///< a pull on all coordinates toward `kept`: a Regulariser, not a Goal
  OtherLink other = OtherLink::None;

  // Other properties.
  bool isPlace = false;      ///< the point must be at the target, not only on a line or plane through it
  bool isLevel = false;      ///< heights are ignored
  bool isBend = false;       ///< it turns the bend between the link and the bone above it, which must exist
  bool isGentle = false;     ///< all other goals take precedence, and it is not dragged
  const char* newName = "";  ///< of a new goal; follows the link's name if the type has an end effector

  /// Makes the goal of the objective; `weight` is the effective one. If `same`, a goal of this type, is not null, it
  /// becomes the goal, and null is returned. Null if `kept`.
  std::unique_ptr<Goal> (*make)(const GoalItem& item, const Figure& figure, double weight, Goal* same) = nullptr;
  /// The remaining error. For goals of one link the length is that from the point to the nearest allowed point.
  GoalError (*error)(const StandingGoal& goal);
  /// Changes the members of the place that differ from those of the end effector.
  void (*place)(const StandingGoal& goal, GoalPlace& place) = nullptr;
  /// P of Zhao and Badler 1994; `gap` is the vector to the target in mean link lengths. Set if `equation` is.
  std::optional<double> (*paper)(const StandingGoal& goal, const Eigen::Vector3d& gap) = nullptr;
  /// Sets the requirement of a new goal, whose target is at the end effector and whose other members have the defaults
  /// of GoalItem.
  void (*begin)(GoalItem& goal, const Transform& worldFromEnd, double meanLinkLength) = nullptr;
  /// Changes `goal` (`now`, or a copy of it) so that the pose meets it. If null, the target moves to the end effector,
  /// with its frame if the type uses it.
  void (*present)(const StandingGoal& now, GoalItem& goal) = nullptr;
  /// Finds faults other than numbers that are not finite or outside their range; nullptr if there are none.
  const char* (*fault)(const GoalItem& item, const Figure& figure) = nullptr;

  bool hasEndEffector() const { return point || axes > 0; }
  bool hasTargetFrame() const { return *targetAxis != '\0'; }
};

/// In the order of GoalType.
std::span<const GoalTypeInfo> goalTypes();
const GoalTypeInfo& infoOf(GoalType type);

/// True if the value is an enumerator, by its name in the compiler: "... = (limber::GoalType)13" is not one.
template <GoalType type>
constexpr bool isGoalType() {
  return std::string_view(__PRETTY_FUNCTION__).find("= (") == std::string_view::npos;
}

/// True for a table with a row for each type, in the order of GoalType.
template <typename Row, std::size_t size>
constexpr bool isOfAllGoalTypes(const Row (&table)[size]) {
  for (std::size_t i = 0; i < size; ++i)
    if (table[i].type != static_cast<GoalType>(i)) return false;
  return !isGoalType<static_cast<GoalType>(size)>();
}

/// The goal of an item without faults (findFault); null for one that keeps a pose. `weight` is the goal's own times the
/// target weight.
std::unique_ptr<Goal> makeGoal(const GoalItem& item, const Figure& figure, double weight);
/// Makes it in the memory of `same`, which makeGoal() made of an item of the same type and links.
void remakeGoal(const GoalItem& item, const Figure& figure, double weight, Goal& same);

/// Empty, or the fault of the goal with its name: `goal "left_hand": ...`.
std::string findFault(const GoalItem& item, const Figure& figure);

/// goal "left_hand", or goal 3 for one without a name.
std::string goalInWords(const GoalItem& item);
/// left_hand, or goal 3.
std::string titleOf(const GoalItem& item);

/// True for a goal that chooses among the poses that meet the other goals, and does not count for "reached": a swivel,
/// a kept pose, or a goal that the user has made a preference.
bool isPreference(const GoalItem& item);

/// True for a goal between two links.
bool isTied(const GoalItem& item);

/// Links that the goal depends on; empty if it depends on all.
std::vector<int> linksOf(const GoalItem& item);

}  // namespace limber
