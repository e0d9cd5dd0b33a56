// SPDX-License-Identifier: MIT
// What Limber needs from the operating system beyond the C++ library. Only platform.cpp includes headers of POSIX. On
// systems without them, each function behaves as described under "Elsewhere". All may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
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

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Replaces the contents of a file, which need not exist, by what is written piece by piece: into a temporary file in
/// its folder, which commit() flushes to the disk and renames. Without commit(), after a crash and on a full disk the
/// old file stays. Keeps owner and permissions; writes directly to a pipe or a terminal. Elsewhere: nothing is flushed
/// to the disk, and the owner is not kept.
class FileReplacement {
 public:
  explicit FileReplacement(const std::filesystem::path& path);
  ~FileReplacement();
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  /// False after a fault, then and later.
  bool write(std::string_view bytes);
  bool commit();
  /// Empty, or such as "cannot be written: no permission".
  const std::string& fault() const { return fault_; }

 private:
  std::string fault_;
  std::filesystem::path path_, temporary_;  ///< temporary_: to be removed; empty if it has no name
  bool isDirect_ = false;                   ///< written without a temporary file
  File file_;
};

/// Opens a regular file for reading or, if mayBePipe, a pipe that this process was given by its parent (/dev/stdin,
/// /dev/fd/N). It waits for no other program, as opening a named pipe would. Null on failure, with `fault` such as "is
/// a folder, not a file". Elsewhere: any pipe that mayBePipe allows is opened, and that may wait.
File openToRead(const std::filesystem::path& path, bool mayBePipe, std::string& fault);
/// Creates an empty file that only its user may read. It is unbuffered, so that a crash loses nothing that was written.
/// Null on failure, with lastError(). Elsewhere: with the permissions of any new file.
File createPrivateFile(const std::filesystem::path& path);

/// A lock file that one process holds at a time; the lock ends with the process, however that ends. In a page nobody
/// else can hold it: each tab has files of its own, which it reads when it starts.
class FileLock {
 public:
  /// Null if another process holds it, if it does not exist and may not be created, or if it was removed meanwhile.
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

/// A program run as a child process, without a shell and with empty standard input. The destructor kills it. Elsewhere:
/// fault() says that this is not supported.
class ChildProcess {
 public:
  ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Empty, or why it does not run.
  const std::string& fault() const { return fault_; }
  /// Waits for output up to the given time, and appends new standard output and error. False at the end of both.
  bool read(std::string& output, std::string& error, int milliseconds);
  /// The processor time that it has used so far; 0 once it has ended.
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
/// Seconds since this process was started; nullopt outside Linux.
std::optional<double> secondsSinceProcessStart();
/// Limits this process for good: allocations beyond `bytes` fail, and more processor time than `seconds` ends it.
/// Elsewhere, and with an address sanitizer: does nothing.
void limitThisProcess(std::size_t bytes, unsigned seconds);
/// From now on, allocations beyond this fail (std::bad_alloc). Elsewhere, and with an address sanitizer: does nothing.
void limitMemory(std::size_t bytes);
/// Makes writing to a closed pipe fail instead of ending this process. Elsewhere: does nothing.
void outliveBrokenPipes();

// --- A page in a browser

#ifdef __EMSCRIPTEN__
inline constexpr bool kIsPage = true;
#else
inline constexpr bool kIsPage = false;
#endif

/// Calls `step` until it returns false. In a page this returns at once, and `step` is called before each picture.
void repeat(std::function<bool()> step);
/// In a page: lets the user choose a file of the computer, with one of the endings (".bvh,.glb"; empty for any), which
/// the page copies into the user's folder. Elsewhere: does nothing.
void chooseFile(const std::string& endings);
/// In a page: the file that was chosen since the last call; empty for none. Elsewhere: empty.
std::string takeChosenFile();
bool hasChosenFile();

/// In a page: answers messages of the page around it. Elsewhere: does nothing.
void answerPage(std::function<std::string(const std::string& message)> answer);

// --- Streams of bytes from and to other programs, by their descriptors

inline constexpr int kStandardInput = 0, kStandardOutput = 1;

enum class StreamState {
  Open,    ///< more can be read or written
  Ended,   ///< the other program has closed its end
  Failed,  ///< for another reason: lastError()
};

/// Reads once and appends the bytes; waits for at least one byte of standard input. Elsewhere: reads standard input up
/// to the end of the line.
StreamState readStream(int stream, std::string& into);
/// Writes as many bytes as the stream accepts now, and removes them from `bytes`. Standard output accepts all bytes.
StreamState writeStream(int stream, std::string& bytes);
void closeStream(int stream);

struct StreamWait {
  int stream = -1;
  bool forInput = false, forOutput = false;
  bool isReady = false;  ///< set by waitForStreams(), also at the end of the stream
};
/// Waits up to the given time until a stream is ready or a signal arrives. Elsewhere: all are ready at once.
void waitForStreams(std::vector<StreamWait>& waits, int milliseconds);

/// A UDP socket (IPv4). Elsewhere: fault() says that this is not supported.
class PacketSocket {
 public:
  /// Receives on a port of this machine, from other machines only if `fromAnywhere`. Port 0 takes any free port.
  PacketSocket(int port, bool fromAnywhere);
  /// Sends to a port of a numeric address, "127.0.0.1".
  PacketSocket(const std::string& address, int port);
  ~PacketSocket();
  PacketSocket(const PacketSocket&) = delete;
  PacketSocket& operator=(const PacketSocket&) = delete;

  /// Empty, or why nothing can be received or sent.
  const std::string& fault() const { return fault_; }
  /// The port on which it receives; 0 for a sender.
  int port() const { return port_; }
  /// Waits up to the given time for a packet. sender: "127.0.0.1:50123". False if none arrived.
  bool receive(std::string& packet, std::string& sender, int milliseconds);
  /// False if the packet cannot be sent now; it is then lost, as UDP allows.
  bool send(std::string_view packet);

 private:
  std::string fault_;
  int socket_ = -1, port_ = 0;
};

/// A Unix socket at a path, to which only programs of this user may connect. It replaces a socket that a program left
/// behind; the destructor removes it, but not one that another program has made at the same path. Elsewhere: fault()
/// says that this is not supported.
class SocketListener {
 public:
  explicit SocketListener(const std::filesystem::path& path);
  ~SocketListener();
  SocketListener(const SocketListener&) = delete;
  SocketListener& operator=(const SocketListener&) = delete;

  /// Empty, or why nothing can connect.
  const std::string& fault() const { return fault_; }
  /// The descriptor for waitForStreams().
  int stream() const { return stream_; }
  /// The stream of the next program that has connected, -1 for none; the caller closes it.
  int accept() const;

 private:
  std::string fault_;
  std::filesystem::path path_;
  int stream_ = -1;
  std::uintmax_t device_ = 0, inode_ = 0;  ///< of the socket that was made
};

// --- Terminal and clock

/// Whether standard error is a terminal. Elsewhere: false.
bool isErrorTerminal();
/// Waits up to the given time; true once standard input can be read or has ended. Elsewhere: true at once.
bool waitForInput(int milliseconds);
/// A time in the user's time zone, in a format of strftime; empty if it cannot be converted.
std::string localTimeText(std::time_t time, const char* format);

}  // namespace limber::platform
