#version 330 core
// SPDX-License-Identifier: MIT
// For each point of the ground: the fraction that the figure covers (red), and that times the distance to the figure
// along the light (green; 1 is the depth of the shadow's box).
in vec2 place;
out vec4 mask;

uniform sampler2D depthMap;
uniform vec3 planeDepth;

void main() {
  ivec2 corner = 2 * ivec2(gl_FragCoord.xy);
  float ground = dot(planeDepth, vec3(place, 1.0));
  vec4 caster = vec4(texelFetch(depthMap, corner, 0).r, texelFetch(depthMap, corner + ivec2(1, 0), 0).r,
                     texelFetch(depthMap, corner + ivec2(0, 1), 0).r, texelFetch(depthMap, corner + ivec2(1, 1), 0).r);
  vec4 above = clamp(vec4(ground) - caster, 0.0, 1.0);
  vec4 covers = vec4(lessThan(caster, vec4(1.0))) * vec4(greaterThan(above, vec4(0.0)));
  mask = vec4(dot(covers, vec4(0.25)), dot(covers * above, vec4(0.25)), 0.0, 0.0);
}
