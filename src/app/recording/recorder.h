// SPDX-License-Identifier: MIT
// Records a session, so that a bug report can be replayed bit for bit (app/recording/replay.h). The file is JSON Lines
// (docs/recording.md). Each line is written before its deed is done, so that the file of a crash contains its cause.
//
// Input and commands are recorded unchanged. A command that cannot be replayed (kEffectOnly) is recorded by its effect
// on the document. So are edits (which are functions), results of jobs, and any other change between two lines. The
// time of a solver slice is recorded as its number of iterations.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/session/witness.h"
#include "limber/io/base/json.h"
#include "limber/io/base/platform.h"
#include "limber/scene/document.h"

namespace limber::app {

class Recorder : public Witness {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;  ///< a longer recording ends

  /// Begins a recording; on failure returns null and fills `fault`. Solver and timeline drop their warm starts and
  /// caches, which the recording does not contain.
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
  Afterwards noteDeed(const Deed& deed);
  void noteDocument(const Session& session);
  io::OrderedJson stateSinceLast(const Session& session);
  io::OrderedJson effectSince(const Document& before, int step, const Session& session);
  void know(const Session& session);

  std::filesystem::path file_;
  platform::File output_;
  std::size_t bytes_ = 0;
  std::string fault_;
  int depth_ = 0;                                ///< nesting of deeds; only the outermost is recorded
  Afterwards afterwards_ = Afterwards::Nothing;  ///< what is recorded at the end of the deed
  Document known_;                               ///< the document that a replay would have now
  int knownStep_ = 0;                            ///< its step in the history
  io::OrderedJson state_;                        ///< as last recorded
  std::uint64_t pose_ = 0;                       ///< hash, as last recorded
  double now_ = -1.0;                            ///< as last recorded
};

/// $XDG_STATE_HOME/limber/recordings, else ~/.local/state/limber/recordings; empty when no home directory is known.
std::filesystem::path recordingsFolder();

/// Begins a recording in recordingsFolder(), named by the time, or ends the running one.
void toggleRecording(Session& session);

}  // namespace limber::app
