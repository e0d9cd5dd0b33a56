// SPDX-License-Identifier: MIT
// A user who makes random requests of all kinds; the same seed gives the same requests on every machine.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "app/drag/goal_handles.h"
#include "app/drag/obstacle_handles.h"
#include "app/editing/figure_editing.h"
#include "app/session/session.h"
#include "limber/body/anatomy.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/clock.h"
#include "limber/solvers/registry.h"
#include "settle.h"

namespace limber::app {

class RandomUser {
 public:
  RandomUser(Session& session, unsigned seed, std::vector<std::filesystem::path> files = {})
      : session_(session), random_(seed), files_(std::move(files)) {}

  /// Does one thing, waits until it is done, and returns its name.
  std::string act() {
    std::string what;
    switch (below(14)) {
      case 0:
      case 1:
      case 2: what = drag(); break;
      case 3: what = turnByKeys(); break;
      case 4:
      case 5: what = pressKey(); break;
      case 6: what = click(); break;
      case 7:
      case 8: what = edit(); break;
      case 9: what = editFigure(); break;
      case 10: what = plant(); break;
      case 11: what = useTimeline(); break;
      case 12: what = slide(); break;
      default: what = openOrMake(); break;
    }
    settleAll();
    return what;
  }

  /// Runs frames until nothing moves any more.
  void settleAll() {
    session_.playing.stop();
    do {
      session_.services.job.wait(60.0);
      app::settle(session_);
    } while (session_.services.job.isRunning() || session_.solving.isBusy());
  }

  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  double between(double low, double high) { return low + (high - low) * (random_() % 10001) / 10000.0; }

 private:
  const Document& document() const { return session_.document(); }
  int anyLink() { return static_cast<int>(below(static_cast<unsigned>(document().figure->linkCount()))); }

  /// On a link, a goal's target, or anywhere a mouse can go: points next to the eye are far outside the picture.
  Eigen::Vector2d anyPlace() {
    constexpr double kBeside = 1e4;  // pixels
    std::optional<Eigen::Vector2d> pixel;
    const auto& goals = document().goals;
    if (below(3) == 0 && !goals.empty()) {
      pixel = render::projectToPixel(session_.picture.view(), goals[below(static_cast<unsigned>(goals.size()))].target);
    } else if (below(8) != 0) {
      const int link = anyLink();
      const auto& capsules = document().figure->link(link).capsules;
      const Eigen::Vector3d point = capsules.empty() ? Eigen::Vector3d(Eigen::Vector3d::Zero())
                                                     : Eigen::Vector3d(0.5 * (capsules[0].start + capsules[0].end));
      pixel = render::projectToPixel(session_.picture.view(),
                                     session_.picture.kinematics.worldFromLink[static_cast<std::size_t>(link)] * point);
    }
    return pixel.value_or(Eigen::Vector2d(between(0.0, 800.0), between(0.0, 600.0)))
        .cwiseMax(-kBeside)
        .cwiseMin(kBeside);
  }

  void move(const Eigen::Vector2d& at, Modifiers held = {}) {
    session_.pointer.isInside = true;
    handleEvent(session_, CursorMove{at.x(), at.y(), held});
  }
  void button(const Eigen::Vector2d& at, bool isPressed, Button which = Button::Left, Modifiers held = {}) {
    handleEvent(session_, ButtonChange{which, isPressed, held, at.x(), at.y()});
  }
  void request(Command command, Argument argument = {}) {
    perform(session_, command, std::move(argument));
    app::frame(session_);
  }
  void change(const std::string& label, Change does, AfterEdit after = AfterEdit::Solve,
              const std::string& gesture = "") {
    request(Command::Edit, DocumentEdit{label, gesture, std::move(does), after});
  }

  std::string drag() {
    const Eigen::Vector2d from = anyPlace(),
                          to = from + Eigen::Vector2d(between(-150.0, 150.0), between(-150.0, 150.0));
    const Button which = below(6) == 0 ? (below(2) ? Button::Middle : Button::Right) : Button::Left;
    move(from);
    app::frame(session_);
    button(from, true, which, {.shift = below(5) == 0, .control = below(8) == 0, .alt = below(10) == 0});
    for (int i = 1; i <= 8; ++i) {
      move(from + (to - from) * (i / 8.0));
      app::frame(session_);
      if (i == 4 && below(4) == 0) chooseSolver();
      if (i >= 3 && below(8) == 0) handleInDrag();
      if (i == 5 && below(12) == 0) perform(session_, Command::Pin);
      if (i == 6 && below(10) == 0) {
        perform(session_, Command::Cancel);
        break;
      }
    }
    button(to, false, which);
    return "drag";
  }

  /// Locks, typed numbers, the wheel.
  void handleInDrag() {
    switch (below(4)) {
      case 0: handleEvent(session_, KeyPress{Key::Letter, "xyz" [below(3)], { .shift = below(3) == 0 }, false}); break;
      case 1: handleEvent(session_, Typed{U"0123456789.-"[below(12)]}); break;
      case 2: handleEvent(session_, KeyPress{Key::Backspace, 0, {}, false}); break;
      default: handleEvent(session_, WheelTurn{between(-2.0, 2.0), 400.0, 300.0, {.control = below(2) == 0}}); break;
    }
    app::frame(session_);
  }

  void chooseSolver() {
    std::vector<std::string> names;
    for (const Solver* solver : allSolvers())
      if (solver->name() != "global" && solver->name() != "sdp-ik" && solver->name() != "multi-start")
        names.emplace_back(solver->name());
    change("solver", [name = names[below(static_cast<unsigned>(names.size()))]](Document& d) {
      d.solver.solver = name;
      d.solver.insist = true;
    });
  }

  std::string turnByKeys() {
    for (unsigned i = 0; i < 1 + below(4); ++i) {
      handleEvent(session_, Typed{U".,>;"[below(4)]});
      app::frame(session_);
    }
    return "turn";
  }

  std::string pressKey() {
    static const Command kActions[] = {Command::ToggleMode,    Command::TurnUp,        Command::RestPose,
                                       Command::NextJoint,     Command::PreviousJoint, Command::LockJoint,
                                       Command::Pin,           Command::PinPosition,   Command::PinRotation,
                                       Command::DeleteGoal,    Command::ToggleFollow,  Command::Solve,
                                       Command::ToggleBalance, Command::Nudge,         Command::FrameSelection,
                                       Command::FrameAll,      Command::NextSkinView,  Command::KeyPose,
                                       Command::KeyGoals,      Command::RemoveKey,     Command::FrameForward,
                                       Command::FrameBack,     Command::NextKey,       Command::PreviousKey,
                                       Command::PlayOrPause,   Command::CopyPose,      Command::Cancel,
                                       Command::MoveTool,      Command::TurnTool,      Command::MoveTool,
                                       Command::TurnTool,      Command::MirrorPose,    Command::FlipPose,
                                       Command::ToggleSymmetry};
    const Command action = kActions[below(static_cast<unsigned>(std::size(kActions)))];
    perform(session_, action);
    for (int i = 0; i < 3; ++i) {
      move(anyPlace());
      app::frame(session_);
    }
    if (session_.pointer.following && below(2)) edit();
    if (document().follow) perform(session_, below(2) ? Command::ToggleFollow : Command::Cancel);
    return "key " + std::to_string(static_cast<int>(action));
  }

  std::string click() {
    const Eigen::Vector2d at = anyPlace();
    const Modifiers held{.shift = below(4) == 0, .control = below(4) == 0, .alt = false};
    move(at, held);
    app::frame(session_);
    button(at, true, Button::Left, held);
    button(at, false, Button::Left, held);
    return "click";
  }

  std::string edit() {
    const int link = anyLink();
    const double number = between(0.0, 1.0);
    switch (below(11)) {
      case 0: chooseSolver(); return "solver";
      case 1: change("weight", [=](Document& d) { d.solver.targetWeight = 1e3 * number + 1.0; }); return "weight";
      case 2: change("rest", [=](Document& d) { d.solver.restWeight = number; }); return "rest weight";
      case 3:
        change("rigidity", [=](Document& d) { d.joints[static_cast<std::size_t>(link)].rigidity = 0.9 * number; });
        return "rigidity";
      case 4:
        change("limits", [=](Document& d) {
          d.joints[static_cast<std::size_t>(link)].limits = {-0.1 - number, 0.2 + number};
          clampToLimits(d, d.pose);
        });
        return "limits";
      case 5:
        change("obstacle", [this](Document& d) {
          d.selection = {.obstacle = addObstacle(
                             d, newBox(session_.picture.drawList.figureSize, session_.picture.drawList.groundHeight))};
        });
        return "obstacle";
      case 6:
        change("avoid", [](Document& d) {
          d.selfAvoidance = static_cast<SelfAvoidance>((static_cast<int>(selfAvoidanceOf(d)) + 1) % 3);
        });
        return "avoid itself";
      case 7:
        change("goals", [=](Document& d) {
          for (GoalItem& goal : d.goals) {
            goal.weight = 0.5 + number;
            goal.target.y() += 0.3 * number;
            goal.name = "goal of " + std::to_string(goal.id);
          }
        });
        return "goals";
      case 8:
        change("move obstacles", [=](Document& d) {
          for (Obstacle& obstacle : d.obstacles) obstacle.worldFromObstacle.translation.x() += number - 0.5;
        });
        return "move obstacles";
      case 9:
        change("path", [=](Document& d) {
          d.solver.pathIndependent = !d.solver.pathIndependent;
          d.solver.posing = number < 0.3   ? PosingChoice::Even
                            : number < 0.8 ? PosingChoice::Natural
                                           : PosingChoice::Still;
          d.solver.bodyFollows = 0.5 * number;
        });
        return "path";
      default:
        change(
            "limits of people",
            [](Document& d) {
              if (wantsAnatomicalLimits(d)) applyAnatomicalLimits(d);
            },
            AfterEdit::Nothing);
        return "limits of people";
    }
  }

  /// A slider: many edits, one step.
  std::string slide() {
    for (int i = 0; i < 5; ++i) {
      const double number = between(0.5, 2.0);
      change(
          "slide", [=](Document& d) { d.solver.targetWeight = 500.0 * number; }, AfterEdit::Solve, "widget 7");
    }
    endWidgetGesture(session_);
    return "slider";
  }

  std::string editFigure() {
    const Figure& figure = *document().figure;
    const int link = anyLink();
    CommandQueue queue;
    switch (below(4)) {
      case 0:
        app::editFigure(document(), "rename", "", renameLink(figure, link, freeName(figure, "renamed")), session_.ui,
                        queue);
        break;
      case 1:
        app::editFigure(document(), "scale", "", scaleLink(figure, link, between(0.8, 1.25)), session_.ui, queue);
        break;
      case 2: {
        if (figure.linkCount() > 60) break;
        NewLink added = continuationOf(figure, link);
        added.name = freeName(figure, "added");
        addLinkTo(document(), added, session_.ui, queue);
        break;
      }
      default:
        if (figure.linkCount() > 5) removeLinkFrom(document(), link, session_.ui, queue);
        break;
    }
    carryOut(session_, queue);
    app::frame(session_);
    return "figure edit";
  }

  std::string plant() {
    const auto type = static_cast<GoalType>(below(12));
    perform(session_, Command::Select, Selection{.joint = anyLink()});
    request(Command::Plant, type);
    if (session_.ui.planting) click();
    if (session_.ui.planting) perform(session_, Command::Cancel);
    return "plant " + std::to_string(static_cast<int>(type));
  }

  std::string useTimeline() {
    switch (below(5)) {
      case 0: perform(session_, Command::KeyPose); return "key the pose";
      case 1:
        for (int i = 0; i < 4; ++i) {
          request(Command::ScrubTo, Scrub{between(0.0, 2.0), "widget scrub"});
        }
        endWidgetGesture(session_);
        return "scrub";
      case 2:
        perform(session_, Command::PlayOrPause);
        for (int i = 0; i < 6; ++i) app::frame(session_);
        return "play";
      case 3:
        if (document().goals.empty()) return "no path";
        change("path", [](Document& d) {
          addPath(d, d.goals.front().id);
          movePathPoint(d, d.goals.front().id, 0, d.goals.front().target + Eigen::Vector3d(0.1, 0.2, 0.0));
        });
        return "path";
      default:
        if (!document().timeline || clockOf(document()).frameCount > 100) return "no bake";
        request(Command::Bake, below(2) ? BakeAs::Keys : BakeAs::Motion);
        return "bake";
    }
  }

  std::string openOrMake() {
    if (below(3) == 0 && !files_.empty()) {
      const std::filesystem::path& file = files_[below(static_cast<unsigned>(files_.size()))];
      request(Command::Open, file);
      return "open " + file.string();
    }
    static const NewFigure kFigures[] = {{NewFigure::Kind::PlanarChain, 5},
                                         {NewFigure::Kind::BallChain, 4},
                                         {NewFigure::Kind::Humanoid, 0},
                                         {NewFigure::Kind::Arm, 0}};
    if (below(2) == 0) return "nothing";
    request(Command::CreateFigure, kFigures[below(4)]);
    return "new figure";
  }

  Session& session_;
  std::mt19937 random_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace limber::app
