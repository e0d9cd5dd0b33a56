#version 330 core
// SPDX-License-Identifier: MIT
// Depth alone, of what the texture does not cut away.
#include "skin_material.glsl"

void main() { albedoHere(); }
