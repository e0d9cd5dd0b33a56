// SPDX-License-Identifier: MIT
// Does again what a recording tells (app/recording/recorder.h), in a session without a window, and says where its poses first
// differ from those recorded. On the build that recorded it they are the same to the last bit. No file is written, and
// none is read but that of a figure's skin.
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
  int frames = 0;           ///< done again
  int poses = 0;            ///< new ones that were compared
  struct Difference {
    int frame = 0;          ///< counted from 1
    int line = 0;           ///< of the file
    double seconds = 0.0;   ///< since the first frame
  };
  std::optional<Difference> first;
  int differing = 0;        ///< frames
  bool isClosed = false;    ///< the recording was ended; else the program was before it
  std::string fault;        ///< empty, or why it was not followed to its end: "line 57: ..."
  std::string limber;       ///< version that recorded it
  bool isSameBuild = false;
  std::vector<std::string> notes;

  bool isSame() const { return !first; }
};

class Replay {
 public:
  static io::Result<std::unique_ptr<Replay>> open(const std::filesystem::path& file);

  /// The next thing that was done, with all that came of it; false at the end.
  bool step();
  void run() {
    while (step()) {}
  }

  const ReplayReport& report() const { return report_; }
  Session& session() { return *session_; }

 private:
  struct Line {
    int number = 0;
    io::Json json;
  };
  /// What came of a thing that was done, in the order in which it is asked for.
  struct Came {
    std::deque<io::Json> grants, arrivals, clipboards;
    std::optional<io::Json> edited, became;
    bool opens = false;                  ///< it became another document, not a later form of the same
    std::vector<std::string> saved;
    std::optional<std::string> pose;
    int poseLine = 0;
  };

  Replay() = default;
  bool begin(const std::filesystem::path& file, io::Error& error);
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
  std::optional<Line> next_;   ///< read already
  Line line_;                  ///< what is being done
  Came came_;
  bool isTorn_ = false;        ///< the file ends with what is being done
  std::unique_ptr<Session> session_;
  std::uint64_t expected_ = 0; ///< hash of the pose, as told last
  double started_ = 0.0;       ///< seconds: of the first frame
  ReplayReport report_;
};

}  // namespace limber::app
