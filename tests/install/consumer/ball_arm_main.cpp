// SPDX-License-Identifier: MIT
#include <cstdlib>

bool poseBallArm();

int main() { return poseBallArm() ? EXIT_SUCCESS : EXIT_FAILURE; }
