// SPDX-License-Identifier: MIT
// Figure 6 of the paper: noisy points (red) and what methods make of them (blue), a row a method, a column a problem.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "research/problems.h"

namespace limber::experiments {

/// The files that are written, in this order: what was observed; the paper's trust region, limits as a penalty, from
/// the first random start; the relaxation's matrices made rotations, before angles are read; SDP-IK.
std::vector<std::string> pictureRows();

struct PictureSettings {
  int columns = 3;                ///< of each case: problems spread evenly over it
  int width = 200, height = 220;  ///< of a column, pixels
  std::uint64_t seed = 1;
};

/// Writes the rows of pictureRows() as PNG files into the folder, nothing behind the figures. Empty, or why there are
/// no pictures.
std::string drawPictures(const std::vector<Case>& cases, const PictureSettings& settings,
                         const std::filesystem::path& folder);

}  // namespace limber::experiments
