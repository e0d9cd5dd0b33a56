// SPDX-License-Identifier: MIT
// Observed points from C3D files, which the tests write themselves.
#include <gtest/gtest.h>

#include "c3d_sample.h"
#include "fuzz/mutation.h"
#include "limber/io/points/observations.h"
#include "results.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace limber::io::observations_c3d_test {
namespace {

using Names = std::vector<std::string>;

test::C3dSample sample() {
  test::C3dSample c3d;
  c3d.labels = {"LASI", "RASI"};
  c3d.frames = {{Eigen::Vector3d(1000, 2000, 3000), Eigen::Vector3d(-4, 5, 6.5)},
                {std::nullopt, Eigen::Vector3d(0, 0, 100)}};
  return c3d;
}

ObservationSource read(const std::string& bytes, std::optional<char> up = {}) {
  return test::valueOf(readObservationsC3d(bytes, "walk.c3d", up));
}

std::string faultOf(const std::string& bytes) { return test::messageOf(readObservationsC3d(bytes, "walk.c3d", {})); }

TEST(ObservationsC3d, AllProcessorsAndNumbersAreRead) {
  for (const int processor : {84, 85, 86})
    for (const bool isFloat : {true, false})
      for (const int analogs : {0, 5}) {
        SCOPED_TRACE(std::to_string(processor) + (isFloat ? " floats, " : " integers, ") + std::to_string(analogs));
        test::C3dSample c3d = sample();
        c3d.processor = processor;
        c3d.isFloat = isFloat;
        c3d.analogs = analogs;
        ASSERT_TRUE(looksLikeC3d(c3d.bytes()));
        const ObservationSource source = read(c3d.bytes());
        const Observations& seen = source.observations;
        EXPECT_EQ(seen.names, (Names{"LASI", "RASI"}));
        EXPECT_EQ(seen.frameCount, 2);
        EXPECT_NEAR(seen.frameTime, 0.01, 1e-12);
        EXPECT_LT((seen.position(0, 0) - Eigen::Vector3d(1, 3, -2)).norm(), 1e-6) << "z is up, millimetres";
        EXPECT_LT((seen.position(0, 1) - Eigen::Vector3d(-0.004, 0.0065, -0.005)).norm(), 1e-6);
        EXPECT_FALSE(seen.isSeen(1, 0)) << "its residual is negative";
        EXPECT_LT((seen.position(1, 1) - Eigen::Vector3d(0, 0.1, 0)).norm(), 1e-6);
        EXPECT_TRUE(source.notes.empty());
      }
}

TEST(ObservationsC3d, UnitsAndAxesAreTheFiles) {
  for (const auto& [unit, metres] : {std::pair("m", 1.0), {"cm", 0.01}, {"mm", 0.001}}) {
    test::C3dSample c3d = sample();
    c3d.unit = unit;
    c3d.upAxis = "+Y";
    const auto seen = read(c3d.bytes()).observations;
    EXPECT_LT((seen.position(0, 0) - metres * Eigen::Vector3d(1000, 2000, 3000)).norm(), 1e-3 * metres);
    EXPECT_NEAR(read(c3d.bytes(), 'x').observations.position(0, 0).y(), 1000 * metres, 1e-3 * metres);
  }
}

TEST(ObservationsC3d, WhatTheFileDoesNotSayIsNoted) {
  test::C3dSample c3d = sample();
  c3d.unit = c3d.upAxis = "";
  c3d.labels.push_back("");
  c3d.rate = 0.0;
  for (auto& frame : c3d.frames) frame.push_back(Eigen::Vector3d(1, 2, 3));
  const ObservationSource source = read(c3d.bytes());
  EXPECT_EQ(source.observations.names, (Names{"LASI", "RASI", "point 3"}));
  EXPECT_EQ(source.notes, (Names{"There is no unit of length: millimetres are assumed.",
                                 "The file does not say which axis points up: z is assumed.",
                                 "There is no rate: 30 frames per second are assumed."}));
}

TEST(ObservationsC3d, LabelsGoOnInFurtherLists) {
  test::C3dSample c3d;
  c3d.labelsInFirst = 200;
  c3d.frames.emplace_back();
  for (int i = 0; i < 300; ++i) {
    c3d.labels.push_back(i == 299 ? "M0" : "M" + std::to_string(i));
    c3d.frames[0].push_back(Eigen::Vector3d(i, 0, 0));
  }
  const auto seen = read(c3d.bytes()).observations;
  ASSERT_EQ(seen.names.size(), 300u);
  EXPECT_EQ(seen.names[250], "M250");
  EXPECT_NEAR(seen.position(0, 250).x(), 0.25, 1e-6);
  EXPECT_EQ(seen.names[0], "M0#0");
  EXPECT_EQ(seen.names[299], "M0#299") << "a name that occurs twice";
}

TEST(ObservationsC3d, AnglesAmongThePointsAreLeftOut) {
  test::C3dSample c3d = sample();
  c3d.angles = {"LASI"};
  const ObservationSource source = read(c3d.bytes());
  EXPECT_EQ(source.observations.names, Names{"RASI"});
  EXPECT_NEAR(source.observations.position(1, 0).y(), 0.1, 1e-6);
  EXPECT_EQ(source.notes, Names{"1 angles, forces and similar data among the points are left out."});
}

TEST(ObservationsC3d, MoreFramesThanTheHeaderCounts) {
  test::C3dSample c3d;
  c3d.labels = {"a"};
  c3d.isFloat = false;
  c3d.frames.assign(70000, {Eigen::Vector3d(1, 2, 3)});
  c3d.frames.back()[0] = Eigen::Vector3d(100, 0, 0);
  c3d.announced = 70000;
  const auto seen = read(c3d.bytes()).observations;
  ASSERT_EQ(seen.frameCount, 70000);
  EXPECT_NEAR(seen.position(69999, 0).x(), 0.1, 1e-8) << "the scale is a float";
}

TEST(ObservationsC3d, FramesThatAreNotThereAreNoted) {
  test::C3dSample c3d = sample();
  c3d.announced = 1000;
  const ObservationSource source = read(c3d.bytes());
  EXPECT_EQ(source.observations.frameCount, 2);
  EXPECT_EQ(source.notes, Names{"The file announces 1000 frames and holds 2."});
}

TEST(ObservationsC3d, FaultsNameTheByteAndTheCause) {
  const std::string good = sample().bytes();
  const auto with = [&](std::size_t at, const std::string& bytes) {
    return std::string(good).replace(at, bytes.size(), bytes);
  };
  EXPECT_EQ(faultOf(""), "walk.c3d: byte 0: the file ends too early");
  EXPECT_EQ(faultOf(with(1, "Q")), "walk.c3d: byte 1: is not a C3D file");
  EXPECT_EQ(faultOf(good.substr(0, 512)), "walk.c3d: byte 512: the file ends too early");
  EXPECT_TRUE(test::says(faultOf(with(515, "Z")), {"walk.c3d: byte 515", "processor 90"}));
  EXPECT_EQ(faultOf(with(2, std::string(2, '\0'))), "walk.c3d: byte 2: there is no point");
  EXPECT_TRUE(test::says(faultOf(with(12, std::string(4, '\0'))), {"walk.c3d: byte 12", "scale"}));
  EXPECT_TRUE(test::says(faultOf(with(16, std::string(2, '\0'))), {"walk.c3d: byte 16", "header"}));
  EXPECT_EQ(faultOf(good.substr(0, 1024)), "walk.c3d: byte 1024: the file ends before its first frame");
  EXPECT_TRUE(test::says(faultOf(with(526, "\x03")), {"walk.c3d: byte 526", "\"LABELS\"", "type"}));
  EXPECT_TRUE(test::says(faultOf(with(527, "\x09")), {"walk.c3d: byte 527", "\"LABELS\"", "7 dimensions"}));
  test::C3dSample cubits = sample();
  cubits.unit = "cubit";
  EXPECT_TRUE(
      test::says(faultOf(cubits.bytes()), {"walk.c3d: byte 512: POINT:UNITS", "\"cubit\"", "(m, cm, mm, in, ft)"}));
  test::C3dSample far = sample();
  far.frames[1][1] = Eigen::Vector3d(0, 0, 1e13);
  EXPECT_EQ(faultOf(far.bytes()), "walk.c3d: byte 1072: the point is too far away");
}

TEST(ObservationsC3d, TextsAreNoC3d) {
  EXPECT_FALSE(looksLikeC3d("XP" + std::string(200000, 'T')));
  EXPECT_FALSE(looksLikeC3d("\x02\x50"));
}

TEST(ObservationsC3d, BrokenFilesAreRefusedOrRead) {
  for (const bool isFloat : {true, false}) {
    test::C3dSample c3d = sample();
    c3d.isFloat = isFloat;
    c3d.announced = 2;
    const std::string good = c3d.bytes();
    for (std::uint32_t i = 0; i < 2000; ++i) {
      const auto source = readObservationsC3d(test::Mutation(i)(good), "walk.c3d", {});
      if (source) {
        const Observations& seen = source->observations;
        ASSERT_EQ(seen.positions.size(), static_cast<std::size_t>(seen.frameCount) * seen.names.size()) << i;
      } else {
        ASSERT_FALSE(source.error().cause.empty() || source.error().place.empty()) << i;
      }
    }
  }
}

using C3dFile = test::TemporaryFolder;

TEST_F(C3dFile, IsFoundByItsContents) {
  for (const char* name : {"walk.c3d", "walk.dat"}) {
    const auto path = write(name, sample().bytes());
    const ObservationSource source = test::valueOf(readObservations(path));
    EXPECT_EQ(source.format, "Motion capture (C3D)");
    EXPECT_EQ(source.observations.frameCount, 2);
  }
  EXPECT_TRUE(holdsObservations(folder_ / "walk.c3d"));
}

}  // namespace
}  // namespace limber::io::observations_c3d_test
