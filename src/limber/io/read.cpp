// SPDX-License-Identifier: MIT
#include "limber/io/read.h"

#include <utility>

#include "limber/io/open.h"

namespace limber {

io::Result<std::shared_ptr<const Figure>> readFigure(const std::string& nameOrPath) {
  auto problem = readProblem(nameOrPath);
  if (!problem) return problem.error();
  return problem->figure;
}

io::Result<IkProblem> readProblem(const std::string& nameOrPath, std::vector<std::string>* notes) {
  if (notes) notes->clear();
  auto opened = io::openAny(nameOrPath);
  if (!opened) return opened.error();
  if (notes) *notes = std::move(opened->notes);
  return static_cast<IkProblem&&>(opened->document);
}

}  // namespace limber
