#version 330 core
// SPDX-License-Identifier: MIT
// A square of the plane around the view's target.
uniform mat4 clipFromWorld;
uniform vec3 planePoint;  // below the view's target
uniform vec3 planeU;
uniform vec3 planeV;
uniform float halfSize;

out vec2 fromMiddle;  // metres along u and v

void main() {
  fromMiddle = halfSize * vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
  vec3 worldPosition = planePoint + fromMiddle.x * planeU + fromMiddle.y * planeV;
  gl_Position = clipFromWorld * vec4(worldPosition, 1.0);
}
