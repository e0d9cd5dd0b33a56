// SPDX-License-Identifier: MIT
// The race of the window: other solvers solve the same problem as the solver in use. This file decides which solvers
// and when, and shows their answers as ghosts; the table and the curves are in app/panels/race_panel.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/posing/race.h"
#include "limber/scene/document.h"
#include "render/draw_list.h"

namespace limber::app {

struct RaceView;
struct Settings;
enum class RaceStart;

/// How a solver is drawn in plots and pictures. The letter is unique, and so is the pair of colour and line.
struct LaneLook {
  char letter = '?';
  render::Color color;
  int line = 0;  ///< 0 solid, 1 dashed, 2 dotted
};
LaneLook lookOf(std::string_view solver);

class Racing {
 public:
  /// Sends the solver's next request to the race, too. Within one gesture each lane starts from its own last pose.
  /// `gesture` is "drag" or the editor's gesture; empty for none.
  void offer(const Document& document, const Settings& settings, std::string gesture, PosingRequest request);
  /// Call after the solver has written the document's pose, so that the answers stay valid.
  void keepBeside(const Document& document);
  /// Call once per frame, after the solver: chooses the lanes, collects results, and forgets those for another pose
  /// than the document's.
  void update(const Document& document, const Settings& settings);
  /// Starts all lanes from one pose without warm start, for the last request or else the document's goals.
  void start(const Document& document, const Settings& settings, RaceStart start);
  /// Makes the next request begin a new gesture.
  void endGesture() { ++gestures_; }

  Race& race() { return race_; }
  const Race& race() const { return race_; }

  /// Index of the lane that is stepped through, else of the first with iterates; -1 for none.
  int focus(const RaceView& view) const;
  /// Index of the shown iterate of the lane in focus; the last one unless the user steps, -1 without iterates.
  int shownStep(const RaceView& view) const;
  /// Shows an iterate of the lane in focus; `step` is clamped to the range of its iterates.
  void stepTo(RaceView& view, int step) const;

  /// Appends ghosts of the lanes that differ from `kinematics` (the document's pose) by at least two pixels. `pixel` is
  /// in metres; `draggedGoal` is -1 for none.
  void appendGhosts(const Document& document, const Kinematics& kinematics, const RaceView& view, int draggedGoal,
                    double pixel, render::DrawList& list);

  struct Label {
    int lane = 0;
    Eigen::Vector3d tip;  ///< world: the end effector in the pose of the lane
  };
  /// One per ghost of the last appendGhosts().
  const std::vector<Label>& labels() const { return labels_; }

 private:
  struct Shown {
    std::shared_ptr<const LaneResult> result;
    int step = -1;
    Kinematics kinematics;
  };
  void computeShown(const Figure& figure, const RaceView& view);

  Race race_;
  int gestures_ = 0;
  std::string gesture_;                   ///< of the last request
  std::shared_ptr<const Figure> figure_;  ///< figure and pose of the document for which the answers are valid
  Pose pose_;
  std::vector<Shown> shown_;  ///< one for each lane
  std::vector<Label> labels_;
};

/// The solvers that the settings choose, in the registry's order. Until the user has chosen, these are the first few
/// that treat limits exactly, and the one in use.
std::vector<std::string> racedSolvers(const Settings& settings, std::string_view inUse);
bool isRaced(const Settings& settings, std::string_view solver, std::string_view inUse);
void setRaced(Settings& settings, std::string_view solver, bool on, std::string_view inUse);

/// With more curves or ghosts than this, all but the one in focus are faint.
inline constexpr std::size_t kMostClearLanes = 6;

}  // namespace limber::app
