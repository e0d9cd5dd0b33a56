#version 330 core
// SPDX-License-Identifier: MIT
// Smooths the edges of a finished picture: where neighbours differ in brightness, blurs along the edge between them.
// After T. Lottes, "FXAA" (NVIDIA, 2009), in the short form that reads four neighbours.
in vec2 place;
out vec4 fragment;

uniform sampler2D picture;
uniform vec2 texel;  // of the picture, in [0, 1]

const float kLeastContrast = 0.04;
const float kLongest = 6.0;  // texels read along an edge, to both sides

float brightness(vec3 color) { return dot(color, vec3(0.30, 0.59, 0.11)); }
float brightnessAt(vec2 offset) { return brightness(textureLod(picture, place + offset * texel, 0.0).rgb); }

void main() {
  vec3 here = textureLod(picture, place, 0.0).rgb;
  float upLeft = brightnessAt(vec2(-1.0, 1.0)), upRight = brightnessAt(vec2(1.0, 1.0));
  float downLeft = brightnessAt(vec2(-1.0, -1.0)), downRight = brightnessAt(vec2(1.0, -1.0));
  float middle = brightness(here);
  float least = min(middle, min(min(upLeft, upRight), min(downLeft, downRight)));
  float most = max(middle, max(max(upLeft, upRight), max(downLeft, downRight)));
  fragment = vec4(here, 1.0);
  if (most - least < max(kLeastContrast, 0.1 * most)) return;

  vec2 along = vec2(upLeft + upRight - downLeft - downRight, upLeft + downLeft - upRight - downRight);
  float blunt = 0.03 * (upLeft + upRight + downLeft + downRight) + 0.008;  // against noise
  along /= min(abs(along.x), abs(along.y)) + blunt;
  along = clamp(along, -kLongest, kLongest) * texel;
  vec3 near = 0.5 * (textureLod(picture, place - along / 6.0, 0.0).rgb + textureLod(picture, place + along / 6.0, 0.0).rgb);
  vec3 far = 0.5 * near + 0.25 * (textureLod(picture, place - 0.5 * along, 0.0).rgb + textureLod(picture, place + 0.5 * along, 0.0).rgb);
  float wide = brightness(far);
  fragment.rgb = wide < least || wide > most ? near : far;
}
