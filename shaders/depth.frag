#version 330 core
// SPDX-License-Identifier: MIT
// Depth alone.
void main() {}
