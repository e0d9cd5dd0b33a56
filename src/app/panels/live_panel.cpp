// SPDX-License-Identifier: MIT
// Live avatars: the programs that move the figure, and the program that receives its pose.
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

constexpr double kHighestPort = 65535.0;

void portRow(const char* label, int& port, bool isRunning, const char* tip, UiState& ui) {
  double number = port;
  ImGui::BeginDisabled(isRunning);
  numberRow(
      label, number, kLivePort, {.format = "%.0f", .speed = 1.0, .tooltip = tip}, ui,
      [&](double chosen, const std::string&) { port = static_cast<int>(std::clamp(chosen + 0.5, 1.0, kHighestPort)); });
  ImGui::EndDisabled();
}

void drawSenders(const Live& live) {
  if (live.view().senders.empty()) return wrappedNote("Nothing received yet.");
  for (const LiveSender& sender : live.view().senders) {
    if (sender.isDriving) ImGui::TextUnformatted(sender.address.c_str());
    else disabledText("%s", sender.address.c_str());
    tooltip(sender.isDriving ? "the figure follows this program"
                             : "another program drives; this one takes over when that is silent for a second");
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.0f packets/s", sender.rate);
    textAtRight(rate);
    disabledText("%s%s", sender.tells.c_str(),
                 sender.dropped > 0 ? (", " + std::to_string(sender.dropped) + " messages dropped").c_str() : "");
    tooltip("malformed messages, and those that repeat a name within a packet, are dropped");
  }
}

void drawReceiving(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue) {
  const Live& live = session.services.live;
  bool isOn = live.isReceiving();
  if (ImGui::Checkbox("Follow another program", &isOn))
    queue.add(Command::UseLive, isOn ? LiveWish::Receive : LiveWish::StopReceiving);
  tooltip("receives bones and trackers (VMC protocol), which pose the figure within its limits");
  portRow("Port", settings.live.receivePort, live.isReceiving(), "UDP port at which bones and trackers are received",
          ui);
  ImGui::BeginDisabled(live.isReceiving());
  ImGui::Checkbox("From other machines, too", &settings.live.fromAnywhere);
  tooltip("otherwise only programs of this machine are heard");
  ImGui::EndDisabled();
  if (!live.isReceiving()) return;
  drawSenders(live);
  if (session.document().mode != Mode::Inverse) wrappedNote("Live motion poses in inverse mode: Space switches.");
  if (button("Calibrate",
             "stand as the figure does, then click: trackers are fixed to the links nearest to them, and "
             "your size is taken for the figure's",
             live.view().version > 0))
    queue.add(Command::UseLive, LiveWish::Calibrate);
  if (live.attachedCount() == 0) return;
  ImGui::SameLine();
  disabledText("%zu trackers", live.attachedCount());
  ImGui::Checkbox("Hold trackers exactly", &settings.live.areExact);
  tooltip("links stay where their trackers are, as pins do; otherwise trackers pull like goals");
}

void drawSending(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue) {
  const Live& live = session.services.live;
  bool isOn = live.isSending();
  if (ImGui::Checkbox("Send the pose", &isOn))
    queue.add(Command::UseLive, isOn ? LiveWish::Send : LiveWish::StopSending);
  tooltip("sends the bones of the pose that is shown to a program that shows avatars (VMC protocol)");
  ImGui::BeginDisabled(live.isSending());
  rowLabel("Address", "of the machine that receives, in numbers; 127.0.0.1 is this one", kResetEms);
  editName("##address", "127.0.0.1", settings.live.sendAddress, ui);
  if (resetButton("##reset address", settings.live.sendAddress == LiveSettings().sendAddress))
    settings.live.sendAddress = LiveSettings().sendAddress;
  ImGui::EndDisabled();
  ImGui::PushID("send");
  portRow("Port", settings.live.sendPort, live.isSending(), "UDP port at which the other program receives", ui);
  ImGui::PopID();
}

}  // namespace

void drawLive(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue) {
  drawReceiving(session, ui, settings, queue);
  ImGui::Separator();
  drawSending(session, ui, settings, queue);
}

}  // namespace limber::app
