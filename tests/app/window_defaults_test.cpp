// SPDX-License-Identifier: MIT
#include "app/settings/window_defaults.h"

#include <gtest/gtest.h>

#include "app/session/documents.h"
#include "headless_gui.h"
#include "limber/io/json/scene_json.h"
#include "limber/kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app::window_defaults_test {
namespace {

using WindowDefaults = test::TemporaryFolder;

Document humanoid() {
  std::string complaint;
  return firstDocument("humanoid", complaint).document;
}

TEST_F(WindowDefaults, FiguresWithLimbsArePosedNaturally) {
  EXPECT_EQ(humanoid().solver.posing, PosingChoice::Natural);
  std::string complaint;
  EXPECT_EQ(firstDocument("planar:4", complaint).document.solver.posing, PosingChoice::Even);
  EXPECT_EQ(firstDocument("arm", complaint).document.solver.posing, PosingChoice::Even);
  Session session(makeDocument(makePlanarChain(2)), {}, {});
  createFigure(session, {NewFigure::Kind::Humanoid, 0});
  EXPECT_EQ(session.document().solver.posing, PosingChoice::Natural);
  createFigure(session, {NewFigure::Kind::Arm, 0});
  EXPECT_EQ(session.document().solver.posing, PosingChoice::Even);
}

TEST_F(WindowDefaults, PlanarChainsArePosedByTheAssignmentsLoop) {
  std::string complaint;
  EXPECT_EQ(firstDocument("planar:4", complaint).document.solver.solver, "gdls+nm");
  EXPECT_EQ(firstDocument("ball:4", complaint).document.solver.solver, "newton");
  EXPECT_EQ(firstDocument("arm", complaint).document.solver.solver, "newton");
  EXPECT_EQ(humanoid().solver.solver, "newton");
}

TEST_F(WindowDefaults, TheWindowBeginsWithTheHuman) {
  std::string complaint;
  const Document first = firstDocument("", complaint).document;
  EXPECT_EQ(complaint, "");
  EXPECT_EQ(first.figure->name(), "Human");
  EXPECT_GE(first.figure->findLink("left index finger tip"), 0);
  EXPECT_EQ(first.solver.posing, PosingChoice::Natural);
  EXPECT_TRUE(first.goals.empty());
}

TEST_F(WindowDefaults, OtherSettingsAreThoseOfFiles) {
  const Document document = humanoid();
  SolverSettings settings = document.solver;
  settings.posing = PosingChoice::Even;
  EXPECT_EQ(settings, defaultSolverSettings(*document.figure));
}

TEST_F(WindowDefaults, ScenesAndProblemsKeepWhatTheySay) {
  Document scene = humanoid();
  scene.solver.posing = PosingChoice::Even;
  ASSERT_FALSE(io::writeScene(folder_ / "even.limber", scene));
  const auto problem = write("problem.json", R"({"figure": "humanoid", "goals": []})");
  Session session(makeDocument(makePlanarChain(2)), {}, {});
  const auto open = [&](const std::filesystem::path& path) {
    openFile(session, path);
    if (session.services.job.isRunning() && session.services.job.wait(60.0)) finishJob(session);
    EXPECT_GT(session.document().figure->linkCount(), 2) << path;
    return session.document().solver.posing;
  };
  EXPECT_EQ(open(folder_ / "even.limber"), PosingChoice::Even);
  EXPECT_EQ(open(problem), PosingChoice::Even);
}

class SolverPanel : public testing::Test, protected HeadlessWindow {
 protected:
  SolverPanel() : HeadlessWindow(humanoid()) {}
  void change(void (*edit)(Document&)) {
    queue_.edit("posing", "", AfterEdit::Solve, edit);
    frames(2);
  }
};

TEST_F(SolverPanel, DrawsEveryChoiceOfPosingAndAChangeIsOneStep) {
  frames(2);
  change([](Document& d) { d.solver.posing = PosingChoice::Still; });
  change([](Document& d) { d.solver.posing = PosingChoice::Even; });
  EXPECT_EQ(session_.document().solver.posing, PosingChoice::Even);
  ASSERT_TRUE(session_.editor.undo());
  EXPECT_EQ(session_.document().solver.posing, PosingChoice::Still);
  ASSERT_TRUE(session_.editor.undo());
  EXPECT_EQ(session_.document().solver.posing, PosingChoice::Natural);
}

}  // namespace
}  // namespace limber::app::window_defaults_test
