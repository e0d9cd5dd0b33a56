// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

namespace limber::app {

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

}  // namespace limber::app
