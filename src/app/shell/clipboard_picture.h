// SPDX-License-Identifier: MIT
// Pictures of the clipboard, which GLFW does not give: xclip or wl-paste does, where one of them is installed.
#pragma once

#include <string>

namespace limber::app {

/// The bytes of the PNG or JPEG that the clipboard holds; empty for none, for one of more than 256 MB, and where
/// another program does not hand it over within two seconds.
std::string clipboardPicture();

}  // namespace limber::app
