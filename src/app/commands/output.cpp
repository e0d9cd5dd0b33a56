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

int fail(const io::Error& error, std::ostream& err) {
  err << "limber: " << error.message() << std::endl;
  return kBadInput;
}

int fail(std::string_view verb, std::string_view sentence, std::ostream& err) {
  err << "limber " << verb << ": " << sentence << std::endl;
  return kBadInput;
}

int print(const std::string& text, std::ostream& out, std::ostream& err) {
  errno = 0;
  out << text << std::flush;
  if (out) return kSuccess;
  const std::string cause = errno == 0 ? "" : std::string(": ") + std::strerror(errno);
  err << "limber: the output could not be written" << cause << std::endl;
  return kBadInput;
}

void printNotes(const std::string& file, const std::vector<std::string>& notes, std::ostream& err) {
  for (const std::string& note : notes) err << file << ": " << note << '\n';
}

int exportWithNotes(const Document& document, const std::string& file, std::ostream& err) {
  const auto notes = io::exportFile(document, file);
  if (!notes) return fail(notes.error(), err);
  printNotes(file, *notes, err);
  return kSuccess;
}

ProgressLine::ProgressLine(std::string_view verb, std::ostream& err)
    : verb_(verb), err_(err), isShown_(platform::isErrorTerminal()) {}

ProgressLine::~ProgressLine() {
  if (said_ >= 0) err_ << "\r\033[K" << std::flush;
}

bool ProgressLine::operator()(double part) {
  const int percent = static_cast<int>(100.0 * part);
  if (isShown_ && percent != said_ && std::chrono::steady_clock::now() - start_ > kProgressPatience) {
    said_ = percent;
    err_ << "\rlimber " << verb_ << ": " << percent << " %" << std::flush;
  }
  return interrupted == 0;
}

}  // namespace limber::app
