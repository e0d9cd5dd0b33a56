#version 330 core
// SPDX-License-Identifier: MIT
// A translucent figure: more transparent where it faces the viewer, more opaque towards its outline.
in vec3 worldPosition;
in vec3 worldNormal;
flat in vec4 color;
out vec4 fragment;

uniform vec3 eye;

void main() {
  float facing = max(dot(normalize(worldNormal), normalize(eye - worldPosition)), 0.0);
  float edge = 1.0 - facing;
  float alpha = color.a * mix(0.55, 1.0, edge * edge);
  fragment = vec4(color.rgb * (0.55 + 0.45 * facing), min(alpha + 0.35 * color.a * edge * edge * edge, 1.0));
}
