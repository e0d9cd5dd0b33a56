// SPDX-License-Identifier: MIT
// Converts the contents of a recording to JSON and back (docs/recording.md). Readers throw io::JsonFault.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/editing/command.h"
#include "app/settings/input.h"
#include "limber/io/base/json.h"

namespace limber::app {

struct Session;

inline constexpr std::string_view kRecordingFormat = "limber recording";

io::OrderedJson eventToJson(const InputEvent& event);
InputEvent eventFromJson(const io::JsonValue& json);

/// The line of a command that a replay performs as it is: {"command": "ScrubTo", "with": [0.5, "widget 7"]}.
io::OrderedJson commandToJson(const CommandCall& call);
/// Also reads the lines of older recordings, {"action": "Undo"} and {"request": {"scrub_to": 0.5}}; empty for other
/// lines.
std::optional<CommandCall> commandFromJson(const io::JsonValue& line);

/// The state that panels and the window set without an event or a command, as far as poses can depend on it: settings,
/// place and scale of the picture, camera, the coordinate that keys turn, playback.
io::OrderedJson stateToJson(const Session& session);
/// Sets the parts of the state that the JSON has.
void setState(Session& session, const io::JsonValue& json);

/// Hash of the bits of the coordinates.
std::uint64_t hashOf(const Pose& pose);
std::string hashText(std::uint64_t hash);  ///< 16 hexadecimal digits

/// Hash of the bytes of the running program, which identifies the build; "unknown" when it cannot be read.
std::string buildHash();
/// Hash of the bytes of a file; empty when it cannot be read.
std::string fileHash(const std::filesystem::path& path);

}  // namespace limber::app
