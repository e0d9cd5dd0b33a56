// SPDX-License-Identifier: MIT
// A motion clip, and the poses that it gives. A motion from a file is stored as in the file: a row of raw channel
// values for each frame (BVH), or keys in time for single joints (glTF). A motion that Limber made, such as a fit, has
// a pose for each frame. A layer of keys may lie over either (scene/motion_layer.h). Motions are immutable and shared
// by documents.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"
#include "limber/scene/motion_layer.h"
#include "limber/scene/stance.h"

namespace limber {

enum class ChannelType { XPosition, YPosition, ZPosition, XRotation, YRotation, ZRotation };

/// One channel: which joint it moves, and how. Rotations of a joint multiply in the order listed, left to right.
struct Channel {
  int joint = 0;
  ChannelType type = ChannelType::XPosition;
  double zero = 0.0;  ///< of a position channel: the value at which the joint is not shifted, file units

  bool operator==(const Channel&) const = default;
};

/// Interpolation from a key to the next: constant, then a jump; linear (rotations by the shortest turn, at constant
/// speed); cubic with given tangents.
enum class Interpolation { Step, Linear, Cubic };

/// Keys of a joint's coordinates: the quaternion of a ball or free joint, or the translation of a free one. The values
/// of the first and the last key hold before and after them.
struct Track {
  int joint = 0;
  bool isRotation = true;
  Interpolation interpolation = Interpolation::Linear;
  std::vector<double> times;   ///< seconds, not decreasing; at least one
  std::vector<double> values;  ///< for each key x y z w, or metres; Cubic: incoming tangent (per second), value,
                               ///< outgoing tangent

  int size() const { return isRotation ? 4 : 3; }  ///< numbers in a value
};

struct Motion {
  std::string name;                       ///< may be empty
  std::vector<Channel> channels;          ///< in file order
  std::vector<double> values;             ///< frameCount x channels.size(), row by row; degrees and file units
  std::vector<Track> tracks;              ///< instead of channels; joints without a track stay at rest
  std::vector<double> poses;              ///< instead of both: frameCount x figure.poseSize(), row by row
  std::vector<Stance> stances;            ///< held in `poses` (scene/held_stances.h)
  std::shared_ptr<const Motion> unheld;   ///< the motion before its stances were held; null without stances
  std::shared_ptr<const Motion> beneath;  ///< instead of all three: the motion under `layer`, which has no layer itself
  MotionLayer layer;
  int frameCount = 0;
  double frameTime = 1.0 / 30.0;  ///< seconds; frame 0 is at time 0. secondsPerFrame() is never 0
  bool isBaked = false;           ///< made from the document's timeline by a bake

  /// The pose of one frame (0 <= frame < frameCount, asserted). Position channels shift a free joint by
  /// (value - zero) * figure.fileFrame().metresPerUnit. Those of other joints are constant and already part of the
  /// figure. Loops of the figure are closed, by the smallest changes.
  Pose poseAt(const Figure& figure, int frame) const;
  /// The pose at a time in seconds, interpolated between the two nearest frames; the motion must have a frame.
  Pose poseAtSeconds(const Figure& figure, double time) const;
  /// The same as poseAt(), without closing loops after the last change.
  Pose storedPose(const Figure& figure, int frame) const;
  /// Adds a frame to `poses`.
  void append(const Pose& pose);

  /// frameTime, or 1/30 s if a file has given none.
  double secondsPerFrame() const { return frameTime > 0.0 ? frameTime : 1.0 / 30.0; }
  double timeOf(int frame) const;  ///< seconds, at most a day (kMaxTimelineSeconds)
  /// The frame nearest to a time in seconds.
  int frameAt(double time) const;
  /// The motion without its layer.
  const Motion& bare() const { return beneath ? *beneath : *this; }
  /// The pose of the tracks at a time in seconds; without tracks the rest pose.
  Pose poseAtTime(const Figure& figure, double time) const;
};

/// A motion with a layer over it; `beneath` itself if the layer is empty.
std::shared_ptr<const Motion> withLayer(const std::shared_ptr<const Motion>& beneath, MotionLayer layer);

}  // namespace limber
