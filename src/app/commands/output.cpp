// SPDX-License-Identifier: MIT
#include "app/commands/output.h"

#include <cerrno>
#include <cstring>

namespace limber::app {

int fail(const io::Error& error, std::ostream& err) {
  err << "limber: " << error.message() << std::endl;
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

}  // namespace limber::app
