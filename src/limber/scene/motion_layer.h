// SPDX-License-Identifier: MIT Keys of single joints over a motion, as animators know them from a layer: what is posed
// over a frame stays, the motion goes on beneath, and before the first key of a joint and after its last the change
// fades in and out.
//
// A key holds a joint's step against the motion's pose at its frame, in the tangent space (kinematics/pose.h). At a
// frame f the joint moves by
//
//   s_k + B(t) (s_{k+1} - s_k)    between two keys,  t from 0 to 1,  B(t) = 3 t^2 - 2 t^3
//   B(1 - d) s_first, B(1 - d) s_last    outside, d the time to the key in units of the fade; nothing from d = 1 on
//
// so a key has no corner, and no key reaches beyond its neighbours. Steps add: they are vectors, no angle is cut.
#pragma once

#include <memory>
#include <vector>

#include "limber/kinematics/pose.h"

namespace limber {

struct Document;
struct Motion;

/// The keys of one joint.
struct LayerTrack {
  int joint = 0;
  std::vector<int> frames;    ///< ascending, at least one
  std::vector<double> steps;  ///< a key: stepSize(joint.type) numbers

  bool operator==(const LayerTrack&) const = default;
};

struct MotionLayer {
  std::vector<LayerTrack> tracks;  ///< by joint, at most one each
  double fade = 0.25;              ///< seconds, >= 0

  bool isEmpty() const { return tracks.empty(); }
  bool hasKey(int frame) const;
  std::vector<int> frames() const;  ///< that have a key, ascending
  bool operator==(const MotionLayer&) const = default;
};

inline constexpr double kMaxFade = 3600.0;  ///< seconds

/// Moves a pose of the motion at a frame by what the layer has there. Between keys a joint stays within the figure's
/// limits, or where the motion has it beyond them. Joints that follow others have keys of their own, so what was posed
/// with a coupling switched off stays.
void applyLayer(const Figure& figure, const MotionLayer& layer, int frame, double frameTime, Pose& pose);

// Edits of a document. Each puts a motion with the changed layer in the place of the one that is shown, and of its
// clip; the motion beneath is shared.

/// True when the document shows a motion of several frames.
bool hasFrames(const Document& document);
/// True when the document is posed otherwise than its motion has it at this frame.
bool isUnkeyed(const Document& document);
/// Keys the joints that stand otherwise than the motion has them, and those of `also`, at the present frame. False
/// where that is none.
bool keyLayer(Document& document, const std::vector<int>& also = {});
/// Takes the keys at the present frame away, of `joints` alone where there are any. False where there are none.
bool removeLayerKeys(Document& document, const std::vector<int>& joints = {});
void setFade(Document& document, double seconds);

}  // namespace limber
