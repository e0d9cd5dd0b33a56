#version 330 core
// SPDX-License-Identifier: MIT
// The outline of what is lit up on a skin: one colour. Where most of a place is moved by other bones there is none.
in vec4 tint;
out vec4 fragment;

void main() {
  if (tint.a < 0.3) discard;
  fragment = vec4(sqrt(tint.rgb / tint.a), 1.0);  // tints are linear
}
