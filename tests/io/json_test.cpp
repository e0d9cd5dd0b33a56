// SPDX-License-Identifier: MIT
#include "limber/io/base/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "limber/io/base/text.h"

namespace limber::io::json_test {
namespace {

/// "place: cause" of the fault that `action` throws; empty without one.
template <typename Action>
std::string faultOf(Action action) {
  try {
    action();
  } catch (const JsonFault& fault) {
    return fault.place + ": " + fault.cause;
  }
  return "";
}

std::string parseFault(const std::string& text) {
  return faultOf([&] { parseJson(text); });
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Words, AreFoundWhole) {
  for (const char* word : {"a", "bc", "d"}) EXPECT_TRUE(isAmong(word, "a bc d")) << word;
  for (const char* word : {"", "b", "c", "bc d", " ", "bcd", "dd"}) EXPECT_FALSE(isAmong(word, "a bc d")) << word;
  EXPECT_TRUE(isAmong("site", "other_site site"));
  EXPECT_FALSE(isAmong("a", ""));
}

TEST(Json, BrokenTextIsNamedByLineAndColumn) {
  EXPECT_TRUE(contains(parseFault("{\n  \"a\": NaN\n}"), "line 2, column 8")) << parseFault("{\n  \"a\": NaN\n}");
  EXPECT_TRUE(contains(parseFault("[1, Infinity]"), "line 1, column 5"));
  EXPECT_TRUE(contains(parseFault("[1, 1e999]"), "too large")) << parseFault("[1, 1e999]");
  EXPECT_TRUE(contains(parseFault(""), "empty"));
  EXPECT_TRUE(contains(parseFault("{\"a\": 1"), "line 1"));
  EXPECT_NE(parseFault(std::string("\x00\xff\xfe{", 4)), "");
  EXPECT_NE(parseFault("{} {}"), "");
}

TEST(Json, RepeatedKeyIsRefusedInOneObjectOnly) {
  EXPECT_TRUE(contains(parseFault("{\"a\": 1,\n \"a\": 2}"), "\"a\" occurs twice"));
  EXPECT_TRUE(contains(parseFault("{\"a\": 1,\n \"a\": 2}"), "line 2"));
  EXPECT_EQ(parseFault("{\"a\": {\"a\": 1}, \"b\": {\"a\": 1}}"), "");
}

TEST(Json, TenMegabytesOfBracketsAreRefused) {
  EXPECT_TRUE(contains(parseFault(std::string(10'000'000, '[')), "nested deeper"));
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
  EXPECT_TRUE(contains(parseFault(objects), "nested deeper"));
}

TEST(Json, FaultsNameThePath) {
  const Json json = parseJson(R"({"links": [{"mass": 1}, {"mass": "heavy", "odd key": 2}], "n": 1.5})");
  const JsonValue root(json);
  EXPECT_EQ(faultOf([&] { root.at("links").elements()[1].at("mass").number(); }),
            "links[1].mass: must be a number, not text");
  EXPECT_EQ(faultOf([&] { root.at("links").elements()[0].at("name"); }), "links[0].name: is missing");
  EXPECT_EQ(faultOf([&] { root.at("links").elements()[1].allowOnly("mass"); }),
            "links[1][\"odd key\"]: is not a known key");
  EXPECT_EQ(faultOf([&] { root.at("n").integerIn(0, 3); }), "n: must be a whole number");
  EXPECT_EQ(faultOf([&] { root.at("links").numbers(3); }), "links: must hold 3 numbers, not 2");
}

TEST(Json, QuaternionIsNormalisedWhenNearUnit) {
  const Json json = parseJson("[[0.7071, 0, 0, 0.7071], [1, 0, 0, 1], [0, 0, 0, 0]]");
  const auto quaternions = JsonValue(json).elements();
  EXPECT_NEAR(quaternions[0].quaternion().norm(), 1.0, 1e-15);
  EXPECT_NE(faultOf([&] { quaternions[1].quaternion(); }), "");
  EXPECT_NE(faultOf([&] { quaternions[2].quaternion(); }), "");
}

TEST(Json, NumbersSurviveBitForBit) {
  std::mt19937_64 random(1);
  std::vector<double> values = {0.0,   -0.0,    std::numeric_limits<double>::denorm_min(), 1.0 / 3.0,
                                1e300, -1e-308, std::numeric_limits<double>::max(),        0.1 + 0.2};
  while (values.size() < 20000) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) values.push_back(value);
  }
  OrderedJson json = toJson(Eigen::VectorXd::Map(values.data(), static_cast<Eigen::Index>(values.size())));
  const Json back = parseJson(formatJson(json));
  ASSERT_EQ(back.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(values[i]), std::bit_cast<std::uint64_t>(back[i].get<double>()));
}

TEST(Json, RotationsSurviveBitForBit) {
  for (int i = 0; i < 1000; ++i) {
    const Eigen::Matrix3d rotation = Eigen::Quaterniond::UnitRandom().toRotationMatrix();
    const Json back = parseJson(formatJson(rotationToJson(rotation)));
    EXPECT_EQ(JsonValue(back).rotation(), rotation);
  }
  EXPECT_EQ(rotationToJson(Eigen::Matrix3d::Identity()).dump(), "[0.0,0.0,0.0,1.0]");
}

TEST(Json, NumberThatIsNotFiniteIsNotWritten) {
  EXPECT_NE(faultOf([] { toJson(std::nan("")); }), "");
}

TEST(Json, CompactTextIsThatOfTheLibrary) {
  OrderedJson json = OrderedJson::object();
  for (const char* text : {"", "plain", "a \"quoted\" \\ one", "tab\tline\n", "caf\xc3\xa9", "broken \xff", "\x7f"})
    json[text] = {text, OrderedJson::array({nullptr, true, 0, -7, 18446744073709551615u}), OrderedJson::object()};
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) json["numbers"].push_back(std::bit_cast<double>(random()));  // some are not finite
  for (const double number : {0.0, -0.0, 1.0, 1e-5, 0.001, 1e15, 1e16, 123456789.0, 5e-324, 1.7e308})
    json["numbers"].push_back(number);
  EXPECT_EQ(compactJson(json), json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
}

TEST(Json, RowsStayOnOneLine) {
  EXPECT_EQ(formatJson(OrderedJson{{"a", {1, 2, 3}}, {"b", OrderedJson::object()}}), "{\"a\": [1, 2, 3], \"b\": {}}\n");
}

}  // namespace
}  // namespace limber::io::json_test
