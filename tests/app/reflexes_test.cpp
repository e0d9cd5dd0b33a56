// SPDX-License-Identifier: MIT
// The table of docs/dragging.md, "Habits from other programs": each of its rows is done here by mouse and keyboard.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <string>

#include "headless_session.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/new_goal.h"
#include "locations.h"

namespace limber::app::reflexes_test {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

/// Three ball joints upright, of which the second is selected, seen from the front.
struct Hand : HeadlessSession {
  explicit Hand(KeyPreset keys) : HeadlessSession(makeDocument(makeBallChain(3))) {
    session_.settings.keys = keys;
    session_.editor.touch().goals.clear();
    session_.editor.touch().selection = {1, -1};
    frame();
    press(Key::Digit, '1');
    rest();
    move({400, 300});
  }

  void rest() {
    session_.ui.now += 1.0;
    settle();
  }
  void key(char letter, Modifiers held = {}) { press(Key::Letter, letter, held); }
  /// A number, of which each digit is a key as well as a character.
  void typeKeys(const char* number) {
    for (; *number; ++number) {
      press(Key::Digit, *number);
      type(std::u32string(1, static_cast<char32_t>(*number)));
    }
  }
  void moveBy(double dx, double dy) {
    lead(mouse() + Eigen::Vector2d(dx, dy), {}, 8);
    settle();
  }
  void click(Button button = Button::Left) { HeadlessSession::click(mouse(), {}, button); }
  /// Beside the figure.
  void dragWith(Button button, Modifiers held, double dx, double dy) {
    down({60, 300}, button, held);
    lead({60 + dx, 300 + dy}, held, 5);
    up(button, held);
  }
  void scroll(double steps) {
    handleEvent(session_, WheelTurn{steps, mouse().x(), mouse().y()});
    frame();
  }
  Eigen::Vector3d tip(int link = 1) const {
    return session_.picture.kinematics.worldFromLink[static_cast<std::size_t>(link)] *
           endEffectorOf(*document().figure, link).point;
  }
  Eigen::Quaterniond turn(int joint = 1) const { return jointRotation(*document().figure, document().pose, joint); }
  bool isAtRest() const { return document().pose == restPose(*document().figure); }
  Eigen::Vector3d forward() const { return render::forwardDirection(session_.picture.view()); }
  /// A pose other than the rest pose, without a drag in progress.
  void bend() {
    setJointRotation(*document().figure, 1, Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitX())),
                     session_.editor.touch().pose);
    frame();
  }
};

using Act = std::function<void(Hand&)>;

void grab(Hand& hand) {
  const Eigen::Vector3d before = hand.tip();
  hand.key('g');
  hand.moveBy(60, 20);
  EXPECT_TRUE(hand.isDragging()) << "without a button";
  hand.click();
  EXPECT_FALSE(hand.isDragging());
  const Eigen::Vector3d way = hand.tip() - before;
  EXPECT_GT(way.x(), 0.1);
  const Eigen::Vector3d there = hand.tip();
  hand.moveBy(-100, 0);
  EXPECT_EQ(hand.tip(), there) << "the click accepted it";
  hand.key('z', {.control = true});
  EXPECT_EQ(hand.tip(), before) << "one step";
}

void cancelGrab(Hand& hand) {
  hand.bend();
  const Pose before = hand.document().pose;
  for (const char what : {'g', 'r'})
    for (const bool byButton : {false, true}) {
      hand.key(what);
      hand.moveBy(60, 20);
      EXPECT_FALSE(hand.document().pose == before);
      byButton ? hand.click(Button::Right) : hand.press(Key::Escape);
      EXPECT_TRUE(hand.document().pose == before);
      EXPECT_FALSE(hand.isDragging());
    }
  EXPECT_FALSE(hand.session().editor.history().canUndo());
}

void rotate(Hand& hand) {
  hand.move({500, 300});
  hand.key('r');
  hand.moveBy(0, -60);
  hand.click();
  const Eigen::AngleAxisd turn(hand.turn());
  EXPECT_GT(turn.angle(), 10 * kDegree);
  EXPECT_GT(std::abs(turn.axis().z()), 0.99) << "about the line of sight";
  EXPECT_TRUE(hand.turn(0).isApprox(Eigen::Quaterniond::Identity())) << "the joint alone";
}

void lockAxis(Hand& hand) {
  hand.bend();
  const Eigen::Vector3d before = hand.tip();
  hand.key('g');
  hand.moveBy(50, 40);
  hand.key('x');
  ASSERT_TRUE(hand.running().lock);
  EXPECT_LT((hand.running().centre() - before).cwiseProduct(Eigen::Vector3d(0, 1, 1)).norm(), 1e-9);
  hand.key('x');
  const FreeDrag& drag = hand.running();
  ASSERT_TRUE(drag.lock);
  const Eigen::Vector3d own = hand.running().axes.col(0), way = drag.centre() - before;
  EXPECT_FALSE(drag.axes.isApprox(Eigen::Matrix3d::Identity())) << "its own axes, for it is bent";
  EXPECT_LT(way.cross(own).norm(), 1e-9);
  hand.key('x');
  EXPECT_FALSE(drag.lock);
  hand.press(Key::Escape);
}

void lockPlane(Hand& hand) {
  const Eigen::Vector3d before = hand.tip();
  hand.key('g');
  hand.moveBy(50, 40);
  hand.key('x', {.shift = true});
  EXPECT_NEAR(hand.running().centre().x(), before.x(), 1e-9);
  hand.press(Key::Escape);
}

void typeLength(Hand& hand) {
  const Eigen::Vector3d before = hand.tip();
  hand.key('g');
  hand.key('x');
  hand.typeKeys("0.2");
  hand.press(Key::Enter);
  EXPECT_FALSE(hand.isDragging());
  EXPECT_NEAR(hand.tip().x() - before.x(), 0.2, 2e-3);
}

void typeAngle(Hand& hand) {
  hand.key('r');
  hand.key('x');
  hand.typeKeys("30");
  hand.press(Key::Enter);
  EXPECT_NEAR(
      hand.turn().angularDistance(Eigen::Quaterniond(Eigen::AngleAxisd(30 * kDegree, Eigen::Vector3d::UnitX()))), 0.0,
      1e-9);
}

void switchBetween(Hand& hand) {
  const Pose before = hand.document().pose;
  hand.key('g');
  hand.moveBy(60, 0);
  hand.key('r');
  EXPECT_TRUE(hand.document().pose == before) << "the other begins anew";
  EXPECT_TRUE(hand.running().isTurn());
  hand.key('g');
  EXPECT_FALSE(hand.running().isTurn());
  hand.press(Key::Escape);
}

void clear(Hand& hand) {
  hand.bend();
  hand.key('r', {.alt = true});
  EXPECT_TRUE(hand.isAtRest());
  hand.key('z', {.control = true});
  EXPECT_FALSE(hand.isAtRest()) << "one step";
  hand.session().editor.touch().selection = {2, -1};
  hand.key('r', {.alt = true});
  EXPECT_FALSE(hand.isAtRest()) << "of what is selected";
  hand.session().editor.touch().selection = {};
  hand.key('r', {.alt = true});
  EXPECT_TRUE(hand.isAtRest()) << "of all joints where nothing is";
  const int id = addGoal(hand.session().editor.touch(), GoalType::Position, endEffectorOf(*hand.document().figure, 2));
  hand.session().editor.touch().selection = {-1, id};
  const Eigen::Vector3d there = hand.document().goals.back().target;
  hand.session().editor.touch().goals.back().target += Eigen::Vector3d(0.3, 0, 0);
  hand.key('g', {.alt = true});
  EXPECT_LT((hand.document().goals.back().target - there).norm(), 1e-12) << "a target goes back to its end effector";
}

void noRestPose(Hand& hand) {
  hand.bend();
  hand.key('r');
  hand.press(Key::Escape);
  EXPECT_FALSE(hand.isAtRest()) << "R is no rest pose here";
  hand.key('r', {.control = true, .alt = true});
  EXPECT_TRUE(hand.isAtRest());
}

void frameByKey(Hand& hand, Key key, char letter, bool isSelection) {
  hand.session().picture.camera.distance *= 10.0;
  hand.session().picture.camera.centre.x() += 5.0;
  hand.press(key, letter);
  hand.rest();
  const auto seen = render::projectToPixel(hand.session().picture.view(), hand.tip(isSelection ? 1 : 2));
  ASSERT_TRUE(seen);
  EXPECT_TRUE(seen->x() > 0 && seen->x() < 800 && seen->y() > 0 && seen->y() < 600);
  const double inPicture = render::pixelSize(hand.session().picture.view(), hand.session().picture.camera.centre) * 600;
  EXPECT_LT(inPicture, 12.0) << "it fills the picture";
}

void orbitWith(Hand& hand, Button button, Modifiers held) {
  const Eigen::Vector3d centre = hand.session().picture.camera.centre, before = hand.forward();
  hand.dragWith(button, held, 80, 10);
  EXPECT_GT((hand.forward() - before).norm(), 0.1);
  EXPECT_EQ(hand.session().picture.camera.centre, centre);
}

void panWith(Hand& hand, Button button, Modifiers held) {
  const Eigen::Vector3d centre = hand.session().picture.camera.centre, before = hand.forward();
  hand.dragWith(button, held, 80, -10);
  EXPECT_EQ(hand.forward(), before);
  EXPECT_GT((hand.session().picture.camera.centre - centre).norm(), 0.05);
}

void zoomWith(Hand& hand, Button button, Modifiers held) {
  const double before = hand.session().picture.camera.distance;
  const Eigen::Vector3d forward = hand.forward();
  hand.dragWith(button, held, 80, 0);
  EXPECT_LT(hand.session().picture.camera.distance, before);
  EXPECT_EQ(hand.forward(), forward);
}

void views(Hand& hand) {
  for (const auto& [digit, held, direction] : {std::tuple('1', Modifiers{}, Eigen::Vector3d(0, 0, -1)),
                                               std::tuple('3', Modifiers{}, Eigen::Vector3d(-1, 0, 0)),
                                               std::tuple('7', Modifiers{}, Eigen::Vector3d(0, -1, 0)),
                                               std::tuple('1', Modifiers{.control = true}, Eigen::Vector3d(0, 0, 1))}) {
    hand.press(Key::Numpad, digit, held);
    hand.rest();
    EXPECT_LT((hand.forward() - direction).norm(), 1e-9) << digit;
  }
  hand.press(Key::Numpad, '5');
  EXPECT_TRUE(render::isOrthographic(hand.session().picture.view()));
}

void removeByKey(Hand& hand, Key key, char letter) {
  const int id = addGoal(hand.session().editor.touch(), GoalType::Position, endEffectorOf(*hand.document().figure, 2));
  hand.session().editor.touch().selection = {-1, id};
  hand.press(key, letter);
  EXPECT_TRUE(hand.document().goals.empty());
}

void keyPose(Hand& hand, char letter) {
  hand.key(letter);
  ASSERT_TRUE(hand.document().timeline);
  EXPECT_EQ(hand.document().timeline->keys.size(), 1u);
}

void undoBy(Hand& hand, char letter, Modifiers undo, Modifiers redo) {
  hand.session().editor.edit("bend", "", [](Document& d) {
    setJointRotation(*d.figure, 1, Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitX())), d.pose);
  });
  hand.key(letter, undo);
  EXPECT_TRUE(hand.isAtRest());
  hand.key(letter, redo);
  EXPECT_FALSE(hand.isAtRest());
}

void tools(Hand& hand) {
  for (const auto& [letter, kind] : {std::pair('w', GizmoTool::Kind::Move), std::pair('e', GizmoTool::Kind::Turn),
                                     std::pair('q', GizmoTool::Kind::Select)}) {
    hand.key(letter);
    EXPECT_EQ(hand.session().picture.gizmo.kind, kind) << letter;
  }
}

/// An arrow is held, a number typed, then Enter.
void typeWhileDragging(Hand& hand) {
  hand.key('w');
  hand.rest();
  const Eigen::Vector3d before = hand.tip();
  for (const render::DrawCapsule& capsule : hand.session().picture.drawList.capsules) {
    if (capsule.grip != render::Grip::MoveX) continue;
    const auto on = render::projectToPixel(hand.session().picture.view(), 0.3 * capsule.start + 0.7 * capsule.end);
    hand.move(*on);
    break;
  }
  handleEvent(hand.session(), ButtonChange{Button::Left, true, {}, hand.mouse().x(), hand.mouse().y()});
  hand.moveBy(20, 0);
  ASSERT_TRUE(hand.isDragging());
  hand.typeKeys("0.2");
  hand.press(Key::Enter);
  EXPECT_NEAR(hand.tip().x() - before.x(), 0.2, 2e-3);
}

void axisWhileDragging(Hand& hand) {
  hand.move(*render::projectToPixel(hand.session().picture.view(), hand.tip()));
  const Eigen::Vector3d before = hand.tip();
  handleEvent(hand.session(), ButtonChange{Button::Left, true, {}, hand.mouse().x(), hand.mouse().y()});
  hand.moveBy(40, 30);
  ASSERT_TRUE(hand.isDragging());
  hand.key('x');
  const Eigen::Vector3d way = hand.running<SlideDrag>().way;
  EXPECT_GT(std::abs(way.x()), 0.05);
  EXPECT_NEAR(way.y(), 0.0, 1e-12);
  EXPECT_LT((hand.tip() - before).norm(), 3.0);
  hand.press(Key::Escape);
}

/// By program and the first column of the table.
const std::map<std::pair<std::string, std::string>, Act>& acts() {
  constexpr Modifiers kShiftHeld{.shift = true}, kCtrlHeld{.control = true}, kAltHeld{.alt = true};
  constexpr Modifiers kUndoHeld{.control = true}, kRedoHeld{.shift = true, .control = true};
  static const std::map<std::pair<std::string, std::string>, Act> all = {
      {{"Blender", "G, move, click"}, grab},
      {{"Blender", "Esc or right click meanwhile"}, cancelGrab},
      {{"Blender", "R, move, click"}, rotate},
      {{"Blender", "G X"}, lockAxis},
      {{"Blender", "G Shift+X"}, lockPlane},
      {{"Blender", "G X 0.2 Enter"}, typeLength},
      {{"Blender", "R X 30 Enter"}, typeAngle},
      {{"Blender", "G R"}, switchBetween},
      {{"Blender", "Alt+G, Alt+R"}, clear},
      {{"Blender", "R alone"}, noRestPose},
      {{"Blender", "Numpad ."}, [](Hand& hand) { frameByKey(hand, Key::Numpad, '.', true); }},
      {{"Blender", "Home"}, [](Hand& hand) { frameByKey(hand, Key::Home, 0, false); }},
      {{"Blender", "Numpad 1, 3, 7, 5"}, views},
      {{"Blender", "middle drag"}, [](Hand& hand) { orbitWith(hand, Button::Middle, {}); }},
      {{"Blender", "Shift + middle drag"}, [=](Hand& hand) { panWith(hand, Button::Middle, kShiftHeld); }},
      {{"Blender", "Ctrl + middle drag, wheel"},
       [=](Hand& hand) {
         zoomWith(hand, Button::Middle, kCtrlHeld);
         const double before = hand.session().picture.camera.distance;
         hand.scroll(1.0);
         EXPECT_LT(hand.session().picture.camera.distance, before);
       }},
      {{"Blender", "X, Delete"},
       [](Hand& hand) {
         removeByKey(hand, Key::Letter, 'x');
         removeByKey(hand, Key::Delete, 0);
       }},
      {{"Blender", "I"}, [](Hand& hand) { keyPose(hand, 'i'); }},
      {{"Blender", "Ctrl+Z, Ctrl+Shift+Z"}, [=](Hand& hand) { undoBy(hand, 'z', kUndoHeld, kRedoHeld); }},
      {{"Maya", "W, E, Q"}, tools},
      {{"Maya", "an arrow, 0.2 Enter"}, typeWhileDragging},
      {{"Maya", "X meanwhile"}, axisWhileDragging},
      {{"Maya", "Alt+G, Alt+R"}, clear},
      {{"Maya", "R alone"}, noRestPose},
      {{"Maya", "F"}, [](Hand& hand) { frameByKey(hand, Key::Letter, 'f', true); }},
      {{"Maya", "A"}, [](Hand& hand) { frameByKey(hand, Key::Letter, 'a', false); }},
      {{"Maya", "Alt + left drag"}, [=](Hand& hand) { orbitWith(hand, Button::Left, kAltHeld); }},
      {{"Maya", "Alt + middle drag"}, [=](Hand& hand) { panWith(hand, Button::Middle, kAltHeld); }},
      {{"Maya", "Alt + right drag"}, [=](Hand& hand) { zoomWith(hand, Button::Right, kAltHeld); }},
      {{"Maya", "S"}, [](Hand& hand) { keyPose(hand, 's'); }},
      {{"Maya", "Z, Shift+Z"}, [=](Hand& hand) { undoBy(hand, 'z', {}, kShiftHeld); }},
  };
  return all;
}

struct Row {
  std::string program, reflex;
};

/// "| Blender | G, move, click | ... |": of the table under its heading.
std::vector<Row> rowsOfTable() {
  std::vector<Row> rows;
  std::ifstream file(std::string(LIMBER_SOURCE_DIR) + "/docs/dragging.md");
  bool isThere = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) isThere = line == "## Habits from other programs";
    if (!isThere || !(line.starts_with("| Blender |") || line.starts_with("| Maya |"))) continue;
    const std::size_t first = line.find('|', 1), second = line.find('|', first + 1);
    rows.push_back({line.substr(2, first - 3), line.substr(first + 2, second - first - 3)});
  }
  return rows;
}

class Reflexes : public testing::TestWithParam<Row> {};
INSTANTIATE_TEST_SUITE_P(Table, Reflexes, testing::ValuesIn(rowsOfTable()), [](const auto& row) {
  std::string name = row.param.program + "_" + row.param.reflex;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name + "_" + std::to_string(row.index);
});

TEST_P(Reflexes, DoWhatTheyDoThere) {
  const auto found = acts().find({GetParam().program, GetParam().reflex});
  ASSERT_NE(found, acts().end()) << "this row of docs/dragging.md is done by no test";
  Hand hand(GetParam().program == "Blender" ? KeyPreset::Blender : KeyPreset::Maya);
  found->second(hand);
}

TEST(ReflexTable, HasARowForEachThatIsTested) {
  const std::vector<Row> rows = rowsOfTable();
  EXPECT_EQ(rows.size(), acts().size());
  for (const auto& [row, act] : acts()) {
    const auto isIt = [&](const Row& r) { return r.program == row.first && r.reflex == row.second; };
    EXPECT_TRUE(std::ranges::any_of(rows, isIt)) << row.first << ": " << row.second;
  }
}

}  // namespace
}  // namespace limber::app::reflexes_test
