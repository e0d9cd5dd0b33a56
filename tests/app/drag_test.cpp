// SPDX-License-Identifier: MIT
#include "app/drag/drag.h"

#include "app/drag/free_drag.h"
#include "app/view/camera.h"
#include "limber/kinematics/standard_figures.h"
#include "standing_figure.h"

namespace limber::app::drag_test {
namespace {

constexpr int kWidth = 800, kHeight = 600;

struct Scene {
  Document document;
  Kinematics kinematics;
  render::DrawList list;
  render::View view;

  explicit Scene(std::shared_ptr<const Figure> figure) : document(makeDocument(std::move(figure))) { refresh(); }

  void refresh() {
    computeKinematics(*document.figure, document.pose, kinematics);
    render::makeDrawList(document, kinematics, {}, list);
    view =
        viewOf(frameAll(list.boundsMin, list.boundsMax, document.figure->isPlanar(), kWidth, kHeight), kWidth, kHeight);
  }
  Eigen::Vector3d worldPoint(int link, const Eigen::Vector3d& point) const {
    return kinematics.worldFromLink[static_cast<std::size_t>(link)] * point;
  }
  Eigen::Vector2d pixel(const Eigen::Vector3d& point) const { return *render::projectToPixel(view, point); }
  Hit hitAt(const Eigen::Vector2d& at) const { return pick(list, view, at.x(), at.y()).value_or(Hit{}); }
};

TEST(Drag, OfALinkPullsTheGrabbedPoint) {
  Scene scene(makeBallChain(4));
  scene.document.goals.clear();
  scene.refresh();
  const Eigen::Vector2d at = scene.pixel(scene.worldPoint(2, {0.0, 0.5, 0.0}));
  const Hit hit = scene.hitAt(at);
  ASSERT_EQ(hit.link, 2);
  const auto drag = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
  ASSERT_TRUE(drag->request.drag);
  EXPECT_LT((scene.worldPoint(2, drag->request.drag->pointInLink) - hit.point).norm(), 1e-9);
  EXPECT_EQ(drag->request.startPose, scene.document.pose);
  EXPECT_FALSE(drag->request.freeRoot);
  EXPECT_TRUE(drag->request.holds.empty());

  ASSERT_TRUE(drag->move(scene.document, scene.view, at.x() + 50, at.y() - 30));
  const Eigen::Vector2d after = scene.pixel(drag->request.drag->target);
  EXPECT_LT((after - at - Eigen::Vector2d(50, -30)).norm(), 1e-6);
  EXPECT_NEAR((drag->asFree()->centre() - hit.point).dot(render::forwardDirection(scene.view)), 0.0, 1e-9);
}

TEST(Drag, KeepsTheOffsetBetweenCursorAndTarget) {
  Scene scene(makePlanarChain(4));
  ASSERT_EQ(scene.document.goals.size(), 1u);
  const Eigen::Vector3d before = scene.document.goals[0].target;
  const Eigen::Vector2d at = scene.pixel(before) + Eigen::Vector2d(3, 2);
  const Hit hit = scene.hitAt(at);
  ASSERT_EQ(hit.goal, scene.document.goals[0].id);
  const auto drag = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
  ASSERT_TRUE(drag->move(scene.document, scene.view, at.x(), at.y()));
  EXPECT_LT((scene.document.goals[0].target - before).norm(), 1e-9);
  ASSERT_TRUE(drag->move(scene.document, scene.view, at.x() - 40, at.y() - 60));
  const Eigen::Vector2d moved = scene.pixel(scene.document.goals[0].target) - scene.pixel(before);
  EXPECT_LT((moved - Eigen::Vector2d(-40, -60)).norm(), 1e-6);
}

TEST(Drag, OfAPlanarFigureStaysInItsPlane) {
  Scene scene(makePlanarChain(4));
  scene.document.goals.clear();
  scene.refresh();
  Camera camera = frameAll(scene.list.boundsMin, scene.list.boundsMax, true, kWidth, kHeight);
  orbit(camera, 60, 40, kHeight);
  scene.view = viewOf(camera, kWidth, kHeight);
  const Eigen::Vector2d at = scene.pixel(scene.worldPoint(3, {0.5, 0.0, 0.0}));
  const auto drag = beginDrag(scene.document, scene.kinematics, scene.hitAt(at), scene.view, at.x(), at.y());
  ASSERT_TRUE(drag->move(scene.document, scene.view, at.x() - 90, at.y() + 70));
  EXPECT_NEAR(drag->asFree()->centre().z(), 0.0, 1e-12);
  EXPECT_NEAR(drag->request.drag->pointInLink.z(), 0.0, 1e-12);
}

TEST(Drag, HoldsTheDocumentFromBeforeBitForBit) {
  Scene scene(makePlanarChain(4));
  const Document original = scene.document;
  const Eigen::Vector2d at = scene.pixel(scene.document.goals[0].target);
  const auto drag = beginDrag(scene.document, scene.kinematics, scene.hitAt(at), scene.view, at.x(), at.y());
  drag->move(scene.document, scene.view, at.x() - 100, at.y() - 100);
  Posing posing;
  solveToEnd(posing, scene.document, drag->request);
  EXPECT_FALSE(scene.document.pose == original.pose);
  EXPECT_TRUE(drag->before.pose == original.pose);
  EXPECT_EQ(drag->before.goals, original.goals);
}

TEST(Drag, MovesTheEndEffectorToTheCursor) {
  Scene scene(makePlanarChain(4));
  const Eigen::Vector2d at = scene.pixel(scene.document.goals[0].target);
  const Eigen::Vector2d to = scene.pixel({2.0, 1.5, 0.0});
  const auto drag = beginDrag(scene.document, scene.kinematics, scene.hitAt(at), scene.view, at.x(), at.y());
  Posing posing;
  for (int i = 1; i <= 20; ++i) {
    const Eigen::Vector2d now = at + (to - at) * (i / 20.0);
    drag->move(scene.document, scene.view, now.x(), now.y());
    solveToEnd(posing, scene.document, drag->request);
  }
  scene.refresh();
  // The regulariser keeps the tip a little short of the target: 1 % of the reach of 4 m.
  EXPECT_LT((scene.worldPoint(3, {1, 0, 0}) - Eigen::Vector3d(2.0, 1.5, 0.0)).norm(), 0.04);
}

/// The number of held feet, without the orientation that a trunk keeps.
int heldPoints(const Drag& drag) {
  return static_cast<int>(std::ranges::count_if(
      drag.request.holds, [](const Hold& hold) { return hold.goal.type != GoalType::Orientation; }));
}

TEST(Drag, OfThePelvisFreesTheRootAndHoldsTheFeet) {
  Scene scene(makeStandingFigure());
  const Hit hit{0, -1, scene.worldPoint(0, {0, 0.2, 0.1}), 1.0};
  const Eigen::Vector2d at = scene.pixel(hit.point);
  const auto drag = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
  EXPECT_TRUE(drag->request.freeRoot);
  EXPECT_EQ(heldPoints(*drag), 6);
  EXPECT_TRUE(keepsOrientation(*drag));
}

TEST(Drag, AltLetsTheFeetGoUntilItEnds) {
  Scene scene(makeStandingFigure());
  const Eigen::Vector2d at = scene.pixel(scene.worldPoint(0, {0.0, 0.2, 0.0}));
  const auto drag = beginDrag(scene.document, scene.kinematics, scene.hitAt(at), scene.view, at.x(), at.y());
  ASSERT_TRUE(drag->move(scene.document, scene.view, at.x(), at.y() + 5));
  EXPECT_FALSE(drag->request.letsFeetGo);
  EXPECT_GT(heldPoints(*drag), 0);
  for (const bool alt : {true, false}) {
    ASSERT_TRUE(drag->move(scene.document, scene.view, at.x(), at.y() + 10, {.alt = alt}));
    EXPECT_TRUE(drag->request.letsFeetGo);
    EXPECT_EQ(heldPoints(*drag), 0);
  }
}

TEST(Drag, NamesTheGoalWhoseTargetItMoves) {
  Scene scene(makePlanarChain(4));
  const GoalItem& goal = scene.document.goals.at(0);
  const Eigen::Vector2d at = scene.pixel(goal.target);
  const Hit hit = scene.hitAt(at);
  EXPECT_EQ(beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y())->request.draggedGoal, goal.id);
  const Hit link{.link = 1, .point = scene.worldPoint(1, {0.5, 0.0, 0.0})};
  EXPECT_EQ(beginDrag(scene.document, scene.kinematics, link, scene.view, at.x(), at.y())->request.draggedGoal, -1);
}

TEST(Drag, NamesThePinThatItsGizmoMoves) {
  Scene scene(makeStandingFigure());
  const int hand = 2;
  scene.document.selection.joint = hand;
  for (const bool isPinned : {false, true}) {
    if (isPinned) pinLink(scene.document, hand, true, false);
    const auto gizmo = gizmoOf(scene.document, scene.kinematics, {.kind = GizmoTool::Kind::Move});
    ASSERT_TRUE(gizmo);
    const Hit hit{.link = hand, .point = gizmo->mark.centre, .grip = render::Grip::MoveX};
    const Eigen::Vector2d at = scene.pixel(hit.point);
    const auto drag = beginGizmoDrag(scene.document, scene.kinematics, *gizmo, hit, scene.view, at.x(), at.y());
    EXPECT_EQ(drag->request.draggedPin, isPinned ? hand : -1);
    EXPECT_EQ(drag->request.drag.has_value(), !isPinned);
  }
}

TEST(Drag, OfThePelvisLeavesTheFeetToPinsWhereThereAreAny) {
  Scene scene(makeStandingFigure());
  pinLink(scene.document, scene.document.figure->findLink("left_foot"), true, true);
  const Hit hit{0, -1, scene.worldPoint(0, {0, 0.2, 0.1}), 1.0};
  const Eigen::Vector2d at = scene.pixel(hit.point);
  const auto drag = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
  EXPECT_TRUE(drag->request.freeRoot);
  EXPECT_EQ(heldPoints(*drag), 0);
}

TEST(Drag, OfThePelvisMovesItAndKeepsTheFeet) {
  Scene scene(makeStandingFigure());
  const int foot = scene.document.figure->findLink("left_foot");
  const Transform footBefore = scene.kinematics.worldFromLink[static_cast<std::size_t>(foot)];
  const Eigen::Vector3d pelvisBefore = scene.worldPoint(0, {0, 0, 0});
  const auto drag = beginDrag(scene.document, scene.kinematics, {0, -1, pelvisBefore, 1.0}, scene.view, 400, 300);
  drag->request.drag->target = pelvisBefore + Eigen::Vector3d(0.05, -0.15, 0.0);
  Posing posing;
  solveToEnd(posing, scene.document, drag->request);
  scene.refresh();
  const Transform& footAfter = scene.kinematics.worldFromLink[static_cast<std::size_t>(foot)];
  EXPECT_LT(scene.worldPoint(0, {0, 0, 0}).y(), pelvisBefore.y() - 0.1);
  EXPECT_LT((footAfter.translation - footBefore.translation).norm(), 1e-3);  // a millimetre
  EXPECT_LT((footAfter.rotation - footBefore.rotation).norm(), 1e-2);
}

TEST(Drag, KeepsItsTargetWhenTheCameraMovesUnderTheHand) {
  Scene scene(makePlanarChain(2));
  const Eigen::Vector2d at = scene.pixel(scene.document.goals[0].target);
  const auto drag = beginDrag(scene.document, scene.kinematics, scene.hitAt(at), scene.view, at.x(), at.y());
  Camera edgeOn = frameAll(scene.list.boundsMin, scene.list.boundsMax, true, kWidth, kHeight);
  edgeOn.yaw = 1.5707963;
  const Eigen::Vector3d before = scene.document.goals[0].target;
  const render::View aside = viewOf(edgeOn, kWidth, kHeight);
  ASSERT_TRUE(drag->move(scene.document, aside, 400, 300));
  EXPECT_EQ(scene.document.goals[0].target, before);
  ASSERT_TRUE(drag->move(scene.document, aside, 400, 250)) << "the plane is seen as a line";
  EXPECT_NEAR(scene.document.goals[0].target.z(), 0.0, 1e-9);
  EXPECT_GT((scene.document.goals[0].target - before).norm(), 0.05);
}

}  // namespace
}  // namespace limber::app::drag_test
