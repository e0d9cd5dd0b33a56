// SPDX-License-Identifier: MIT
// An additive animation layer: keys of single joints over a motion. Between keys the changes are interpolated and added
// to the motion beneath; before the first key of a joint and after its last, the change fades in and out.
//
// A key holds a joint's step from the motion's pose at its frame, in the tangent space (kinematics/pose.h). At a frame
// f the joint moves by
//
//   s_k + B(t) (s_{k+1} - s_k)    between two keys,  t from 0 to 1,  B(t) = 3 t^2 - 2 t^3 or the key's ease
//   B(1 - d) s_first, B(1 - d) s_last    outside, d the time to the key in units of the fade; zero for d >= 1
//
// so that velocities are continuous at keys, and no key has an effect beyond its neighbours.
#pragma once

#include <optional>
#include <vector>

#include "limber/kinematics/pose.h"
#include "limber/scene/timeline.h"

namespace limber {

struct Document;
struct Motion;

/// The keys of one joint.
struct LayerTrack {
  int joint = 0;
  std::vector<int> frames;       ///< ascending, at least one
  std::vector<double> steps;     ///< stepSize(joint.type) numbers for each key
  std::vector<Ease> eases = {};  ///< of the way from each key to the next one, where Blend is B(t); empty if all are

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

/// Applies the layer to the motion's pose at a frame. Between keys a joint stays within the figure's limits, or within
/// the motion's own excess over them. Followers have keys of their own, so that a pose made with a coupling switched
/// off stays.
void applyLayer(const Figure& figure, const MotionLayer& layer, int frame, double frameTime, Pose& pose);

// Edits of a document. Each replaces the shown motion, and its clip, by one with the changed layer; the motion beneath
// is shared.

/// True if the document shows a motion of several frames.
bool hasFrames(const Document& document);
/// True if the document's pose differs from that of its motion at the current frame.
bool isUnkeyed(const Document& document);
/// Sets keys at the current frame for the joints that differ from the motion, and for those of `also`. False without
/// such joints.
bool keyLayer(Document& document, const std::vector<int>& also = {});
/// Sets the key of one joint at a frame to that of a pose of the figure. False if the joint has no key there.
bool keyLayerAt(Document& document, int frame, int joint, const Pose& pose);
/// Removes the keys at the current frame: of `joints`, or of all joints if that is empty. False if there are none.
bool removeLayerKeys(Document& document, const std::vector<int>& joints = {});
/// Removes all keys at a frame. False if there are none.
bool removeLayerKeysAt(Document& document, int frame);
/// Moves the keys of all joints from one frame to another, where they replace those of the same joints.
bool moveLayerKeys(Document& document, int from, int to);
/// The ease of the first key at a frame, of one joint or of any (-1); empty without a key.
std::optional<Ease> layerEase(const Document& document, int frame, int joint = -1);
/// Sets the ease of the keys at a frame, of one joint or of all (-1). False without a key.
bool setLayerEase(Document& document, int frame, const Ease& ease, int joint = -1);
void setFade(Document& document, double seconds);

}  // namespace limber
