#version 330 core
// SPDX-License-Identifier: MIT
// The skin, lit as the limbs are.
#include "lighting.glsl"
#include "skin_material.glsl"
out vec4 fragment;

void main() {
  fragment = vec4(shade(albedoHere(), worldPosition, normalHere()) + dither(gl_FragCoord.xy), 1.0);
}
