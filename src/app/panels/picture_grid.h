// SPDX-License-Identifier: MIT
// A grid of square pictures with lines of text below them, in the column.
#pragma once

#include <imgui.h>

#include <string>

namespace limber::app {

/// Columns and sizes of the grid, pixels.
struct PictureGrid {
  int columns, lines;  ///< lines: of text below each picture
  float cell, gap, line;

  explicit PictureGrid(float width, int linesBelow = 1);
  ImVec2 at(const ImVec2& origin, int i) const {
    return {origin.x + static_cast<float>(i % columns) * (cell + gap),
            origin.y + static_cast<float>(i / columns) * (cellHeight() + gap)};
  }
  float cellHeight() const { return cell + static_cast<float>(lines) * line; }
  float height(int count) const { return static_cast<float>((count + columns - 1) / columns) * (cellHeight() + gap); }
};

/// Draws a picture `width` pixels square, with a frame if it is chosen or under the cursor; texture 0: only its ground.
void drawPictureCell(unsigned texture, const ImVec2& corner, float width, bool isChosen, bool isHovered);

/// Draws a line of text below the picture at the corner, centred and clipped to its width. lineBelow: 0 for the first.
void drawPictureCaption(const ImVec2& corner, float width, int lineBelow, const std::string& text, const ImVec4& color);

}  // namespace limber::app
