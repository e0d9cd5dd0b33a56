// SPDX-License-Identifier: MIT
// What a recording holds, as JSON and back (docs/recording.md). Readers throw io::JsonFault.
#pragma once

#include <cstdint>
#include <string>

#include "app/editing/requests.h"
#include "app/settings/input.h"
#include "limber/io/base/json.h"
#include "limber/io/base/json_format.h"

namespace limber::app {

struct Session;

inline constexpr std::string_view kRecordingFormat = "limber recording";

io::OrderedJson eventToJson(const InputEvent& event);
InputEvent eventFromJson(const io::JsonValue& json);

/// Of the requests those that a replay carries out as they are; edits and what becomes of files are not among them.
io::OrderedJson requestsToJson(const Requests& requests);
Requests requestsFromJson(const io::JsonValue& json);

io::OrderedJson actionToJson(Action action);
Action actionFromJson(const io::JsonValue& json);

/// What panels and the window set without an event or a request, as far as a pose can depend on it: settings, the
/// picture's place and scale, camera, what the keys turn, playback.
io::OrderedJson stateToJson(const Session& session);
/// Sets what the JSON has.
void setState(Session& session, const io::JsonValue& json);

/// Of the bits of its coordinates.
std::uint64_t hashOf(const Pose& pose);
std::string hashText(std::uint64_t hash);  ///< 16 hexadecimal digits

/// Of the bytes of the program that runs: the same build, or not. "unknown" where it cannot be read.
std::string buildHash();
/// Of the bytes of a file; empty where it cannot be read.
std::string fileHash(const std::filesystem::path& path);

}  // namespace limber::app
