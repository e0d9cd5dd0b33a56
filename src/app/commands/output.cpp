// SPDX-License-Identifier: MIT
#include "app/commands/output.h"

#include <cerrno>
#include <cstring>

#include "app/commands/commands.h"
#include "limber/io/base/platform.h"
#include "limber/io/export_formats.h"

namespace limber::app {

namespace {
constexpr std::chrono::milliseconds kProgressPatience{500};  // before the first progress
}

int Console::fail(std::string_view sentence) {
  err_ << name_ << sentence << std::endl;
  return kBadInput;
}

int Console::failUsage(std::string_view sentence) {
  fail(sentence);
  return kUsage;
}

int Console::print(std::string_view result) {
  errno = 0;
  out_ << result << std::flush;
  if (out_) return kSuccess;
  return fail("the output could not be written" + (errno == 0 ? "" : std::string(": ") + std::strerror(errno)));
}

void Console::say(std::string_view sentence) {
  if (!isQuiet_) err_ << name_ << sentence << std::endl;
}

void Console::note(const std::string& file, const std::vector<std::string>& notes) {
  for (const std::string& sentence : notes) note(file, sentence);
}

void Console::showLine(std::string_view text) {
  if (!isQuiet_) err_ << "\r\033[K" << name_ << text << std::flush;
}

void Console::endLine(bool erases) {
  if (!isQuiet_) err_ << (erases ? "\r\033[K" : "\n") << std::flush;
}

int exportWithNotes(const Document& document, const std::string& file, Console& console) {
  const auto notes = io::exportFile(document, file);
  if (!notes) return console.fail(notes.error());
  console.note(file, *notes);
  return kSuccess;
}

ProgressLine::ProgressLine(Console& console) : console_(console), isShown_(platform::isErrorTerminal()) {}

ProgressLine::~ProgressLine() {
  if (said_ >= 0) console_.endLine(true);
}

bool ProgressLine::operator()(double part) {
  const int percent = static_cast<int>(100.0 * part);
  if (isShown_ && percent != said_ && std::chrono::steady_clock::now() - start_ > kProgressPatience) {
    said_ = percent;
    console_.showLine(std::to_string(percent) + " %");
  }
  return interrupted == 0;
}

}  // namespace limber::app
