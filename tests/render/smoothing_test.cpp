// SPDX-License-Identifier: MIT
#include "render/smoothing.h"

#include <gtest/gtest.h>

#include <map>

namespace limber::render::smoothing_test {
namespace {

constexpr double kHour = 3600.0;

/// Simulates a machine with the given frame time per level for `seconds`; returns how often the level changed.
struct Machine {
  std::map<Smoothing, double> cost;
  double now = 0.0;

  int drive(SmoothingChoice& choice, double seconds) {
    int changes = 0;
    for (const double end = now + seconds; now < end;) {
      const Smoothing before = choice.moving();
      now += cost[before];
      choice.tell(cost[before], now);
      changes += choice.moving() != before;
    }
    return changes;
  }
};

TEST(SmoothingChoice, FastMachineGetsTheBestAndKeepsIt) {
  Machine machine{{{Smoothing::None, 0.002}, {Smoothing::Filtered, 0.003}, {Smoothing::Sampled, 0.005}}};
  SmoothingChoice choice(Smoothing::None, Smoothing::Sampled);
  EXPECT_EQ(machine.drive(choice, 1.0), 2);
  EXPECT_EQ(choice.moving(), Smoothing::Sampled);
  EXPECT_EQ(machine.drive(choice, kHour), 0);
}

TEST(SmoothingChoice, SlowMachineLeavesWhatIsTooSlow) {
  Machine machine{{{Smoothing::Coarse, 0.050},
                   {Smoothing::None, 0.060},
                   {Smoothing::Filtered, 0.080},
                   {Smoothing::Sampled, 0.200}}};
  SmoothingChoice choice(Smoothing::Sampled, Smoothing::Sampled);
  EXPECT_EQ(machine.drive(choice, 5.0), 3);
  EXPECT_EQ(choice.moving(), Smoothing::Coarse);
  EXPECT_EQ(machine.drive(choice, kHour), 0) << "there is no room for anything better";
}

TEST(SmoothingChoice, BetweenTwoWaysItTriesAgainEverMoreSeldom) {
  Machine machine{{{Smoothing::None, 0.006}, {Smoothing::Filtered, 0.009}, {Smoothing::Sampled, 0.030}}};
  SmoothingChoice choice(Smoothing::Sampled, Smoothing::Sampled);
  machine.drive(choice, 10.0);
  const int inTheFirstMinute = machine.drive(choice, 60.0);
  EXPECT_GT(inTheFirstMinute, 0) << "it must find out when the machine has become faster";
  EXPECT_LE(inTheFirstMinute, 10);
  machine.drive(choice, 600.0);
  EXPECT_LE(machine.drive(choice, 600.0), 12) << "two changes in two minutes at the most";
  machine.cost[Smoothing::Sampled] = 0.007;
  machine.drive(choice, 300.0);
  EXPECT_EQ(choice.moving(), Smoothing::Sampled);
}

TEST(SmoothingChoice, ASlowProcessorDrawsFewerPixelsAndStaysThere) {
  Machine machine{{{Smoothing::Coarse, 0.017}, {Smoothing::None, 0.026}, {Smoothing::Filtered, 0.035}}};
  SmoothingChoice choice(Smoothing::None, Smoothing::Filtered);
  EXPECT_EQ(machine.drive(choice, 2.0), 1);
  EXPECT_EQ(choice.moving(), Smoothing::Coarse);
  EXPECT_EQ(machine.drive(choice, kHour), 0);
  machine.cost = {{Smoothing::Coarse, 0.010}, {Smoothing::None, 0.014}, {Smoothing::Filtered, 0.035}};
  EXPECT_EQ(machine.drive(choice, 300.0), 1) << "the machine is free again";
  EXPECT_EQ(choice.moving(), Smoothing::None);
}

TEST(SmoothingChoice, OneSlowFrameChangesNothing) {
  SmoothingChoice choice(Smoothing::Sampled, Smoothing::Sampled);
  for (int i = 0; i < 1000; ++i) {
    choice.tell(i % 3 == 0 ? 0.5 : 0.005, 0.1 * i);
    EXPECT_EQ(choice.moving(), Smoothing::Sampled);
  }
}

TEST(SmoothingChoice, NeverBetterThanTheDriverCan) {
  SmoothingChoice choice(Smoothing::None, Smoothing::Filtered);
  for (int i = 0; i < 100; ++i) choice.tell(0.001, 0.001 * i);
  EXPECT_EQ(choice.moving(), Smoothing::Filtered);
}

}  // namespace
}  // namespace limber::render::smoothing_test
