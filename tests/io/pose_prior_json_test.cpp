// SPDX-License-Identifier: MIT
#include "limber/io/json/pose_prior_json.h"

#include <gtest/gtest.h>

#include <numeric>

#include "limber/io/base/file.h"
#include "limber/io/base/resources.h"
#include "results.h"

namespace limber::io::pose_prior_json_test {
namespace {

std::string shippedText() {
  const auto path = findResource("pose_prior.json");
  EXPECT_TRUE(path);
  const auto text = readFile(path.value_or(""), 1u << 20);
  EXPECT_TRUE(text);
  return text ? *text : std::string();
}

/// The error of the text in which `from` is replaced by `to`.
std::string refusal(const std::string& from, const std::string& to) {
  return test::messageOf(parsePosePrior(test::replaced(shippedText(), from, to), "prior.json"));
}

TEST(PosePriorFile, TheShippedOneIsSoundAndNamesItsSource) {
  const auto prior = test::valueOf(shippedPosePrior());
  EXPECT_EQ(prior->couplings.size(), 1u);
  EXPECT_NE(shippedText().find("mocap.cs.cmu.edu"), std::string::npos) << "the credit line";
}

TEST(PosePriorFile, WhatIsBrokenIsRefusedByName) {
  EXPECT_NE(refusal("\"limber pose prior\"", "\"limber scene\"").find("format"), std::string::npos);
  EXPECT_NE(refusal("\"spine\": {\"mean\"", "\"spline\": {\"mean\"").find("spine"), std::string::npos);
  EXPECT_NE(refusal("[30.168, 0.0, 0.0]", "[-30.168, 0.0, 0.0]").find("parts.spine.precision: is not positive"),
            std::string::npos);
  EXPECT_NE(
      refusal("[0.0, 218.594, -17.472]", "[0.0, 218.594, 17.472]").find("parts.spine.precision: is not symmetric"),
      std::string::npos);
  EXPECT_NE(refusal("\"mean\": [0.07968,", "\"mean\": [9.07968,").find("parts.spine.mean"), std::string::npos);
  EXPECT_NE(refusal("\"child\": \"lowerLeg\"", "\"child\": \"tail\"").find("is not a part of the body"),
            std::string::npos);
  EXPECT_NE(refusal("[15.89, 1.171,", "[-15.89, 1.171,").find("couplings[0].precision"), std::string::npos);
}

TEST(PosePriorFile, NoPrefixOfItIsTaken) {
  const std::string text = shippedText();
  for (std::size_t size = 0; size < text.size() - 2; size += 97)
    EXPECT_FALSE(parsePosePrior(text.substr(0, size), "prior.json")) << size;
}

}  // namespace
}  // namespace limber::io::pose_prior_json_test
