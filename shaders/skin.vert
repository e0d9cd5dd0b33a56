#version 330 core
// SPDX-License-Identifier: MIT
// Linear blend skinning: the vertex is transformed by the weighted sum of its bones' matrices.
layout(location = 0) in vec3 position;       // in the skin's frame
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 textureCoordinate;
layout(location = 3) in uvec4 firstBones;    // indices of bones of the skin
layout(location = 4) in uvec4 otherBones;
layout(location = 5) in vec4 firstWeights;
layout(location = 6) in vec4 otherWeights;

uniform mat4 clipFromWorld;
uniform sampler2D bones;      // four texels each: the rows of worldFromSkin; the tint, whose alpha is its weight
uniform int influences;       // 1, 4 or 8
uniform vec2 outline;         // width of the outline, as a fraction of half the picture; zero for the skin itself

out vec3 worldPosition;
out vec3 worldNormal;
out vec2 texturePlace;
out vec4 tint;

invariant gl_Position;  // because the passes of a translucent skin must compute the same

#include "outline.glsl"

struct Bone {
  vec4 x, y, z;
  vec4 tint;
};

// The texel of this index, in rows of 1024.
vec4 texelOf(int index) { return texelFetch(bones, ivec2(index & 1023, index >> 10), 0); }

void add(inout Bone sum, uint bone, float weight) {
  if (weight == 0.0) return;
  int texel = 4 * int(bone);
  sum.x += weight * texelOf(texel);
  sum.y += weight * texelOf(texel + 1);
  sum.z += weight * texelOf(texel + 2);
  sum.tint += weight * texelOf(texel + 3);
}

void main() {
  Bone bone = Bone(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
  add(bone, firstBones.x, firstWeights.x);
  if (influences > 1) {
    add(bone, firstBones.y, firstWeights.y);
    add(bone, firstBones.z, firstWeights.z);
    add(bone, firstBones.w, firstWeights.w);
  }
  if (influences > 4) {
    add(bone, otherBones.x, otherWeights.x);
    add(bone, otherBones.y, otherWeights.y);
    add(bone, otherBones.z, otherWeights.z);
    add(bone, otherBones.w, otherWeights.w);
  }
  vec4 place = vec4(position, 1.0);
  worldPosition = vec3(dot(bone.x, place), dot(bone.y, place), dot(bone.z, place));
  // Only the direction of the inverse transpose matters, so cofactors suffice, negated if the matrix mirrors.
  vec3 cofactorX = cross(bone.y.xyz, bone.z.xyz);
  float side = dot(bone.x.xyz, cofactorX) < 0.0 ? -1.0 : 1.0;
  worldNormal = side * vec3(dot(cofactorX, normal), dot(cross(bone.z.xyz, bone.x.xyz), normal),
                            dot(cross(bone.x.xyz, bone.y.xyz), normal));
  worldNormal /= max(length(worldNormal), 1e-30);
  texturePlace = textureCoordinate;
  tint = bone.tint;
  gl_Position = clipFromWorld * vec4(worldPosition, 1.0);
  if (outline.x > 0.0) gl_Position = pushedOut(gl_Position, (clipFromWorld * vec4(worldNormal, 0.0)).xy, tint.a * outline);
}
