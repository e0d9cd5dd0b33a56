// SPDX-License-Identifier: MIT
#include "limber/io/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "limber/io/base/json.h"

namespace limber::io {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxSymbolicLinks = 40;  // as the kernel has it

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int get() const { return value_; }
  bool close() {
    const int old = value_;
    value_ = -1;
    return old < 0 || ::close(old) == 0;
  }

 private:
  int value_;
};

std::string systemCause(int error) {
  switch (error) {
    case ENOENT: return "there is no such file or folder";
    case EACCES:
    case EPERM: return "no permission";
    case EISDIR: return "is a directory";
    case ENOSPC: return "the disk is full";
    case EROFS: return "the file system is read-only";
    default: return std::strerror(error);
  }
}

Error systemError(const fs::path& path, const std::string& what, int error) {
  return {path.string(), "", what + ": " + systemCause(error)};
}

bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// The file that a chain of symbolic links ends at, whether it exists or not.
fs::path followLinks(fs::path path) {
  std::error_code error;
  for (int i = 0; i < kMaxSymbolicLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

std::optional<Error> writeDirectly(const fs::path& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0 || !writeAll(file.get(), bytes) || !file.close())
    return systemError(path, "cannot be written", errno);
  return std::nullopt;
}

/// Makes something under a name in `folder` that no other file has; the name in `path`, empty where that fails. What
/// `make(name)` returned: 0 or more, or -1 with errno.
template <typename Make>
int makeTemporary(const fs::path& folder, fs::path& path, const Make& make) {
  for (int i = 0; i < 1000; ++i) {
    path = folder / (".limber-" + std::to_string(::getpid()) + "-" + std::to_string(i) + ".tmp");
    const int made = make(path.c_str());
    if (made >= 0) return made;
    if (errno != EEXIST) break;
  }
  path.clear();
  return -1;
}

/// A new, empty file in `folder` that has no name yet, so that a program that is killed leaves nothing behind. Where the
/// file system or the system has no such files it has a name, in `path`.
int createTemporary(const fs::path& folder, fs::path& path) {
#ifdef O_TMPFILE
  const bool canBeNamed = ::access("/proc/self/fd", X_OK) == 0;
  const int unnamed = canBeNamed ? ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666) : -1;
  if (unnamed >= 0) return unnamed;
#endif
  return makeTemporary(folder, path, [](const char* name) {
    return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  });
}

/// Names what has none yet.
bool nameTemporary(int descriptor, const fs::path& folder, fs::path& path) {
  if (!path.empty()) return true;
  const std::string unnamed = "/proc/self/fd/" + std::to_string(descriptor);
  return makeTemporary(folder, path, [&](const char* name) {
           return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
         }) == 0;
}

void flushFolder(const fs::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() >= 0) ::fsync(descriptor.get());
}

std::optional<Error> replaceFile(const fs::path& path, const struct stat* old, std::string_view bytes) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  fs::path temporary;
  Descriptor file(createTemporary(folder, temporary));
  if (file.get() < 0) return systemError(path, "cannot be written in its folder", errno);
  bool done = true;
  if (old) {
    done = ::fchown(file.get(), old->st_uid, old->st_gid) == 0 || errno == EPERM;  // not ours to give: stays ours
    done = done && ::fchmod(file.get(), old->st_mode & 07777) == 0;
  }
  done = done && writeAll(file.get(), bytes) && ::fsync(file.get()) == 0 &&
         nameTemporary(file.get(), folder, temporary) && file.close();
  if (!done || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    if (!temporary.empty()) ::unlink(temporary.c_str());
    return systemError(path, "cannot be written", error);
  }
  flushFolder(folder);
  return std::nullopt;
}

std::string tooLarge(std::uintmax_t maxBytes) {
  return "is larger than " + std::to_string(maxBytes >> 20) + " MiB";
}

/// Why it is not read; empty for a file of a sound size and for a pipe.
std::string faultOf(const struct stat& status, std::uintmax_t maxBytes) {
  if (S_ISDIR(status.st_mode)) return "is a directory";
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) return "is not a file";
  return static_cast<std::uintmax_t>(std::max<off_t>(status.st_size, 0)) > maxBytes ? tooLarge(maxBytes) : "";
}

}  // namespace

std::optional<Error> findAccessFault(const fs::path& path, std::uintmax_t maxBytes) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || ::access(path.c_str(), R_OK) != 0)
    return systemError(path, "cannot be opened", errno);
  std::string fault = faultOf(status, maxBytes);
  if (fault.empty()) return std::nullopt;
  return Error{path.string(), "", std::move(fault)};
}

Result<std::string> readFile(const fs::path& path, std::uintmax_t maxBytes) {
  const auto fail = [&](std::string cause) { return Error{path.string(), "", std::move(cause)}; };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (file.get() < 0) return systemError(path, "cannot be opened", errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return systemError(path, "cannot be read", errno);
  if (std::string fault = faultOf(status, maxBytes); !fault.empty()) return fail(std::move(fault));

  std::string bytes;
  std::size_t length = 0;
  while (true) {
    if (length == bytes.size())
      bytes.resize(std::max<std::size_t>(bytes.size() * 2, static_cast<std::size_t>(status.st_size) + 4096));
    const ssize_t count = ::read(file.get(), bytes.data() + length, bytes.size() - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return systemError(path, "cannot be read", errno);
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
    if (length > maxBytes) return fail(tooLarge(maxBytes));
  }
  bytes.resize(length);
  return bytes;
}

std::optional<Error> writeFileAtomically(const fs::path& path, std::string_view bytes) {
  const fs::path target = followLinks(path);
  if (!target.has_filename()) return Error{path.string(), "", "cannot be written: is a directory"};
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) return systemError(path, "cannot be written", errno);
  std::error_code failed;
  if (const auto folder = target.parent_path(); !exists && !folder.empty() && !std::filesystem::exists(folder, failed))
    return Error{path.string(), "", "cannot be written: there is no such folder as " + inQuotes(folder.string())};
  if (exists && S_ISDIR(old.st_mode)) return systemError(path, "cannot be written", EISDIR);
  if (exists && ::access(target.c_str(), W_OK) != 0) return systemError(path, "cannot be written", errno);
  if (exists && !S_ISREG(old.st_mode)) return writeDirectly(target, bytes);
  return replaceFile(target, exists ? &old : nullptr, bytes);
}

}  // namespace limber::io
