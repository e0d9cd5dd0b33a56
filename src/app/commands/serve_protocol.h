// SPDX-License-Identifier: MIT
// The protocol of `limber serve` (docs/serve.md): requests as lines of JSON, and one answer line each.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "limber/io/json/problem_json.h"
#include "limber/posing/posing.h"

namespace limber::app {

inline constexpr int kServeVersion = 1;
inline constexpr std::size_t kMaxServeLineBytes = 4u << 20;
inline constexpr std::size_t kMaxServeIdBytes = 256;

/// Limits and settings of all clients.
struct ServeLimits {
  std::size_t figures = 1000;    ///< maximum number of open figures
  std::size_t openFigures = 0;   ///< number of open figures
  io::OpenContext context = {};  ///< the choices of the command line
};

/// Splits a stream of bytes into lines. A line that is too long is discarded.
class LineSplitter {
 public:
  void add(std::string_view bytes);
  /// Ends the stream: the remaining bytes are a line, too.
  void end();

  bool hasLine() const { return isDone_ || isComplete_; }
  /// Returns the next line, without its end. False for one longer than kMaxServeLineBytes.
  bool take(std::string& line);

 private:
  void look();
  std::string bytes_;
  std::size_t begin_ = 0;    ///< start of the next line in bytes_
  std::size_t looked_ = 0;   ///< bytes_ up to here contain no end of that line
  bool isComplete_ = false;  ///< looked_ is the end of the line
  bool isTooLong_ = false;   ///< the beginning of the line was discarded
  bool isDone_ = false;      ///< the stream has ended with a line without an end
};

/// The open figures and the requests of a client. Used by one thread.
class ServeSession {
 public:
  explicit ServeSession(ServeLimits& limits) : limits_(limits) {}
  ~ServeSession();
  ServeSession(const ServeSession&) = delete;
  ServeSession& operator=(const ServeSession&) = delete;

  /// Passes on the answer to a line, a line with its end; none for a blank line. A fault becomes an answer with "error"
  /// and changes nothing. The answer is passed on before memory is freed, because the client waits.
  void answer(std::string_view line, const std::function<void(std::string&&)>& give);
  /// The answer to a line that is too long.
  static std::string answerTooLong();
  /// The last line to a client that is disconnected because it has been idle.
  static std::string answerIdle();

 private:
  struct Figure {
    io::OpenProblem problem;
    io::OpenProblem changed;  ///< becomes the problem if a request succeeds; it keeps its memory
    std::unique_ptr<Posing> posing = std::make_unique<Posing>();
    bool isWarm = false;  ///< the next solve continues from the last one
  };
  // Each adds its results to the answer.
  void carryOut(const io::JsonValue& request, io::OrderedJson& answer);
  void open(const io::JsonValue& request, io::OrderedJson& answer);
  void solve(const io::JsonValue& request, io::OrderedJson& answer);
  void solveAll(const io::JsonValue& request, Figure& figure, io::OrderedJson& answer);
  void close(const io::JsonValue& request, io::OrderedJson& answer);
  Figure& find(const io::JsonValue& name);

  ServeLimits& limits_;
  std::map<std::string, Figure, std::less<>> figures_;
};

}  // namespace limber::app
