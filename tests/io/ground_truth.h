// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "locations.h"

namespace limber::test {

/// A fixture with the values that other programs computed for the sample data. Skips without these.
class GroundTruth : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(folder_ / "ground_truth.json");
    if (!file) GTEST_SKIP() << "no sample data in " << folder_;
    truth_ = nlohmann::json::parse(file);
  }
  const std::filesystem::path folder_ = LIMBER_SHARED_DATA_DIR;
  nlohmann::json truth_;
};

inline Eigen::Vector3d toVector(const nlohmann::json& numbers) {
  return {numbers.at(0).get<double>(), numbers.at(1).get<double>(), numbers.at(2).get<double>()};
}

}  // namespace limber::test
