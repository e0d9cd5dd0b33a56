#version 330 core
// SPDX-License-Identifier: MIT
// Writes only depth, where alpha does not cut the skin away.
#include "skin_material.glsl"

void main() { albedoHere(); }
