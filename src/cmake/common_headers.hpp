// SPDX-License-Identifier: MIT
// Headers that nearly every source includes; LIMBER_PRECOMPILE compiles them once for each set of options. No source
// may rely on this: the preset debug, and the tests with clang, build without it.
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>
