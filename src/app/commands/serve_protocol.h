// SPDX-License-Identifier: MIT
// The protocol of `limber serve` (docs/serve.md): requests as lines of JSON, and the line that answers each.
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

/// What all clients share.
struct ServeLimits {
  std::size_t figures = 1000;    ///< most that are open at once
  std::size_t openFigures = 0;   ///< those that are
  io::OpenContext context = {};  ///< the choices of the command line
};

/// Parts a stream of bytes into lines. Of a line that is too long it keeps nothing.
class LineSplitter {
 public:
  void add(std::string_view bytes);
  /// The stream has ended: what is left is a line, too.
  void end();

  bool hasLine() const { return isDone_ || isComplete_; }
  /// Takes the next line, without its end. False for one longer than kMaxServeLineBytes.
  bool take(std::string& line);

 private:
  void look();
  std::string bytes_;
  std::size_t begin_ = 0;    ///< of the next line in bytes_
  std::size_t looked_ = 0;   ///< bytes_ before it hold no end of that line
  bool isComplete_ = false;  ///< looked_ is the end of the line
  bool isTooLong_ = false;   ///< the line's beginning was thrown away
  bool isDone_ = false;      ///< the stream has ended, and left a line without an end
};

/// The figures that a client has open, and what it asks of them. It belongs to one thread.
class ServeSession {
 public:
  explicit ServeSession(ServeLimits& limits) : limits_(limits) {}
  ~ServeSession();
  ServeSession(const ServeSession&) = delete;
  ServeSession& operator=(const ServeSession&) = delete;

  /// Gives the answer to a line, itself a line with its end; nothing for a blank line. What is wrong becomes an answer
  /// with "error", and changes nothing. The answer is given before what it was made from is freed: the client waits.
  void answer(std::string_view line, const std::function<void(std::string&&)>& give);
  /// The answer to a line that was too long to be kept.
  static std::string answerTooLong();

 private:
  struct Figure {
    io::OpenProblem problem;
    std::unique_ptr<Posing> posing = std::make_unique<Posing>();
    bool isWarm = false;  ///< the next solve goes on from the last one
  };
  // Each adds what it has to say to the answer.
  void carryOut(const io::JsonValue& request, io::OrderedJson& answer);
  void open(const io::JsonValue& request, io::OrderedJson& answer);
  void solve(const io::JsonValue& request, io::OrderedJson& answer);
  void close(const io::JsonValue& request, io::OrderedJson& answer);
  Figure& find(const io::JsonValue& name);

  ServeLimits& limits_;
  std::map<std::string, Figure, std::less<>> figures_;
};

}  // namespace limber::app
