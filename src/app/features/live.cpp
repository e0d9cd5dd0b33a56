// SPDX-License-Identifier: MIT
#include "app/features/live.h"

namespace limber::app {

namespace {

constexpr const char* kGesture = "live";
constexpr double kSendPause = 1.0 / 120.0;  // least seconds between two poses
constexpr double kStillPause = 0.5;         // seconds after which an unchanged pose is sent again

}  // namespace

std::string Live::startReceiving(const LiveSettings& settings) {
  auto receiver = std::make_unique<LiveReceiver>(settings.receivePort, settings.fromAnywhere, wake_);
  if (!receiver->fault().empty())
    return "nothing can be received at port " + std::to_string(settings.receivePort) + ": " + receiver->fault();
  receiver_ = std::move(receiver);
  view_ = {};
  followed_ = 0;
  calibration_ = {};
  return {};
}

std::string Live::startSending(const LiveSettings& settings, const Document& document) {
  noteFigure(document);
  if (!rig_) return "this figure has no VRM bones: arms, legs and head were not recognised by name or shape";
  if (receiver_ && receiver_->port() == settings.sendPort && settings.sendAddress == "127.0.0.1")
    return "Limber itself receives at port " + std::to_string(settings.sendPort) + " of this machine";
  auto socket = std::make_unique<platform::PacketSocket>(settings.sendAddress, settings.sendPort);
  if (!socket->fault().empty()) return "nothing can be sent to \"" + settings.sendAddress + "\": " + socket->fault();
  socket_ = std::move(socket);
  sentAt_ = -1.0;
  return {};
}

void Live::calibrate(const Document& document) {
  noteFigure(document);
  calibration_ = {};
  attachTrackers(document, rig_, view_.state, calibration_);
}

void Live::update(Editing& editing, bool isInHand) {
  if (!receiver_ && !socket_) return;
  noteFigure(editing.document());
  if (receiver_) {
    view_ = receiver_->view();
    if (view_.version != followed_ && !isInHand && !editing.solving.isBusy()) follow(editing);
  }
  if (socket_) send(editing.document(), editing.ui.now);
}

void Live::noteFigure(const Document& document) {
  if (figure_.lock() == document.figure) return;
  figure_ = document.figure;
  rig_ = io::findVrmRig(*document.figure);
  calibration_ = {};
}

void Live::follow(Editing& editing) {
  if (editing.document().mode != Mode::Inverse) return;
  PosingRequest request =
      liveRequest(editing.document(), rig_, view_.state, editing.settings.live.areExact, calibration_);
  if (request.images.empty() && request.holds.empty()) return;
  followed_ = view_.version;
  if (editing.editor.gesture() != kGesture) editing.editor.beginStep("live motion", kGesture);
  editing.playing.stop();
  editing.solving.request(std::move(request));
}

void Live::send(const Document& document, double now) {
  const double pause = document.pose == sent_ ? kStillPause : kSendPause;
  if (!rig_ || (sentAt_ >= 0.0 && now - sentAt_ < pause)) return;
  for (const std::string& packet : writeOsc(vmcMessages(*document.figure, *rig_, document.pose, now)))
    socket_->send(packet);
  sent_ = document.pose;
  sentAt_ = now;
}

}  // namespace limber::app
