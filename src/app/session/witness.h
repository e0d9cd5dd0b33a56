// SPDX-License-Identifier: MIT
// Who is told what is done in a session, before it is done and after: a recording (app/recording/recorder.h).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "app/editing/requests.h"
#include "app/settings/input.h"

namespace limber::app {

struct Session;

/// What is done that is neither an event nor a request.
enum class Moment { Advance, Refresh, FinishJob, EndWidgetGesture };

using Deed = std::variant<const InputEvent*, Action, const EditRequest*, const Requests*, Moment>;

class Witness {
 public:
  virtual ~Witness() = default;
  virtual void begin(const Session& session, const Deed& deed) = 0;
  virtual void end(Session& session) = 0;
  virtual void noteSaved(const std::filesystem::path& path) = 0;
  virtual void noteClipboard(const std::string& text) = 0;
  /// Nothing of the session is told from now on.
  virtual void stop(Session& session) = 0;
  /// Empty, or why nothing more is noted.
  virtual const std::string& fault() const = 0;
};

/// As long as it lives, the deed is being done.
class Recorded {
 public:
  Recorded(Session& session, const Deed& deed);
  ~Recorded();
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

 private:
  Session& session_;
  std::shared_ptr<Witness> witness_;
};

}  // namespace limber::app
