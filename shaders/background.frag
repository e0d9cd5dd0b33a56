#version 330 core
// SPDX-License-Identifier: MIT
in vec2 place;
out vec4 color;

void main() { color = vec4(backdrop(place) + dither(gl_FragCoord.xy), 1.0); }
