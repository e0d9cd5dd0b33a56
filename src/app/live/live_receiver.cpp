// SPDX-License-Identifier: MIT
#include "app/live/live_receiver.h"

#include <algorithm>
#include <set>

#include "limber/io/base/text.h"

namespace limber::app {

namespace {

constexpr int kLookMs = 100;                    // between two checks of isEnding_
constexpr std::chrono::milliseconds kFrame{8};  // of a display
constexpr int kPacketsInFrame = 100;            // more than a full avatar needs
constexpr std::chrono::seconds kSilence{1};     // until another sender may drive
constexpr std::chrono::seconds kForgotten{10};  // until a sender is removed
constexpr std::size_t kMostSenders = 16;

}  // namespace

struct LiveReceiver::Source {
  LiveSender shown;
  VmcState state;
  std::uint64_t packetsBefore = 0;  ///< when rates were counted last
  Clock::time_point last = Clock::now();
};

LiveReceiver::LiveReceiver(int port, bool fromAnywhere, std::function<void()> wake)
    : socket_(port, fromAnywhere), wake_(std::move(wake)) {
  if (socket_.fault().empty()) thread_ = std::thread([this] { run(); });
}

LiveReceiver::~LiveReceiver() {
  isEnding_ = true;
  if (thread_.joinable()) thread_.join();
}

LiveView LiveReceiver::view() const {
  const std::lock_guard lock(mutex_);
  LiveView view{.state = {}, .version = version_, .senders = {}};
  for (const Source& source : sources_) {
    view.senders.push_back(source.shown);
    view.senders.back().tells = io::countInWords(source.state.bones.size(), "bone") + ", " +
                                io::countInWords(source.state.trackers.size(), "tracker");
    view.senders.back().isDriving = source.shown.address == driving_;
    if (view.senders.back().isDriving) view.state = source.state;
  }
  return view;
}

void LiveReceiver::run() {
  std::string packet, address;
  Clock::time_point frame = Clock::now();
  int inFrame = 0;
  bool isNew = false;
  while (!isEnding_) {
    const bool hasCome = socket_.receive(packet, address, isNew ? static_cast<int>(kFrame.count()) : kLookMs);
    const Clock::time_point now = Clock::now();
    if (hasCome) take(packet, address);
    isNew = isNew || hasCome;
    inFrame += hasCome;
    if (now - frame < kFrame && inFrame < kPacketsInFrame) continue;
    if (isNew && wake_) wake_();
    if (now - frame < kFrame) std::this_thread::sleep_until(frame + kFrame);  // the system drops excess packets
    countRates(Clock::now());
    frame = Clock::now();
    inFrame = 0;
    isNew = false;
  }
}

LiveReceiver::Source* LiveReceiver::sourceOf(const std::string& address) {
  const auto isIt = [&](const Source& source) { return source.shown.address == address; };
  const auto found = std::ranges::find_if(sources_, isIt);
  if (found != sources_.end()) return &*found;
  if (sources_.size() == kMostSenders) return nullptr;
  sources_.push_back({.shown = {.address = address}, .state = {}});
  return &sources_.back();
}

void LiveReceiver::take(const std::string& packet, const std::string& address) {
  const auto messages = readOsc(packet);
  const std::lock_guard lock(mutex_);
  Source* source = sourceOf(address);
  if (!source) return;
  ++source->shown.packets;
  source->last = Clock::now();
  if (!messages) {
    ++source->shown.dropped;
    return;
  }
  std::set<std::string> told;
  bool isOurs = false;
  for (const OscMessage& message : *messages) {
    const std::string subject = subjectOf(message);
    const bool isAgain = !subject.empty() && !told.insert(subject).second;
    const VmcTaken taken = isAgain ? VmcTaken::Malformed : takeVmc(message, source->state);
    source->shown.dropped += taken == VmcTaken::Malformed;
    isOurs = isOurs || taken == VmcTaken::Yes;
  }
  if (isOurs && driving_.empty()) driving_ = address;
  version_ += isOurs && driving_ == address;
}

void LiveReceiver::countRates(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const std::chrono::duration<double> seconds = now - counted_;
  if (seconds < kSilence) return;
  counted_ = now;
  std::erase_if(sources_, [&](const Source& source) { return now - source.last > kForgotten; });
  bool isDriven = false;
  for (Source& source : sources_) {
    source.shown.rate = static_cast<double>(source.shown.packets - source.packetsBefore) / seconds.count();
    source.packetsBefore = source.shown.packets;
    isDriven = isDriven || (source.shown.address == driving_ && now - source.last <= kSilence);
  }
  if (!isDriven) driving_.clear();
}

}  // namespace limber::app
