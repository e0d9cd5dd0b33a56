// SPDX-License-Identifier: MIT
// What skin.vert gives, and the colour there: of the material, its texture, and the tint of links that are lit up.
in vec3 worldPosition;
in vec3 worldNormal;
in vec2 texturePlace;
in vec4 tint;  // premultiplied

uniform vec3 materialColor;    // linear
uniform sampler2D baseColor;
uniform float isTextured;

// Linear light. What the texture cuts away is not drawn.
vec3 albedoHere() {
  vec3 albedo = materialColor;
  if (isTextured > 0.5) {
    vec4 texel = texture(baseColor, texturePlace);
    if (texel.a < 0.5) discard;
    albedo *= toLinear(texel.rgb);
  }
  return albedo * (1.0 - tint.a) + tint.rgb;
}

vec3 normalHere() { return (gl_FrontFacing ? 1.0 : -1.0) * normalize(worldNormal); }
