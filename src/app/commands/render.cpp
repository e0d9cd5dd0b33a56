// SPDX-License-Identifier: MIT
#include "app/commands/render.h"

#include <string_view>

#include "io/file.h"
#include "io/open.h"
#include "io/resources.h"
#include "render/picture.h"

namespace limber::app {

int runRender(const std::string& file, const std::string& output, int width, int height, std::ostream& out,
              std::ostream& err) {
  const auto fail = [&](const std::string& sentence) {
    err << "limber render: " << sentence << '\n';
    return 1;
  };
  const auto opened = io::openAny(file);
  if (!opened) return fail(opened.error().message());
  for (const std::string& note : opened->notes) err << file << ": " << note << '\n';
  const auto shaders = io::findResource("shaders");
  if (!shaders)
    return fail("the folder \"shaders\" is missing beside the program; LIMBER_RESOURCES can name another place");

  std::string error;
  const auto bytes = render::renderPicture(opened->document, width, height, *shaders, error);
  if (!bytes) return fail(file + ": " + error);
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (output == "-") {
    out << text << std::flush;
    return out ? 0 : fail("standard output: the picture cannot be written");
  }
  if (const auto fault = io::writeFileAtomically(output, text)) return fail(fault->message());
  return 0;
}

}  // namespace limber::app
