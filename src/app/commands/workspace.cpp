// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include "app/commands/output.h"
#include "app/commands/report_json.h"
#include "app/jobs/pictures.h"
#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/mesh/ply.h"
#include "limber/problem/new_goal.h"

namespace limber::app {

namespace {

io::Result<ReachQuestion> questionOf(const WorkspaceArguments& arguments, const Figure& figure) {
  ReachQuestion question{.cellsAcross = arguments.cells, .starts = arguments.starts};
  const auto take = [&](const EndEffector& end) {
    question.link = end.link;
    question.pointInLink = end.point;
  };
  if (!arguments.site.empty()) {
    const int site = figure.findSite(arguments.site);
    if (site < 0) return io::Error{arguments.file, "--site", "there is no site \"" + arguments.site + "\""};
    const Site& found = figure.sites()[site];
    take({.link = found.link, .point = found.linkFromSite.translation});
  } else if (!arguments.link.empty()) {
    const int link = figure.findLink(arguments.link);
    if (link < 0) return io::Error{arguments.file, "--link", "there is no link \"" + arguments.link + "\""};
    take(endEffectorOf(figure, link));
  } else {
    take(mainEndEffector(figure));
  }
  return question;
}

io::OrderedJson workspaceJson(const Figure& figure, const ReachQuestion& question, const ReachAnswer& answer) {
  const ReachMap& map = answer.map;
  const auto [undecided, reachable, notFound, outside] = map.counts();
  io::OrderedJson json;
  json["link"] = figure.link(question.link).name;
  json["point_in_link"] = io::toJson(question.pointInLink);
  json["cell_mm"] = 1e3 * map.edge;
  json["planar"] = map.isPlanar;
  json["grid"] = {{"cells", map.size}, {"corner", io::toJson(map.corner)}};
  json["reachable"] = reachable;
  json["proved_outside"] = outside;
  json["not_found"] = notFound;
  json["undecided"] = undecided;
  json["sentence"] = sentenceOf(map);
  json["solves"] = answer.solves;
  json["time_us"] = microseconds(answer.timeMs);
  return json;
}

/// Empty, or what went wrong.
std::string drawWorkspacePicture(const std::string& file, const Document& document, const ReachMap& map) {
  Document drawn = document;
  drawn.goals.clear();
  PictureStyle style;
  style.look.shell.shell = std::make_shared<const ReachShell>(makeReachShell(map));
  return drawPicture(drawn, file, style);
}

}  // namespace

int runWorkspace(const WorkspaceArguments& arguments, Console& console) {
  auto opened = openPosed(arguments.file, arguments.pose, console, arguments.context);
  if (!opened) return console.fail(opened.error());
  Document& document = opened->document;
  const io::Result<ReachQuestion> question = questionOf(arguments, *document.figure);
  if (!question) return console.fail(question.error());
  const InterruptWatch watch;
  ReachAnswer answer;
  {
    ProgressLine line(console);
    answer = findReachable(document, *question, [&](const ReachProgress& progress) { return line(progress.part); });
  }
  if (!answer.fault.empty()) return console.fail({arguments.file, "", answer.fault});
  if (!arguments.output.empty()) {
    const std::string bytes = io::formatPly(makeReachShell(answer.map), commentsOf(document, *question, answer.map));
    if (const auto fault = io::writeFileAtomically(arguments.output, bytes)) return console.fail(*fault);
  }
  if (!arguments.picture.empty())
    if (const std::string fault = drawWorkspacePicture(arguments.picture, document, answer.map); !fault.empty())
      return console.fail({arguments.picture, "", fault});
  const int printed =
      console.print(arguments.isJson ? io::formatJson(workspaceJson(*document.figure, *question, answer))
                                     : sentenceOf(answer.map) + '\n');
  return answer.isCancelled ? console.fail({arguments.file, "", "cancelled: the remaining cells are undecided"})
                            : printed;
}

}  // namespace limber::app
