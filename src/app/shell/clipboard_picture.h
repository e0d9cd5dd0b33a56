// SPDX-License-Identifier: MIT
// Pictures in the clipboard. GLFW cannot read them, so this needs xclip or wl-paste.
#pragma once

#include <string>

namespace limber::app {

/// The bytes of the PNG or JPEG in the clipboard. Empty without a picture, if it is larger than 256 MB, or if the
/// program that owns it does not deliver it within two seconds.
std::string clipboardPicture();

}  // namespace limber::app
