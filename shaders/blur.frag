#version 330 core
// SPDX-License-Identifier: MIT
// One direction of a Gaussian blur: samples half a standard deviation apart, up to two.
in vec2 place;
out vec4 blurred;

uniform sampler2D source;
uniform vec2 stride;

void main() {
  const float weights[5] = float[5](0.20417, 0.18017, 0.12383, 0.06628, 0.02763);
  vec2 sum = weights[0] * textureLod(source, place, 0.0).rg;
  for (int i = 1; i < 5; ++i)
    sum += weights[i] * (textureLod(source, place + float(i) * stride, 0.0).rg +
                         textureLod(source, place - float(i) * stride, 0.0).rg);
  blurred = vec4(sum, 0.0, 0.0);
}
