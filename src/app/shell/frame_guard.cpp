// SPDX-License-Identifier: MIT
#include "app/shell/frame_guard.h"

#include <exception>

#include "app/session/session.h"

namespace limber::app {

bool FrameGuard::run(Session& session, const std::function<void()>& frame) {
  try {
    frame();
    failures_ = 0;
    return true;
  } catch (const std::exception& exception) {
    fault_ = exception.what();
  }
  ++failures_;
  session.solving.cancel();
  const std::string lost = session.services.autosave.keepNow(session.editor);
  session.fail("Something went wrong inside Limber (" + fault_ + "). The document is still here; " +
               (lost.empty() ? "unsaved work was stored for recovery." : "unsaved work could not be stored: " + lost));
  return false;
}

}  // namespace limber::app
