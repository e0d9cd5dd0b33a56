// SPDX-License-Identifier: MIT
// The lanes of the timeline's track as data: their items, and how each kind of item is edited. A further kind of lane
// is one more entry of laneKinds().
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/editing/command.h"
#include "limber/scene/document.h"

namespace limber::app {

/// An item of a lane: a key if it ends where it begins, else an interval.
struct LaneItem {
  enum class Mark { Pose, Goals, PoseAndGoals, Bar, FaintBar };
  double begin = 0.0, end = 0.0;  ///< seconds; no two items of a lane have the same
  Mark mark = Mark::Pose;
  bool isSelected = false;

  bool isKey() const { return mark <= Mark::PoseAndGoals; }
};

/// One row of the track.
struct Lane {
  std::string name;
  int owner = -1;  ///< to whom the items belong, such as the goal of a path; -1 if there is one lane of the kind
  std::vector<LaneItem> items = {};
  std::size_t kind = 0;  ///< index in laneKinds()
};

/// Times are those of the clock's frames, seconds. A function that is null means that users cannot do this.
struct LaneKind {
  const char* noun;  ///< for labels of undo steps and menus: "key"
  const char* tip;
  void (*append)(const Document&, std::vector<Lane>&);
  /// Moves an item to another begin and end; keys to an end that equals the begin.
  void (*move)(Document&, int owner, const LaneItem&, double begin, double end) = nullptr;
  void (*remove)(Document&, int owner, const LaneItem&) = nullptr;
  /// Queues the commands that add an item at a time.
  void (*add)(int owner, double time, CommandQueue&) = nullptr;
  /// The selection after a click on the lane's name or on an interval.
  Selection (*select)(const Document&, int owner) = nullptr;
};

/// From top to bottom.
std::span<const LaneKind> laneKinds();
std::vector<Lane> lanesOf(const Document& document);

}  // namespace limber::app
