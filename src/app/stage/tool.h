// SPDX-License-Identifier: MIT
// The interface of the tools of the mouse. app/tools has one file for each of them.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/drag/drag.h"
#include "app/settings/input.h"
#include "render/draw_list.h"

namespace limber::app {

struct Planting;
struct Stage;

/// Drawings of a tool over the picture, in its pixels.
struct Overlay {
  struct Line {
    std::array<Eigen::Vector2d, 2> ends;
    bool isSecond = false;  ///< of the second of two directions
  };
  std::vector<Line> lines;
  std::optional<std::array<Eigen::Vector2d, 2>> box;  ///< two opposite corners
};

/// A tool handles the mouse from the press of a button to its release. stage.pointer has the place of the press and the
/// item that was hit there. Without a movement, release() is called at that place.
struct Tool {
  virtual ~Tool() = default;

  /// Called when the tool gets the mouse, from the press or from another tool.
  virtual void begin(Stage&) {}
  /// The cursor has left the place of the press. Returns the tool that takes over, or null to keep this one.
  virtual std::unique_ptr<Tool> leave(Stage&, const Modifiers&) { return nullptr; }
  /// The cursor has moved by (x, y) pixels.
  virtual void move(Stage&, const Modifiers&, const Eigen::Vector2d& /*by*/) {}
  virtual void release(Stage&, const Modifiers&) {}
  /// Takes a key, a typed character or the wheel. Returns false to leave it to others.
  virtual bool key(Stage&, const InputEvent&) { return false; }
  /// Undoes all changes since the press. Returns false if there were none.
  virtual bool cancel(Stage&) { return false; }

  /// The prompt for the next click; empty for none.
  virtual std::string hint(const Planting&) const { return {}; }
  virtual void draw(const Stage&, Overlay&) const {}
  virtual void highlight(const Stage&, render::Highlight&) const {}
  /// The status line of the tool; empty for none.
  virtual std::string status(const Stage&) const { return {}; }
  /// The drag that is running, or that will start once the cursor leaves the place of the press; null for none.
  virtual Drag* drag() const { return nullptr; }
};

}  // namespace limber::app
