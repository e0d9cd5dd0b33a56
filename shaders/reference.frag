#version 330 core
// SPDX-License-Identifier: MIT
in vec2 place;
out vec4 color;

uniform sampler2D picture;
uniform float opacity;

void main() {
  color = texture(picture, place);
  color.a *= opacity;
}
