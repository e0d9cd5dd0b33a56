#version 330 core
// SPDX-License-Identifier: MIT
// The outline of limbs, in one colour. The alpha is its width (capsule.vert).
flat in vec4 color;
out vec4 fragment;

void main() { fragment = vec4(color.rgb, 1.0); }
