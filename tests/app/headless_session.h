// SPDX-License-Identifier: MIT
// A session that tests use as a person does: with a mouse and a keyboard, in a window without a screen.
#pragma once

#include <string_view>
#include <utility>

#include "app/drag/free_drag.h"
#include "app/session/session.h"
#include "app/tools/tools.h"
#include "settle.h"

namespace limber::app {

/// A session whose picture has 800 x 600 pixels, with a mouse and a keyboard. Tests create one, or derive their fixture
/// from it. A class that draws more in a frame overrides drawFrame.
class HeadlessSession {
 public:
  using Pixel = Eigen::Vector2d;

  explicit HeadlessSession(Document document, Solving::Print print = {})
      : session_(std::move(document), {}, std::move(print)) {
    session_.picture.area = {0, 0, 800, 600};
    app::frame(session_);
  }
  virtual ~HeadlessSession() = default;
  HeadlessSession(const HeadlessSession&) = delete;
  HeadlessSession& operator=(const HeadlessSession&) = delete;

  Session& session() { return session_; }
  const Document& document() const { return session_.document(); }
  const Figure& figure() const { return *document().figure; }

  void frame() { drawFrame(); }
  /// Runs frames until no solve is running.
  void settle() {
    do frame();
    while (session_.solving.isBusy());
  }

  void move(const Pixel& to, Modifiers held = {}) {
    session_.pointer.isInside = true;
    handleEvent(session_, CursorMove{to.x(), to.y(), held});
    frame();
  }
  /// Moves the mouse in `events` equal steps.
  void lead(const Pixel& to, Modifiers held = {}, int events = 10) {
    const Pixel from = mouse();
    for (int i = 1; i <= events; ++i) move(from + (to - from) * (static_cast<double>(i) / events), held);
  }
  /// Moves the mouse there and presses.
  void down(const Pixel& at, Button button = Button::Left, Modifiers held = {}) {
    move(at);
    handleEvent(session_, ButtonChange{button, true, held, at.x(), at.y()});
  }
  /// Releases at the mouse's position.
  void up(Button button = Button::Left, Modifiers held = {}) {
    handleEvent(session_, ButtonChange{button, false, held, mouse().x(), mouse().y()});
    settle();
  }
  void click(const Pixel& at, Modifiers held = {}, Button button = Button::Left) {
    down(at, button, held);
    up(button, held);
  }
  /// Presses and moves, without a release. The button is pressed without the modifiers.
  void drag(const Pixel& from, const Pixel& to, Modifiers held = {}) {
    down(from);
    lead(to, held);
    settle();
  }
  /// The position of the mouse.
  Pixel mouse() const { return {session_.pointer.x, session_.pointer.y}; }

  void press(Key key, char letter = 0, Modifiers held = {}) {
    handleEvent(session_, KeyPress{key, letter, held, false});
    frame();
  }
  void letter(char letter, Modifiers held = {}) { press(Key::Letter, letter, held); }
  void type(std::u32string_view text) {
    for (const char32_t character : text) {
      handleEvent(session_, Typed{character});
      frame();
    }
  }
  void undo() { letter('z', {.control = true}); }

  const Transform& place(int link) const {
    return session_.picture.kinematics.worldFromLink[static_cast<std::size_t>(link)];
  }
  Eigen::Vector3d worldPoint(int link, const Eigen::Vector3d& point) const { return place(link) * point; }
  Pixel pixel(const Eigen::Vector3d& point) const { return *render::projectToPixel(session_.picture.view(), point); }
  /// The position of the middle of a link's first capsule in the picture.
  Pixel middleOf(int link) const {
    const Capsule& capsule = figure().link(link).capsules.front();
    return pixel(worldPoint(link, 0.5 * (capsule.start + capsule.end)));
  }
  bool isDragging() const { return session_.pointer.isDragging(); }
  /// The running drag.
  template <typename Kind = FreeDrag>
  Kind& running() {
    return dynamic_cast<Kind&>(*session_.pointer.drag());
  }

 protected:
  virtual void drawFrame() { app::frame(session_); }

  Session session_;
};

}  // namespace limber::app
