// SPDX-License-Identifier: MIT
// Open Sound Control 1.0: packets of messages, by liblo. Input from the network is checked before liblo reads it. In a
// build without liblo every packet is malformed, and none is written.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace limber::app {

using OscArgument = std::variant<double, std::string>;  ///< numbers of all kinds are doubles

struct OscMessage {
  std::string address;  ///< "/VMC/Ext/Bone/Pos"
  std::vector<OscArgument> arguments;
};

inline constexpr std::size_t kMaxOscMessages = 1000;  ///< of one packet

/// The messages of a packet in their order, including those of nested bundles. Nothing if any part is malformed, an
/// argument is neither a number nor a string, or there are too many messages.
std::optional<std::vector<OscMessage>> readOsc(std::string_view packet);

/// The messages as bundles, each of which fits into a packet of Ethernet. Numbers become floats.
std::vector<std::string> writeOsc(std::span<const OscMessage> messages);

}  // namespace limber::app
