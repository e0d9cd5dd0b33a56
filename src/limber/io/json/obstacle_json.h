// SPDX-License-Identifier: MIT
// Obstacles in scene and problem files. Readers throw JsonFault.
//
//   {"id": 1, "name": "table", "shape": "box", "place": {"position": [x, y, z], "rotation": [x, y, z, w]},
//    "size": [x, y, z], "vertices": [[x, y, z], ...], "prop": {"positions": [x, y, z, ...], "triangles": [...]},
//    "links": [name, ...], "points": [{"link": name, "point": [x, y, z]}, ...], "enabled": true}
//
// The order of a polyhedron's vertices does not matter; its faces are computed from them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "limber/kinematics/figure.h"
#include "limber/problem/obstacle.h"

namespace limber::io {

class JsonValue;

/// Lengths are metres, axes those of the scene. The id defaults to 0.
Obstacle obstacleFromJson(const JsonValue& value, const Figure& figure);
nlohmann::ordered_json obstacleToJson(const Obstacle& obstacle, const Figure& figure);

}  // namespace limber::io
