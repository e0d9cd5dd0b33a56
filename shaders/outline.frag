#version 330 core
// SPDX-License-Identifier: MIT
// The outline of limbs: one colour. The alpha is its breadth (capsule.vert).
flat in vec4 color;
out vec4 fragment;

void main() { fragment = vec4(color.rgb, 1.0); }
