// SPDX-License-Identifier: MIT
// A motion clip, and how it makes a pose. One that came with a figure is as its file had it: a row of raw channel
// values for each frame (BVH), or keys in time for single joints (glTF). One that was made here (a fit) is a pose a
// frame. Over either there may be a layer of keys (scene/motion_layer.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"
#include "limber/scene/motion_layer.h"

namespace limber {

enum class ChannelType { XPosition, YPosition, ZPosition, XRotation, YRotation, ZRotation };

/// One channel: which joint it moves, and how. Rotations of a joint multiply in the order listed, left to right.
struct Channel {
  int joint = 0;
  ChannelType type = ChannelType::XPosition;
};

/// From a key to the next: stay and jump; the straight way (the shortest turn, evenly); a cubic with given tangents.
enum class Interpolation { Step, Linear, Cubic };

/// Keys of a joint's coordinates: the quaternion of a ball or free joint, or the translation of a free one. Before the
/// first key and after the last it holds theirs.
struct Track {
  int joint = 0;
  bool isRotation = true;
  Interpolation interpolation = Interpolation::Linear;
  std::vector<double> times;   ///< seconds, not falling; at least one
  std::vector<double> values;  ///< a key: x y z w, or metres; Cubic: the tangent that comes in (a second), the value,
                               ///< the one that goes out

  int size() const { return isRotation ? 4 : 3; }  ///< numbers in a value
};

struct Motion {
  std::string name;               ///< may be empty
  std::vector<Channel> channels;  ///< in file order
  std::vector<double> values;     ///< frameCount x channels.size(), row by row; degrees and file units
  std::vector<Track> tracks;      ///< in place of channels; what no track moves rests
  std::vector<double> poses;      ///< in place of both: frameCount x figure.poseSize(), row by row
  std::shared_ptr<const Motion> beneath;  ///< in place of all three: what `layer` is over; it has no layer itself
  MotionLayer layer;
  int frameCount = 0;
  double frameTime = 1.0 / 30.0;  ///< seconds; frame 0 is at time 0

  /// The pose of one frame (0 <= frame < frameCount, asserted). Position channels shift a free joint by
  /// value * figure.fileFrame().metresPerUnit; on other joints they are constant and already part of the figure.
  Pose poseAt(const Figure& figure, int frame) const;
  /// Adds a frame to `poses`.
  void append(const Pose& pose);

  /// The motion without its layer.
  const Motion& bare() const { return beneath ? *beneath : *this; }
  /// The pose that tracks give at any time, seconds. Without tracks the rest pose.
  Pose poseAtTime(const Figure& figure, double time) const;
};

/// The motion beneath a layer; itself where the layer is empty.
std::shared_ptr<const Motion> withLayer(const std::shared_ptr<const Motion>& beneath, MotionLayer layer);

}  // namespace limber
