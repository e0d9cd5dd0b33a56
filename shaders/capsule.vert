#version 330 core
// SPDX-License-Identifier: MIT
// Stretches the unit capsule from one end to the other.
layout(location = 0) in vec4 unitVertex;   // unit normal (capsule along y), and its end: 0 start, 1 end
layout(location = 1) in vec4 startRadius;  // instance: world position of the start, radius
layout(location = 2) in vec3 end;          // instance: world position of the end
layout(location = 3) in vec4 instanceColor;

uniform mat4 clipFromWorld;
uniform vec2 outline;  // width of the outline, as a fraction of half the picture; zero for the capsule itself

out vec3 worldPosition;
out vec3 worldNormal;
flat out vec4 color;

invariant gl_Position;  // because the overlay's passes must compute the same

#include "outline.glsl"

void main() {
  vec3 along = end - startRadius.xyz;
  float lengthSquared = dot(along, along);
  vec3 axis = lengthSquared > 1e-20 ? along * inversesqrt(lengthSquared) : vec3(0.0, 1.0, 0.0);
  vec3 side = normalize(cross(axis, abs(axis.x) < 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0)));
  worldNormal = mat3(side, axis, cross(side, axis)) * unitVertex.xyz;
  worldPosition = (unitVertex.w > 0.5 ? end : startRadius.xyz) + startRadius.w * worldNormal;
  color = instanceColor;
  gl_Position = clipFromWorld * vec4(worldPosition, 1.0);
  if (outline.x > 0.0) gl_Position = pushedOut(gl_Position, (clipFromWorld * vec4(worldNormal, 0.0)).xy, color.a * outline);
}
