// SPDX-License-Identifier: MIT
// The lighting of a surface: a key light with shadows of the figure, ambient light of sky and ground (less of it near
// the ground), a weak light at the eye, and a soft gloss.
uniform vec3 eye;
uniform vec3 toLight;        // unit
uniform vec3 groundNormal;   // unit
uniform float groundDistance; // from the origin down to the ground, along its normal
uniform float contactHeight; // up to which the ground darkens surfaces near it

uniform sampler2DShadow shadowDepth;
uniform mat4 shadowFromWorld;
uniform float shadowTexel;   // metres
uniform float shadowOn;

const vec3 kKey = vec3(1.00, 0.955, 0.89) * 1.90;
const vec3 kSky = vec3(0.46, 0.52, 0.62) * 0.86;
const vec3 kGround = vec3(0.36, 0.335, 0.31) * 0.60;
const vec3 kEyeLight = vec3(0.85, 0.92, 1.00) * 0.20;

const float kRoughness = 0.50;
const float kFacingReflectance = 0.04;  // of a non-metal surface that faces the viewer

float litByKey(vec3 place, vec3 normal) {
  if (shadowOn < 0.5) return 1.0;
  vec3 s = (shadowFromWorld * vec4(place + 2.5 * shadowTexel * normal + 1.5 * shadowTexel * toLight, 1.0)).xyz;
  vec2 texel = vec2(1.0, 0.5) / vec2(textureSize(shadowDepth, 0));
  return 0.5 * (textureLod(shadowDepth, s + vec3(texel, 0.0), 0.0) + textureLod(shadowDepth, s - vec3(texel, 0.0), 0.0));
}

// The fraction of ambient light here: less near the ground, from below and from the sides.
float openness(vec3 place, float up) {
  float height = max(dot(place, groundNormal) + groundDistance, 0.0) / contactHeight;
  float hidden = (1.0 - up) / (1.0 + 9.0 * height * height);
  return 1.0 - 0.65 * hidden;
}

// Schlick's approximation of Fresnel's law.
float reflectance(float facing) {
  float edge = 1.0 - facing;
  float squared = edge * edge;
  return kFacingReflectance + (1.0 - kFacingReflectance) * squared * squared * edge;
}

// The gloss of light from one direction: the distribution of B. Walter et al. (2007), "GGX", with the visibility of
// C. Kelemen and L. Szirmay-Kalos (2001); times pi, like the light.
float gloss(vec3 normal, vec3 toEye) {
  const float kSpread = kRoughness * kRoughness * kRoughness * kRoughness;
  vec3 halfway = normalize(toLight + toEye);
  float alike = max(dot(normal, halfway), 0.0), turned = max(dot(toLight, halfway), 0.1);
  float peak = alike * alike * (kSpread - 1.0) + 1.0;
  return reflectance(turned) * kSpread / (4.0 * peak * peak * turned * turned);
}

// The screen colour of a point with a unit normal; `albedo` is in linear light.
vec3 shade(vec3 albedo, vec3 place, vec3 normal) {
  vec3 toEye = normalize(eye - place);
  float toKey = dot(normal, toLight), facing = max(dot(normal, toEye), 0.0);
  float key = toKey > 0.0 ? toKey * litByKey(place, normal) : 0.0;
  float up = 0.5 + 0.5 * dot(normal, groundNormal);
  vec3 around = openness(place, up) * mix(kGround, kSky, up);
  vec3 lit = albedo * (kKey * key + around + kEyeLight * facing);
  if (key > 0.0) lit += (key * gloss(normal, toEye)) * kKey;
  lit += (0.45 * up * (reflectance(facing) - kFacingReflectance)) * around;  // rough surfaces reflect little sky

  lit *= (1.0 + 0.16 * lit) / (1.0 + 0.52 * lit);  // compresses highlights instead of clipping them
  return toScreen(lit);
}
