#version 330 core
// SPDX-License-Identifier: MIT
// Writes only depth.
void main() {}
