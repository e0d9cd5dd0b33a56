// SPDX-License-Identifier: MIT
#include "app/live/osc.h"

#ifdef LIMBER_HAVE_LO
#include <lo/lo.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

namespace limber::app {

#ifdef LIMBER_HAVE_LO

namespace {

using namespace std::literals;

constexpr std::string_view kBundle = "#bundle\0"sv;
constexpr std::size_t kBundleHead = 16;           // with its time
constexpr std::size_t kMostDepth = 4;             // of bundles in bundles
constexpr std::size_t kPacketBytes = 1400;        // within the 1,500 of Ethernet
constexpr std::string_view kTypes = ",ifhdsSTF";  // not blobs: liblo 0.31 reads beyond the end of a damaged one

using LoMessage = std::unique_ptr<void, decltype(&lo_message_free)>;

std::uint32_t bigEndian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(0, 4)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

std::optional<OscArgument> argumentOf(char type, const lo_arg& value) {
  switch (type) {
    case LO_INT32: return static_cast<double>(value.i);
    case LO_INT64: return static_cast<double>(value.h);
    case LO_FLOAT: return static_cast<double>(value.f);
    case LO_DOUBLE: return value.d;
    case LO_TRUE: return 1.0;
    case LO_FALSE: return 0.0;
    case LO_STRING: return std::string(&value.s);
    case LO_SYMBOL: return std::string(&value.S);
    default: return std::nullopt;
  }
}

/// The types of a message's arguments, ",sff", which follow its address; both are padded to words of four bytes.
std::string_view typesOf(std::string_view bytes) {
  const std::size_t address = bytes.find('\0');
  if (address == std::string_view::npos) return {};
  bytes.remove_prefix(std::min(bytes.size(), address / 4 * 4 + 4));
  return bytes.substr(0, bytes.find('\0'));
}

bool readMessage(std::string_view bytes, std::vector<OscMessage>& messages) {
  if (typesOf(bytes).find_first_not_of(kTypes) != std::string_view::npos) return false;
  std::vector<std::uint32_t> copy(bytes.size() / 4);  // so that liblo's numbers are aligned
  std::memcpy(copy.data(), bytes.data(), bytes.size());
  int fault = 0;
  const LoMessage read(lo_message_deserialise(copy.data(), bytes.size(), &fault), &lo_message_free);
  if (!read || messages.size() == kMaxOscMessages) return false;
  OscMessage message{.address = reinterpret_cast<const char*>(copy.data()), .arguments = {}};
  const char* types = lo_message_get_types(read.get());
  lo_arg* const* values = lo_message_get_argv(read.get());
  for (int i = 0; i < lo_message_get_argc(read.get()); ++i) {
    auto argument = argumentOf(types[i], *values[i]);
    if (!argument) return false;
    message.arguments.push_back(std::move(*argument));
  }
  messages.push_back(std::move(message));
  return true;
}

bool readPacket(std::string_view bytes, std::size_t depth, std::vector<OscMessage>& messages) {
  if (bytes.empty() || bytes.size() % 4 != 0 || depth > kMostDepth) return false;
  if (!bytes.starts_with(kBundle)) return readMessage(bytes, messages);
  if (bytes.size() < kBundleHead) return false;
  bytes.remove_prefix(kBundleHead);
  while (!bytes.empty()) {
    if (bytes.size() < 4) return false;
    const std::size_t size = bigEndian(bytes);
    bytes.remove_prefix(4);
    if (size > bytes.size() || !readPacket(bytes.substr(0, size), depth + 1, messages)) return false;
    bytes.remove_prefix(size);
  }
  return true;
}

/// The bytes of a message after their count (4 bytes, big-endian).
std::string elementOf(const OscMessage& message) {
  const LoMessage made(lo_message_new(), &lo_message_free);
  for (const OscArgument& argument : message.arguments)
    if (const auto* text = std::get_if<std::string>(&argument)) lo_message_add_string(made.get(), text->c_str());
    else lo_message_add_float(made.get(), static_cast<float>(std::get<double>(argument)));
  std::size_t size = lo_message_length(made.get(), message.address.c_str());
  std::string bytes(4 + size, '\0');
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(size >> (24 - 8 * i) & 0xff);
  lo_message_serialise(made.get(), message.address.c_str(), bytes.data() + 4, &size);
  return bytes;
}

}  // namespace

std::optional<std::vector<OscMessage>> readOsc(std::string_view packet) {
  std::vector<OscMessage> messages;
  if (!readPacket(packet, 0, messages)) return std::nullopt;
  return messages;
}

std::vector<std::string> writeOsc(std::span<const OscMessage> messages) {
  const std::string head = std::string(kBundle) + "\0\0\0\0\0\0\0\1"s;  // the time "at once"
  std::vector<std::string> packets;
  for (const OscMessage& message : messages) {
    const std::string element = elementOf(message);
    if (packets.empty() || packets.back().size() + element.size() > kPacketBytes) packets.push_back(head);
    packets.back() += element;
  }
  return packets;
}

#else

std::optional<std::vector<OscMessage>> readOsc(std::string_view) { return std::nullopt; }
std::vector<std::string> writeOsc(std::span<const OscMessage>) { return {}; }

#endif

}  // namespace limber::app
