// SPDX-License-Identifier: MIT
#include "app/jobs/autosave.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

#include "limber/io/base/platform.h"
#include "limber/io/base/resources.h"
#include "limber/io/json/scene_json.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

constexpr int kMostFolders = 1000;  // for one process number, which earlier processes may have had
constexpr int kMostRefusals = 5;
constexpr double kAfterFailure = 10.0;   // intervals until the next attempt
constexpr double kWaitForWriter = 10.0;  // seconds

std::int64_t secondsSince1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

io::KeptNote noteOf(const Document& document, const fs::path& file) {
  std::error_code error;
  return {file.empty() ? "" : fs::absolute(file, error).string(), secondsSince1970(), document.figure->name()};
}

}  // namespace

std::shared_ptr<KeptFolder> KeptFolder::create(const fs::path& parent, std::string& fault) {
  std::error_code error;
  fs::create_directories(parent, error);
  int refusals = 0;
  for (int i = 0; i < kMostFolders; ++i) {
    const fs::path folder = parent / (std::to_string(platform::processNumber()) + "-" + std::to_string(i));
    if (!fs::create_directory(folder, error)) {
      if (!error) continue;  // it exists
      fault = folder.string() + " cannot be created: " + error.message();
      return nullptr;
    }
    fs::permissions(folder, fs::perms::owner_all, error);
    if (auto lock = platform::FileLock::take(folder / "lock", true))
      return std::shared_ptr<KeptFolder>(new KeptFolder(folder, std::move(lock)));
    fs::remove_all(folder, error);  // locking is unsupported here, or another Limber took it for an abandoned one
    if (++refusals == kMostRefusals) break;
  }
  fault = "no folder in " + parent.string() + " can be locked";
  return nullptr;
}

std::shared_ptr<KeptFolder> KeptFolder::takeUp(const fs::path& folder) {
  auto lock = platform::FileLock::take(folder / "lock", false);
  return lock ? std::shared_ptr<KeptFolder>(new KeptFolder(folder, std::move(lock))) : nullptr;
}

/// The lock file is removed last, so that no other process takes up the folder before.
void KeptFolder::remove() {
  std::error_code error;
  removeTemporaries();
  fs::remove(scene(), error);
  fs::remove(folder_ / "lock", error);
  fs::remove(folder_, error);
}

void KeptFolder::removeTemporaries() {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
    if (entry.path().extension() == ".tmp") fs::remove(entry.path(), error);
}

std::vector<LostWork> findLostWork(const fs::path& parent) {
  std::vector<LostWork> lost;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    if (!entry.is_directory(error)) continue;
    const std::shared_ptr<KeptFolder> folder = KeptFolder::takeUp(entry.path());
    if (!folder) continue;
    folder->removeTemporaries();
    if (!fs::exists(folder->scene(), error)) {
      folder->remove();
      continue;
    }
    if (const auto note = io::readKeptNote(folder->scene()))
      lost.push_back({folder, note->file, note->figure, note->keptAt});
  }
  std::ranges::sort(lost, std::greater(), &LostWork::keptAt);
  return lost;
}

fs::path stateFolder() { return io::inUserFolder("XDG_STATE_HOME", ".local/state", "limber"); }

void Autosave::begin(fs::path parent, double interval) {
  parent_ = std::move(parent);
  interval_ = interval;
}

void Autosave::lookForLost() {
  if (parent_.empty()) return;
  job_.start("Looking for lost work", [this, parent = parent_](const Job::Progress&) -> Job::Finish {
    return [this, lost = findLostWork(parent)] {
      lost_ = lost;
      asks_ = !lost.empty();
    };
  });
}

std::optional<Notice> Autosave::update(const Editor& editor, double now) {
  now_ = now;
  if (const auto finish = job_.collect(); finish && *finish) (*finish)();
  if (!parent_.empty()) keepDue(editor.unsaved());
  return std::exchange(notice_, std::nullopt);
}

void Autosave::keepDue(const Editor::Unsaved& unsaved) {
  if (!unsaved.document) {
    due_.reset();
    if (!folder_ || job_.isRunning()) return;
    folder_->remove();
    folder_.reset();
    kept_ = {};
    return;
  }
  if (isSameContent(kept_, *unsaved.document)) {
    due_.reset();
    return;
  }
  if (!due_) due_ = now_ + (recovered_ ? 0.0 : interval_);
  if (now_ >= *due_ && !job_.isRunning()) write(*unsaved.document, unsaved.file);
}

std::string Autosave::keepNow(const Editor& editor) {
  if (parent_.empty()) return "there is no folder to keep it in";
  const Editor::Unsaved unsaved = editor.unsaved();
  if (!unsaved.document) return {};
  if (!job_.wait(kWaitForWriter)) return "the previous copy is still being written";
  try {
    std::string fault;
    if (!folder_) folder_ = KeptFolder::create(parent_, fault);
    if (!folder_) return fault;
    const Document& document = *unsaved.document;
    const auto failed = io::writeKeptScene(folder_->scene(), document, noteOf(document, unsaved.file));
    return failed ? failed->message() : "";
  } catch (const std::exception& exception) {
    return exception.what();
  }
}

void Autosave::write(const Document& document, const fs::path& file) {
  std::string fault;
  if (!folder_) folder_ = KeptFolder::create(parent_, fault);
  kept_ = document;
  due_.reset();
  if (!folder_) return noteWritten(nullptr, fault);
  const io::KeptNote note = noteOf(document, file);
  const auto work = [this, folder = folder_, recovered = recovered_, document,
                     note](const Job::Progress&) -> Job::Finish {
    std::string failure;
    try {
      if (const auto failed = io::writeKeptScene(folder->scene(), document, note)) failure = failed->message();
    } catch (const std::exception& exception) {
      failure = exception.what();
    }
    return [this, recovered, failure] { noteWritten(recovered, failure); };
  };
  job_.start("Keeping unsaved changes", work);
}

void Autosave::noteWritten(const std::shared_ptr<KeptFolder>& recovered, const std::string& fault) {
  if (fault.empty()) {
    hasFailed_ = false;
    if (recovered) recovered->remove();
    if (recovered == recovered_) recovered_.reset();
    return;
  }
  kept_ = {};
  due_ = now_ + kAfterFailure * interval_;
  if (!std::exchange(hasFailed_, true)) notice_ = Notice::error("Unsaved changes cannot be kept: " + fault);
}

void Autosave::noteRecovered(const std::shared_ptr<KeptFolder>& folder) {
  std::erase_if(lost_, [&](const LostWork& work) { return work.folder == folder; });
  recovered_ = folder;
  due_.reset();
}

void Autosave::discard(std::size_t index) {
  if (index >= lost_.size()) return;
  lost_[index].folder->remove();
  lost_.erase(lost_.begin() + static_cast<std::ptrdiff_t>(index));
}

void Autosave::end() {
  job_.stop();
  if (recovered_) recovered_->remove();
  if (folder_) folder_->remove();
  recovered_.reset();
  folder_.reset();
  kept_ = {};
  due_.reset();
  lost_.clear();
}

}  // namespace limber::app
