#version 330 core
// SPDX-License-Identifier: MIT
// A translucent skin around the figure: more transparent where it faces the viewer, more opaque towards its outline.
#include "skin_material.glsl"
out vec4 fragment;

uniform vec3 eye;

void main() {
  float facing = max(dot(normalHere(), normalize(eye - worldPosition)), 0.0);
  float edge = 1.0 - facing;
  fragment = vec4(toScreen(albedoHere().rgb) * (0.60 + 0.40 * facing), mix(0.30, 0.80, edge * edge));
}
