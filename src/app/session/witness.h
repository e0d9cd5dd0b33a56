// SPDX-License-Identifier: MIT
// Interface of an observer that is notified before and after everything that is done in a session. The recorder
// (app/recording/recorder.h) implements it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "app/editing/command.h"
#include "app/settings/input.h"

namespace limber::app {

struct Session;

/// Something done that is neither an event nor a command.
enum class Moment { Advance, Refresh, FinishJob, EndWidgetGesture };

using Deed = std::variant<const InputEvent*, const CommandCall*, Moment>;

class Witness {
 public:
  virtual ~Witness() = default;
  virtual void begin(const Session& session, const Deed& deed) = 0;
  virtual void end(Session& session) = 0;
  virtual void noteSaved(const std::filesystem::path& path) = 0;
  virtual void noteClipboard(const std::string& text) = 0;
  /// Ends the observation of the session.
  virtual void stop(Session& session) = 0;
  /// Empty, or why recording has ended.
  virtual const std::string& fault() const = 0;
};

/// Calls Witness::begin at its construction and Witness::end at its destruction.
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
