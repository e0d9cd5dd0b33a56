// SPDX-License-Identifier: MIT
// The outputs of skin.vert, and the colour: that of the material, its texture, and the tint of highlighted links.
in vec3 worldPosition;
in vec3 worldNormal;
in vec2 texturePlace;
in vec4 tint;  // premultiplied

uniform vec4 materialColor;    // linear; alpha
uniform sampler2D baseColor;
uniform float isTextured;
uniform vec2 alphaRange;       // only alphas in [x, y) are drawn

// The colour in linear light, and its opacity.
vec4 albedoHere() {
  vec4 albedo = materialColor;
  if (isTextured > 0.5) {
    vec4 texel = texture(baseColor, texturePlace);
    albedo *= vec4(toLinear(texel.rgb), texel.a);
  }
  // White paint reflects 80 % of the light. Many materials specify 100 %, which would make their shape invisible.
  albedo.rgb *= 1.0 - 0.2 * max(albedo.r, max(albedo.g, albedo.b));
  if (albedo.a < alphaRange.x || albedo.a >= alphaRange.y) discard;
  return vec4(albedo.rgb * (1.0 - tint.a) + tint.rgb, albedo.a);
}

vec3 normalHere() { return (gl_FrontFacing ? 1.0 : -1.0) * normalize(worldNormal); }
