// SPDX-License-Identifier: MIT
// Autosave keeps unsaved documents, which means that it writes copies for recovery. At most a minute after a change,
// the document is written in the background into a folder that belongs to this process. A normal exit removes the
// folder. The folder of a process that has crashed contains lost work, which is offered to the user.
//
//   ~/.local/state/limber/autosave/
//     4711-0/                            one for each running Limber
//       lock                             held (flock) while the process lives; the system always releases it
//       scene.limber                     replaced atomically, never half written
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

/// The folder of Limber's state: $XDG_STATE_HOME/limber, else ~/.local/state/limber; empty without a home folder.
std::filesystem::path stateFolder();

/// A folder that this process holds, by a lock, until the object is destroyed.
class KeptFolder {
 public:
  /// A new folder in `parent`, which is created if missing. Returns null, and fills `fault`, on failure.
  static std::shared_ptr<KeptFolder> create(const std::filesystem::path& parent, std::string& fault);
  /// Locks a folder that another process has left. Returns null if a process still holds it, or if it has no lock file.
  static std::shared_ptr<KeptFolder> takeUp(const std::filesystem::path& folder);

  std::filesystem::path scene() const { return folder_ / "scene.limber"; }
  /// Removes the folder with its contents.
  void remove();
  /// Removes the files that an interrupted write has left.
  void removeTemporaries();

 private:
  KeptFolder(std::filesystem::path folder, std::unique_ptr<platform::FileLock> lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}

  std::filesystem::path folder_;
  std::unique_ptr<platform::FileLock> lock_;
};

/// Unsaved work of a process that crashed. Its folder is locked while this exists.
struct LostWork {
  std::shared_ptr<KeptFolder> folder;
  std::filesystem::path file;  ///< the file of the document; empty if it had none
  std::string figure;          ///< its name
  std::int64_t keptAt = 0;     ///< seconds since 1970
};

/// All lost work in `parent`, the newest first. Folders of running processes are skipped.
std::vector<LostWork> findLostWork(const std::filesystem::path& parent);

class Autosave {
 public:
  static constexpr double kInterval = 60.0;  ///< seconds

  /// Keeps changes from now on, `interval` seconds after a change, in a new folder below `parent`. Keeps nothing if the
  /// path is empty.
  void begin(std::filesystem::path parent, double interval = kInterval);
  /// Looks for lost work in the background; asks() then returns true if there is some.
  void lookForLost();
  /// Keeps changes that are due, and removes copies of saved work; called once per frame. now: seconds, of any steady
  /// clock. Returns the first failure after a success; the next attempt follows ten intervals later.
  std::optional<Notice> update(const Editor& editor, double now);
  /// Keeps unsaved changes before it returns, for use after an internal error. Waits at most 10 s for a copy that is
  /// being written. Returns an empty text, or the reason of a failure.
  std::string keepNow(const Editor& editor);
  /// The time at which changes will be kept, seconds; empty if all are kept, being written, or saved.
  std::optional<double> nextTime() const { return due_; }
  /// For a normal exit: removes the kept copies.
  void end();

  const std::vector<LostWork>& lost() const { return lost_; }
  /// Returns true at the first call after lost work was found, and false afterwards.
  bool asks() { return std::exchange(asks_, false); }
  /// Deletes the work `lost()[index]` and its folder.
  void discard(std::size_t index);
  /// Notes that lost work was opened. Its folder stays until the work is saved or kept again.
  void noteRecovered(const std::shared_ptr<KeptFolder>& folder);

  bool isBusy() const { return job_.isRunning(); }
  Job& job() { return job_; }

 private:
  void keepDue(const Editor::Unsaved& unsaved);
  void write(const Document& document, const std::filesystem::path& file);
  void noteWritten(const std::shared_ptr<KeptFolder>& recovered, const std::string& fault);

  std::filesystem::path parent_;
  double interval_ = kInterval;
  Job job_;
  std::shared_ptr<KeptFolder> folder_;  ///< null until a document is kept
  Document kept_;                       ///< the last kept document; without a figure before the first
  std::optional<double> due_;
  double now_ = 0.0;              ///< at the last update, seconds
  bool hasFailed_ = false;        ///< a failure was reported, and is not reported again
  std::optional<Notice> notice_;  ///< for the next update()
  bool asks_ = false;
  std::vector<LostWork> lost_;
  std::shared_ptr<KeptFolder> recovered_;  ///< of opened lost work, until the document is kept again or saved
};

}  // namespace limber::app
