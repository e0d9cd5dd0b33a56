// SPDX-License-Identifier: MIT
// A short note over the picture, which a service passes to the session.
#pragma once

#include <string>

namespace limber::app {

struct Notice {
  std::string text;
  bool isError = false;
  double seconds = 4.0;  ///< how long it is shown

  static Notice error(std::string text) { return {std::move(text), true, 8.0}; }
};

}  // namespace limber::app
