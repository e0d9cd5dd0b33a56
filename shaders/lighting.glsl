// SPDX-License-Identifier: MIT
// What a surface looks like: key light with the figure's own shadow, sky and ground, a weak light at the eye, a sheen
// and a rim.
uniform vec3 eye;
uniform vec3 toLight;        // unit
uniform vec3 groundNormal;   // unit
uniform float groundDistance; // of the ground below the origin, along its normal
uniform float contactHeight; // up to which the ground darkens what is near it

uniform sampler2DShadow shadowDepth;
uniform mat4 shadowFromWorld;
uniform float shadowTexel;   // metres
uniform float shadowOn;

const vec3 kKey = vec3(1.00, 0.955, 0.89) * 1.95;
const vec3 kSky = vec3(0.46, 0.52, 0.62) * 0.80;
const vec3 kGround = vec3(0.36, 0.335, 0.31) * 0.60;
const vec3 kEyeLight = vec3(0.85, 0.92, 1.00) * 0.22;
const vec3 kRim = vec3(0.75, 0.86, 1.00) * 0.34;

float litByKey(vec3 place, vec3 normal) {
  if (shadowOn < 0.5) return 1.0;
  vec3 s = (shadowFromWorld * vec4(place + 2.5 * shadowTexel * normal + 1.5 * shadowTexel * toLight, 1.0)).xyz;
  vec2 texel = vec2(1.0, 0.5) / vec2(textureSize(shadowDepth, 0));
  return 0.5 * (texture(shadowDepth, s + vec3(texel, 0.0)) + texture(shadowDepth, s - vec3(texel, 0.0)));
}

// The screen's colour of a place with a unit normal; `albedo` in linear light.
vec3 shade(vec3 albedo, vec3 place, vec3 normal) {
  vec3 toEye = normalize(eye - place);
  float facing = dot(normal, toLight);
  float key = facing > 0.0 ? facing * litByKey(place, normal) : 0.0;
  float up = 0.5 + 0.5 * dot(normal, groundNormal);
  float height = dot(place, groundNormal) + groundDistance;
  float contact = mix(1.0, mix(0.45, 1.0, smoothstep(0.0, contactHeight, height)), 1.0 - up);
  vec3 light = kKey * key + contact * mix(kGround, kSky, up) + kEyeLight * max(dot(normal, toEye), 0.0);

  vec3 halfway = normalize(toLight + toEye);
  float gloss = max(dot(normal, halfway), 0.0);
  gloss *= gloss; gloss *= gloss; gloss *= gloss; gloss *= gloss; gloss *= gloss;  // to the 32nd
  float sheen = 0.15 * gloss * min(key * 2.0, 1.0);
  float edge = 1.0 - max(dot(normal, toEye), 0.0);
  float rim = edge * edge * edge * smoothstep(-0.3, 0.8, dot(normal, groundNormal));
  vec3 lit = albedo * light + sheen * kKey + rim * kRim * (0.35 + 0.65 * albedo);

  lit *= (1.0 + 0.16 * lit) / (1.0 + 0.52 * lit);  // a soft shoulder instead of burnt white
  return toScreen(lit);
}
