// SPDX-License-Identifier: MIT
// What no file holds is kept for the user, beside the window: a minute after a change at the latest, as a scene in a
// folder of this very process. A clean end takes the folder away; what is found of a process that has gone is work that
// was lost, and is offered.
//
//   ~/.local/state/limber/autosave/
//     4711-0/                            one a running Limber
//       lock                             held (flock) as long as it lives: the system lets go of it whatever ends it
//       scene.limber                     replaced as a whole, never half written
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/editing/editor.h"
#include "app/editing/notice.h"
#include "app/jobs/job.h"
#include "limber/io/base/platform.h"

namespace limber::app {

/// What programs keep for users: $XDG_STATE_HOME/limber, else ~/.local/state/limber; empty when there is no home.
std::filesystem::path stateFolder();

/// A folder for one process, held until it is destroyed. No other process is given it meanwhile.
class KeptFolder {
 public:
  /// A new one in `parent`, which is made when it is not there; null with `fault` filled.
  static std::shared_ptr<KeptFolder> create(const std::filesystem::path& parent, std::string& fault);
  /// One that nobody holds any more; null for others.
  static std::shared_ptr<KeptFolder> takeUp(const std::filesystem::path& folder);

  std::filesystem::path scene() const { return folder_ / "scene.limber"; }
  /// With all that is in it.
  void remove();
  /// What an interrupted write left.
  void removeTemporaries();

 private:
  KeptFolder(std::filesystem::path folder, std::unique_ptr<platform::FileLock> lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}

  std::filesystem::path folder_;
  std::unique_ptr<platform::FileLock> lock_;
};

/// Work of a Limber that ended before it was saved.
struct LostWork {
  std::shared_ptr<KeptFolder> folder;
  std::filesystem::path file;  ///< that it is a later form of; empty: it had no name
  std::string figure;
  std::int64_t keptAt = 0;     ///< seconds since 1970
};

/// In the order in which it was kept, the newest first. What is held by a process that lives is not looked at.
std::vector<LostWork> findLostWork(const std::filesystem::path& parent);

class Autosave {
 public:
  static constexpr double kInterval = 60.0;  ///< seconds

  /// From now on changes are kept there. Before, and with an empty folder, nothing is.
  void begin(std::filesystem::path folder, double interval = kInterval);
  /// Looks beside the window for what was lost; asks() is then true when there is some.
  void lookForLost();
  /// Keeps what is due, and takes away what is saved meanwhile. Once a frame. What kept it from that, once.
  std::optional<Notice> update(const Editor& editor, double now);
  /// Keeps what is not saved before it returns, whatever is due: the program may be about to end. Empty, or what kept it
  /// from that.
  std::string keepNow(const Editor& editor);
  /// When something is due, seconds; nothing while all is kept or saved.
  std::optional<double> nextTime() const { return due_; }
  /// A clean end: what was kept is taken away.
  void end();

  const std::vector<LostWork>& lost() const { return lost_; }
  /// True once, when lost work was found.
  bool asks() { return std::exchange(asks_, false); }
  void discard(std::size_t index);
  /// It is open. It is not forgotten before it is saved, or kept anew.
  void noteRecovered(const std::shared_ptr<KeptFolder>& folder);

  bool isBusy() const { return job_.isRunning(); }
  void setWake(std::function<void()> wake) { job_.setWake(std::move(wake)); }
  void setFail(std::function<void(const std::string&)> fail) { job_.setFail(std::move(fail)); }
  void stop() { job_.stop(); }
  bool wait(double seconds) { return job_.wait(seconds); }

 private:
  void keepDue(const Editor::Unsaved& unsaved);
  void write(const Document& document, const std::filesystem::path& file);
  void noteWritten(const std::shared_ptr<KeptFolder>& recovered, const std::string& fault);

  std::filesystem::path parent_;
  double interval_ = kInterval;
  Job job_;
  std::shared_ptr<KeptFolder> folder_;   ///< null until something was kept
  Document kept_;                        ///< what was kept last; without a figure: nothing
  std::optional<double> due_;
  double now_ = 0.0;                     ///< at the last update, seconds
  bool hasFailed_ = false;               ///< was told, and is not told again
  std::optional<Notice> notice_;         ///< until it is told
  bool asks_ = false;
  std::vector<LostWork> lost_;
  std::shared_ptr<KeptFolder> recovered_;  ///< what was recovered from it is not kept anew yet
};

}  // namespace limber::app
