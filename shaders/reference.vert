#version 330 core
// SPDX-License-Identifier: MIT
// A reference picture: a quadrilateral in the world, as a strip of two triangles.
uniform mat4 clipFromWorld;
uniform vec3 corners[4];  // clockwise from the upper left one, relative to the view's target
uniform vec4 shown;       // left, top, right and bottom of the visible part, in the texture

out vec2 place;

void main() {
  int corner = gl_VertexID < 2 ? gl_VertexID : 5 - gl_VertexID;
  bool isRight = corner == 1 || corner == 2, isLow = corner >= 2;
  place = vec2(isRight ? shown.z : shown.x, isLow ? shown.w : shown.y);
  gl_Position = clipFromWorld * vec4(corners[corner], 1.0);
}
