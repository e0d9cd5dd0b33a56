// SPDX-License-Identifier: MIT
#include "limber/io/figure_formats.h"

#include <algorithm>

#include "limber/io/base/text.h"
#include "limber/io/bvh/asf.h"
#include "limber/io/bvh/bvh.h"
#include "limber/io/gltf/gltf.h"
#include "limber/io/mesh/foreign.h"
#include "limber/io/mmd/mmd.h"
#include "limber/io/robot/robot.h"
#include "limber/io/usd/usda.h"

namespace limber::io {

std::span<const FigureFormat> figureFormats() {
  static const std::vector<FigureFormat> formats = {
      {"BVH motion", {".bvh"}, looksLikeBvh, readBvh, "skeleton, all frames", "nothing"},
      {"Acclaim skeleton (ASF)", {".asf"}, looksLikeAsf, readAsf, "bones, degrees of freedom, limits", "masses"},
      {"Acclaim motion (AMC)", {".amc"}, looksLikeAmc, readAmc, "all frames, of the skeleton beside it", "nothing"},
      {"URDF robot",
       {".urdf", ".xacro"},
       looksLikeUrdf,
       readUrdf,
       "links, joints of all types, limits, mimics, closed loops, masses, shapes, meshes, colours; xacro is expanded",
       "inertia, dynamics, transmissions, sensors, safety limits"},
      {"SDF robot",
       {".sdf", ".world"},
       looksLikeSdf,
       readSdf,
       "links, frames, nested and included models, joints also of the world, limits, mimics, closed loops, masses, "
       "shapes, meshes, colours",
       "inertia, sensors, plugins, models of a world that no joint joins"},
      {"MuJoCo model (MJCF)",
       {".mjcf", ".xml"},
       looksLikeMjcf,
       readMjcf,
       "bodies, joints, ranges, sites, equalities (closed loops too), keyframes, attached models, cables, masses, "
       "shapes, meshes, "
       "colours",
       "actuators, sensors, tendons, contacts, height fields, flexible bodies"},
      {"OpenSim model",
       {".osim"},
       looksLikeOsim,
       readOsim,
       "bodies, joints, coordinates with ranges and locks, splines as polynomials, couplers, masses, markers",
       "geometry, muscles and other forces, constraints but couplers, wrapping"},
      {"USD scene (text)",
       {".usda"},
       looksLikeUsda,
       readUsda,
       "a skeleton with its animations (UsdSkel), or bodies and joints with limits, masses and primitives (UsdPhysics)",
       "meshes, materials, references and other composition, drives, scales that are animated"},
      {"VRM character",
       {".vrm"},
       looksLikeVrm,
       readGltf,
       "as glTF, and which link is which part of the body",
       "expressions and spring bones (a written VRM keeps them), first person"},
      {"VRM animation",
       {".vrma"},
       looksLikeVrma,
       readGltf,
       "as glTF, and which link is which part of the body",
       "expressions and gaze (a written VRM animation keeps them)"},
      {"glTF model",
       {".gltf", ".glb"},
       looksLikeGltf,
       readGltf,
       "nodes, skins, meshes, materials, base colour textures, all animations",
       "morph targets, animated scales, cameras, lights, points and lines"},
      {"FBX character",
       {".fbx"},
       looksLikeFbx,
       readForeign,
       "nodes, skins, meshes, materials, all animations",
       "as glTF, and what assimp leaves out"},
      {"Collada model",
       {".dae"},
       looksLikeCollada,
       readForeign,
       "nodes, skins, meshes, materials, all animations",
       "as glTF, and what assimp leaves out"},
      {"MikuMikuDance motion",
       {".vmd"},
       looksLikeVmd,
       readVmd,
       "the bones that bodies have in common, their curves, the IK of legs",
       "other bones, expressions, cameras, lights"},
      {"MikuMikuDance pose",
       {".vpd"},
       looksLikeVpd,
       readVpd,
       "the bones that bodies have in common, the IK of legs",
       "other bones, expressions"},
  };
  return formats;
}

const FigureFormat* findFigureFormatByContents(std::string_view bytes) {
  for (const FigureFormat& format : figureFormats())
    if (format.looksLike(bytes)) return &format;
  return nullptr;
}

const FigureFormat* findFigureFormat(std::string_view bytes, const std::filesystem::path& path) {
  if (const FigureFormat* format = findFigureFormatByContents(bytes)) return format;
  const std::string ending = endingOf(path);
  for (const FigureFormat& format : figureFormats())
    if (std::ranges::find(format.endings, ending) != format.endings.end()) return &format;
  return nullptr;
}

std::string endingOf(const std::filesystem::path& path) { return lowerCase(path.extension().string()); }

}  // namespace limber::io
