#version 330 core
// SPDX-License-Identifier: MIT
// Depth alone, of what alpha does not cut away.
#include "skin_material.glsl"

void main() { albedoHere(); }
