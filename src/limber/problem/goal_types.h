// SPDX-License-Identifier: MIT
// The one table of goal types, which is in goal_table.cpp. A row says what a type is called, which of a goal's numbers
// count, and how such a goal is made, judged and placed; the rest of the program asks the row instead of the type.
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

/// A goal, and where its end effector stands.
struct StandingGoal {
  /// `kinematics` are those of problem.pose. A goal on a link that does not exist stands at the world's origin.
  StandingGoal(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& item);

  Eigen::Vector3d offset() const { return point - item.target; }
  Eigen::Vector3d targetAxis() const { return item.targetFrame.col(0); }

  const IkProblem& problem;
  const Kinematics& kinematics;
  const GoalItem& item;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();      ///< world
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  ///< its axes in the world, as columns
};

/// Whether a goal is asked against another link.
enum class OtherLink { None, Optional, Required };

struct GoalTypeInfo {
  GoalType type;
  std::string_view name;           ///< in files: "position_orientation"
  const char* label;               ///< for people: "position and orientation"
  const char* about;               ///< one sentence; its subject is the goal
  std::string_view equation = {};  ///< of its potential in Zhao and Badler 1994; empty for what the paper does not have

  // The numbers of a GoalItem that count.
  bool point = false;           ///< pointInLink
  int axes = 0;                 ///< of frameInLink, with their directionScale: none, x, or x and y
  bool target = false;          ///< the place
  const char* targetAxis = "";  ///< what the target frame's x is: "Normal"; empty where the frame does not count
  bool share = false;           ///< positionShare
  bool distance = false;
  bool kept = false;  ///< a pull on all coordinates toward `kept`: a Regulariser, no Goal
  OtherLink other = OtherLink::None;

  // What else the rest of the program asks.
  bool isPlace = false;      ///< the point belongs at the target itself, not on a line or plane through it
  bool isLevel = false;      ///< heights do not count
  bool isBend = false;       ///< it turns the bend between the link and the bone above it, which must exist
  bool isGentle = false;     ///< it gives way to all other goals, and is not dragged
  const char* newName = "";  ///< of a new goal; after the link's name, where the type has an end effector

  /// The goal of the objective; `weight` is the effective one. Null where `kept`.
  std::unique_ptr<Goal> (*make)(const GoalItem& item, const Figure& figure, double weight) = nullptr;
  /// What is left of it. A length of a goal of one link is that from the point to where the point may be.
  GoalError (*error)(const StandingGoal& goal);
  /// Changes what differs from the end effector's own place.
  void (*place)(const StandingGoal& goal, GoalPlace& place) = nullptr;
  /// P of Zhao and Badler 1994; `gap` is the way to the target in mean link lengths. Set where `equation` is.
  std::optional<double> (*paper)(const StandingGoal& goal, const Eigen::Vector3d& gap) = nullptr;
  /// What a new goal asks for; its target is the end effector's place, all else the default of GoalItem.
  void (*begin)(GoalItem& goal, const Transform& worldFromEnd, double meanLinkLength) = nullptr;
  /// Changes `goal`, a copy of `now` or the same, so that the pose meets it. Without it the target goes to the end
  /// effector, with its frame where that counts.
  void (*present)(const StandingGoal& now, GoalItem& goal) = nullptr;
  /// What is wrong beyond numbers that are not finite or outside their range; nullptr for nothing.
  const char* (*fault)(const GoalItem& item, const Figure& figure) = nullptr;

  bool hasEndEffector() const { return point || axes > 0; }
  bool hasTargetFrame() const { return *targetAxis != '\0'; }
};

/// In the order of GoalType.
std::span<const GoalTypeInfo> goalTypes();
const GoalTypeInfo& infoOf(GoalType type);

/// True when the value is an enumerator, as the compiler names it: "... = (limber::GoalType)13" is none.
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

/// Of a sound item (findFault); null for one that keeps a pose. `weight` is the goal's own times the target weight.
std::unique_ptr<Goal> makeGoal(const GoalItem& item, const Figure& figure, double weight);

/// Empty, or what is wrong with the goal, in words that name it: `goal "left_hand": ...`.
std::string findFault(const GoalItem& item, const Figure& figure);

/// goal "left_hand", or goal 3 for one without a name.
std::string goalInWords(const GoalItem& item);
/// left_hand, or goal 3.
std::string titleOf(const GoalItem& item);

/// True for a goal that chooses among the poses that meet the other goals, and does not count for "reached": a bend, a
/// pose that is kept, and what the user makes one.
bool isPreference(const GoalItem& item);

/// True for a goal between two links.
bool isTied(const GoalItem& item);

/// Links that the goal looks at; empty for one that looks at all of them.
std::vector<int> linksOf(const GoalItem& item);

}  // namespace limber
