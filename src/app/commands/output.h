// SPDX-License-Identifier: MIT
// The console of a verb: results, errors, notes and progress; and how Ctrl+C ends a verb.
#pragma once

#include <chrono>
#include <csignal>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::app {

/// Where a verb prints: the result on standard output, one line for everything else on standard error, in the form
/// "limber VERB: FILE: PLACE: CAUSE".
class Console {
 public:
  /// isQuiet  leaves out notes and progress; errors are printed
  Console(std::string_view verb, std::ostream& out, std::ostream& err, bool isQuiet = false)
      : name_(verb.empty() ? "limber: " : "limber " + std::string(verb) + ": "), out_(out), err_(err),
        isQuiet_(isQuiet) {}

  /// Prints the error and returns kBadInput.
  int fail(const io::Error& error) { return fail(error.message()); }
  int fail(std::string_view sentence);

  /// Prints a mistake that the arguments alone show, and returns kUsage.
  int failUsage(std::string_view sentence);

  /// Prints the result and flushes it. On a full disk or a broken pipe, prints an error and returns kBadInput.
  int print(std::string_view result);
  std::ostream& out() { return out_; }

  /// Notes and progress: a sentence, one about a file, several about a file, and a line that replaces the last such
  /// line until endLine().
  void say(std::string_view sentence);
  void note(const std::string& file, std::string_view sentence) { say(file + ": " + std::string(sentence)); }
  void note(const std::string& file, const std::vector<std::string>& notes);
  void showLine(std::string_view text);
  void endLine(bool erases);

 private:
  std::string name_;  ///< before every line on standard error
  std::ostream& out_;
  std::ostream& err_;
  bool isQuiet_;
};

/// Writes the document in the format of the file's ending, with notes about contents that the format lacks. Returns the
/// exit code.
int exportWithNotes(const Document& document, const std::string& file, Console& console);

/// Set by the signal of an InterruptWatch during its lifetime.
inline volatile std::sig_atomic_t interrupted = 0;

/// During its lifetime, a signal (Ctrl+C) ends a verb between two pieces of work; a second one ends the program.
class InterruptWatch {
 public:
  explicit InterruptWatch(int signal = SIGINT) : signal_(signal) {
    interrupted = 0;
    before_ = std::signal(signal, [](int received) {
      interrupted = 1;
      std::signal(received, SIG_DFL);
    });
  }
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch() { std::signal(signal_, before_); }

 private:
  int signal_;
  void (*before_)(int) = nullptr;
};

/// A line on the terminal with the progress of a verb that takes long. The destructor erases it.
class ProgressLine {
 public:
  explicit ProgressLine(Console& console);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// part: in [0, 1]. Returns false if Ctrl+C was pressed.
  bool operator()(double part);

 private:
  Console& console_;
  bool isShown_;
  int said_ = -1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace limber::app
