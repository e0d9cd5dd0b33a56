#version 330 core
// SPDX-License-Identifier: MIT
// The ground: a circle of light, a grid with lines one pixel wide, and its two axes; all fade into the backdrop.
// Lines after B. Golus, "The best darn grid shader (yet)".
in vec2 fromMiddle;
out vec4 fragment;

uniform vec2 pictureSize;
uniform vec2 pictureCorner;
uniform vec2 gridOffset;    // position of the middle on the grid, modulo a hundred cells
uniform vec2 axisOffset;    // the middle relative to the grid's origin
uniform float cell;         // distance of the finest lines, metres; every tenth is stronger
uniform float lineWidth;    // metres
uniform vec3 eyeOverGround; // along u and v from the middle, and its height
uniform float cellFade;     // 0: the finest lines have full strength, 1: none
uniform vec3 axisColorU;    // of the line along u
uniform vec3 axisColorV;
uniform float poolRadius;   // of the light on the ground
uniform float fadeRadius;   // beyond which only the backdrop is visible
uniform vec3 groundNear;    // screen colours
uniform vec3 groundFar;
uniform float gridLight;    // added by the strongest lines
uniform float opacity;

// The fraction of the pixel that lines cover, one line per unit of p, of the given width in units but at least a pixel.
// `derivative` is the change of p per pixel, `sharpness` its inverse. Computes two grids at once: xy and zw.
vec4 lines(vec4 p, vec4 derivative, vec4 sharpness, vec4 width) {
  vec4 drawn = clamp(width, derivative, vec4(0.5));
  vec4 fromLine = abs(fract(p - 0.5) - 0.5);
  vec4 line = clamp((0.5 * drawn - fromLine) * sharpness + 0.5, 0.0, 1.0) * (width / drawn);
  return mix(line, width, clamp(2.0 * derivative - 1.0, 0.0, 1.0));  // lines too dense to see: their mean
}

// The number of pixels in which each of two numbers changes by one.
vec2 pixelsForOne(vec2 p) {
  vec2 right = dFdx(p), up = dFdy(p);
  return inversesqrt(max(right * right + up * up, 1e-30));
}

// 0 if the view is too flat to separate the lines of the ground.
float steepness() {
  vec3 away = vec3(fromMiddle - eyeOverGround.xy, eyeOverGround.z);
  return clamp(10.0 * abs(away.z) * inversesqrt(dot(away, away)) - 0.2, 0.0, 1.0);
}

vec2 axisLines(vec2 fromAxis, vec2 sharpness) { return clamp(1.5 - abs(fromAxis) * sharpness, 0.0, 1.0); }

void main() {
  vec2 place = (gl_FragCoord.xy - pictureCorner) / pictureSize;
  vec3 behind = backdrop(place);
  float radiusSquared = dot(fromMiddle, fromMiddle);
  float present = clamp(1.0 - radiusSquared / (fadeRadius * fadeRadius), 0.0, 1.0);
  present *= present * present;
  float pool = 1.0 / (1.0 + radiusSquared / (poolRadius * poolRadius));
  vec3 ground = mix(groundFar, groundNear, pool * pool);
  vec3 color = mix(behind, ground, present);

  vec2 p = (fromMiddle + gridOffset) / cell;
  vec2 sharpness = pixelsForOne(fromMiddle);
  vec2 change = 1.0 / (sharpness * cell), width = vec2(1.0, 0.1) * (lineWidth / cell);
  vec4 grids = lines(vec4(p, 0.1 * p), vec4(change, 0.1 * change), cell * vec4(sharpness, 10.0 * sharpness), width.xxyy);
  float fine = 1.3 * max(grids.x, grids.y) * (1.0 - cellFade);
  float strong = max(grids.z, grids.w) * mix(2.2, 1.3, cellFade);
  color += (gridLight * present * steepness()) * max(fine, strong);

  vec2 axis = (0.65 * present) * axisLines(fromMiddle + axisOffset, sharpness);
  color = mix(mix(color, axisColorU, axis.y), axisColorV, axis.x);
  fragment = vec4(color + dither(gl_FragCoord.xy), opacity);
}
