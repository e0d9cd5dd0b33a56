// SPDX-License-Identifier: MIT
// Observed points from JSON, tables, marker files and motions.
#include <gtest/gtest.h>

#include "limber/io/points/observations.h"
#include "results.h"
#include "support/temporary_folder.h"

namespace limber::io::observations_test {
namespace {

Observations readJson(std::string_view text, std::optional<char> up = {}) {
  const auto source = readObservationsJson(text, "points.json", up);
  EXPECT_TRUE(source) << source.error().message();
  return source ? source->observations : Observations{};
}

Observations readCsv(std::string_view text, std::optional<char> up = {}) {
  const auto source = readObservationsCsv(text, "points.csv", up);
  EXPECT_TRUE(source) << source.error().message();
  return source ? source->observations : Observations{};
}

Observations readTrc(std::string_view text) {
  const auto source = readObservationsTrc(text, "markers.trc", {});
  EXPECT_TRUE(source) << source.error().message();
  return source ? source->observations : Observations{};
}

template <class Reader>
void expectError(Reader read, std::string_view text, std::string_view place, std::string_view cause) {
  const auto source = read(text, "file", {});
  ASSERT_FALSE(source) << text;
  EXPECT_EQ(source.error().file, "file");
  EXPECT_EQ(source.error().place, place) << source.error().message();
  EXPECT_NE(source.error().cause.find(cause), std::string::npos) << source.error().message();
}

using Names = std::vector<std::string>;

TEST(ObservationsJson, HoldsFramesUnitsAxesAndGaps) {
  const Observations seen = readJson(R"({"unit": "mm", "up": "z", "frame_time": 0.01, "points": ["a", "b"],
                                       "weights": [1, 3], "frames": [[[1000, 2000, 3000], null], [null, [0, 0, 1]]]})");
  EXPECT_EQ(seen.names, (Names{"a", "b"}));
  EXPECT_EQ(seen.weights, (std::vector<double>{1.0, 3.0}));
  EXPECT_EQ(seen.frameCount, 2);
  EXPECT_EQ(seen.frameTime, 0.01);
  EXPECT_TRUE(seen.position(0, 0).isApprox(Eigen::Vector3d(1.0, 3.0, -2.0)));
  EXPECT_FALSE(seen.isSeen(0, 1));
  EXPECT_FALSE(seen.isSeen(1, 0));
  EXPECT_TRUE(seen.position(1, 1).isApprox(Eigen::Vector3d(0.0, 0.001, 0.0)));
}

TEST(ObservationsJson, OneFrameIsPointsByName) {
  const Observations seen = readJson(R"({"points": {"tip": [1, 2, 3], "wrist": null}})", 'x');
  EXPECT_EQ(seen.names, (Names{"tip", "wrist"}));
  EXPECT_EQ(seen.frameCount, 1);
  EXPECT_TRUE(seen.position(0, 0).isApprox(Eigen::Vector3d(-2.0, 1.0, 3.0)));
  EXPECT_FALSE(seen.isSeen(0, 1));
}

TEST(ObservationsJson, ErrorsNameThePlace) {
  expectError(readObservationsJson, "{", "line 1, column 1", "");
  expectError(readObservationsJson, R"({"points": ["a", "a"], "frames": []})", "points", "twice");
  expectError(readObservationsJson, R"({"points": ["a"], "frames": [[[1, 2]]]})", "frames[0][0]", "3");
  expectError(readObservationsJson, R"({"points": ["a"], "frames": [[]]})", "frames[0]", "0 places for 1");
  expectError(readObservationsJson, R"({"points": ["a"], "frames": []})", "frames", "no frame");
  expectError(readObservationsJson, R"({"points": ["a"]})", "frames", "missing");
  expectError(readObservationsJson, R"({"points": [], "frames": [[]]})", "points", "no point");
  expectError(readObservationsJson, R"({"unit": "cubit", "points": {"a": [0, 0, 0]}})", "unit", "cubit");
  expectError(readObservationsJson, R"({"up": "w", "points": {"a": [0, 0, 0]}})", "up", "\"x\"");
  expectError(readObservationsJson, R"({"points": {"a": [0, 0, 1e13]}})", "points.a", "too far");
  expectError(readObservationsJson, R"({"point": {}})", "point", "");
}

TEST(ObservationsCsv, HasAColumnForEachAxis) {
  const Observations seen = readCsv("Time,hip.x,hip.y,hip.z,head_X,head_Y,head_Z\n0,1,2,3,4,5,6\n0.02,1,,3,4,5,nan\n");
  EXPECT_EQ(seen.names, (Names{"hip", "head"}));
  EXPECT_EQ(seen.frameCount, 2);
  EXPECT_DOUBLE_EQ(seen.frameTime, 0.02);
  EXPECT_EQ(seen.position(0, 1), Eigen::Vector3d(4, 5, 6));
  EXPECT_FALSE(seen.isSeen(1, 0));
  EXPECT_FALSE(seen.isSeen(1, 1));
}

TEST(ObservationsCsv, AxesMayStandInAnyOrderAndManner) {
  const Observations seen = readCsv("a:z;b [x];a:x;b [y];a:y;b [z]\n3;4;1;5;2;6\n");
  EXPECT_EQ(seen.names, (Names{"a", "b"}));
  EXPECT_EQ(seen.position(0, 0), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(seen.position(0, 1), Eigen::Vector3d(4, 5, 6));
}

TEST(ObservationsCsv, ANameMayStandOverThreeColumns) {
  for (const char* text : {"frame,hip,,,head,,\n1,1,2,3,4,5,6\n", "frame,hip,head\n1,1,2,3,4,5,6\n",
                           "hip,hip,hip,head,head,head\n1,2,3,4,5,6\n", "hip\thead\n1\t2\t3\t4\t5\t6\n",
                           "\xef\xbb\xbf\"hip\",,,\"head\",,\r\nX,Y,Z,X,Y,Z\r\n1,2,3,4,5,6\r\n"}) {
    const Observations seen = readCsv(text);
    EXPECT_EQ(seen.names, (Names{"hip", "head"})) << text;
    ASSERT_EQ(seen.frameCount, 1) << text;
    EXPECT_EQ(seen.position(0, 0), Eigen::Vector3d(1, 2, 3)) << text;
    EXPECT_EQ(seen.position(0, 1), Eigen::Vector3d(4, 5, 6)) << text;
  }
}

TEST(ObservationsCsv, CommentsBlankLinesAndShortLinesAreTaken) {
  const Observations seen =
      readCsv("# made by hand\n\na.x,a.y,a.z,b.x,b.y,b.z\n# more\n1,2,3\n\n1,2,3,4,5,6\n,,,,,\n", 'z');
  EXPECT_EQ(seen.frameCount, 3);
  EXPECT_FALSE(seen.isSeen(2, 0));
  EXPECT_FALSE(seen.isSeen(0, 1));
  EXPECT_EQ(seen.position(1, 1), Eigen::Vector3d(4, 6, -5));
}

TEST(ObservationsCsv, ErrorsNameTheLine) {
  expectError(readObservationsCsv, "", "line 0", "no line of names");
  expectError(readObservationsCsv, "a.x,a.y,a.z\n", "line 1", "no frame");
  expectError(readObservationsCsv, "These are notes, not points.\n", "line 1", "not a table of points");
  expectError(readObservationsCsv, "a.x,a.y\n1,2\n", "line 1", "lacks");
  expectError(readObservationsCsv, "a.x,a.y,a.z,a.x\n1,2,3,4\n", "line 1", "twice");
  expectError(readObservationsCsv, "a.x,a.y,a.z\n1,2,three\n", "line 2", "column 3: \"three\"");
  expectError(readObservationsCsv, "a.x,a.y,a.z\n1,2,3\n1,2,3,4\n", "line 3", "more columns");
  expectError(readObservationsCsv, "a.x,a.y,a.z\n1,2,1e300\n", "line 2", "not a number");
  expectError(readObservationsCsv, "a,a\n1,2,3,4,5,6\n", "line 2", "more columns");
}

constexpr const char* kTrcHead =
    "PathFileType\t4\t(X/Y/Z)\twalk.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
    "50\t50\t2\t2\tmm\t50\t1\t2\n";
constexpr const char* kTrcNames = "Frame#\tTime\tLASI\t\t\tRASI\t\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n";

TEST(ObservationsTrc, HoldsMarkersUnitsRateAndGaps) {
  const Observations seen =
      readTrc(std::string(kTrcHead) + kTrcNames + "1\t0\t1\t2\t3\t\t\t\n2\t0.02\tNaN\tNaN\tNaN\t4\t5\t6\n");
  EXPECT_EQ(seen.names, (Names{"LASI", "RASI"}));
  EXPECT_EQ(seen.frameTime, 0.02);
  ASSERT_EQ(seen.frameCount, 2);
  EXPECT_TRUE(seen.position(0, 0).isApprox(Eigen::Vector3d(0.001, 0.002, 0.003)));
  EXPECT_FALSE(seen.isSeen(0, 1));
  EXPECT_FALSE(seen.isSeen(1, 0));
  EXPECT_TRUE(seen.position(1, 1).isApprox(Eigen::Vector3d(0.004, 0.005, 0.006)));
}

TEST(ObservationsTrc, SaysWhenTheCountOfFramesIsWrong) {
  const auto source =
      test::valueOf(readObservationsTrc(std::string(kTrcHead) + kTrcNames + "1\t0\t1\t2\t3\t4\t5\t6\n", "m.trc", {}));
  ASSERT_EQ(source.notes.size(), 1u);
  EXPECT_NE(source.notes[0].find("2 frames and holds 1"), std::string::npos) << source.notes[0];
}

TEST(ObservationsTrc, BlanksInTheHeadAndTrajectoriesWithoutNamesAreRead) {
  const auto source = readObservationsTrc(
      "PathFileType  4\t(X/Y/Z) walk.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n 50.0\t 50\t 1\t 1\tmm\n"
      "Frame#\tTime\thead\t\t\n\t\tX1\tY1\tZ1\n\n1\t0.0\t0\t1500\t0\t5\t6\t7\n",
      "walk.trc", std::nullopt);
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_EQ(source->observations.names, std::vector<std::string>{"head"});
  EXPECT_DOUBLE_EQ(source->observations.frameTime, 0.02);
  EXPECT_NEAR(source->observations.positions[0].y(), 1.5, 1e-12);
  EXPECT_NE(source->notes.front().find("1 named markers"), std::string::npos);
}

TEST(ObservationsTrc, ErrorsNameTheLine) {
  const std::string head = kTrcHead;
  expectError(readObservationsTrc, "", "line 0", "ends before");
  expectError(readObservationsTrc, "FileType\n", "line 1", "PathFileType");
  expectError(readObservationsTrc, "PathFileType\t4\nUnits\ncubits\n", "line 3", "cubits");
  expectError(readObservationsTrc, head + "Frame#\tTime\n", "line 4", "begin with Frame#");
  expectError(readObservationsTrc, head + "Frame#\tTime\tA\t\t\tA\n", "line 4", "twice");
  expectError(readObservationsTrc, head + "Frame#\tTime\tA\n1\t0\t1\t2\t3\n", "line 5", "axes");
  expectError(readObservationsTrc, head + kTrcNames, "line 6", "no frame");
  expectError(readObservationsTrc, head + kTrcNames + "1\t0\t1\t2\tx\n", "line 7", "column 5: \"x\"");
}

TEST(Observations, MorePositionsThanFitAreRefusedBeforeTheyAreKept) {
  std::string text;  // few bytes a line, many points in each
  for (int i = 0; i < 50'000; ++i) text += "p" + std::to_string(i) + ",,,";
  text += "\n";
  for (int i = 0; i < 300; ++i) text += "1\n";
  expectError(readObservationsCsv, text, "line 202", "too many");
}

TEST(Observations, ALineOfTooManyColumnsIsRefused) {
  expectError(readObservationsCsv, std::string(2'000'000, ','), "line 1", "columns");
}

class ObservationFiles : public test::TemporaryFolder {};

TEST_F(ObservationFiles, AreToldByTheirContentsAndEndings) {
  const auto nameOf = [](const std::filesystem::path& path) {
    const auto source = readObservations(path);
    return source ? std::string(source->format) : source.error().message();
  };
  EXPECT_EQ(nameOf(write("a.json", R"({"points": {"a": [0, 0, 0]}})")), "Observed points (JSON)");
  EXPECT_EQ(nameOf(write("a.txt", std::string(kTrcHead) + kTrcNames + "1\t0\t1\t2\t3\n")), "Marker file (TRC)");
  EXPECT_EQ(nameOf(write("a.csv", "a.x,a.y,a.z\n1,2,3\n")), "Table of points (CSV)");
  const auto clip = write(
      "a.bvh",
      "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
      "JOINT knee\n{\nOFFSET 0 -1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 -0.7 0\n}\n}\n}\n"
      "MOTION\nFrames: 2\nFrame Time: 0.02\n0 1 0 0 0 0 0 0 0\n0 1 0 90 0 0 0 0 0\n");
  EXPECT_EQ(nameOf(clip), "BVH motion");
  const auto motion = readObservations(clip);
  ASSERT_TRUE(motion);
  EXPECT_EQ(motion->observations.names, (Names{"knee_end", "hip", "knee"}));
  EXPECT_EQ(motion->observations.frameTime, 0.02);
  EXPECT_TRUE(motion->observations.position(1, 2).isApprox(Eigen::Vector3d(1, 1, 0)));
  const std::string fault = nameOf(write("figure.json", R"({"format": "limber figure", "links": []})"));
  EXPECT_NE(fault.find("figure.json"), std::string::npos) << fault;
  EXPECT_NE(nameOf(folder_ / "none.csv").find("no such file"), std::string::npos);
}

}  // namespace
}  // namespace limber::io::observations_test
