#version 330 core
// SPDX-License-Identifier: MIT
// One triangle that covers the picture, at the far plane.
out vec2 place;  // in [0, 1]^2 over the picture

void main() {
  place = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
  gl_Position = vec4(2.0 * place - 1.0, 1.0, 1.0);
}
