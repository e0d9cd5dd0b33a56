#version 330 core
// SPDX-License-Identifier: MIT
// The shell, more opaque towards its outline: plain blue where it is proved that nothing beyond can be reached, amber
// stripes where merely no pose was found.
in vec3 worldPosition;
in vec3 worldNormal;
in vec3 place;
flat in float beyond;
out vec4 fragment;

uniform vec3 eye;
uniform vec3 toLight;   // unit
uniform float opacity;
uniform float stripe;   // distance between stripes, metres

const vec3 kProved = vec3(0.36, 0.66, 0.96);
const vec3 kOpen = vec3(1.00, 0.68, 0.12);

// The fraction of the pixel that a stripe covers.
float striped() {
  float at = dot(place, vec3(0.57735)) / stripe;
  float wide = clamp(fwidth(at), 1e-4, 0.5);
  float off = abs(fract(at) - 0.5);
  return smoothstep(0.25 - wide, 0.25 + wide, off);
}

void main() {
  vec3 normal = (gl_FrontFacing ? 1.0 : -1.0) * normalize(worldNormal);
  float facing = max(dot(normal, normalize(eye - worldPosition)), 0.0);
  float edge = 1.0 - facing;
  bool isOpen = beyond < 0.5, isArea = beyond > 1.5;
  vec3 color = isOpen ? kOpen : kProved;
  float light = 0.62 + 0.20 * facing + 0.28 * max(dot(normal, toLight), 0.0);
  float alpha = opacity * mix(0.42, 1.0, edge * edge) * (gl_FrontFacing ? 1.0 : 0.55);
  if (isOpen) alpha *= mix(0.55, 1.45, striped());
  if (isArea) alpha = 0.35 * opacity;
  fragment = vec4(color * light, min(alpha, 1.0));
}
