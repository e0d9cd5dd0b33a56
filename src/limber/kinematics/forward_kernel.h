// SPDX-License-Identifier: MIT
// The inner loops of forward kinematics (vector/lanes.h says how such a header is compiled). Transforms are twelve
// numbers in a row: the rotation by columns, then the translation.
#pragma once

#include "limber/vector/lanes.h"

namespace limber {

struct ForwardArrays {
  // Revolute joints.
  int turnCount;
  const double* turns;  ///< 36 each: constant, cosine, sine
  const int* turnLinks;
  const double* angles;
  double *sines, *cosines;  ///< scratch, turnCount rounded up to four
  // Links.
  int linkCount;
  const int* parents;      ///< -1 for the world
  double* parentFromLink;  ///< 12 each; those of revolute joints are set here
  double* worldFromLink;   ///< 12 each, out
};

void computeTransformsBaseline(const ForwardArrays& arrays);
void computeTransformsAvx2(const ForwardArrays& arrays);

}  // namespace limber

namespace limber::LIMBER_KERNEL_NAMESPACE {

using Four = Lanes<double, 4>;

constexpr double kMostReduced = 1e5;  // radians: sineCosine() is inaccurate beyond

LIMBER_INLINE void computeSines(const ForwardArrays& a) {
  for (int i = 0; i < a.turnCount; i += 4) {
    Four sine, cosine;
    sineCosine(Four::load(a.angles + i), sine, cosine);
    sine.store(a.sines + i);
    cosine.store(a.cosines + i);
  }
  for (int i = 0; i < a.turnCount; ++i) {
    if (a.angles[i] >= -kMostReduced && a.angles[i] <= kMostReduced) continue;
    a.sines[i] = std::sin(a.angles[i]);
    a.cosines[i] = std::cos(a.angles[i]);
  }
}

/// constant + cos q * cosine + sin q * sine.
LIMBER_INLINE void turnJoints(const ForwardArrays& a) {
  for (int i = 0; i < a.turnCount; ++i) {
    const double* turn = a.turns + 36 * i;
    double* out = a.parentFromLink + 12 * a.turnLinks[i];
    const Four sine = Four::all(a.sines[i]), cosine = Four::all(a.cosines[i]);
    for (int k = 0; k < 12; k += 4)
      (Four::load(turn + k) + cosine * Four::load(turn + 12 + k) + sine * Four::load(turn + 24 + k)).store(out + k);
  }
}

/// Columns of a transform. The fourth lane of each holds whatever follows in memory and is not used.
struct Columns {
  Four x, y, z, translation;
};

LIMBER_INLINE Columns loadColumns(const double* from) {
  return {Four::load(from), Four::load(from + 3), Four::load(from + 6), Four::load(from + 9)};
}

LIMBER_INLINE Four along(const Columns& frame, const double* v) {
  return frame.x * Four::all(v[0]) + frame.y * Four::all(v[1]) + frame.z * Four::all(v[2]);
}

/// World transforms, parents first. A link's parent is mostly the link before it, whose columns are still in registers.
/// A store of four lanes writes one number beyond the transform, into the next link, which is written later; for the
/// last link the translation is stored by lanes.
LIMBER_INLINE void chainLinks(const ForwardArrays& a) {
  Columns frame = {};
  for (int i = 0; i < a.linkCount; ++i) {
    const int parent = a.parents[i];
    const double* local = a.parentFromLink + 12 * i;
    double* world = a.worldFromLink + 12 * i;
    if (parent < 0) {
      std::memcpy(world, local, 12 * sizeof(double));
      if (i + 1 < a.linkCount) frame = loadColumns(world);
      continue;
    }
    if (parent != i - 1) frame = loadColumns(a.worldFromLink + 12 * parent);
    frame = {along(frame, local), along(frame, local + 3), along(frame, local + 6),
             along(frame, local + 9) + frame.translation};
    frame.x.store(world);
    frame.y.store(world + 3);
    frame.z.store(world + 6);
    if (i + 1 < a.linkCount) frame.translation.store(world + 9);
    else
      for (int k = 0; k < 3; ++k) world[9 + k] = frame.translation[k];
  }
}

LIMBER_INLINE void computeTransforms(const ForwardArrays& arrays) {
  computeSines(arrays);
  turnJoints(arrays);
  chainLinks(arrays);
}

}  // namespace limber::LIMBER_KERNEL_NAMESPACE
