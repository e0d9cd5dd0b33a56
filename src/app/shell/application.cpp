// SPDX-License-Identifier: MIT
// The order of a frame: events, commands of the panels, solve, draw list, panels, render. The window draws three frames
// after any event, then it sleeps.
#include "app/shell/application.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/panels/panels.h"
#include "app/recording/recorder.h"
#include "app/session/documents.h"
#include "app/session/page_messages.h"
#include "app/session/session.h"
#include "app/shell/foreign_names.h"
#include "app/shell/frame_guard.h"
#include "app/shell/gui.h"
#include "app/shell/measuring.h"
#include "app/shell/window.h"
#include "app/stage/viewing.h"
#include "limber/io/base/file.h"
#include "limber/io/base/image.h"
#include "limber/io/base/platform.h"
#include "limber/io/base/resources.h"
#include "limber/io/figure_formats.h"
#include "limber/io/figure_source.h"
#include "render/canvas.h"
#include "render/thumbnails.h"

namespace limber::app {

namespace {

constexpr int kFramesAfterEvent = 3;        // until the panels settle; the last one is drawn in full quality
constexpr double kThumbnailPixels = 112.0;  // size of a pose's picture on a display of scale 1
constexpr double kLongPause = 0.25;         // seconds: a longer pause between frames counts as sleep
constexpr double kForFile = 0.3;            // seconds that the first frame waits for the opening file

void printLine(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

int complain(const std::string& sentence) {
  std::fprintf(stderr, "limber: %s\n", sentence.c_str());
  return 1;
}

/// Fixed settings, so that measurements do not depend on the user's.
Settings settingsToMeasure() {
  Settings settings;
  settings.window.width = 1280;
  settings.window.height = 800;
  rememberPanel(settings, entryOf(Panel::Poses).title, false);  // its pictures are drawn once, in the first frames
  return settings;
}

bool isArrow(Key key) { return key == Key::Left || key == Key::Right || key == Key::Up || key == Key::Down; }

class Application {
 public:
  Application(std::unique_ptr<Window> window, std::unique_ptr<render::Renderer> renderer,
              const std::filesystem::path& shaders, Session& session, double forcedScale)
      : window_(std::move(window)), renderer_(std::move(renderer)), canvas_(*renderer_, shaders), session_(session),
        forcedScale_(forcedScale) {
    gui_.emplace(*window_, scale(), session.settings.theme);
    session_.services.setWake(&Window::wake);
    session_.outside.clipboard = {[this] { return window_->clipboard(); },
                                  [this](const std::string& text) { window_->setClipboard(text); }};
    session_.outside.toggleRecording = [this] { toggleRecording(session_); };
  }
  ~Application() { session_.services.stop(); }  // its threads wake the window
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  /// Before the first step().
  void begin() {
    platform::answerPage([this](const std::string& message) {
      Window::wake();
      return answerMessage(session_, message);
    });
    waitForFile();
  }

  /// Waits for something to do, and does it. False once the window is to be closed.
  bool step() {
    if (session_.ui.quit) return false;
    if (platform::kIsPage && staysAsleep()) return true;
    waitForSomething();
    if (!guard_.run(session_, [this] { drawFrame(); })) recover();
    if (guard_.hasGivenUp()) return false;
    if (framesLeft_ <= 0) keepSettings();  // before the window sleeps, because it may be killed then
    if (window_->wantsToClose()) {
      window_->keepOpen();
      perform(session_, Command::Quit);
      framesLeft_ = kFramesAfterEvent;
    }
    return true;
  }

  /// Turns the camera for `count` frames, drags a point for as many, then lets the window sleep.
  WindowCosts measure(int count) {
    constexpr double kTurn = 4.0;  // pixels per frame
    WindowCosts costs;
    waitForFile();
    timedFrame(kFramesAfterEvent);
    costs.firstFrame = secondsSinceStart();
    costs.firstFrameProcessor = processorSeconds();
    for (int i = kFramesAfterEvent - 1; i > 0; --i) timedFrame(i);
    costs.pictureWidth = static_cast<int>(session_.picture.area.width);
    costs.pictureHeight = static_cast<int>(session_.picture.area.height);
    costs.device = renderer_->deviceName();
    for (int i = 0; i < count; ++i) {
      orbit(session_.picture.camera, kTurn, 0.0, costs.pictureHeight);
      costs.moving.add(timedFrame(kFramesAfterEvent));
      if (i % 10 == 9) costs.still.add(timedFrame(1));
    }
    measureDrag(PosingChoice::Even, count, costs.even);
    measureDrag(PosingChoice::Natural, count, costs.natural);
    costs.megabytes = residentMegabytes();
    const double wall = secondsNow(), processor = processorSeconds();
    while (secondsNow() < wall + 1.0) window_->waitForEvents(std::max(wall + 1.0 - secondsNow(), 0.0));
    costs.idleSeconds = secondsNow() - wall;
    costs.idleProcessor = processorSeconds() - processor;
    return costs;
  }

  const FrameGuard& guard() const { return guard_; }

  /// Writes the settings if they have changed since they were read or written.
  void keepSettings() {
    session_.settings.window = window_->place();
    if (session_.settings == kept_) return;
    kept_ = session_.settings;
    saveSettings(kept_, settingsPath());
  }

 private:
  /// Makes a new context of ImGui after a failed frame, because its frame may be incomplete.
  void recover() {
    queue_ = {};
    gui_.reset();
    gui_.emplace(*window_, scale(), session_.settings.theme);
    framesLeft_ = kFramesAfterEvent;
  }

  FrameCost timedFrame(int framesLeft) {
    const double wall = secondsNow(), processor = processorSeconds();
    session_.ui.now = wall;
    framesLeft_ = framesLeft;
    window_->waitForEvents(0.0);
    drawFrame();
    return {secondsNow() - wall, processorSeconds() - processor};
  }

  /// Drags the site farthest to the side, such as a hand, up out of reach and back; then cancels the drag.
  void measureDrag(PosingChoice choice, int count, FrameCosts& costs) {
    session_.editor.touch().solver.posing = choice;
    refreshScene(session_);
    const Figure& figure = *session_.document().figure;
    const auto placeOf = [&](const Site& site) -> Eigen::Vector3d {
      return session_.picture.kinematics.worldFromLink[site.link] * site.linkFromSite.translation;
    };
    const auto site =
        std::ranges::max_element(figure.sites(), {}, [&](const Site& one) { return std::abs(placeOf(one).x()); });
    if (site == figure.sites().end()) return;
    const int width = static_cast<int>(session_.picture.area.width),
              height = static_cast<int>(session_.picture.area.height);
    const auto at = render::projectToPixel(viewOf(session_.picture.camera, width, height), placeOf(*site));
    if (!at) return;
    handleEvent(session_, CursorMove{at->x(), at->y()});
    handleEvent(session_, ButtonChange{.isPressed = true, .x = at->x(), .y = at->y()});
    for (int i = 1; i <= count; ++i) {
      const double turn = 2.0 * std::numbers::pi * i / count;
      handleEvent(session_, CursorMove{at->x() + 0.1 * height * std::sin(2.0 * turn),
                                       at->y() - 0.25 * height * (1.0 - std::cos(turn))});
      costs.add(timedFrame(kFramesAfterEvent));
    }
    cancelTool(session_);
  }

  void waitForFile() {
    if (session_.services.job.isRunning() && session_.services.job.wait(kForFile)) finishJob(session_);
  }

  double scale() const {
    if (forcedScale_ > 0.0) return forcedScale_;
    return session_.settings.scale > 0.0 ? session_.settings.scale : window_->contentScale();
  }

  void waitForSomething() {
    session_.ui.now = secondsNow();
    const auto pause = sleepTime(session_);
    const double before = session_.ui.now;
    if (framesLeft_ > 0) window_->waitForEvents(0.0);
    else window_->waitForEvents(pause.value_or(-1.0));
    session_.ui.now = secondsNow();
    const bool slept = framesLeft_ == 0 && !(pause && *pause == 0.0);
    wokenByEvent_ = !platform::kIsPage && slept && !(pause && session_.ui.now - before >= *pause);
    if (wokenByEvent_ || session_.solving.isBusy()) framesLeft_ = kFramesAfterEvent;
    else if (framesLeft_ == 0) framesLeft_ = 1;
  }

  /// A page is called before each picture and does not sleep: true while there is nothing to draw.
  bool staysAsleep() {
    session_.ui.now = secondsNow();
    const bool isWoken = window_->isWoken();
    if (isWoken) framesLeft_ = kFramesAfterEvent;
    const auto pause = sleepTime(session_);
    if (!sleepsSince_) sleepsSince_ = session_.ui.now;
    if (framesLeft_ <= 0 && (!pause || session_.ui.now - *sleepsSince_ < *pause)) return true;
    sleepsSince_.reset();
    return false;
  }

  void drawFrame() {
    const double start = secondsNow();
    gui_->setLook(scale(), session_.settings.theme, foreignNames_.of(session_));
    gui_->beginFrame(window_->takePressedCodes(), session_.ui.popups.isDialogOnTop);
    const auto events = window_->takeEvents();
    if (!events.empty()) framesLeft_ = kFramesAfterEvent;
    for (const InputEvent& event : events) take(event);
    letGoOfWidgets();
    openNextDropped();
    carryOut(session_, queue_);
    advance(session_);
    if (!dropped_.empty() && !session_.services.job.isRunning()) framesLeft_ = kFramesAfterEvent;
    refreshScene(session_);
    measureFrame();
    drawThumbnail();
    readExamplePictures();
    const Layout layout = drawPanels(session_, session_.ui, session_.settings, times_, queue_);
    if (!queue_.calls.empty()) framesLeft_ = kFramesAfterEvent + 1;  // the next frame performs them
    place(layout.picture);
    const bool isMoving = drawPicture();
    gui_->endFrame();
    window_->show();
    if (const double end = secondsNow(); isMoving) canvas_.tookFrame(end - start, end);
    window_->setTitle(title());
    --framesLeft_;
  }

  /// Opens the next dropped file once the previous one is open; a VRM animation plays on the open avatar.
  void openNextDropped() {
    if (dropped_.empty() || session_.services.job.isRunning()) return;
    const std::string path = std::move(dropped_.front());
    dropped_.pop_front();
    const bool isForAvatar = io::endingOf(path) == ".vrma" && session_.document().figure->namesBones();
    queue_.add(isForAvatar ? Command::LoadMotion : Command::Open, path);
    framesLeft_ = kFramesAfterEvent;
  }

  /// Passes an event to the session unless it belongs to a panel.
  void take(InputEvent event) {
    if (const auto* dropped = std::get_if<FilesDropped>(&event)) {
      dropped_.insert(dropped_.end(), dropped->paths.begin(), dropped->paths.end());
    } else if (const auto* press = std::get_if<KeyPress>(&event)) {
      takeKey(*press);
    } else if (std::holds_alternative<Typed>(event)) {
      if (!Gui::wantsKeys() && !session_.ui.popups.isOpen) handleEvent(session_, event);
    } else if (auto* change = std::get_if<ButtonChange>(&event)) {
      const bool isAccepted = session_.pointer.isModal || !change->isPressed || isOverPicture(change->x, change->y);
      if (!isAccepted) return;
      toPicture(change->x, change->y);
      handleEvent(session_, event);
    } else if (auto* move = std::get_if<CursorMove>(&event)) {
      session_.pointer.isInside = isOverPicture(move->x, move->y);
      toPicture(move->x, move->y);
      handleEvent(session_, event);
    } else if (auto* wheel = std::get_if<WheelTurn>(&event)) {
      if (!isOverPicture(wheel->x, wheel->y)) return;
      toPicture(wheel->x, wheel->y);
      handleEvent(session_, event);
    } else {
      handleEvent(session_, event);
    }
  }

  void takeKey(const KeyPress& press) {
    if (press.key == Key::Escape) session_.ui.popups.isEscape = true;
    if (session_.ui.popups.isOpen) {
      if (press.key == Key::Escape) session_.ui.popups.closes = true;
      return;
    }
    // Shortcuts such as Ctrl+S work while a field has the focus, but undo, cut, copy and paste belong to the field.
    const bool isForTheFile =
        press.modifiers.control && std::string_view("zycv").find(press.letter) == std::string_view::npos;
    if (Gui::wantsKeys() && !isForTheFile) return;
    if (session_.ui.poses.hasArrowKeys && isArrow(press.key)) return;  // they step through the library
    handleEvent(session_, press);
  }

  bool isOverPicture(double x, double y) const {
    return session_.picture.area.contains(x, y) && !Gui::wantsMouse() && !session_.ui.popups.isOpen;
  }

  void toPicture(double& x, double& y) const {
    x -= session_.picture.area.x;
    y -= session_.picture.area.y;
  }

  void letGoOfWidgets() {
    if (session_.editor.gesture().starts_with("widget") && !Gui::isItemHeld()) endWidgetGesture(session_);
  }

  void place(const Rectangle& picture) {
    const double perUnit = window_->pixelsPerScreenUnit();
    const Rectangle before = std::exchange(session_.picture.area,
                                           {std::round(picture.x * perUnit), std::round(picture.y * perUnit),
                                            std::round(picture.width * perUnit), std::round(picture.height * perUnit)});
    settleCamera(before);
    session_.picture.displayScale = scale() * perUnit;
    session_.picture.clickReach = 3.0 * session_.picture.displayScale;
  }

  /// Keeps the contents of the picture in place when a panel opens next to it, or in sight if it would hide them.
  /// Resizing the window moves them, and a document that has just been opened is framed again.
  void settleCamera(const Rectangle& before) {
    const bool isSameWindow = windowWidth_ == window_->width() && windowHeight_ == window_->height();
    windowWidth_ = window_->width();
    windowHeight_ = window_->height();
    const Figure* placed = std::exchange(placed_, session_.picture.framed);
    const bool isOpened = placed != placed_ && !session_.editor.isSameDocument(placed);
    if (before == session_.picture.area || before.width < 1.0) return;
    const auto settle = [&](Camera& camera) {
      if (isSameWindow) keepInSight(camera, before, session_.picture.area);
      else recentre(camera);
    };
    settle(session_.picture.camera);
    if (session_.picture.turn) {
      settle(session_.picture.turn->from);
      settle(session_.picture.turn->to);
    }
    if (isOpened) session_.picture.camera = homeView(session_);
  }

  /// Draws the picture; true when it was drawn because something moves.
  bool drawPicture() {
    const Rectangle& r = session_.picture.area;
    if (r.width < 1.0 || r.height < 1.0) return false;
    if (session_.picture.framed == nullptr || pictureWidth_ != r.width) refreshScene(session_);
    pictureWidth_ = r.width;
    const bool isLast = framesLeft_ <= 1 && !session_.solving.isBusy() && !session_.playing.isPlaying();
    const bool isDrawn = canvas_.show(session_.picture.drawList, session_.picture.view(), static_cast<int>(r.x),
                                      window_->height() - static_cast<int>(r.y + r.height), isLast);
    if (!canvas_.fault().empty()) session_.fail(canvas_.fault());
    return isDrawn && !isLast;
  }

  /// Draws at most one picture of a pose per frame, so that the window never stalls.
  void drawThumbnail() {
    if (!drawPoseThumbnail()) drawWayThumbnail();
  }

  /// Draws the figure of a document; 0 if that failed.
  unsigned drawThumbnailOf(render::Thumbnails& thumbnails, const Document& shown, const render::View* view = nullptr) {
    const Settings& settings = session_.settings;
    const unsigned texture = thumbnails.draw(*renderer_, shown, settings.skinView, settings.linkStyle,
                                             session_.picture.highlight.surroundings, thumbnailPixels(), view);
    if (texture != 0) framesLeft_ = kFramesAfterEvent;
    return texture;
  }
  int thumbnailPixels() const {
    return static_cast<int>(std::lround(kThumbnailPixels * session_.picture.displayScale));
  }

  /// True if a picture was drawn.
  bool drawPoseThumbnail() {
    Poses& poses = session_.services.poses;
    const Settings& settings = session_.settings;
    const ThumbnailsOf present{poses.generation(), settings.skinView, settings.linkStyle, settings.theme};
    if (!(thumbnailsOf_ == present)) {
      thumbnails_.clear();
      poses.forgetPictures();
    }
    thumbnailsOf_ = present;
    const int wanted = session_.ui.poses.pictureWanted;
    if (wanted < 0 || wanted >= std::ssize(poses.entries())) return false;
    const Document shown = poses.shown(session_.document(), poses.entries()[wanted]);
    const unsigned texture = drawThumbnailOf(thumbnails_, shown);
    if (texture != 0) poses.setPicture(wanted, texture);
    return texture != 0;
  }

  /// Draws a way of an arm. All ways are seen from where the figure is seen now, at the same scale.
  void drawWayThumbnail() {
    WayFinding& ways = session_.services.ways;
    const Settings& settings = session_.settings;
    const ThumbnailsOf present{ways.generation(), settings.skinView, settings.linkStyle, settings.theme};
    if (!(waysOf_ == present)) {
      wayThumbnails_.clear();
      ways.forgetPictures();
      waysView_ = viewOf(session_.picture.camera, thumbnailPixels(), thumbnailPixels());
    }
    waysOf_ = present;
    const int wanted = session_.ui.ways.pictureWanted;
    if (!ways.poseOfWay(wanted)) return;
    const render::View view = render::frameBox(waysView_, ways.found()->boundsMin, ways.found()->boundsMax);
    if (const unsigned texture = drawThumbnailOf(wayThumbnails_, ways.shown(session_.document(), wanted), &view))
      ways.setPicture(wanted, texture);
  }

  /// Reads the pictures of a few examples.
  void readExamplePictures() {
    constexpr int kPerFrame = 4;
    if (!session_.ui.examples.isOpen) return;
    int count = 0;
    for (ExampleEntry& entry : session_.ui.examples.entries) {
      if (entry.isTried) continue;
      if (++count > kPerFrame) break;
      entry.isTried = true;
      framesLeft_ = kFramesAfterEvent;
      const auto file = io::findResource("pictures/examples/" + entry.scene.stem().string() + ".png");
      const auto bytes = file ? io::readFile(*file) : io::Result<std::string>(io::Error{});
      io::ImageBudget budget;
      if (!bytes) continue;
      if (const auto image = io::decodeImage(*bytes, budget)) entry.picture = examplePictures_.add(*image);
    }
  }

  /// Measures the frame rate while something moves, without the pauses in which the window slept.
  void measureFrame() {
    const double pause = session_.ui.now - lastFrame_;
    lastFrame_ = session_.ui.now;
    times_.framesPerSecond = 0.0;
    if (!isMoving(session_)) meanFrame_ = 0.0;
    if (!isMoving(session_) || wokenByEvent_ || pause > kLongPause || pause <= 0.0) return;
    meanFrame_ = meanFrame_ > 0.0 ? 0.9 * meanFrame_ + 0.1 * pause : pause;
    times_.framesPerSecond = 1.0 / meanFrame_;
  }

  std::string title() const {
    const std::filesystem::path file = session_.editor.file();
    const std::string& figure = session_.document().figure->name();
    const std::string name = file.empty() ? (figure.empty() ? "untitled" : figure) : file.filename().string();
    return name + (session_.editor.isChanged() ? "* " : " ") + "- Limber" +
           (session_.outside.witness ? ", recording" : "");
  }

  std::unique_ptr<Window> window_;
  std::unique_ptr<render::Renderer> renderer_;
  render::Canvas canvas_;
  render::Thumbnails thumbnails_, wayThumbnails_, examplePictures_;
  /// The inputs of the thumbnails.
  struct ThumbnailsOf {
    int generation = 0;
    render::SkinView skinView = render::SkinView::Skin;
    render::LinkStyle linkStyle = render::LinkStyle::Parts;
    ThemeName theme = ThemeName::Dark;

    bool operator==(const ThumbnailsOf&) const = default;
  } thumbnailsOf_, waysOf_;
  render::View waysView_;  ///< of the pictures of ways
  Session& session_;
  Settings kept_ = session_.settings;  ///< as in the file
  double forcedScale_;
  std::optional<Gui> gui_;
  ForeignNames foreignNames_;
  FrameGuard guard_;
  CommandQueue queue_;
  std::deque<std::string> dropped_;  ///< files to open
  FrameTimes times_;
  int framesLeft_ = kFramesAfterEvent;
  bool wokenByEvent_ = false;          ///< an event ended a sleep before this frame
  std::optional<double> sleepsSince_;  ///< of a page: when it last drew
  double lastFrame_ = 0.0, meanFrame_ = 0.0, pictureWidth_ = 0.0;
  int windowWidth_ = 0, windowHeight_ = 0;
  const Figure* placed_ = nullptr;  // picture.framed when the picture was last placed
};

/// Returns the exit code.
int endWindow(Application& application, Session& session) {
  if (application.guard().hasGivenUp())  // the autosave stays, and is offered at the next start
    return complain(application.guard().fault() + "; unsaved work is offered when Limber starts again");
  if (session.outside.witness) session.outside.witness->stop(session);
  session.services.autosave.end();
  application.keepSettings();
  session.solving.printWaiting(secondsNow(), true);
  return 0;
}

}  // namespace

int runWindow(const WindowOptions& options) {
  const bool isFile = !options.file.empty() && !io::isStandardFigure(options.file);
  const auto fault = isFile ? io::findAccessFault(options.file) : std::nullopt;
  if (fault) return complain(fault->message());
  std::string complaint;
  const std::string figure = isFile ? "" : options.file;
  const io::Opened opened = firstDocument(figure, complaint, isFile ? io::OpenContext{} : options.context);
  if (!complaint.empty() && !figure.empty()) return complain(complaint);
  const bool isMeasured = options.measuredFrames > 0;
  const auto owned =  // a page keeps it after this function has returned
      std::make_shared<Session>(opened.document, isMeasured ? settingsToMeasure() : loadSettings(settingsPath()),
                                options.quiet || isMeasured ? Solving::Print() : printLine);
  Session& session = *owned;
  session.ui.now = secondsNow();
  if (options.file.empty() && !isMeasured) session.settings.tab = PanelTab::Start;
  else if (session.settings.tab == PanelTab::Start) session.settings.tab = PanelTab::Pose;
  if (!complaint.empty()) session.fail(complaint);
  if (!options.record.empty() && !Recorder::start(session, options.record, complaint)) return complain(complaint);
  session.services.autosave.begin(stateFolder().empty() ? stateFolder() : stateFolder() / "autosave");
  session.services.autosave.lookForLost();
  if (isFile) openFirstFile(session, options.file, options.context);  // while the window opens

  std::string error;
  auto window = Window::open(session.settings.window, "Limber", error);
  if (!window) return complain(error);
  const auto shaders = io::findResource("shaders");
  if (!shaders) return complain("the folder with the shaders is missing: set LIMBER_RESOURCES or install again");
  auto renderer = render::Renderer::create(*shaders, Window::loader(), error);
  if (!renderer) return complain(error);
  const auto application =
      std::make_shared<Application>(std::move(window), std::move(renderer), *shaders, session, options.scale);
  if (isMeasured) {
    std::printf("%s", describe(application->measure(options.measuredFrames)).c_str());
    if (session.outside.witness) session.outside.witness->stop(session);
    return 0;
  }
  application->begin();
  const auto code = std::make_shared<int>(0);
  platform::repeat([owned, application, code] {
    if (application->step()) return true;
    *code = endWindow(*application, *owned);
    return false;
  });
  return *code;
}

}  // namespace limber::app
