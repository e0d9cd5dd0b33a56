#version 330 core
// SPDX-License-Identifier: MIT
// The outline of highlighted links of a skin, in one colour; none where other bones have most of the weight.
in vec4 tint;
out vec4 fragment;

void main() {
  if (tint.a < 0.3) discard;
  fragment = vec4(sqrt(tint.rgb / tint.a), 1.0);  // tints are linear
}
