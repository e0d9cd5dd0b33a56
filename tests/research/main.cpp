// SPDX-License-Identifier: MIT
// limber_experiments [natural-drags | natural-poses | stances | pictures] ARGUMENTS...
//
// What scripts/experiments runs. Without one of the words, the experiments of Yenamandra and others (paper.cpp).
#include <string_view>

#include "research/programs.h"

int main(int argc, char** argv) {
  using namespace limber::experiments;
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (word == "natural-drags") return runNaturalDrags(argc - 1, argv + 1);
  if (word == "natural-poses") return runNaturalPoses(argc - 1, argv + 1);
  if (word == "stances") return runStances(argc - 1, argv + 1);
  if (word == "pictures") return runFromPictures(argc - 1, argv + 1);
  return runPaper(argc, argv);
}
