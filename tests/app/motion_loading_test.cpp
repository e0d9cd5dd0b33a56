// SPDX-License-Identifier: MIT
// File > Load motion: the motions of a file arrive on the open figure as one step and play.
#include <gtest/gtest.h>

#include "app/panels/panels.h"
#include "headless_gui.h"
#include "limber/kinematics/standard_figures.h"
#include "support/temporary_folder.h"

namespace limber::app::motion_loading_test {
namespace {

class MotionLoading : public test::TemporaryFolder, protected HeadlessWindow {
 protected:
  MotionLoading() : HeadlessWindow(makeDocument(makePlanarChain(2))) {}

  void load(const std::filesystem::path& path) {
    queue_.add(Command::LoadMotion, path);
    frames(1);
    while (session_.services.job.isRunning()) {
      session_.services.job.wait(10.0);
      frames(1);
    }
  }
};

TEST_F(MotionLoading, IsOneStepAndPlays) {
  const Document before = session_.document();
  const Figure& figure = *before.figure;
  load(write("states.csv", "time [s]," + figure.joint(0).name + " [rad]," + figure.joint(1).name +
                               " [rad]\n0,0,0.5\n0.1,0.25,1\n0.2,0.5,1.5\n"));
  ASSERT_TRUE(session_.document().motion) << session_.ui.error;
  const Motion& motion = *session_.document().motion;
  ASSERT_EQ(motion.frameCount, 3);
  EXPECT_NEAR(motion.frameTime, 0.1, 1e-12);
  EXPECT_EQ(motion.poseAt(figure, 1).coordinates, Eigen::Vector2d(0.25, 1.0));
  EXPECT_TRUE(session_.playing.isPlaying());
  EXPECT_EQ(session_.document().figure, before.figure);
  session_.playing.stop();
  perform(session_, Command::Undo);
  EXPECT_FALSE(session_.document().motion);
  EXPECT_EQ(session_.document().pose, before.pose);
}

TEST_F(MotionLoading, AFileOfAnotherFigureIsRefusedAndChangesNothing) {
  const Document before = session_.document();
  load(write("other.bvh",
             "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 -1 "
             "0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.02\n0 10 20\n"));
  EXPECT_NE(session_.ui.error.find("is a motion of another figure"), std::string::npos) << session_.ui.error;
  EXPECT_TRUE(isSameContent(before, session_.document()));
  session_.ui.error.clear();
  load(folder_ / "nowhere.csv");
  EXPECT_NE(session_.ui.error.find("nowhere.csv"), std::string::npos) << session_.ui.error;
  EXPECT_TRUE(isSameContent(before, session_.document()));
}

}  // namespace
}  // namespace limber::app::motion_loading_test
