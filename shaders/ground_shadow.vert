#version 330 core
// SPDX-License-Identifier: MIT
// The part of the ground below the shadow's box.
uniform mat4 clipFromWorld;
uniform mat4 worldFromShadow;
uniform vec3 shadowPlaneDepth;
uniform vec2 usedMin;  // of the box's face
uniform vec2 usedMax;

out vec2 place;

void main() {
  place = mix(usedMin, usedMax, vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)));
  vec4 onGround = worldFromShadow * vec4(place, dot(shadowPlaneDepth, vec3(place, 1.0)), 1.0);
  gl_Position = clipFromWorld * onGround;
}
