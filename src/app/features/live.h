// SPDX-License-Identifier: MIT
// Live avatars: the figure follows motion that another program sends by the Virtual Motion Capture protocol, and the
// shown pose is sent to others. Both are off until the user turns them on.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/editing/editing.h"
#include "app/live/live_goals.h"
#include "app/live/live_receiver.h"

namespace limber::app {

class Live {
 public:
  /// `wake` is called by the receiver's thread.
  void setWake(std::function<void()> wake) { wake_ = std::move(wake); }

  /// Start with these settings. Return an empty text, or why that is not possible.
  std::string startReceiving(const LiveSettings& settings);
  std::string startSending(const LiveSettings& settings, const Document& document);
  void stopReceiving() { receiver_.reset(); }
  void stopSending() { socket_.reset(); }
  bool isReceiving() const { return receiver_ != nullptr; }
  bool isSending() const { return socket_ != nullptr; }
  int port() const { return receiver_ ? receiver_->port() : 0; }

  /// Calibrates: the person now has the figure's current pose.
  void calibrate(const Document& document);
  std::size_t attachedCount() const { return calibration_.trackers.size(); }

  /// Call once per frame: requests a solve for the received motion, unless the user is dragging, and sends the pose.
  void update(Editing& editing, bool isInHand);
  /// The state received until the last update().
  const LiveView& view() const { return view_; }

 private:
  void noteFigure(const Document& document);
  void follow(Editing& editing);
  void send(const Document& document, double now);

  std::function<void()> wake_;
  std::unique_ptr<LiveReceiver> receiver_;
  std::unique_ptr<platform::PacketSocket> socket_;
  LiveView view_;
  std::uint64_t followed_ = 0;  ///< version that was followed last
  LiveCalibration calibration_;
  std::weak_ptr<const Figure> figure_;
  std::optional<io::VrmRig> rig_;  ///< of figure_
  Pose sent_;
  double sentAt_ = -1.0;  ///< seconds
};

}  // namespace limber::app
