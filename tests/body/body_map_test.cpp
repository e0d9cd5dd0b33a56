// SPDX-License-Identifier: MIT
#include "limber/body/body_map.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "limber/kinematics/standard_figures.h"

namespace limber::body_map_test {
namespace {

TEST(BodyMap, IsMadeOnceForAFigure) {
  const auto figure = makePlanarChain(3);
  std::vector<const std::optional<BodyRoles>*> seen(4);
  std::vector<std::thread> threads;
  for (auto& each : seen) threads.emplace_back([&] { each = &bodyMapOf(*figure).roles(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto* each : seen) EXPECT_EQ(each, &bodyMapOf(*figure).roles());
}

TEST(BodyMap, ACopyOfAFigureHasItsOwn) {
  const auto figure = makePlanarChain(3);
  const BodyMap& map = bodyMapOf(*figure);
  const auto copy = figure->withBones({"hips", "", ""});
  EXPECT_EQ(&bodyMapOf(*copy).figure(), copy.get());
  EXPECT_EQ(bodyMapOf(*copy).names().front(), "hips");
  EXPECT_EQ(map.names().front(), figure->link(0).name);
  EXPECT_TRUE(copy->namesBones());
  EXPECT_FALSE(figure->namesBones());
}

}  // namespace
}  // namespace limber::body_map_test
