// SPDX-License-Identifier: MIT
#include "app/shell/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "app/settings/layout.h"
#include "app/shell/clipboard_picture.h"
#include "limber/io/base/platform.h"
#include "limber/io/base/referred_file.h"

namespace limber::app {

namespace {

std::atomic<bool> isAwake{false};

std::string lastGlfwError() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "no reason given";
}

Modifiers modifiersOf(int mods) {
  return {(mods & GLFW_MOD_SHIFT) != 0, (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_ALT) != 0};
}

/// The letter of a key in the user's layout; that of the US layout when the key has a letter of another script.
char letterOf(int key, int scancode) {
  const char* name = glfwGetKeyName(key, scancode);
  if (name && name[0] && !name[1]) {
    if (name[0] >= 'a' && name[0] <= 'z') return name[0];
    if (name[0] >= 'A' && name[0] <= 'Z') return static_cast<char>(name[0] - 'A' + 'a');
    if (name[0] > 0) return 0;  // a symbol or digit where the US layout has a letter
  }
  return key >= GLFW_KEY_A && key <= GLFW_KEY_Z ? static_cast<char>(key - GLFW_KEY_A + 'a') : static_cast<char>(0);
}

bool isNumpad(int key) { return key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_DECIMAL; }

KeyPress pressOf(int key, int scancode, int action, int mods) {
  KeyPress press;
  press.modifiers = modifiersOf(mods);
  press.isRepeat = action == GLFW_REPEAT;
  switch (key) {
    case GLFW_KEY_SPACE: press.key = Key::Space; break;
    case GLFW_KEY_TAB: press.key = Key::Tab; break;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: press.key = Key::Enter; break;
    case GLFW_KEY_ESCAPE: press.key = Key::Escape; break;
    case GLFW_KEY_DELETE: press.key = Key::Delete; break;
    case GLFW_KEY_BACKSPACE: press.key = Key::Backspace; break;
    case GLFW_KEY_HOME: press.key = Key::Home; break;
    case GLFW_KEY_LEFT: press.key = Key::Left; break;
    case GLFW_KEY_RIGHT: press.key = Key::Right; break;
    case GLFW_KEY_UP: press.key = Key::Up; break;
    case GLFW_KEY_DOWN: press.key = Key::Down; break;
    case GLFW_KEY_F1: press.key = Key::F1; break;
    case GLFW_KEY_F10: press.key = Key::F10; break;
    default:
      if (isNumpad(key) || (key >= GLFW_KEY_0 && key <= GLFW_KEY_9)) {
        press.key = isNumpad(key) ? Key::Numpad : Key::Digit;
        press.letter = key == GLFW_KEY_KP_DECIMAL ? '.'
                       : isNumpad(key)            ? static_cast<char>(key - GLFW_KEY_KP_0 + '0')
                                                  : static_cast<char>(key - GLFW_KEY_0 + '0');
        break;
      }
      press.letter = letterOf(key, scancode);
      press.key = press.letter ? Key::Letter : Key::Other;
  }
  return press;
}

/// The work areas of all monitors, that of the primary monitor first.
std::vector<ScreenArea> screenAreas() {
  std::vector<ScreenArea> areas;
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    ScreenArea area;
    glfwGetMonitorWorkarea(monitors[i], &area.x, &area.y, &area.width, &area.height);
    if (area.width > 0 && area.height > 0) areas.push_back(area);
  }
  return areas;
}

GLFWwindow* createWindow(const WindowPlace& place, const std::string& title) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, place.isRemembered ? GLFW_FALSE : GLFW_TRUE);  // else scaled twice
  glfwWindowHint(GLFW_MAXIMIZED, place.isMaximised ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // until it is in its place
  for (const int hint : {GLFW_SAMPLES, GLFW_DEPTH_BITS, GLFW_STENCIL_BITS})
    glfwWindowHint(hint, 0);  // the scene is drawn into buffers of its own
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "limber");
  return glfwCreateWindow(place.width, place.height, title.c_str(), nullptr, nullptr);
}

}  // namespace

std::unique_ptr<Window> Window::open(const WindowPlace& wanted, const std::string& title, std::string& error) {
  if (!glfwInit()) {
    error = "no window: " + lastGlfwError() + " (is there a display?)";
    return nullptr;
  }
  const WindowPlace place = broughtBack(wanted, screenAreas());
  GLFWwindow* handle = createWindow(place, title);
  if (!handle) {
    error = "no window with " + std::string(platform::kIsPage ? "WebGL 2" : "OpenGL 3.3") + ": " + lastGlfwError();
    glfwTerminate();
    return nullptr;
  }
  std::unique_ptr<Window> window(new Window);
  window->handle_ = handle;
  window->title_ = title;
  glfwSetWindowSizeLimits(handle, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(handle);
  glfwSwapInterval(1);
  glfwSetWindowUserPointer(handle, window.get());
  window->listen();
  if (place.isRemembered && !place.isMaximised) glfwSetWindowPos(handle, place.x, place.y);
  glfwShowWindow(handle);
  window->place_ = place;
  window->rememberPlace();
  return window;
}

Window::~Window() {
  glfwDestroyWindow(handle_);
  glfwTerminate();
}

Window& Window::of(GLFWwindow* handle) { return *static_cast<Window*>(glfwGetWindowUserPointer(handle)); }

/// Installed before Dear ImGui's callbacks, which call these.
void Window::listen() {
  glfwSetKeyCallback(handle_, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
    if (of(w).isAltTap(key, action)) of(w).events_.push_back(KeyPress{Key::Alt, 0, {}, false});
    if (action == GLFW_RELEASE) return;
    of(w).events_.push_back(pressOf(key, scancode, action, mods));
    of(w).pressedCodes_.push_back(key);
    of(w).typesOnNumpad_ = isNumpad(key);  // its character, if any, comes next
  });
  glfwSetCharCallback(handle_, [](GLFWwindow* w, unsigned character) {
    of(w).events_.push_back(Typed{static_cast<char32_t>(character), of(w).typesOnNumpad_});
  });
  // A button acts at the cursor of the last move event. The system would report the present position, to which the
  // mouse may have moved since, and a quick grab would miss.
  double startX = 0.0, startY = 0.0;
  glfwGetCursorPos(handle_, &startX, &startY);
  placeCursor(startX, startY);
  glfwSetMouseButtonCallback(handle_, [](GLFWwindow* w, int button, int action, int mods) {
    of(w).isAltAlone_ = false;
    if (button > GLFW_MOUSE_BUTTON_MIDDLE) return;
    const Button changed = button == GLFW_MOUSE_BUTTON_LEFT    ? Button::Left
                           : button == GLFW_MOUSE_BUTTON_RIGHT ? Button::Right
                                                               : Button::Middle;
    of(w).events_.push_back(
        ButtonChange{changed, action == GLFW_PRESS, modifiersOf(mods), of(w).cursorX_, of(w).cursorY_});
  });
  glfwSetCursorPosCallback(handle_, [](GLFWwindow* w, double x, double y) {
    of(w).isAltAlone_ = false;
    of(w).placeCursor(x, y);
    of(w).events_.push_back(CursorMove{of(w).cursorX_, of(w).cursorY_, of(w).heldModifiers()});
  });
  glfwSetScrollCallback(handle_, [](GLFWwindow* w, double stepsX, double steps) {
    of(w).isAltAlone_ = false;
    of(w).events_.push_back(WheelTurn{steps, of(w).cursorX_, of(w).cursorY_, of(w).heldModifiers(), stepsX});
  });
  glfwSetDropCallback(handle_, [](GLFWwindow* w, int count, const char** paths) {
    of(w).events_.push_back(FilesDropped{std::vector<std::string>(paths, paths + count)});
  });
  glfwSetWindowPosCallback(handle_, [](GLFWwindow* w, int, int) { of(w).rememberPlace(); });
  glfwSetWindowSizeCallback(handle_, [](GLFWwindow* w, int, int) {
    isAwake = true;
    of(w).rememberPlace();
  });
  glfwSetWindowFocusCallback(handle_, [](GLFWwindow* w, int focused) {
    of(w).isAltAlone_ = false;
    if (!focused) of(w).events_.push_back(FocusLost{});
  });
}

/// True when Alt is released after a press in which nothing else happened: no drag, no other key, no change of window.
bool Window::isAltTap(int key, int action) {
  const auto isUp = [&](int button) { return glfwGetMouseButton(handle_, button) == GLFW_RELEASE; };
  const bool wasAlone =
      std::exchange(isAltAlone_, key == GLFW_KEY_LEFT_ALT && action == GLFW_PRESS && isUp(GLFW_MOUSE_BUTTON_LEFT) &&
                                     isUp(GLFW_MOUSE_BUTTON_MIDDLE) && isUp(GLFW_MOUSE_BUTTON_RIGHT));
  return wasAlone && key == GLFW_KEY_LEFT_ALT && action == GLFW_RELEASE;
}

void Window::rememberPlace() {
  if (glfwGetWindowAttrib(handle_, GLFW_MAXIMIZED) || glfwGetWindowAttrib(handle_, GLFW_ICONIFIED)) return;
  glfwGetWindowPos(handle_, &place_.x, &place_.y);
  glfwGetWindowSize(handle_, &place_.width, &place_.height);
}

WindowPlace Window::place() const {
  WindowPlace place = place_;
  place.isRemembered = true;
  place.isMaximised = glfwGetWindowAttrib(handle_, GLFW_MAXIMIZED) != 0;
  return place;
}

void Window::placeCursor(double screenX, double screenY) {
  cursorX_ = screenX * pixelsPerScreenUnit();
  cursorY_ = screenY * pixelsPerScreenUnit();
}

Modifiers Window::heldModifiers() const {
  const auto held = [&](int left, int right) {
    return glfwGetKey(handle_, left) == GLFW_PRESS || glfwGetKey(handle_, right) == GLFW_PRESS;
  };
  return {held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT), held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL),
          held(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT)};
}

void Window::waitForEvents(double timeout) {
  if (timeout < 0.0) glfwWaitEvents();
  else if (timeout > 0.0) glfwWaitEventsTimeout(timeout);
  else glfwPollEvents();
}

void Window::wake() {
  isAwake = true;
  glfwPostEmptyEvent();
}

bool Window::isWoken() {
  glfwPollEvents();
  return isAwake.exchange(false) || !events_.empty() || platform::hasChosenFile();
}

std::vector<InputEvent> Window::takeEvents() { return std::exchange(events_, {}); }

std::vector<int> Window::takePressedCodes() { return std::exchange(pressedCodes_, {}); }

bool Window::wantsToClose() const { return glfwWindowShouldClose(handle_); }
void Window::keepOpen() { glfwSetWindowShouldClose(handle_, GLFW_FALSE); }

std::string Window::clipboard() const {
  const char* text = glfwGetClipboardString(handle_);
  if (text && *text) return text;
  const std::string picture = clipboardPicture();
  return picture.empty() ? "" : io::makeDataUri(picture);
}

void Window::setClipboard(const std::string& text) { glfwSetClipboardString(handle_, text.c_str()); }

void Window::setTitle(const std::string& title) {
  if (title == title_) return;
  title_ = title;
  glfwSetWindowTitle(handle_, title.c_str());
}

void Window::show() { glfwSwapBuffers(handle_); }

int Window::width() const {
  int width = 0;
  glfwGetFramebufferSize(handle_, &width, nullptr);
  return width;
}

int Window::height() const {
  int height = 0;
  glfwGetFramebufferSize(handle_, nullptr, &height);
  return height;
}

int Window::screenWidth() const {
  int width = 0;
  glfwGetWindowSize(handle_, &width, nullptr);
  return width;
}

double Window::pixelsPerScreenUnit() const {
  const int screen = screenWidth();
  return screen > 0 && width() > 0 ? static_cast<double>(width()) / screen : 1.0;
}

double Window::contentScale() const {
  float x = 1.0f, y = 1.0f;
  glfwGetWindowContentScale(handle_, &x, &y);
  return std::clamp(static_cast<double>(std::max(x, y)) / pixelsPerScreenUnit(), 0.5, 4.0);
}

Window::LoadFunction Window::loader() { return &glfwGetProcAddress; }

}  // namespace limber::app
