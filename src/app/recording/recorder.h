// SPDX-License-Identifier: MIT
// Notes what is done in a session, so that it can be done again bit for bit (app/recording/replay.h): a bug report is a file.
// JSON Lines, documented in docs/recording.md. Each line is written before what it tells is done, so that a crash
// leaves its own cause behind.
//
// Input, actions and plain requests are noted as they are. What cannot be done again from a file is noted by what
// became of the document: edits, which are functions; results of works beside the window; anything else that changed
// the document between two lines. Milliseconds are noted as the iterations that they were good for.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/session/witness.h"
#include "limber/io/base/json_format.h"
#include "limber/io/base/platform.h"
#include "limber/scene/document.h"

namespace limber::app {

class Recorder : public Witness {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;  ///< a longer recording ends

  /// Begins to note what is done from here on; null with `fault` filled. The solver and the timeline forget what they
  /// keep from earlier on, for no recording could say it.
  static std::shared_ptr<Recorder> start(Session& session, const std::filesystem::path& file, std::string& fault);

  void begin(const Session& session, const Deed& deed) override;
  void end(Session& session) override;
  void noteSaved(const std::filesystem::path& path) override;
  void noteClipboard(const std::string& text) override;
  void stop(Session& session) override;
  const std::string& fault() const override { return fault_; }

  const std::filesystem::path& file() const { return file_; }

 private:
  enum class Afterwards { Nothing, Edited, Became, Pose };

  Recorder(const std::filesystem::path& file, platform::File output) : file_(file), output_(std::move(output)) {}

  void write(const io::OrderedJson& line);
  void writeHeader(const Session& session);
  void tap(Session& session);
  void noteChange(const Session& session);
  void noteState(const Session& session);
  void note(const char* what, io::OrderedJson value);
  Afterwards noteDeed(const Deed& deed);
  void noteDocument(const Session& session);
  io::OrderedJson stateSinceLast(const Session& session);
  io::OrderedJson effectSince(const Document& before, int step, const Session& session);
  void know(const Session& session);

  std::filesystem::path file_;
  platform::File output_;
  std::size_t bytes_ = 0;
  std::string fault_;
  int depth_ = 0;            ///< of what is being done: what it does in turn is not noted
  Afterwards afterwards_ = Afterwards::Nothing;  ///< what is noted when it is done
  Document known_;           ///< as a replay has it by now
  int knownStep_ = 0;        ///< of the history
  io::OrderedJson state_;    ///< as noted last
  std::uint64_t pose_ = 0;   ///< hash, as noted last
  double now_ = -1.0;        ///< as noted last
};

/// $XDG_STATE_HOME/limber/recordings, else ~/.local/state/limber/recordings; empty when there is no home.
std::filesystem::path recordingsFolder();

/// The Help menu's: begins a recording there, named by the time, or ends the one under way.
void toggleRecording(Session& session);

}  // namespace limber::app
