// SPDX-License-Identifier: MIT
// Receives messages of the Virtual Motion Capture protocol from other programs, in its own thread, and keeps the latest
// state. One sender drives: the first one, until it is silent for a second. Excess packets are dropped, not queued: the
// thread sleeps once it has taken as many as a display can show.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/live/vmc.h"
#include "limber/io/base/platform.h"

namespace limber::app {

/// A program that sends.
struct LiveSender {
  std::string address;        ///< "127.0.0.1:50123"
  double rate = 0.0;          ///< packets in the last second
  std::uint64_t packets = 0;  ///< in all
  std::uint64_t dropped = 0;  ///< messages that were malformed, or repeated a name within a packet
  std::string tells;          ///< "54 bones, 3 trackers"
  bool isDriving = false;
};

/// A snapshot for the window.
struct LiveView {
  VmcState state;             ///< of the sender that drives
  std::uint64_t version = 0;  ///< grows with each of its packets
  std::vector<LiveSender> senders;
};

class LiveReceiver {
 public:
  /// wake: called by the thread when the state changes, at most once in a frame of the display.
  LiveReceiver(int port, bool fromAnywhere, std::function<void()> wake);
  ~LiveReceiver();
  LiveReceiver(const LiveReceiver&) = delete;
  LiveReceiver& operator=(const LiveReceiver&) = delete;

  /// Empty, or why nothing is received.
  const std::string& fault() const { return socket_.fault(); }
  int port() const { return socket_.port(); }
  LiveView view() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Source;

  void run();
  void take(const std::string& packet, const std::string& address);
  Source* sourceOf(const std::string& address);
  void countRates(Clock::time_point now);

  platform::PacketSocket socket_;
  std::function<void()> wake_;
  std::atomic<bool> isEnding_ = false;
  mutable std::mutex mutex_;  ///< guards the members below
  std::vector<Source> sources_;
  std::string driving_;  ///< address; empty for none
  std::uint64_t version_ = 0;
  Clock::time_point counted_ = Clock::now();  ///< when rates were counted last
  std::thread thread_;
};

}  // namespace limber::app
