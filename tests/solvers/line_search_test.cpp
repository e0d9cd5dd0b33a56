// SPDX-License-Identifier: MIT
// The line search (31) of Zhao and Badler (1994) on functions of one variable.
#include "limber/solvers/steps/line_search.h"

#include <gtest/gtest.h>

#include <functional>

namespace limber::line_search_test {
namespace {

struct Trials {
  std::function<double(double)> f, slope;
  LineTrial current{}, kept{};
  int evaluations = 0;

  LineTrial evaluate(double step) {
    ++evaluations;
    return current = {step, f(step), slope(step)};
  }
  void swapKept() { std::swap(current, kept); }
};

LineOutcome search(Trials& trials, double longest, LineTrial& found) {
  const LineTrial start{0.0, trials.f(0.0), trials.slope(0.0)};
  const auto evaluate = [&](double step) { return trials.evaluate(step); };
  const auto swapKept = [&] { trials.swapKept(); };
  return searchLine(start, longest, evaluate, swapKept, found);
}

TEST(HermiteMinimum, FindsTheMinimumOfACubicExactly) {
  const auto f = [](double x) { return x * x * x - 3.0 * x; };  // minimum at 1
  const auto slope = [](double x) { return 3.0 * x * x - 3.0; };
  EXPECT_NEAR(hermiteMinimum({0, f(0), slope(0)}, {3, f(3), slope(3)}), 1.0, 1e-14);
  EXPECT_NEAR(hermiteMinimum({0.5, f(0.5), slope(0.5)}, {2, f(2), slope(2)}), 1.0, 1e-14);
}

TEST(HermiteMinimum, StaysInsideWhateverTheEndsSay) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {-1e300, -1.0, 0.0, 1.0, 1e300, infinity})
    for (const double slope : {-infinity, -1.0, 0.0, 1.0, infinity, std::nan("")}) {
      const double step = hermiteMinimum({1, 0, -1}, {2, value, slope});
      EXPECT_GT(step, 1.0);
      EXPECT_LT(step, 2.0);
    }
}

TEST(LineSearch, TakesTheWholeStepWhereBothConditionsHold) {
  Trials trials{[](double x) { return 0.5 * (x - 1) * (x - 1); }, [](double x) { return x - 1; }};
  LineTrial found;
  EXPECT_EQ(search(trials, 1.0, found), LineOutcome::Curved);
  EXPECT_EQ(found.step, 1.0);
  EXPECT_EQ(trials.evaluations, 1);
}

TEST(LineSearch, ShortensBySteepnessInOneInterpolationOfAQuadratic) {
  // Minimum at 0.1: the whole step overshoots tenfold.
  Trials trials{[](double x) { return 5.0 * (x - 0.1) * (x - 0.1); }, [](double x) { return 10.0 * (x - 0.1); }};
  LineTrial found;
  EXPECT_EQ(search(trials, 1.0, found), LineOutcome::Curved);
  EXPECT_NEAR(found.step, 0.1, 1e-12);
  EXPECT_EQ(trials.evaluations, 2);
}

TEST(LineSearch, TakesTheLongestWhereItIsSteepToTheEnd) {
  Trials trials{[](double x) { return -x; }, [](double) { return -1.0; }};
  LineTrial found;
  EXPECT_EQ(search(trials, 0.25, found), LineOutcome::Lower);
  EXPECT_EQ(found.step, 0.25);
}

TEST(LineSearch, GivesBackTheBestTrialWhenTheCurvatureConditionCannotBeMet) {
  // Falls with a constant slope to a cliff at 0.3: steep everywhere below it.
  Trials trials{[](double x) { return x < 0.3 ? -x : 5.0; }, [](double) { return -1.0; }};
  LineTrial found;
  EXPECT_EQ(search(trials, 1.0, found), LineOutcome::Lower);
  EXPECT_GT(found.step, 0.29);
  EXPECT_LT(found.step, 0.3);
  EXPECT_EQ(trials.current.step, found.step) << "the current trial must be the one that was found";
}

TEST(LineSearch, SurvivesTrialsThatAreNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  Trials trials{[=](double x) { return x > 0.1 ? infinity : (x - 0.05) * (x - 0.05); },
                [=](double x) { return x > 0.1 ? std::nan("") : 2.0 * (x - 0.05); }};
  LineTrial found;
  EXPECT_EQ(search(trials, 1.0, found), LineOutcome::Curved);
  EXPECT_LT(found.value, 0.05 * 0.05);
}

TEST(LineSearch, SaysSoWhenNothingIsLower) {
  Trials trials{[](double x) { return x == 0.0 ? 0.0 : 1.0; }, [](double) { return -1.0; }};
  LineTrial found;
  EXPECT_EQ(search(trials, 1.0, found), LineOutcome::None);
}

TEST(LineSearch, MeetsBothConditionsOnWildFunctionsUnlessSteepToTheEnd) {
  for (int k = 1; k <= 200; ++k) {
    const double a = 0.37 * k, b = 0.11 * k;
    Trials trials{[=](double x) { return std::sin(a * x) - 3.0 * std::sin(b * x) + b * x * x; },
                  [=](double x) { return a * std::cos(a * x) - 3.0 * b * std::cos(b * x) + 2.0 * b * x; }};
    if (!(trials.slope(0.0) < 0.0))
      trials = {[=](double x) { return -std::sin(a * x); }, [=](double x) { return -a * std::cos(a * x); }};
    LineTrial found;
    const LineOutcome outcome = search(trials, 1.0, found);
    ASSERT_NE(outcome, LineOutcome::None) << k;
    EXPECT_LE(found.value, trials.f(0) + 1e-4 * found.step * trials.slope(0));
    EXPECT_TRUE(found.slope >= 0.5 * trials.slope(0) || found.step == 1.0) << k;
    EXPECT_EQ(outcome == LineOutcome::Curved, found.slope >= 0.5 * trials.slope(0)) << k;
  }
}

}  // namespace
}  // namespace limber::line_search_test
