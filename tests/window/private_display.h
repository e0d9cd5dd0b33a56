// SPDX-License-Identifier: MIT
// The real program on a display of its own, driven by real key and mouse events. Linux with Xvfb, xdotool and
// ImageMagick; a test that does not find them is skipped and says so.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace limber::test {

struct Screenshot {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> pixels;  ///< 3 x width x height, rows from the top

  const unsigned char* at(int x, int y) const {
    return pixels.data() +
           3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
  }
};

class PrivateDisplay {
 public:
  PrivateDisplay();
  ~PrivateDisplay();
  PrivateDisplay(const PrivateDisplay&) = delete;
  PrivateDisplay& operator=(const PrivateDisplay&) = delete;

  /// Empty, or the programs that are missing on this machine.
  static std::string missingTools();

  bool isUp() const { return server_ > 0; }
  /// Starts the program and waits for its window; false when it ends or shows none in time.
  bool start(const std::vector<std::string>& arguments);
  bool isRunning();
  void kill();  ///< at once, as by a crash
  /// Waits until the program has processed all events and sleeps, so that they have had their effect even on a busy
  /// machine. False if the program ends or never sleeps.
  bool settle();

  void key(const std::string& name);
  void strike(const std::string& name);  ///< a key, without waiting: what it begins does not end by itself
  void type(const std::string& text);
  void moveTo(int x, int y);
  /// Further commands of xdotool in the same call, before the press or after the release: "keydown shift ".
  void press(const std::string& before = "");
  void release(const std::string& after = "");
  /// Press at one place, twenty small moves, release.
  void drag(int x1, int y1, int x2, int y2);
  Screenshot screenshot();
  /// Puts a PNG file into the clipboard; false where xclip is not installed.
  bool copyPicture(const std::filesystem::path& file);
  /// Processor time that the program has used so far, seconds.
  double processorTime() const;

  const std::filesystem::path& folder() const { return folder_; }
  std::string output() const;  ///< what the program printed

 private:
  std::string xdotool(const std::string& arguments);
  std::filesystem::path folder_;
  std::string display_;
  pid_t server_ = -1;
  pid_t program_ = -1;
};

/// Waits until the condition holds; false after `seconds`.
bool waitFor(const std::function<bool()>& condition, double seconds = 20.0);

}  // namespace limber::test
