// SPDX-License-Identifier: MIT
// Obstacles in the words of scene and problem files. Readers throw JsonFault.
//
//   {"id": 1, "name": "table", "shape": "box", "place": {"position": [x, y, z], "rotation": [x, y, z, w]},
//    "size": [x, y, z], "vertices": [[x, y, z], ...], "prop": {"positions": [x, y, z, ...], "triangles": [...]},
//    "links": [name, ...], "points": [{"link": name, "point": [x, y, z]}, ...], "enabled": true}
//
// Of a polyhedron the vertices count, not their order; its faces are found anew.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "limber/kinematics/figure.h"
#include "limber/problem/obstacle.h"

namespace limber::io {

class JsonValue;

/// Lengths in metres, in the scene's axes. Without an id it is 0.
Obstacle obstacleFromJson(const JsonValue& value, const Figure& figure);
nlohmann::ordered_json obstacleToJson(const Obstacle& obstacle, const Figure& figure);

}  // namespace limber::io
