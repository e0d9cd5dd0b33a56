#version 330 core
// SPDX-License-Identifier: MIT
// Moves the corners of the unit block to those of a tapered block; its edges keep their rounding.
layout(location = 0) in vec3 unitNormal;     // y along the block
layout(location = 1) in vec3 corner;         // each -1 or 1
layout(location = 2) in vec4 startRounding;  // instance: middle of the first end, radius of the edges
layout(location = 3) in vec3 end;            // instance: middle of the other end
layout(location = 4) in vec4 instanceColor;
layout(location = 5) in vec3 side;           // instance: unit, perpendicular to the axis
layout(location = 6) in vec4 halfWidths;     // instance: along side and across, at the start and at the end

uniform mat4 clipFromWorld;
uniform vec2 outline;  // width of the outline, as a fraction of half the picture; zero for the block itself

out vec3 worldPosition;
out vec3 worldNormal;
flat out vec4 color;

#include "outline.glsl"

void main() {
  vec3 along = end - startRounding.xyz;
  float len = max(length(along), 1e-20);
  along /= len;
  mat3 axes = mat3(side, along, cross(side, along));
  float rounding = startRounding.w;
  vec2 taper = (halfWidths.xy - halfWidths.zw) / len;
  vec2 halfWidth = corner.y < 0.0 ? halfWidths.xy : halfWidths.zw;
  vec2 across = corner.xz * max(halfWidth - rounding, 0.0);
  worldPosition = (corner.y < 0.0 ? startRounding.xyz : end) - (corner.y * rounding) * along +
                  axes * (vec3(across.x, 0.0, across.y) + rounding * unitNormal);
  // The sides of a block that gets thinner face its thin end a little.
  worldNormal = axes * normalize(unitNormal + vec3(0.0, dot(abs(unitNormal.xz), taper), 0.0));
  color = instanceColor;
  gl_Position = clipFromWorld * vec4(worldPosition, 1.0);
  if (outline.x > 0.0) gl_Position = pushedOut(gl_Position, (clipFromWorld * vec4(worldNormal, 0.0)).xy, color.a * outline);
}
