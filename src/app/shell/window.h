// SPDX-License-Identifier: MIT
// The window of the system, by GLFW. It collects input as plain events.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/settings/input.h"
#include "app/settings/preferences.h"

struct GLFWwindow;

namespace limber::app {

class Window {
 public:
  /// Opens a window with an OpenGL 3.3 core context at `place`, moved onto a screen if need be (settings/layout.h). Its
  /// framebuffer has only colours, neither depth nor samples. Returns null with a sentence in `error` when there is no
  /// display or no such context.
  static std::unique_ptr<Window> open(const WindowPlace& place, const std::string& title, std::string& error);
  ~Window();

  /// True if an event came since takeEvents(), or wake() was called since this was. For a page, which cannot sleep.
  bool isWoken();
  /// Sleeps until something happens (timeout < 0), for `timeout` seconds at the most, or not at all (0).
  void waitForEvents(double timeout);
  /// Ends a sleep. Any thread may call it while the window lives.
  static void wake();
  std::vector<InputEvent> takeEvents();
  /// GLFW's codes of the keys pressed since the last call.
  std::vector<int> takePressedCodes();

  bool wantsToClose() const;
  void keepOpen();
  void setTitle(const std::string& title);
  std::string clipboard() const;  ///< text, or a picture as a data URI; empty for neither
  void setClipboard(const std::string& text);
  void show();  ///< presents the frame just drawn

  int width() const;   ///< pixels
  int height() const;  ///< pixels
  /// The place for the settings; for a maximised window the one it would have otherwise.
  WindowPlace place() const;
  double pixelsPerScreenUnit() const;  ///< above 1 on displays that count in points
  double contentScale() const;         ///< of the display: 1, 1.5, 2, ...

  GLFWwindow* handle() const { return handle_; }
  using LoadFunction = void (*(*)(const char* name))();
  static LoadFunction loader();

 private:
  Window() = default;
  static Window& of(GLFWwindow* handle);
  void listen();
  Modifiers heldModifiers() const;
  int screenWidth() const;  ///< in screen coordinates
  void rememberPlace();
  bool isAltTap(int key, int action);
  void placeCursor(double screenX, double screenY);

  GLFWwindow* handle_ = nullptr;
  std::string title_;
  WindowPlace place_;  ///< the last while not maximised
  std::vector<InputEvent> events_;
  double cursorX_ = 0.0, cursorY_ = 0.0;  ///< pixels, at the last move event
  std::vector<int> pressedCodes_;
  bool typesOnNumpad_ = false;
  bool isAltAlone_ = false;  ///< Alt was pressed, and nothing else happened since
};

}  // namespace limber::app
