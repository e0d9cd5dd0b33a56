// SPDX-License-Identifier: MIT
// Robots in URDF (one tree of links and joints) and SDF (nested models), and models of MuJoCo (MJCF, nested bodies), z
// up; and models of OpenSim, y up. All lengths are metres. docs/formats.md lists the parts that are read and the parts
// that are left out.
#pragma once

#include <filesystem>
#include <string_view>

#include "limber/io/export_formats.h"
#include "limber/io/figure_source.h"

namespace limber::io {

/// True when the first element is <robot>.
bool looksLikeUrdf(std::string_view text);

/// The robot with its surfaces. Notes name what was guessed or left out, and meshes that were not found. Errors:
/// several roots, cycles, links that are missing or have two parents, duplicate names, zero axes, and xacro that cannot
/// be expanded (xacro.h).
Result<FigureSource> readUrdf(std::string_view text, const std::filesystem::path& path,
                              const OpenContext& context = {});

/// The figure as URDF. A robot that came from a URDF keeps the text of its file: changed limits, mimics and masses and
/// added sites are written, everything else stays byte for byte. Any other figure, or one whose links are no longer
/// those of the file, becomes a new file: the pose with all coordinates zero, cylinders with balls for capsules, sites
/// as links on fixed joints, and a link for the world if the root moves or is not at the origin. Notes name what URDF
/// cannot express.
Result<Exported> formatUrdf(const Document& document);

/// True when the first element is <sdf>.
bool looksLikeSdf(std::string_view text);

/// The robot of an SDF file (Gazebo), or of the world in it, with its surfaces: links, nested and included models.
/// Links of nested models have names such as "gripper::palm". A joint away from its link's origin gets a link
/// LINK/JOINT. Notes name what was left out. Errors: cycles, duplicate names, zero axes, missing frames, and models
/// that were not found.
Result<FigureSource> readSdf(std::string_view text, const std::filesystem::path& path, const OpenContext& context = {});

/// True when the first element is <mujoco>.
bool looksLikeMjcf(std::string_view text);

/// A model that came from an MJCF file, in the text of that file: changed ranges of hinges and slides, changed masses
/// of inertials, disabled equalities and added sites are written, everything else stays byte for byte. Notes name what
/// could not be written. Errors: the figure did not come from such a file, its links are no longer those of the file,
/// or the pose is not finite.
Result<Exported> formatMjcf(const Document& document);

/// The model with the surfaces of its primitive geoms and its meshes. Links have the names and frames of bodies; scalar
/// coordinates are those of MuJoCo's qpos. Several joints of a body, or a joint away from the body's origin, become
/// links BODY/JOINT above the body. Included files are read, too. Notes name what was left out.
Result<FigureSource> readMjcf(std::string_view text, const std::filesystem::path& path,
                              const OpenContext& context = {});

/// True when the first element is <OpenSimDocument>.
bool looksLikeOsim(std::string_view text);

/// The bodies, joints and markers of a model of OpenSim; y up, metres. Joints have the names of their coordinates, and
/// markers are sites. A joint of several axes becomes links BODY/COORDINATE above the body. Notes name what was
/// approximated or left out. Errors: cycles, missing bodies, joints and functions of other types.
Result<FigureSource> readOsim(std::string_view text, const std::filesystem::path& path,
                              const OpenContext& context = {});

}  // namespace limber::io
