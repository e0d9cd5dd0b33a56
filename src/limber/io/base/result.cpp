// SPDX-License-Identifier: MIT
#include "limber/io/base/result.h"

namespace limber::io {

std::string Error::message() const {
  std::string text;
  for (const std::string* part : {&file, &place})
    if (!part->empty()) text += *part + ": ";
  return text + cause;
}

}  // namespace limber::io
