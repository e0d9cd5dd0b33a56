// SPDX-License-Identifier: MIT
#include "app/settings/units.h"

#include <gtest/gtest.h>

namespace limber::app::units_test {
namespace {

using enum LengthUnit;

TEST(Units, LengthsAreToldInTheUnit) {
  EXPECT_EQ(lengthText(0.0123, Metres), "12.30 mm") << "what is small is told in millimetres";
  EXPECT_EQ(lengthText(1.5, Metres), "1.500 m");
  EXPECT_EQ(lengthText(1.5, Centimetres), "150.000 cm");
  EXPECT_EQ(lengthText(-0.25, Centimetres), "-25.000 cm");
  EXPECT_EQ(lengthText(1.5, Millimetres), "1500.00 mm");
}

TEST(Units, ShortLengthsHaveThreeDigits) {
  EXPECT_EQ(shortLength(0.01234, Metres), "12.3 mm");
  EXPECT_EQ(shortLength(1.234, Metres), "1.23 m");
  EXPECT_EQ(shortLength(0.01234, Centimetres), "1.23 cm");
  EXPECT_EQ(shortLength(1.234, Millimetres), "1234 mm") << "no power of ten";
  EXPECT_EQ(shortLength(0.0, Centimetres), "0 cm");
}

TEST(Units, SentencesAreToldInTheUnit) {
  const char* sentence = "at limits: 12.3 mm left, held back by left_elbow and 2 more joints";
  EXPECT_EQ(inUnit(sentence, Metres), sentence);
  EXPECT_EQ(inUnit(sentence, Centimetres), "at limits: 1.23 cm left, held back by left_elbow and 2 more joints");
  EXPECT_EQ(inUnit("out of reach: 1.25 m left, whatever the joints do", Millimetres),
            "out of reach: 1250 mm left, whatever the joints do");
  EXPECT_EQ(inUnit("1.2e-05 mm and 2.5 m", Centimetres), "1.2e-06 cm and 250 cm");
  EXPECT_EQ(inUnit("5 mm", Centimetres), "0.5 cm");
}

TEST(Units, WhatIsNoLengthStaysAsItIs) {
  for (const char* text : {"", "3 models", "12 mmx", "arm3 m", "12", "0.5 ms", "30 m2", "1 mm^2", "limits of 4 joints",
                           "limits exceeded by 0.1 rad or m", "3.mm", "..", "1e mm2"})
    EXPECT_EQ(inUnit(text, Centimetres), text);
}

}  // namespace
}  // namespace limber::app::units_test
