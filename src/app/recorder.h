// SPDX-License-Identifier: MIT
// Notes what is done in a session, so that it can be done again bit for bit (app/replay.h): a bug report is a file.
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

#include "app/input.h"
#include "app/requests.h"
#include "limber/io/base/json_format.h"
#include "limber/io/base/platform.h"
#include "limber/scene/document.h"

namespace limber::app {

struct Session;

/// What is done that is neither an event nor a request.
enum class Moment { Advance, Refresh, FinishJob, EndWidgetGesture };

class Recorder {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;  ///< a longer recording ends

  /// Begins to note what is done from here on; null with `fault` filled. The solver and the timeline forget what they
  /// keep from earlier on, for no recording could say it.
  static std::shared_ptr<Recorder> start(Session& session, const std::filesystem::path& file, std::string& fault);

  /// Ends the recording of a session: nothing is noted from now on.
  void stop(Session& session);
  const std::filesystem::path& file() const { return file_; }
  /// Empty, or why nothing more is noted.
  const std::string& fault() const { return fault_; }

  void noteSaved(const std::filesystem::path& path);
  void noteClipboard(const std::string& text);

 private:
  friend class Recorded;
  Recorder(const std::filesystem::path& file, platform::File output) : file_(file), output_(std::move(output)) {}

  void write(const io::OrderedJson& line);
  void writeHeader(const Session& session);
  void tap(Session& session);
  void noteChange(const Session& session);
  void noteState(const Session& session);
  io::OrderedJson stateSinceLast(const Session& session);
  io::OrderedJson effectSince(const Document& before, int step, const Session& session);
  void know(const Session& session);

  std::filesystem::path file_;
  platform::File output_;
  std::size_t bytes_ = 0;
  std::string fault_;
  int depth_ = 0;            ///< of what is being done: what it does in turn is not noted
  Document known_;           ///< as a replay has it by now
  int knownStep_ = 0;        ///< of the history
  io::OrderedJson state_;    ///< as noted last
  std::uint64_t pose_ = 0;   ///< hash, as noted last
  double now_ = -1.0;        ///< as noted last
};

/// As long as it lives, what it is made of is being done: the recording has a line of it, and of what became of it.
class Recorded {
 public:
  Recorded(Session& session, const InputEvent& event);
  Recorded(Session& session, Action action);
  Recorded(Session& session, const EditRequest& edit);
  Recorded(Session& session, const Requests& request);
  Recorded(Session& session, Moment moment);
  ~Recorded();
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

 private:
  enum class Afterwards { Nothing, Edited, Became, Pose };
  bool begin();
  void note(const char* what, io::OrderedJson value);
  void noteDocument(const Document& before);

  Session& session_;
  std::shared_ptr<Recorder> recorder_;
  bool isOutermost_ = false;
  Afterwards afterwards_ = Afterwards::Nothing;
};

/// $XDG_STATE_HOME/limber/recordings, else ~/.local/state/limber/recordings; empty when there is no home.
std::filesystem::path recordingsFolder();

/// The Help menu's: begins a recording there, named by the time, or ends the one under way.
void toggleRecording(Session& session);

}  // namespace limber::app
