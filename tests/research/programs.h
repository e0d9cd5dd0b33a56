// SPDX-License-Identifier: MIT
// The experiments of the documents. Each function is a program: it takes the command line, whose first word is its
// name, and returns the exit code. They are one library and one executable, because most of their cost is to compile
// them.
#pragma once

namespace limber::experiments {

int runPaper(int argc, char** argv);         ///< paper.cpp; docs/experiments.md
int runNaturalDrags(int argc, char** argv);  ///< natural_drags.cpp; docs/natural_posing.md
int runNaturalPoses(int argc, char** argv);  ///< natural_poses.cpp; docs/natural_posing.md
int runStances(int argc, char** argv);       ///< stances.cpp; docs/timeline.md
int runFromPictures(int argc, char** argv);  ///< from_pictures.cpp; docs/from_pictures.md

}  // namespace limber::experiments
