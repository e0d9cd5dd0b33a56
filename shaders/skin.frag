#version 330 core
// SPDX-License-Identifier: MIT
// The skin, lit like the limbs.
#include "lighting.glsl"
#include "skin_material.glsl"
out vec4 fragment;

uniform float isBlended;

void main() {
  vec4 albedo = albedoHere();
  vec3 color = shade(albedo.rgb, worldPosition, normalHere()) + dither(gl_FragCoord.xy);
  fragment = vec4(color, mix(1.0, albedo.a, isBlended));
}
