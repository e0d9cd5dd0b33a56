// SPDX-License-Identifier: MIT
// What skin.vert gives, and the colour there: of the material, its texture, and the tint of links that are lit up.
in vec3 worldPosition;
in vec3 worldNormal;
in vec2 texturePlace;
in vec4 tint;  // premultiplied

uniform vec4 materialColor;    // linear; alpha
uniform sampler2D baseColor;
uniform float isTextured;
uniform vec2 alphaRange;       // what has its alpha in [x, y) is drawn

// Linear light, and how much of what is behind it covers.
vec4 albedoHere() {
  vec4 albedo = materialColor;
  if (isTextured > 0.5) {
    vec4 texel = texture(baseColor, texturePlace);
    albedo *= vec4(toLinear(texel.rgb), texel.a);
  }
  // White paint sends back eight tenths of the light. Many materials say all of it, which would burn out their shape.
  albedo.rgb *= 1.0 - 0.2 * max(albedo.r, max(albedo.g, albedo.b));
  if (albedo.a < alphaRange.x || albedo.a >= alphaRange.y) discard;
  return vec4(albedo.rgb * (1.0 - tint.a) + tint.rgb, albedo.a);
}

vec3 normalHere() { return (gl_FrontFacing ? 1.0 : -1.0) * normalize(worldNormal); }
