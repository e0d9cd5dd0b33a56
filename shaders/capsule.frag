#version 330 core
// SPDX-License-Identifier: MIT
// A lit limb.
#include "lighting.glsl"
in vec3 worldPosition;
in vec3 worldNormal;
flat in vec4 color;
out vec4 fragment;

void main() {
  fragment = vec4(shade(toLinear(color.rgb), worldPosition, normalize(worldNormal)) + dither(gl_FragCoord.xy), 1.0);
}
