// SPDX-License-Identifier: MIT
// The race in the window: what the figure is asked is asked of other methods, too. Here is which, when, and what of
// their answers is shown as ghosts; the table and the curves are app/panels/race_panel.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/editing/race_view.h"
#include "limber/scene/document.h"
#include "render/draw_list.h"

namespace limber::app {

struct Settings;

/// How a method looks wherever it is drawn. Its letter, and with its line its colour, are its own.
struct LaneLook {
  char letter = '?';
  render::Color color;
  int line = 0;  ///< 0 solid, 1 dashed, 2 dotted
};
LaneLook lookOf(std::string_view solver);

class Racing {
 public:
  /// What the solver is about to be asked, asked of the race. In one gesture its lanes follow from where they stand.
  /// gesture: what goes on in the window, "drag" or that of the editor; empty for none.
  void offer(const Document& document, const Settings& settings, std::string gesture, PosingRequest request);
  /// The solver has written the document's pose: the answers are still those to what was asked.
  void keepBeside(const Document& document);
  /// Chooses the lanes, takes what came in, and forgets what is of another pose than the document's. Once a frame,
  /// after the solver.
  void update(const Document& document, const Settings& settings);
  /// All lanes from one place, cold, to the last input or the document's goals.
  void start(const Document& document, const Settings& settings, RaceStart start);
  /// The next request begins a gesture of its own.
  void endGesture() { ++gestures_; }

  Race& race() { return race_; }
  const Race& race() const { return race_; }

  /// The lane that is stepped through; -1 for none.
  int focus(const RaceView& view) const;
  /// Place among the iterates of the lane in focus, the last one when nothing is stepped; -1 without iterates.
  int shownStep(const RaceView& view) const;
  /// Goes to a place among the iterates of the lane in focus; beyond its ends stays there.
  void stepTo(RaceView& view, int step) const;

  /// Ghosts of the lanes that differ visibly from the figure, whose `kinematics` these are: by two pixels that are so
  /// large there. draggedGoal: -1 for none.
  void appendGhosts(const Document& document, const Kinematics& kinematics, const RaceView& view, int draggedGoal,
                    double pixel, render::DrawList& list);

  struct Label {
    int lane = 0;
    Eigen::Vector3d tip;  ///< world: what is pulled, where the lane has it
  };
  /// One for each lane with a ghost, since appendGhosts.
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
  std::string gesture_;                   ///< that the lanes follow
  std::shared_ptr<const Figure> figure_;  ///< that the answers are for ...
  Pose pose_;                             ///< ... beside the document's at the time
  std::vector<Shown> shown_;              ///< one a lane
  std::vector<Label> labels_;
};

/// The methods that the settings choose, in the registry's order. Until the user has chosen: the first few that treat
/// limits exactly, and the one in use.
std::vector<std::string> racedSolvers(const Settings& settings, std::string_view inUse);
bool isRaced(const Settings& settings, std::string_view solver, std::string_view inUse);
void setRaced(Settings& settings, std::string_view solver, bool on, std::string_view inUse);

/// More curves or ghosts than this are a scribble: all but the one in focus are then faint.
inline constexpr std::size_t kMostClearLanes = 6;

}  // namespace limber::app
