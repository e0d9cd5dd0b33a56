// SPDX-License-Identifier: MIT
#include "limber/io/robot/xml.h"
#include "support/says.h"

#include <gtest/gtest.h>

#include <clocale>

namespace limber::io::xml_test {
namespace {

template <typename Read>
std::string faultIn(const std::string& text, Read read) {
  try {
    const XmlFile file(text, "a.xml");
    read(file.root());
    return "";
  } catch (const Error& fault) {
    return fault.message();
  }
}

std::string faultOf(const std::string& text) {
  return faultIn(text, [](const XmlElement&) {});
}

std::string repeat(const std::string& text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Xml, FaultsNameFileLineAndCause) {
  EXPECT_TRUE(test::says(faultOf("<a>\n<b>\n</a>"), {"a.xml: line 2", "not closed"}));
  EXPECT_EQ(faultOf("<a>\n<b x=1/></a>"), "a.xml: line 2: an attribute is not valid XML");
  EXPECT_TRUE(test::says(faultOf("\xff\xfe<"), {"a.xml", "UTF-16", "UTF-8"}));
  EXPECT_NE(faultOf(""), "");
  EXPECT_NE(faultOf("words"), "");
  EXPECT_NE(faultOf("<!-- only a comment -->"), "");
  EXPECT_NE(faultOf("<a"), "");
  EXPECT_EQ(faultOf("\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!DOCTYPE robot>\n<a x='1'/>"), "");
}

TEST(Xml, DeepNestingIsAnError) {
  EXPECT_NE(faultOf(repeat("<a>", 1'000'000)).find("nested deeper than 100"), std::string::npos);
  EXPECT_NE(faultOf(repeat("<a>", 400'000) + repeat("</a>", 400'000)).find("nested deeper than 100"),
            std::string::npos);
  EXPECT_EQ(faultOf(repeat("<a>", 90) + repeat("</a>", 90)), "");
}

TEST(Xml, BombsAreErrors) {
  const std::string entities = "<!DOCTYPE a [\n<!ENTITY b \"bbbb\">\n<!ENTITY c \"&b;&b;\">]>\n<a>&c;</a>";
  EXPECT_TRUE(test::says(faultOf(entities), {"a.xml: line 1", "entities"}));
  EXPECT_EQ(faultOf("<a>" + repeat("<b/>", 1'000'001) + "</a>"),
            "a.xml: has more than 1000000 elements and attributes");
  std::string attributes;
  for (int i = 0; i < 300'000; ++i) attributes += " a" + std::to_string(i) + "='<'";
  EXPECT_EQ(faultOf("<!-- '\" -->\n<a" + attributes + "/>"), "a.xml: line 2: an element has more than 200 attributes");
  EXPECT_EQ(faultOf(std::string(kMaxXmlBytes + 1, ' ')), "a.xml: is larger than 64 MiB");
}

TEST(Xml, NumbersAreFiniteAndFreeOfTheLocale) {
  const char* before = std::setlocale(LC_NUMERIC, "de_DE.UTF-8");  // where it is installed
  EXPECT_EQ(parseNumbers(" 1.5\t-2e-3\n+4 "), (std::vector<double>{1.5, -2e-3, 4}));
  EXPECT_EQ(parseNumbers(""), std::vector<double>{});
  if (before) std::setlocale(LC_NUMERIC, "C");
  for (const char* text : {"nan", "inf", "-inf", "1e999", "1,5", "0x10", "1.5f", "--1", "+-1", "+", "1 x"})
    EXPECT_FALSE(parseNumbers(text)) << text;
}

TEST(Xml, AccessorsNameTheElement) {
  const auto read = [](const char* attribute) { return [=](const XmlElement& e) { e.vector3(attribute); }; };
  EXPECT_TRUE(test::says(faultIn("\n<a name='knee' xyz='1 2'/>", read("xyz")),
                         {"a.xml: line 2, <a name=\"knee\">", "xyz", "not 2"}));
  EXPECT_TRUE(
      test::says(faultIn("<a xyz='1 nan 2'/>", read("xyz")), {"a.xml: line 1, <a>", "xyz=\"1 nan 2\"", "finite"}));
  EXPECT_EQ(faultIn("<a xyz='1 1e10 2'/>", read("xyz")), "a.xml: line 1, <a>: xyz is larger than 1e9");
  EXPECT_EQ(faultIn("<a/>", read("xyz")), "a.xml: line 1, <a>: needs the attribute xyz");
  EXPECT_EQ(faultIn("<a/>", [](const XmlElement& e) { e.needChild("b"); }), "a.xml: line 1, <a>: needs a <b>");
}

TEST(Xml, FirstElementIsFoundBehindTheProlog) {
  EXPECT_EQ(firstXmlElement("<robot name='a'/>"), "robot");
  EXPECT_EQ(firstXmlElement("\xef\xbb\xbf <?xml version='1.0'?>\n<!-- <no> -->\n<!DOCTYPE x>\n<mujoco>"), "mujoco");
  EXPECT_EQ(firstXmlElement("HIERARCHY <robot>"), "");
  EXPECT_EQ(firstXmlElement("{\"a\": \"<robot>\"}"), "");
  EXPECT_EQ(firstXmlElement("<!-- open"), "");
  EXPECT_EQ(firstXmlElement("<robot"), "");
  EXPECT_EQ(firstXmlElement(""), "");
}

}  // namespace
}  // namespace limber::io::xml_test
