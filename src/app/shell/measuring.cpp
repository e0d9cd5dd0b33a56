// SPDX-License-Identifier: MIT
#include "app/shell/measuring.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <limits>
#include <sstream>

#include "limber/io/base/platform.h"

namespace limber::app {

namespace {

std::string leastAndMedian(std::vector<double> seconds) {
  if (seconds.empty()) return "none";
  std::ranges::sort(seconds);
  char text[64];
  std::snprintf(text, sizeof text, "%.1f ms least, %.1f ms median", 1e3 * seconds.front(),
                1e3 * seconds[seconds.size() / 2]);
  return text;
}

}  // namespace

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double secondsSinceStart() {
  static const double first = secondsNow();
  return platform::secondsSinceProcessStart().value_or(secondsNow() - first);
}

double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::optional<double> residentMegabytes() {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word; file.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
    if (double kilobytes = 0.0; word == "VmRSS:" && file >> kilobytes) return kilobytes / 1024.0;
  return std::nullopt;
}

std::string describe(const WindowCosts& costs) {
  std::ostringstream out;
  char text[160];
  const auto line = [&](const char* what, const std::string& said) {
    std::snprintf(text, sizeof text, "%-22s %s\n", what, said.c_str());
    out << text;
  };
  const auto number = [&](const char* format, double value) {
    char digits[64];
    std::snprintf(digits, sizeof digits, format, value);
    return std::string(digits);
  };
  line("drawn by", costs.device);
  line("picture", std::to_string(costs.pictureWidth) + " x " + std::to_string(costs.pictureHeight));
  line("start to first frame", number("%.0f ms", 1e3 * costs.firstFrame) +
                                   number(", %.0f ms of processor time", 1e3 * costs.firstFrameProcessor));
  line("moving frame", leastAndMedian(costs.moving.wall));
  line("  processor time", leastAndMedian(costs.moving.processor));
  line("still frame", leastAndMedian(costs.still.wall));
  line("  processor time", leastAndMedian(costs.still.processor));
  line("dragged, Even", leastAndMedian(costs.even.wall));
  line("  processor time", leastAndMedian(costs.even.processor));
  line("dragged, Natural", leastAndMedian(costs.natural.wall));
  line("  processor time", leastAndMedian(costs.natural.processor));
  line("resident memory", costs.megabytes ? number("%.0f MB", *costs.megabytes) : "not told by the system");
  line("idle",
       number("%.0f ms of processor time", 1e3 * costs.idleProcessor) + number(" in %.1f s", costs.idleSeconds));
  return out.str();
}

}  // namespace limber::app
