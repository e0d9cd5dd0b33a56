// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <cstdio>

#include "app/commands/output.h"
#include "app/recording/replay.h"
#include "limber/io/base/json.h"
#include "limber/io/json/scene_json.h"

namespace limber::app {

namespace {

std::string replayJson(const ReplayReport& report) {
  io::OrderedJson json = {{"limber", report.limber},  {"same_build", report.isSameBuild},
                          {"frames", report.frames},  {"poses", report.poses},
                          {"same", report.isSame()},  {"differing_frames", report.differing},
                          {"closed", report.isClosed}};
  if (report.first)
    json["first_difference"] = {
        {"frame", report.first->frame}, {"line", report.first->line}, {"seconds", report.first->seconds}};
  if (!report.fault.empty()) json["fault"] = report.fault;
  if (!report.notes.empty()) json["notes"] = report.notes;
  return io::formatJson(json);
}

std::string replaySentence(const ReplayReport& report) {
  std::string text = std::to_string(report.frames) + " frames, " + std::to_string(report.poses) + " poses: ";
  if (!report.first) return text + "all as recorded\n";
  char where[128];
  std::snprintf(where, sizeof where, "%d frames differ, the first is frame %d (line %d, after %.2f s)\n",
                report.differing, report.first->frame, report.first->line, report.first->seconds);
  return text + where;
}

}  // namespace

int runReplay(const ReplayArguments& arguments, Console& console) {
  const auto replay = Replay::open(arguments.file);
  if (!replay) return console.fail(replay.error());
  (*replay)->run();
  const ReplayReport& report = (*replay)->report();
  for (const std::string& note : report.notes) console.say(note);
  if (!report.fault.empty()) console.note(arguments.file, report.fault + ": everything before it was replayed");
  else if (!report.isClosed) console.say("the recording was not closed, since Limber ended unexpectedly");
  if (!arguments.output.empty())
    if (const auto failed = io::writeScene(arguments.output, (*replay)->session().document()))
      return console.fail(*failed);
  const std::string text = arguments.isJson ? replayJson(report) : replaySentence(report);
  if (const int code = console.print(text); code != kSuccess) return code;
  if (!report.fault.empty()) return kBadInput;
  return report.isSame() ? kSuccess : kDisagreement;
}

}  // namespace limber::app
