// SPDX-License-Identifier: MIT
// What verbs print: results, errors, notes and progress; and how Ctrl+C ends them.
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

/// Prints "limber: file: place: cause"; returns kBadInput.
int fail(const io::Error& error, std::ostream& err);

/// Prints "limber verb: sentence"; returns kBadInput.
int fail(std::string_view verb, std::string_view sentence, std::ostream& err);

/// Prints the text and flushes it. Returns kBadInput, and says so on `err`, on a full disk or a broken pipe.
int print(const std::string& text, std::ostream& out, std::ostream& err);

/// Prints each note about the file on a line of its own.
void printNotes(const std::string& file, const std::vector<std::string>& notes, std::ostream& err);

/// Writes the document in the format of the file's ending, and prints what that cannot hold. Returns the exit code.
int exportWithNotes(const Document& document, const std::string& file, std::ostream& err);

/// Set by Ctrl+C while an InterruptWatch lives.
inline volatile std::sig_atomic_t interrupted = 0;

/// While it lives, Ctrl+C ends a verb between two pieces of work; a second Ctrl+C ends the program.
class InterruptWatch {
 public:
  InterruptWatch() {
    interrupted = 0;
    before_ = std::signal(SIGINT, [](int) {
      interrupted = 1;
      std::signal(SIGINT, SIG_DFL);
    });
  }
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch() { std::signal(SIGINT, before_); }

 private:
  void (*before_)(int) = nullptr;
};

/// A line on the terminal with the progress of a verb that takes long. The destructor erases it.
class ProgressLine {
 public:
  ProgressLine(std::string_view verb, std::ostream& err);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// part: in [0, 1]. Returns false if Ctrl+C was pressed.
  bool operator()(double part);

 private:
  std::string_view verb_;
  std::ostream& err_;
  bool isShown_;
  int said_ = -1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace limber::app
