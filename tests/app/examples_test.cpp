// SPDX-License-Identifier: MIT
// File > Examples and File > New in the session.
#include <gtest/gtest.h>

#include "app/session/documents.h"
#include "app/session/session.h"
#include "limber/body/body_map.h"
#include "limber/io/base/resources.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::app::examples_test {
namespace {

TEST(Examples, OpenWithoutAFileOfTheirOwn) {
  Session session(makeDocument(makePlanarChain(4)), {}, {});
  const auto scene = io::findResource("scenes/tube_vertebrae_grouped.limber");
  ASSERT_TRUE(scene);
  perform(session, Command::OpenExample, *scene);
  EXPECT_EQ(session.document().figure->name(), "Human with a spine");
  EXPECT_EQ(session.document().goals.size(), 6u);
  EXPECT_TRUE(session.editor.file().empty()) << "saving would overwrite the example";
  EXPECT_FALSE(session.editor.isChanged());
  EXPECT_TRUE(session.settings.recentFiles.empty());
}

TEST(Examples, OneThatIsGoneLeavesTheDocument) {
  Session session(makeDocument(makePlanarChain(4)), {}, {});
  openExample(session, "no/such/scene.limber");
  EXPECT_EQ(session.document().figure->linkCount(), 4);
  EXPECT_TRUE(session.ui.showError);
}

TEST(Examples, EveryFigureOfTheNewMenuIsThere) {
  for (const auto& [kind, name] :
       {std::pair{NewFigure::Kind::Human, "Human"}, std::pair{NewFigure::Kind::Humanoid, "Humanoid"},
        std::pair{NewFigure::Kind::SpineHuman, "Human with a spine"},
        std::pair{NewFigure::Kind::TorsoHuman, "Human with five torso segments"}}) {
    Session session(makeDocument(makePlanarChain(4)), {}, {});
    createFigure(session, {kind, 0});
    EXPECT_FALSE(session.ui.showError) << session.ui.error;
    EXPECT_EQ(session.document().figure->name(), name);
  }
  for (const auto& [file, name] : {std::pair{"figures/body.json", "Body"}, std::pair{"figures/hand.json", "Hand"},
                                   std::pair{"figures/pupper.json", "Pupper"}}) {
    const auto figure = io::findResource(file);
    ASSERT_TRUE(figure) << file;
    Session session(makeDocument(makePlanarChain(4)), {}, {});
    openExample(session, *figure);
    EXPECT_FALSE(session.ui.showError) << session.ui.error;
    EXPECT_EQ(session.document().figure->name(), name);
    EXPECT_TRUE(session.editor.file().empty()) << "saving would overwrite the figure";
  }
}

TEST(Examples, AHumanIsAsTallAndHeavyAsTheDialogSays) {
  Session session(makeDocument(makePlanarChain(4)), {}, {});
  const auto massOf = [&] {
    double mass = 0.0;
    for (int i = 0; i < session.document().figure->linkCount(); ++i) mass += session.document().figure->link(i).mass;
    return mass;
  };
  createFigure(session, {NewFigure::Kind::Human, 0, {.height = 1.75, .mass = 75.0}});
  const int links = session.document().figure->linkCount();
  const double size = bodyMapOf(*session.document().figure).size();
  createFigure(session, {NewFigure::Kind::Human, 0, {.height = 1.4, .mass = 50.0, .hasFingers = false}});
  EXPECT_FALSE(session.ui.showError) << session.ui.error;
  EXPECT_LT(session.document().figure->linkCount(), links - 20);
  EXPECT_NEAR(bodyMapOf(*session.document().figure).size() / size, 1.4 / 1.75, 0.05) << "its fingers are one part";
  EXPECT_NEAR(massOf(), 50.0, 1e-6);
  EXPECT_EQ(session.document().solver.posing, PosingChoice::Natural);
  perform(session, Command::Undo);
  EXPECT_NEAR(massOf(), 75.0, 1e-6);
}

}  // namespace
}  // namespace limber::app::examples_test
