#version 330 core
// SPDX-License-Identifier: MIT
// The shell of a reachable workspace.
layout(location = 0) in vec3 position;  // from the shell's middle
layout(location = 1) in vec3 normal;
layout(location = 2) in float beyondIt; // 0 not found, 1 proved out of reach, 2 neither: the area of a plane

uniform mat4 clipFromWorld;
uniform vec3 middle;  // of the shell, relative to the view's target

out vec3 worldPosition;
out vec3 worldNormal;
out vec3 place;
flat out float beyond;

void main() {
  place = position;
  worldPosition = position + middle;
  worldNormal = normal;
  beyond = beyondIt;
  gl_Position = clipFromWorld * vec4(worldPosition, 1.0);
}
