// SPDX-License-Identifier: MIT
// What Limber asks of the operating system beyond the C++ library. Only platform.cpp includes headers of POSIX. Where
// they are missing, each function does what it says below under "elsewhere". All may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace limber::platform {

/// The code that the C library has left in errno.
std::error_code lastError();
/// In words, such as "the disk is full".
std::string causeOf(std::error_code error);

// --- Files

/// Puts `bytes` in the place of a file, which need not exist: writes a temporary file beside it, flushes it to the disk
/// and renames it, so that a crash or a full disk leaves the old file. Keeps owner and permissions; writes directly to
/// a pipe or a terminal. Empty, or a fault such as "cannot be written: no permission". Elsewhere: nothing is flushed to
/// the disk, and the owner is not kept.
std::string replaceFile(const std::filesystem::path& path, std::string_view bytes);

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
/// A new, empty file that its user alone may read, without a buffer: what was written stays when the program crashes.
/// Null with lastError(). Elsewhere: with the permissions of any new file.
File createPrivateFile(const std::filesystem::path& path);

/// A file that one process holds at a time, until it ends in whatever way.
class FileLock {
 public:
  /// Null if another process holds it, if it is not there and may not be created, or if it was removed meanwhile.
  /// Elsewhere: always null.
  static std::unique_ptr<FileLock> take(const std::filesystem::path& path, bool mayCreate);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

// --- Processes

/// A program that runs beside this one without a shell, with nothing on standard input. The destructor kills it.
/// Elsewhere: fault() says that there is no such thing.
class ChildProcess {
 public:
  ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Empty, or why it does not run.
  const std::string& fault() const { return fault_; }
  /// Waits up to so long, and appends what it has printed on standard output and error. False at the end of both.
  bool read(std::string& output, std::string& error, int milliseconds);
  /// The processor time that it has taken so far; 0 once it has ended.
  double processorSeconds() const;

  struct End {
    int code = 0;
    std::string signal;  ///< in words; empty unless a signal ended it
  };
  End waitForEnd();

 private:
  std::string fault_;
  int output_ = -1, error_ = -1;  ///< descriptors
  int process_ = -1;              ///< while it runs
};

/// A number that no other running process has. Elsewhere: a random one.
unsigned processNumber();
/// When this process was started, seconds ago; empty outside Linux.
std::optional<double> secondsSinceProcessStart();
/// Ends this process when it takes more memory or processor time. Elsewhere, and with an address sanitizer: does
/// nothing.
void limitThisProcess(std::size_t bytes, unsigned seconds);
/// From now on, allocations beyond this fail (std::bad_alloc). Elsewhere, and with an address sanitizer: does nothing.
void limitMemory(std::size_t bytes);
/// Makes writing to a reader that has gone fail, instead of ending this process. Elsewhere: does nothing.
void outliveBrokenPipes();

// --- Streams of bytes from and to other programs, by their descriptors

inline constexpr int kStandardInput = 0, kStandardOutput = 1;

enum class StreamState {
  Open,    ///< more may come or go
  Ended,   ///< the other program has closed its end
  Failed,  ///< for another reason: lastError()
};

/// Reads once, and appends what has come: of standard input at least a byte, waiting for it. Elsewhere: up to the end
/// of the line, from standard input.
StreamState readStream(int stream, std::string& into);
/// Writes as much as the stream takes now, standard output all of it, and removes that from `bytes`.
StreamState writeStream(int stream, std::string& bytes);
void closeStream(int stream);

struct StreamWait {
  int stream = -1;
  bool forInput = false, forOutput = false;
  bool isReady = false;  ///< set by waitForStreams(), also at the end of the stream
};
/// Waits up to so long until one is ready, or a signal comes. Elsewhere: all are ready at once.
void waitForStreams(std::vector<StreamWait>& waits, int milliseconds);

/// A socket for packets (UDP) of IPv4. Elsewhere: fault() says that there is no such thing.
class PacketSocket {
 public:
  /// One that receives at a port of this machine, from other machines only if `fromAnywhere`. Port 0: any free one.
  PacketSocket(int port, bool fromAnywhere);
  /// One that sends to a port at an address in numbers, "127.0.0.1".
  PacketSocket(const std::string& address, int port);
  ~PacketSocket();
  PacketSocket(const PacketSocket&) = delete;
  PacketSocket& operator=(const PacketSocket&) = delete;

  /// Empty, or why nothing can be received or sent.
  const std::string& fault() const { return fault_; }
  /// At which it receives.
  int port() const { return port_; }
  /// Waits up to so long for a packet. sender: "127.0.0.1:50123". False where none has come.
  bool receive(std::string& packet, std::string& sender, int milliseconds);
  /// False where the packet cannot be sent now; it is then lost, as packets may be.
  bool send(std::string_view packet);

 private:
  std::string fault_;
  int socket_ = -1, port_ = 0;
};

/// A Unix socket at a path, to which the programs of this user alone may connect. It takes the place of one that a
/// program left behind; the destructor removes it. Elsewhere: fault() says that there is no such thing.
class SocketListener {
 public:
  explicit SocketListener(const std::filesystem::path& path);
  ~SocketListener();
  SocketListener(const SocketListener&) = delete;
  SocketListener& operator=(const SocketListener&) = delete;

  /// Empty, or why nothing can connect.
  const std::string& fault() const { return fault_; }
  /// To wait for.
  int stream() const { return stream_; }
  /// A stream from and to the next program that has connected; -1 for none. Close it.
  int accept() const;

 private:
  std::string fault_;
  std::filesystem::path path_;
  int stream_ = -1;
};

// --- Terminal and clock

/// Whether standard error is a terminal. Elsewhere: false.
bool isErrorTerminal();
/// Waits up to so long until standard input has something to read, or has ended. Elsewhere: true at once.
bool waitForInput(int milliseconds);
/// A time in the user's time zone, in a format of strftime; empty if it cannot be told.
std::string localTimeText(std::time_t time, const char* format);

}  // namespace limber::platform
