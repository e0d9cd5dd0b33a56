// SPDX-License-Identifier: MIT
// Replays a recording (app/recording/recorder.h) in a session without a window, and reports where the poses first
// differ from the recorded ones. On the build that recorded them the poses are equal to the last bit. A replay writes
// no file and reads none except the figure's skin.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "limber/io/base/json.h"
#include "limber/io/base/result.h"

namespace limber::app {

struct ReplayReport {
  int frames = 0;  ///< replayed
  int poses = 0;   ///< recorded poses compared
  struct Difference {
    int frame = 0;         ///< counted from 1
    int line = 0;          ///< line number in the file
    double seconds = 0.0;  ///< since the first frame
  };
  std::optional<Difference> first;
  int differing = 0;      ///< frames with another pose than recorded
  bool isClosed = false;  ///< the user ended the recording; false when the program ended first
  std::string fault;      ///< empty, or why the replay stopped early: "line 57: ..."
  std::string limber;     ///< version of Limber that recorded the file
  bool isSameBuild = false;
  std::vector<std::string> notes;

  bool isSame() const { return !first; }
};

class Replay {
 public:
  static io::Result<std::unique_ptr<Replay>> open(const std::filesystem::path& file);

  /// Replays the next deed with all its recorded effects; false at the end.
  bool step();
  void run() {
    while (step()) {
    }
  }

  const ReplayReport& report() const { return report_; }
  Session& session() { return *session_; }

 private:
  struct Line {
    int number = 0;
    io::Json json;
  };
  /// The recorded effects of one deed, each kind in the order of its use.
  struct Came {
    std::deque<io::Json> grants, arrivals, clipboards;
    std::optional<io::Json> edited, became;
    bool opens = false;  ///< another document was opened
    std::vector<std::string> saved;
    std::optional<std::string> pose;
    int poseLine = 0;
  };

  Replay() = default;
  void begin(const std::filesystem::path& file);
  void tap();
  bool readLine(Line& line);
  bool readGroup();
  bool take(const Line& line);
  void carryOutLine(const io::JsonValue& line);
  void carryOutEdit(const io::JsonValue& edit);
  void follow(const io::JsonValue& line, const Document& before);
  void applyEffect(const io::Json& json);
  Document after(const Document& before, const io::Json& delta);
  void setTo(const Document& wanted);
  void compare();

  std::ifstream file_;
  int lineNumber_ = 0;
  std::optional<Line> next_;  ///< read ahead
  Line line_;                 ///< the deed being replayed
  Came came_;
  bool isTorn_ = false;  ///< the file ends with the present deed
  std::unique_ptr<Session> session_;
  std::uint64_t expected_ = 0;  ///< last recorded hash of the pose
  double started_ = 0.0;        ///< time of the first frame, seconds
  ReplayReport report_;
};

}  // namespace limber::app
