#version 330 core
// SPDX-License-Identifier: MIT
// The figure's soft shadow, multiplied onto the ground: sharp where a limb touches it, softer for higher limbs.
in vec2 place;  // on the shadow maps
out vec4 fragment;

uniform sampler2D shadowMask;
uniform sampler2D shadowSmall;
uniform sampler2D shadowSmaller;
uniform vec3 shadowSpread;  // standard deviation of each map's edge, metres
uniform float shadowRange;  // metres for 1 in the mask's green
uniform float strength;     // fraction of the ground's light that a shadow removes
uniform float contactHeight; // metres; anything lower than this also hides the sky

const float kPenumbra = 0.055;  // standard deviation of a shadow's edge per metre between caster and ground

// Two samples smooth the steps of the mask.
float sharpHere() {
  vec2 texel = vec2(1.0, 0.5) / vec2(textureSize(shadowMask, 0));
  return 0.5 * (textureLod(shadowMask, place + texel, 0.0).r + textureLod(shadowMask, place - texel, 0.0).r);
}

void main() {
  vec2 wide = textureLod(shadowSmaller, place, 0.0).rg;
  vec2 middle = textureLod(shadowSmall, place, 0.0).rg;
  float height = shadowRange * (middle.g + 0.05 * wide.g) / max(middle.r + 0.05 * wide.r, 1e-3);
  float spread = kPenumbra * height;
  float sharpToMiddle = clamp((spread - shadowSpread.x) / (shadowSpread.y - shadowSpread.x), 0.0, 1.0);
  float sharp = mix(sharpHere(), middle.r, sharpToMiddle);
  float middleToWide = clamp((spread - shadowSpread.y) / (shadowSpread.z - shadowSpread.y), 0.0, 1.0);
  float shadow = max(mix(sharp, wide.r, middleToWide), 0.42 * wide.r);
  float contact = contactHeight / (contactHeight + height);
  float dark = mix(strength, 0.5 + 0.5 * strength, contact * contact);
  fragment = vec4(vec3(1.0) - dark * shadow * vec3(1.0, 0.97, 0.92), 1.0);
}
