// SPDX-License-Identifier: MIT
// Receives messages of the Virtual Motion Capture protocol from other programs, in its own thread, and keeps the latest
// state. Only one sender moves the figure: the first one that sends a message of the protocol. After it has sent
// nothing for one to two seconds, the next one that does replaces it. The thread reads at most 100 packets in 8 ms; the
// operating system discards packets that overflow the socket's buffer, and no count includes them.
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
  std::uint64_t packets = 0;  ///< received since the sender appeared
  std::uint64_t dropped = 0;  ///< messages that were malformed or repeated a name; 1 for a packet that is not OSC
  std::string tells;          ///< what it sends: "54 bones, 3 trackers"
  bool isDriving = false;
};

/// A snapshot for the window.
struct LiveView {
  VmcState state;             ///< of the driving sender; empty if there is none. vmc.h defines axes and units
  std::uint64_t version = 0;  ///< increases when the state changes, also when another sender drives
  std::vector<LiveSender> senders;
};

class LiveReceiver {
 public:
  /// port: of UDP; 0 for any free one. fromAnywhere: accepts packets of other machines, too. wake: called by the thread
  /// after packets have arrived, at most once in 8 ms; may be empty.
  LiveReceiver(int port, bool fromAnywhere, std::function<void()> wake);
  ~LiveReceiver();
  LiveReceiver(const LiveReceiver&) = delete;
  LiveReceiver& operator=(const LiveReceiver&) = delete;

  /// Empty, or why the socket could not be opened; then no thread runs.
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
  Clock::time_point counted_ = Clock::now();  ///< the time at which rates were last counted
  std::thread thread_;
};

}  // namespace limber::app
