#version 330 core
// SPDX-License-Identifier: MIT
// Targets, lines and rings: nearly unshaded, so that their colour is that of the palette.
in vec3 worldPosition;
in vec3 worldNormal;
flat in vec4 color;
out vec4 fragment;

uniform vec3 eye;
uniform float opacity;

void main() {
  float facing = max(dot(normalize(worldNormal), normalize(eye - worldPosition)), 0.0);
  fragment = vec4(color.rgb * (0.72 + 0.28 * facing), color.a * opacity);
}
