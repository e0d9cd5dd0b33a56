// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <list>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/output.h"
#include "app/commands/serve_protocol.h"
#include "limber/io/base/file.h"
#include "limber/io/base/platform.h"

namespace limber::app {

namespace {

using platform::StreamState;

constexpr int kServeWaitMs = 200;  // for input, between two checks for Ctrl+C
constexpr std::size_t kMaxServeClients = 16;

using SteadyClock = std::chrono::steady_clock;

/// A client program. While it does not read its answers, its further requests are not read.
class Client {
 public:
  Client(int input, int output, ServeLimits& limits) : input_(input), output_(output), session_(limits) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() {
    if (input_ != platform::kStandardInput) platform::closeStream(input_);
  }

  bool canAnswer() const { return unread_.empty() && lines_.hasLine(); }
  SteadyClock::time_point lastAnswer() const { return lastAnswer_; }
  bool isDone() const { return isGone_ || (hasEnded_ && unread_.empty() && !lines_.hasLine()); }
  const std::string& fault() const { return fault_; }

  platform::StreamWait wait() const {
    if (!unread_.empty()) return {.stream = output_, .forOutput = true};
    return {.stream = hasEnded_ || lines_.hasLine() ? -1 : input_, .forInput = true};
  }

  /// Transfers all bytes that can be transferred without waiting.
  void move() {
    if (!unread_.empty()) return write();
    bytes_.clear();
    const StreamState state = platform::readStream(input_, bytes_);
    if (state == StreamState::Failed) fault_ = "the input cannot be read: " + platform::causeOf(platform::lastError());
    lines_.add(bytes_);
    if (state == StreamState::Open) return;
    hasEnded_ = true;
    lines_.end();
  }

  void answerLine() {
    const auto give = [this](std::string&& answer) {
      unread_ = std::move(answer);
      write();
    };
    if (lines_.take(line_)) session_.answer(line_, give);
    else give(ServeSession::answerTooLong());
    lastAnswer_ = SteadyClock::now();
  }

  /// Disconnects an idle client, and tells it if it reads its answers.
  void dismiss() {
    if (unread_.empty()) {
      unread_ = ServeSession::answerIdle();
      write();
    }
    isGone_ = true;
  }

 private:
  void write() {
    const StreamState state = platform::writeStream(output_, unread_);
    isGone_ = state != StreamState::Open;
    if (state == StreamState::Failed)
      fault_ = "the output could not be written: " + platform::causeOf(platform::lastError());
  }

  int input_, output_;
  LineSplitter lines_;
  ServeSession session_;
  std::string bytes_, line_, unread_;
  bool hasEnded_ = false;  ///< it sends nothing more
  bool isGone_ = false;    ///< nothing more can be sent to it
  SteadyClock::time_point lastAnswer_ = SteadyClock::now();
  std::string fault_;
};

/// The time until which the server waits for the next line without sleep, after an answer: waking up takes longer than
/// a controlling client needs for its next request. With a single processor it does not wait like this, because the
/// client needs the processor.
SteadyClock::time_point endOfAttention() {
  constexpr std::chrono::microseconds kAttention(200);
  static const bool isAlone = std::thread::hardware_concurrency() < 2;  // computed once, because it is read from a file
  return isAlone ? SteadyClock::time_point() : SteadyClock::now() + kAttention;
}

/// Whether another client may connect: there is room, or one of the present clients has been idle for too long.
bool mayConnect(const std::list<Client>& clients, std::chrono::seconds idle) {
  if (clients.size() < kMaxServeClients) return true;
  const SteadyClock::time_point latest = SteadyClock::now() - idle;
  return std::ranges::any_of(clients, [&](const Client& client) { return client.lastAnswer() <= latest; });
}

/// Accepts the client that waits, in the place of the one that has been idle for longest if there is no room.
void connect(std::list<Client>& clients, const platform::SocketListener& listener, ServeLimits& limits) {
  const int stream = listener.accept();
  if (stream < 0) return;
  if (clients.size() >= kMaxServeClients) {
    const auto longest = std::ranges::min_element(clients, {}, &Client::lastAnswer);
    longest->dismiss();
    clients.erase(longest);
  }
  clients.emplace_back(stream, stream, limits);
}

/// One round: waits, transfers bytes, and answers a line of each client. Until `attention` it waits without sleep.
void serveTurn(std::list<Client>& clients, const platform::SocketListener* listener, ServeLimits& limits,
               std::chrono::seconds idle, SteadyClock::time_point& attention) {
  std::vector<platform::StreamWait> waits;
  for (const Client& client : clients) waits.push_back(client.wait());
  const bool isAsked = std::ranges::any_of(clients, &Client::canAnswer);
  const bool isOpen = listener && mayConnect(clients, idle);
  if (isOpen) waits.push_back({.stream = listener->stream(), .forInput = true});
  platform::waitForStreams(waits, isAsked || SteadyClock::now() < attention ? 0 : kServeWaitMs);
  auto wait = waits.begin();
  for (Client& client : clients)
    if (wait++->isReady) client.move();
  for (Client& client : clients) {
    if (!client.canAnswer()) continue;
    client.answerLine();
    attention = endOfAttention();
  }
  if (isOpen && wait->isReady && mayConnect(clients, idle)) connect(clients, *listener, limits);
}

}  // namespace

int runServe(const ServeArguments& arguments, Console& console) {
  if (std::error_code ignored; !arguments.root.empty() && !std::filesystem::is_directory(arguments.root, ignored))
    return console.fail({arguments.root, "--root", "is not a folder"});
  const io::ReadingLimits readingLimits(arguments.root.empty() ? std::nullopt : std::optional(arguments.root));
  std::optional<platform::SocketListener> listener;
  if (!arguments.socket.empty()) {
    listener.emplace(arguments.socket);
    if (!listener->fault().empty()) return console.fail({arguments.socket, "", listener->fault()});
    console.say("listening at " + arguments.socket);
  }
  const InterruptWatch interruptWatch, terminationWatch(SIGTERM);
  platform::limitMemory(arguments.megabytes << 20);
  ServeLimits limits{.figures = arguments.figures, .context = arguments.context};
  std::list<Client> clients;
  if (!listener) clients.emplace_back(platform::kStandardInput, platform::kStandardOutput, limits);
  SteadyClock::time_point attention;
  while (!interrupted) {
    try {
      serveTurn(clients, listener ? &*listener : nullptr, limits, arguments.idle, attention);
    } catch (const std::bad_alloc&) {  // due to buffered bytes; a request reports its own lack of memory in its answer
      console.fail("there is not enough memory: all clients are disconnected");
      clients.clear();
      if (!listener) return kBadInput;
    }
    if (!listener && clients.front().isDone())
      return clients.front().fault().empty() ? kSuccess : console.fail(clients.front().fault());
    clients.remove_if([](const Client& client) { return client.isDone(); });
  }
  return kSuccess;
}

}  // namespace limber::app
