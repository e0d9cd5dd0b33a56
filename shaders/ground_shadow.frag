#version 330 core
// SPDX-License-Identifier: MIT
// The figure's soft shadow, multiplied onto the ground: sharp where a limb touches it, softer the higher the limb.
in vec2 place;  // on the shadow maps
out vec4 fragment;

uniform sampler2D shadowMask;
uniform sampler2D shadowSmall;
uniform sampler2D shadowSmaller;
uniform vec3 shadowSpread;  // standard deviation of each map's edge, metres
uniform float shadowRange;  // metres for 1 in the mask's green

const float kPenumbra = 0.055;  // standard deviation of a shadow's edge for each metre between caster and ground

void main() {
  vec2 wide = texture(shadowSmaller, place).rg;
  vec2 middle = texture(shadowSmall, place).rg;
  vec2 texel = 0.8 / vec2(textureSize(shadowMask, 0));  // four reads smooth the steps of the mask
  float sharp = 0.25 * (texture(shadowMask, place + texel).r + texture(shadowMask, place - texel).r +
                        texture(shadowMask, place + vec2(texel.x, -texel.y)).r +
                        texture(shadowMask, place + vec2(-texel.x, texel.y)).r);
  float height = shadowRange * (middle.g + 0.05 * wide.g) / max(middle.r + 0.05 * wide.r, 1e-3);
  float spread = kPenumbra * height;
  float sharpToMiddle = clamp((spread - shadowSpread.x) / (shadowSpread.y - shadowSpread.x), 0.0, 1.0);
  float middleToWide = clamp((spread - shadowSpread.y) / (shadowSpread.z - shadowSpread.y), 0.0, 1.0);
  float shadow = max(mix(mix(sharp, middle.r, sharpToMiddle), wide.r, middleToWide), 0.42 * wide.r);
  fragment = vec4(vec3(1.0) - 0.62 * shadow * vec3(1.0, 0.97, 0.92), 1.0);
}
