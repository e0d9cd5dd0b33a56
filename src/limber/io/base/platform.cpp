// SPDX-License-Identifier: MIT
#include "limber/io/base/platform.h"

// A test defines LIMBER_PLAIN_PLATFORM to check the functions for systems without POSIX. A page has headers of POSIX,
// but neither processes nor sockets.
#if __has_include(<unistd.h>) && __has_include(<spawn.h>) && !defined(LIMBER_PLAIN_PLATFORM) && !defined(__EMSCRIPTEN__)
#define LIMBER_POSIX
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

extern char** environ;  // NOLINT(readability-redundant-declaration): in no header of POSIX
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <tuple>
#include <utility>

#ifdef __EMSCRIPTEN__
extern "C" {
// Of src/web/glfw.js.
void limber_repeat(int (*step)());
void limber_file_written(const char* path);
void limber_choose_file(const char* endings);
// Called by src/web/page.js.
void limber_chosen(const char* path);
const char* limber_ask(const char* message);
}
#endif

namespace limber::platform {

namespace fs = std::filesystem;

#ifdef __EMSCRIPTEN__
namespace {
std::string chosenFile;  // of the page; chosen, and not yet taken
std::function<std::string(const std::string&)> answersPage;
}  // namespace
#endif

std::error_code lastError() { return {errno, std::generic_category()}; }

std::string causeOf(std::error_code error) {
  if (error == std::errc::no_such_file_or_directory) return "there is no such file or folder";
  if (error == std::errc::permission_denied || error == std::errc::operation_not_permitted) return "no permission";
  if (error == std::errc::is_a_directory) return "is a directory";
  if (error == std::errc::no_space_on_device) return "the disk is full";
  if (error == std::errc::read_only_file_system) return "the file system is read-only";
  return error.message();
}

namespace {

std::string timeText(const std::tm& parts, const char* format) {
  std::array<char, 64> text = {};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

std::string cannotBeWritten() { return "cannot be written: " + causeOf(lastError()); }

std::string notAFile(bool isFolder, bool isPipe) {
  if (isFolder) return "is a folder, not a file";
  return isPipe ? "is a pipe, not a file" : "is not a file";
}

}  // namespace

bool FileReplacement::write(std::string_view bytes) {
  if (!fault_.empty()) return false;
  const bool isDone = std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size() &&
                      (!isDirect_ || std::fflush(file_.get()) == 0);
  if (!isDone) fault_ = cannotBeWritten();
  return isDone;
}

#ifdef LIMBER_POSIX

namespace {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }
  bool close() {
    const int old = release();
    return old < 0 || ::close(old) == 0;
  }

 private:
  int value_;
};

/// Calls make(name) with names in `folder` until one is free. Sets `path` to that name, or clears it on failure.
/// Returns the result of make(): 0 or more, or -1 with errno.
template <typename Make>
int makeTemporary(const fs::path& folder, fs::path& path, const Make& make) {
  for (int i = 0; i < 1000; ++i) {
    path = folder / (".limber-" + std::to_string(processNumber()) + "-" + std::to_string(i) + ".tmp");
    const int made = make(path.c_str());
    if (made >= 0) return made;
    if (errno != EEXIST) break;
  }
  path.clear();
  return -1;
}

/// Creates an empty file in `folder` without a name, so that a program that is killed leaves nothing behind. If the
/// system or the file system has no such files, the file gets a temporary name, returned in `path`.
int createTemporary(const fs::path& folder, fs::path& path) {
#ifdef O_TMPFILE
  const bool canBeNamed = ::access("/proc/self/fd", X_OK) == 0;
  const int unnamed = canBeNamed ? ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666) : -1;
  if (unnamed >= 0) return unnamed;
#endif
  return makeTemporary(folder, path,
                       [](const char* name) { return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
}

/// Gives the file a temporary name in `folder` if it has none.
bool nameTemporary(int descriptor, const fs::path& folder, fs::path& path) {
  if (!path.empty()) return true;
  const std::string unnamed = "/proc/self/fd/" + std::to_string(descriptor);
  return makeTemporary(folder, path, [&](const char* name) {
           return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
         }) == 0;
}

fs::path folderOf(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

}  // namespace

FileReplacement::FileReplacement(const fs::path& path) : path_(path), file_(nullptr, &std::fclose) {
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists ? ::access(path.c_str(), W_OK) != 0 : errno != ENOENT) {
    fault_ = cannotBeWritten();
    return;
  }
  isDirect_ = exists && !S_ISREG(old.st_mode);
  Descriptor file(isDirect_ ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC) : createTemporary(folderOf(path), temporary_));
  if (file.get() < 0) {
    fault_ = isDirect_ ? cannotBeWritten() : "cannot be written in its folder: " + causeOf(lastError());
    return;
  }
  const bool isKept = exists && !isDirect_;
  const bool hasOwner = !isKept || ::fchown(file.get(), old.st_uid, old.st_gid) == 0 || errno == EPERM;  // else ours
  if (!hasOwner || (isKept && ::fchmod(file.get(), old.st_mode & 07777) != 0)) fault_ = cannotBeWritten();
  file_.reset(::fdopen(file.release(), "wb"));
}

FileReplacement::~FileReplacement() {
  file_.reset();
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

bool FileReplacement::commit() {
  if (!fault_.empty()) return false;
  const bool isWritten = std::fflush(file_.get()) == 0 &&
                         (isDirect_ || (::fsync(::fileno(file_.get())) == 0 &&
                                        nameTemporary(::fileno(file_.get()), folderOf(path_), temporary_)));
  const bool isClosed = std::fclose(file_.release()) == 0;
  if (!isWritten || !isClosed || (!isDirect_ && ::rename(temporary_.c_str(), path_.c_str()) != 0)) {
    fault_ = cannotBeWritten();
    return false;
  }
  temporary_.clear();
  const Descriptor opened(::open(folderOf(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() >= 0) ::fsync(opened.get());
  return true;
}

namespace {

/// Whether the path names a descriptor of this process, not a named pipe in a folder.
bool isOwnDescriptor(const fs::path& path) {
  const std::string_view name = path.native();
  return name == "/dev/stdin" || name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
}

}  // namespace

File openToRead(const fs::path& path, bool mayBePipe, std::string& fault) {
  struct stat status {};
  const auto isReadable = [&] {
    return S_ISREG(status.st_mode) || (S_ISFIFO(status.st_mode) && mayBePipe && isOwnDescriptor(path));
  };
  File file(nullptr, &std::fclose);
  if (::stat(path.c_str(), &status) != 0) {
    fault = "cannot be opened: " + causeOf(lastError());
    return file;
  }
  if (!isReadable()) {
    fault = notAFile(S_ISDIR(status.st_mode), S_ISFIFO(status.st_mode));
    return file;
  }
  Descriptor opened(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (opened.get() < 0) {
    fault = "cannot be opened: " + causeOf(lastError());
  } else if (::fstat(opened.get(), &status) != 0 || !isReadable()) {  // another file has taken its name meanwhile
    fault = notAFile(false, false);
  } else {
    if (S_ISFIFO(status.st_mode)) ::fcntl(opened.get(), F_SETFL, 0);  // its writer may be slower than this process
    file.reset(::fdopen(opened.release(), "rb"));
  }
  return file;
}

File createPrivateFile(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  File file(descriptor < 0 ? nullptr : ::fdopen(descriptor, "w"), &std::fclose);
  if (file) std::setvbuf(file.get(), nullptr, _IONBF, 0);
  return file;
}

std::unique_ptr<FileLock> FileLock::take(const fs::path& path, bool mayCreate) {
  Descriptor lock(::open(path.c_str(), (mayCreate ? O_CREAT : 0) | O_RDWR | O_CLOEXEC, 0600));
  if (lock.get() < 0) return nullptr;
  struct stat held {
  }, there{};
  const bool isOurs = ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0 && ::fstat(lock.get(), &held) == 0 &&
                      ::stat(path.c_str(), &there) == 0 && held.st_ino == there.st_ino && held.st_dev == there.st_dev;
  return isOurs ? std::unique_ptr<FileLock>(new FileLock(lock.release())) : nullptr;
}

FileLock::~FileLock() { ::close(descriptor_); }

ChildProcess::ChildProcess(const fs::path& program, const std::vector<std::string>& arguments) {
  std::array<std::array<int, 2>, 2> ends = {{{-1, -1}, {-1, -1}}};  // reader and writer of each pipe
  for (auto& pipe : ends) {
    if (::pipe(pipe.data()) != 0) fault_ = "no pipe can be opened";
    else
      for (const int end : pipe) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  output_ = ends[0][0];
  error_ = ends[1][0];
  const Descriptor output(ends[0][1]), error(ends[1][1]);
  if (!fault_.empty()) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error.get(), STDERR_FILENO);
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t process = -1;
  const int failed = posix_spawn(&process, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) fault_ = program.string() + " cannot be run: " + std::strerror(failed);
  else process_ = process;
}

ChildProcess::~ChildProcess() {
  if (process_ >= 0) {
    ::kill(process_, SIGKILL);
    waitForEnd();
  }
  for (const int descriptor : {output_, error_})
    if (descriptor >= 0) ::close(descriptor);
}

bool ChildProcess::read(std::string& output, std::string& error, int milliseconds) {
  std::array<pollfd, 2> waiting = {pollfd{output_, POLLIN, 0}, pollfd{error_, POLLIN, 0}};
  if (::poll(waiting.data(), waiting.size(), milliseconds) <= 0) return true;
  std::array<char, 1 << 16> buffer;
  for (const auto& [descriptor, into, index] : {std::tuple(&output_, &output, 0u), std::tuple(&error_, &error, 1u)}) {
    if (waiting[index].revents == 0) continue;
    const ssize_t count = ::read(*descriptor, buffer.data(), buffer.size());
    if (count > 0) into->append(buffer.data(), static_cast<std::size_t>(count));
    else if (count == 0 || (errno != EINTR && errno != EAGAIN)) ::close(std::exchange(*descriptor, -1));
  }
  return output_ >= 0 || error_ >= 0;
}

double ChildProcess::processorSeconds() const {
  clockid_t clock{};
  timespec time{};
  if (process_ < 0 || ::clock_getcpuclockid(process_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0.0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

ChildProcess::End ChildProcess::waitForEnd() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (WIFSIGNALED(status)) return {-1, ::strsignal(WTERMSIG(status))};
  return {WEXITSTATUS(status), ""};
}

unsigned processNumber() { return static_cast<unsigned>(::getpid()); }

void limitThisProcess([[maybe_unused]] std::size_t bytes, [[maybe_unused]] unsigned seconds) {
#ifndef __SANITIZE_ADDRESS__
  const rlimit memory{bytes, bytes}, time{seconds, seconds};
  ::setrlimit(RLIMIT_AS, &memory);
  ::setrlimit(RLIMIT_CPU, &time);
#endif
}

void limitMemory([[maybe_unused]] std::size_t bytes) {
#ifndef __SANITIZE_ADDRESS__
  rlimit memory{};
  if (::getrlimit(RLIMIT_AS, &memory) != 0) return;
  memory.rlim_cur = std::min<rlim_t>(bytes, memory.rlim_max);
  ::setrlimit(RLIMIT_AS, &memory);
#endif
}

void outliveBrokenPipes() { std::signal(SIGPIPE, SIG_IGN); }

namespace {

bool isToBeTriedLater(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

StreamState stateAfter(int error) {
  if (isToBeTriedLater(error)) return StreamState::Open;
  return error == EPIPE || error == ECONNRESET ? StreamState::Ended : StreamState::Failed;
}

/// The address of a Unix socket at a path; cuts off a path that is too long.
sockaddr_un addressOf(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.native().copy(static_cast<char*>(address.sun_path), sizeof(address.sun_path) - 1);
  return address;
}

int makeSocket() {
  const int made = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (made >= 0) ::fcntl(made, F_SETFD, FD_CLOEXEC);
  return made;
}

/// True for a socket that no program listens to any more.
bool isLeftBehind(const fs::path& path) {
  std::error_code error;
  if (!fs::is_socket(path, error)) return false;
  const Descriptor asking(makeSocket());
  const sockaddr_un address = addressOf(path);
  const bool answers =
      ::connect(asking.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;  // POSIX's cast
  return !answers && errno == ECONNREFUSED;
}

}  // namespace

StreamState readStream(int stream, std::string& into) {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = ::read(stream, buffer.data(), buffer.size());
  if (count < 0) return stateAfter(errno);
  into.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 ? StreamState::Open : StreamState::Ended;
}

StreamState writeStream(int stream, std::string& bytes) {
  std::size_t written = 0;
  StreamState state = StreamState::Open;
  while (written < bytes.size() && state == StreamState::Open) {
    const ssize_t count = ::write(stream, bytes.data() + written, bytes.size() - written);
    if (count >= 0) written += static_cast<std::size_t>(count);
    else if (errno == EAGAIN || errno == EWOULDBLOCK) break;
    else state = stateAfter(errno);
  }
  bytes.erase(0, written);
  return state;
}

void closeStream(int stream) { ::close(stream); }

void waitForStreams(std::vector<StreamWait>& waits, int milliseconds) {
  std::vector<pollfd> polled;
  for (const StreamWait& wait : waits)
    polled.push_back(
        {wait.stream, static_cast<short>((wait.forInput ? POLLIN : 0) | (wait.forOutput ? POLLOUT : 0)), 0});
  const bool isAny = ::poll(polled.data(), polled.size(), milliseconds) > 0;
  for (std::size_t i = 0; i < waits.size(); ++i) waits[i].isReady = isAny && polled[i].revents != 0;
}

namespace {

sockaddr_in addressAt(in_addr_t host, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = host;
  address.sin_port = htons(static_cast<in_port_t>(port));
  return address;
}

int makePacketSocket() {
  const int made = ::socket(AF_INET, SOCK_DGRAM, 0);
  if (made < 0) return made;
  ::fcntl(made, F_SETFD, FD_CLOEXEC);
  ::fcntl(made, F_SETFL, O_NONBLOCK);
  return made;
}

}  // namespace

PacketSocket::PacketSocket(int port, bool fromAnywhere) : socket_(makePacketSocket()) {
  sockaddr_in address = addressAt(htonl(fromAnywhere ? INADDR_ANY : INADDR_LOOPBACK), port);
  socklen_t size = sizeof(address);
  if (socket_ < 0 || ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) != 0) {
    const std::error_code error = lastError();
    fault_ = error == std::errc::address_in_use ? "another program already uses it" : causeOf(error);
  } else if (::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    port_ = ntohs(address.sin_port);
  }
}

PacketSocket::PacketSocket(const std::string& address, int port) : socket_(makePacketSocket()) {
  in_addr host{};
  if (::inet_pton(AF_INET, address.c_str(), &host) != 1) {
    fault_ = "is not a numeric address such as 127.0.0.1";
    return;
  }
  const sockaddr_in to = addressAt(host.s_addr, port);
  if (socket_ < 0 || ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0)
    fault_ = causeOf(lastError());
}

PacketSocket::~PacketSocket() {
  if (socket_ >= 0) ::close(socket_);
}

bool PacketSocket::receive(std::string& packet, std::string& sender, int milliseconds) {
  pollfd input{socket_, POLLIN, 0};
  if (::poll(&input, 1, milliseconds) <= 0) return false;
  std::array<char, 1 << 16> buffer;
  sockaddr_in from{};
  socklen_t size = sizeof(from);
  const ssize_t count = ::recvfrom(socket_, buffer.data(), buffer.size(), 0, reinterpret_cast<sockaddr*>(&from), &size);
  if (count < 0) return false;
  packet.assign(buffer.data(), static_cast<std::size_t>(count));
  std::array<char, INET_ADDRSTRLEN> name{};
  ::inet_ntop(AF_INET, &from.sin_addr, name.data(), name.size());
  sender = std::string(name.data()) + ":" + std::to_string(ntohs(from.sin_port));
  return true;
}

bool PacketSocket::send(std::string_view packet) {
  return ::send(socket_, packet.data(), packet.size(), 0) == static_cast<ssize_t>(packet.size());
}

SocketListener::SocketListener(const fs::path& path) : path_(path) {
  const sockaddr_un address = addressOf(path);
  if (path.empty() || path.native().size() >= sizeof(address.sun_path)) {
    fault_ = "is too long for a socket: at most " + std::to_string(sizeof(address.sun_path) - 1) + " bytes";
    return;
  }
  if (isLeftBehind(path)) ::unlink(path.c_str());
  Descriptor made(makeSocket());
  const mode_t before = ::umask(0177);
  const bool isBound = ::bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  const std::error_code error = lastError();
  ::umask(before);
  if (!isBound) {
    fault_ = error == std::errc::address_in_use ? "is there already" : "cannot be made: " + causeOf(error);
    return;
  }
  ::fcntl(made.get(), F_SETFL, O_NONBLOCK);
  if (::listen(made.get(), SOMAXCONN) != 0) {
    fault_ = "cannot be listened to: " + causeOf(lastError());
    ::unlink(path.c_str());
    return;
  }
  stream_ = made.release();
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return;
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

SocketListener::~SocketListener() {
  if (stream_ < 0) return;
  struct stat status {};  // while the stream is open, no other file gets its inode
  if (::lstat(path_.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_)
    ::unlink(path_.c_str());
  ::close(stream_);
}

int SocketListener::accept() const {
  const int connected = ::accept(stream_, nullptr, nullptr);
  if (connected < 0) return -1;
  ::fcntl(connected, F_SETFD, FD_CLOEXEC);
  ::fcntl(connected, F_SETFL, O_NONBLOCK);
  return connected;
}

bool isErrorTerminal() { return ::isatty(STDERR_FILENO) != 0; }

bool waitForInput(int milliseconds) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, milliseconds) > 0;
}

std::string localTimeText(std::time_t time, const char* format) {
  std::tm parts{};
  return ::localtime_r(&time, &parts) ? timeText(parts, format) : "";
}

#else

namespace {

/// Lets a page keep the file, and deliver it to the user.
void noteWritten([[maybe_unused]] const fs::path& path) {
#ifdef __EMSCRIPTEN__
  limber_file_written(path.c_str());
#endif
}

}  // namespace

FileReplacement::FileReplacement(const fs::path& path) : path_(path), file_(nullptr, &std::fclose) {
  std::error_code error;
  const fs::file_status old = fs::status(path, error);
  isDirect_ = fs::exists(old) && !fs::is_regular_file(old);
  if (fs::exists(old) && !isDirect_ && !File(std::fopen(path.string().c_str(), "ab"), &std::fclose)) {
    fault_ = cannotBeWritten();
    return;
  }
  if (!isDirect_) temporary_ = path.string() + "." + std::to_string(processNumber()) + ".tmp";
  file_.reset(std::fopen((isDirect_ ? path : temporary_).string().c_str(), "wb"));
  if (!file_) fault_ = isDirect_ ? cannotBeWritten() : "cannot be written in its folder: " + causeOf(lastError());
  else if (fs::exists(old) && !isDirect_) fs::permissions(temporary_, old.permissions(), error);
}

FileReplacement::~FileReplacement() {
  file_.reset();
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

bool FileReplacement::commit() {
  if (!fault_.empty()) return false;
  std::error_code error;
  if (std::fclose(file_.release()) != 0) error = lastError();
  else if (!isDirect_) fs::rename(temporary_, path_, error);
  if (error) fault_ = "cannot be written: " + causeOf(error);
  else temporary_.clear();
  if (!error) noteWritten(path_);
  return !error;
}

File openToRead(const fs::path& path, bool mayBePipe, std::string& fault) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  File file(nullptr, &std::fclose);
  if (fs::exists(status) && !fs::is_regular_file(status) && !(mayBePipe && fs::is_fifo(status))) {
    fault = notAFile(fs::is_directory(status), fs::is_fifo(status));
    return file;
  }
  file.reset(std::fopen(path.string().c_str(), "rb"));
  if (!file) fault = "cannot be opened: " + causeOf(lastError());
  return file;
}

File createPrivateFile(const fs::path& path) {
  File file(std::fopen(path.string().c_str(), "wb"), &std::fclose);
  if (file) std::setvbuf(file.get(), nullptr, _IONBF, 0);
  return file;
}

std::unique_ptr<FileLock> FileLock::take(const fs::path& path, bool mayCreate) {
  if (!kIsPage) return nullptr;
  std::error_code error;
  if (!fs::exists(path, error) && (!mayCreate || !File(std::fopen(path.string().c_str(), "wb"), &std::fclose)))
    return nullptr;
  return std::unique_ptr<FileLock>(new FileLock(-1));
}
FileLock::~FileLock() = default;

ChildProcess::ChildProcess(const fs::path&, const std::vector<std::string>&)
    : fault_("child processes are not supported on this system") {}
ChildProcess::~ChildProcess() = default;
bool ChildProcess::read(std::string&, std::string&, int) { return false; }
double ChildProcess::processorSeconds() const { return 0.0; }
ChildProcess::End ChildProcess::waitForEnd() { return {}; }

unsigned processNumber() {
  static const unsigned number = std::random_device{}();
  return number;
}

void limitThisProcess(std::size_t, unsigned) {}
void limitMemory(std::size_t) {}
void outliveBrokenPipes() {}

StreamState readStream(int, std::string& into) {
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    into.push_back(static_cast<char>(c));
    if (c == '\n') return StreamState::Open;
  }
  return StreamState::Ended;
}

StreamState writeStream(int, std::string& bytes) {
  const bool isDone = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0;
  bytes.clear();
  return isDone ? StreamState::Open : StreamState::Failed;
}

void closeStream(int) {}

void waitForStreams(std::vector<StreamWait>& waits, int) {
  for (StreamWait& wait : waits) wait.isReady = true;
}

PacketSocket::PacketSocket(int, bool) : fault_("there are no sockets for packets on this system") {}
PacketSocket::PacketSocket(const std::string&, int) : fault_("there are no sockets for packets on this system") {}
PacketSocket::~PacketSocket() = default;
bool PacketSocket::receive(std::string&, std::string&, int) { return false; }
bool PacketSocket::send(std::string_view) { return false; }
SocketListener::SocketListener(const fs::path&) : fault_("Unix sockets are not supported on this system") {}
SocketListener::~SocketListener() = default;
int SocketListener::accept() const { return -1; }
bool isErrorTerminal() { return false; }
bool waitForInput(int) { return true; }

std::string localTimeText(std::time_t time, const char* format) {
  const std::tm* parts = std::localtime(&time);  // the standard has nothing else
  return parts ? timeText(*parts, format) : "";
}

#endif

#ifdef __EMSCRIPTEN__

void repeat(std::function<bool()> step) {
  static std::function<bool()> repeated;
  repeated = std::move(step);
  limber_repeat([] { return static_cast<int>(repeated()); });
}

void chooseFile(const std::string& endings) { limber_choose_file(endings.c_str()); }
std::string takeChosenFile() { return std::exchange(chosenFile, {}); }
bool hasChosenFile() { return !chosenFile.empty(); }
void answerPage(std::function<std::string(const std::string&)> answer) { answersPage = std::move(answer); }

#else

void repeat(std::function<bool()> step) {
  while (step()) {
  }
}

void chooseFile(const std::string&) {}
std::string takeChosenFile() { return {}; }
bool hasChosenFile() { return false; }
void answerPage(std::function<std::string(const std::string&)>) {}

#endif

#if defined(__linux__) && defined(LIMBER_POSIX)
/// Field 22 of /proc/self/stat, in ticks since the machine was started; good to a hundredth of a second.
std::optional<double> secondsSinceProcessStart() {
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name = text.rfind(')');  // the name may hold spaces
  if (name == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name + 1));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  double ticks = 0.0;
  timespec now{};
  if (!(fields >> ticks) || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0) return std::nullopt;
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
         ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}
#else
std::optional<double> secondsSinceProcessStart() { return std::nullopt; }
#endif

}  // namespace limber::platform

#ifdef __EMSCRIPTEN__
void limber_chosen(const char* path) { limber::platform::chosenFile = path; }

const char* limber_ask(const char* message) {
  static std::string answer;
  answer = limber::platform::answersPage ? limber::platform::answersPage(message) : std::string("{}");
  return answer.c_str();
}
#endif
