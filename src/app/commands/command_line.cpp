// SPDX-License-Identifier: MIT
#include "app/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <limits>
#include <new>
#include <sstream>

#include "app/commands/commands.h"
#include "app/commands/output.h"
#include "app/commands/reference.h"
#include "limber/io/base/json.h"
#include "limber/io/base/platform.h"
#include "limber/io/base/text.h"
#include "limber/io/export_formats.h"
#include "limber/io/figure_source.h"
#include "limber/version.h"

namespace limber::app {

namespace {

constexpr int kMinPictureSide = 16, kMaxPictureSide = 8192;
constexpr const char* kFileHelp =
    "a scene (.limber), a figure or problem (.json), a file of another program (docs/formats.md), planar:N, ball:N, "
    "arm, human[:HEIGHT[:MASS]], human-without-fingers[:HEIGHT[:MASS]] or humanoid";
constexpr const char* kFooter = "A file may be - for standard input. Formats: docs/formats.md.";

/// The end of --help and of the manual page.
std::string footer() {
  std::string text = "Exit codes:";
  for (const ExitCode& exit : kExitCodes)
    text += (exit.code == kSuccess ? " " : ". ") + std::to_string(exit.code) + " " + exit.meaning;
  return text + ".\n" + kFooter;
}

/// An option for an input file; "-" is standard input.
CLI::Option* addInput(CLI::App* app, const std::string& name, std::string& file, const std::string& help) {
  return app->add_option(name, file, help)
      ->transform(CLI::Validator(
          [](std::string& given) {
            if (given == "-") given = kStandardInputFile;
            return std::string();
          },
          ""));
}

/// Adds --base and --bvh-positions, which the window and every verb that opens a figure take.
void addChoices(CLI::App* app, io::OpenContext& context) {
  app->add_option_function<std::string>(
         "--base", [&context](const std::string& word) { context.base = findBase(word); },
         "base of a robot (URDF, SDF, MJCF): free lets it move as a whole, fixed keeps it where the file has it; "
         "by default, a robot with legs is free")
      ->check(CLI::IsMember({"free", "fixed"}));
  app->add_option_function<std::string>(
         "--bvh-positions",
         [&context](const std::string& word) {
           context.offsetRule = word == offsetRuleName(OffsetRule::Add) ? OffsetRule::Add : OffsetRule::Replace;
         },
         "position channels of a BVH file replace a joint's OFFSET, or add to it; by default, chosen from its motion")
      ->check(CLI::IsMember({"replace", "add"}));
}

/// Adds --motion, for every verb that opens a file with motions.
void addMotion(CLI::App* app, std::string& motion, const std::string& whose = "the file") {
  app->add_option(
      "--motion", motion,
      "name or number, from 1, of the motion of " + whose + "; limber info lists them; by default the first");
}

/// Adds a verb that opens a file, with --base, --bvh-positions and, where one motion is chosen, --motion.
template <class Arguments>
CLI::App* addVerb(CLI::App& app, const std::string& name, const std::string& help, Arguments& arguments,
                  const std::string& file = "FILE") {
  CLI::App* verb = app.add_subcommand(name, help);
  addInput(verb, file, arguments.file, kFileHelp)->required();
  addChoices(verb, arguments.context);
  if constexpr (!requires { arguments.motions; }) addMotion(verb, arguments.context.motion);
  return verb;
}

void addWindowOptions(CLI::App& app, WindowOptions& window) {
  addInput(&app, "FILE", window.file, kFileHelp);
  app.add_option("--scale", window.scale, "size of text and panels; 0 takes the display's")
      ->check(CLI::Range(0.0, 8.0));
  app.add_option(
         "--measure", window.measuredFrames,
         "turn the camera, then drag a point, for this many frames in a 1280 x 800 window; print times and memory")
      ->check(CLI::Range(1, 100000));
  app.add_option("--record", window.record,
                 "record the user's actions in the window into this file, for limber replay");
  app.add_flag("--quiet", window.quiet, "do not print the iterations of each solve");
  addChoices(&app, window.context);
}

struct ImportWorkerArguments {
  std::string kind;
  std::vector<std::string> files;
};

/// The arguments of all verbs; CLI11 fills those of the verb that was named.
struct VerbArguments {
  InfoArguments info;
  FileArguments check;
  CertifyArguments certify;
  FkArguments fk;
  BakeArguments bake;
  ConvertArguments convert;
  ReplayArguments replay;
  FitArguments fit;
  ImportWorkerArguments importWorker;
  std::string reference;
  SolveArguments solve;
  RaceArguments race;
  bool isBatch = false;
  SolveBatchArguments batch;
  ServeArguments serve;
  RenderArguments render;
  WorkspaceArguments workspace;
};

void addSolve(CLI::App& app, VerbArguments& all) {
  SolveArguments& arguments = all.solve;
  CLI::App* verb = addVerb(app, "solve", "Pose a problem or scene and print the result as JSON", arguments);
  CLI::Option* solver = verb->add_option("--solver", arguments.solver, "name of a solver, instead of the file's");
  verb->add_option("-o,--out", arguments.output,
                   "file for the result, - for standard output; *.limber gets the posed scene");
  CLI::Option* derivatives =
      verb->add_flag("--derivatives", arguments.derivatives,
                     "add f, gradient and hessian at the start, and x, x' and x'' of the points of position goals");
  CLI::Option* independent =
      verb->add_flag("--path-independent", arguments.pathIndependent,
                     "start at the base pose, not at the file's: the same targets always give the same pose");
  CLI::Option* posing =
      verb->add_option("--posing", arguments.posing,
                       "instead of the file's: natural moves the limb first, still the least mass, even all alike")
          ->check(CLI::IsMember({"natural", "still", "even"}));
  CLI::Option* follows = verb->add_option("--body-follows", arguments.bodyFollows,
                                          "for natural posing, from 0 to 1: how readily the body follows the limb")
                             ->check(CLI::Range(0.0, 1.0));
  CLI::Option* ways = verb->add_flag("--all", arguments.all, "list all poses of an arm that meet the goal")
                          ->excludes(solver)
                          ->excludes(derivatives)
                          ->excludes(independent)
                          ->excludes(posing)
                          ->excludes(follows);
  verb->add_flag("--clear", arguments.clear, "with --all: leave out poses that collide")->needs(ways);
  verb->add_flag("--windings", arguments.windings, "with --all: also poses that differ by whole turns of joints")
      ->needs(ways);
  verb->add_flag("--json", arguments.asJson, "print JSON, as always; with --all: instead of a table");
  CLI::Option* batch =
      verb->add_flag("--batch", all.isBatch, "FILE (- for standard input) holds one problem per line, for one figure");
  batch->excludes(verb->get_option("--motion"))
      ->excludes(solver)
      ->excludes(derivatives)
      ->excludes(independent)
      ->excludes(posing)
      ->excludes(follows)
      ->excludes(ways);
  verb->add_flag("--require-reached", arguments.requiresReached, "exit with 4 if a goal is not reached");
  SolveBatchArguments& many = all.batch;
  addInput(verb, "--figure", many.figure, "figure of the batch, instead of its first line: anything that FILE may be")
      ->needs(batch);
  verb->add_option("--threads", many.threads, "threads of the batch; 0: all")->needs(batch)->check(CLI::Range(0, 1024));
  verb->add_option("--precision", many.precision, "precision of the batch's search: single or double")
      ->needs(batch)
      ->check(CLI::IsMember({"single", "double"}));
  verb->add_flag("--polish,!--rough", many.polish,
                 "refine each answer of the batch to 1e-9 in double precision, as it is by default; --rough leaves it")
      ->needs(batch);
  verb->add_option("--restarts", many.restarts, "most random starts for a problem of the batch, after the given one")
      ->needs(batch)
      ->check(CLI::Range(0, 100000));
}

void addServe(CLI::App& app, ServeArguments& arguments) {
  CLI::App* verb = app.add_subcommand(
      "serve", "Answer problems, one per line of JSON, from standard input until it ends; figures stay open");
  addChoices(verb, arguments.context);
  verb->add_option("--socket", arguments.socket,
                   "path of a Unix socket for several programs, instead of standard input and output");
  verb->add_option("--root", arguments.root, "open only files in this folder; without it, all that the user may read");
  verb->add_option_function<int>(
          "--idle", [&arguments](int seconds) { arguments.idle = std::chrono::seconds(seconds); },
          "seconds without a request after which a client of a socket is disconnected while another waits")
      ->default_str(std::to_string(arguments.idle.count()))
      ->check(CLI::Range(1, 86400));
  verb->add_option("--figures", arguments.figures, "most figures that are open at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--memory", arguments.megabytes, "MB of memory, beyond which requests are refused")
      ->capture_default_str()
      ->check(CLI::Range(256, 1 << 20));
}

void addRace(CLI::App& app, RaceArguments& arguments) {
  CLI::App* verb = addVerb(app, "race", "Pose a problem or scene with several solvers and compare them", arguments);
  verb->add_option("--solvers", arguments.solvers, "names of solvers, separated by commas; all by default")
      ->delimiter(',');
  verb->add_option("--csv", arguments.csv, "CSV file for every iterate, for a spreadsheet or plot");
  verb->add_flag("--json", arguments.json, "print JSON instead of the table");
}

/// "1400x900": two numbers from kMinPictureSide to kMaxPictureSide, digits only. Empty, or the fault.
std::string parseSize(const std::string& text, int& width, int& height) {
  int end = 0;
  const bool isSize = text.size() < 16 && text.find_first_not_of("0123456789x") == std::string::npos &&
                      std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &end) == 2 &&
                      end == static_cast<int>(text.size());
  const auto isSide = [](int side) { return side >= kMinPictureSide && side <= kMaxPictureSide; };
  if (isSize && isSide(width) && isSide(height)) return {};
  return "must be WxH with sides from " + std::to_string(kMinPictureSide) + " to " + std::to_string(kMaxPictureSide) +
         ", as 1400x900";
}

CLI::Option* addSize(CLI::App* verb, const std::string& help, int& width, int& height) {
  const auto check = [](const std::string& text) {
    int ignoredWidth = 0, ignoredHeight = 0;
    return parseSize(text, ignoredWidth, ignoredHeight);
  };
  const auto set = [&](const std::string& text) { parseSize(text, width, height); };
  return verb->add_option_function<std::string>("--size", set, help)->check(CLI::Validator(check, ""));
}

void addRender(CLI::App& app, RenderArguments& arguments) {
  CLI::App* verb = addVerb(app, "render", "Draw a file into a PNG or JPEG, without a display", arguments);
  verb->add_option("-o,--out", arguments.output, "the picture, .png or .jpg; - for a PNG on standard output")
      ->required();
  verb->add_flag("--transparent", arguments.isTransparent, "transparent background, without ground and backdrop");
  verb->add_option("--style", arguments.style, "the figure with its skin, inside it, or as links of this style")
      ->capture_default_str()
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kRenderStyles), std::end(kRenderStyles))));
  verb->add_option(
      "--view", arguments.side,
      "home, front, back, right, left, top or bottom; default: the scene's view, if it has one, else home");
  verb->add_flag("--orthographic", arguments.isOrthographic, "parallel projection");
  verb->add_flag("--light", arguments.isLight, "light ground and backdrop");
  verb->add_option("--frames", arguments.frames,
                   "A:B or A:B:STEP, counted from 0: a picture of each frame; -o is a folder or name_%04d.png");
  verb->add_option("--from", arguments.from,
                   "AZIMUTH,ELEVATION of the eye in degrees: 0,0 in front of the figure, 90,0 on its left");
  addSize(verb, "WxH in pixels", arguments.width, arguments.height)
      ->default_str(std::to_string(kPictureWidth) + "x" + std::to_string(kPictureHeight));
}

int runVerb(const std::string& verb, const VerbArguments& arguments, Console& console) {
  if (verb == "info") return runInfo(arguments.info, console);
  if (verb == "formats") return runFormats(console);
  if (verb == "certify") return runCertify(arguments.certify, console);
  if (verb == "fk") return runFk(arguments.fk, console);
  if (verb == "bake") return runBake(arguments.bake, console);
  if (verb == "convert") return runConvert(arguments.convert, console);
  if (verb == "fit") return runFitVerb(arguments.fit, console);
  if (verb == "import-worker")
    return runImportWorker(arguments.importWorker.kind, arguments.importWorker.files, console.out());
  if (verb == "solve" && arguments.isBatch) {
    SolveBatchArguments batch = arguments.batch;
    batch.file = arguments.solve.file;
    batch.output = arguments.solve.output;
    batch.requiresReached = arguments.solve.requiresReached;
    batch.context = arguments.solve.context;
    return runSolveBatch(batch, console);
  }
  if (verb == "solve" && arguments.solve.all) return runSolveAll(arguments.solve, console);
  if (verb == "solve") return runSolve(arguments.solve, console);
  if (verb == "serve") return runServe(arguments.serve, console);
  if (verb == "race") return runRace(arguments.race, console);
  if (verb == "replay") return runReplay(arguments.replay, console);
  if (verb == "check") return runCheck(arguments.check, console);
  if (verb == "workspace") return runWorkspace(arguments.workspace, console);
  return runRender(arguments.render, console);
}

void addPose(CLI::App* verb, PoseArgument& argument, const std::string& frameHelp) {
  addInput(verb, "--pose", argument.pose,
           "name of a pose in the library, or JSON or a file of it: joint name to number or array, or what "
           "solve prints; other joints are at rest");
  verb->add_option("--frame", argument.frame, frameHelp)->check(CLI::Range(0, std::numeric_limits<int>::max()));
}

/// A hidden verb for the child process (runImportWorker).
void addImportWorker(CLI::App& app, ImportWorkerArguments& arguments) {
  CLI::App* verb = app.add_subcommand("import-worker")->group("");
  verb->add_option("KIND", arguments.kind)->required()->check(CLI::IsMember({"figure", "mesh"}));
  verb->add_option("FILE", arguments.files)->required();
}

void addFk(CLI::App& app, FkArguments& arguments) {
  CLI::App* verb = addVerb(
      app, "fk", "Print position and rotation of every link and site, as JSON in the file's axes and units", arguments);
  addPose(verb, arguments.pose, "frame of the file's motion, from 0");
  verb->add_option("--jacobian", arguments.jacobians, "add the Jacobian of this site or link; may be repeated")
      ->allow_extra_args(false);
}

void addCertify(CLI::App& app, CertifyArguments& arguments) {
  CLI::App* verb = addVerb(app, "certify", "Bound how much better than a pose any other could be, as JSON", arguments);
  addPose(verb, arguments.pose, "frame of the file's motion, from 0");
  verb->add_option("--splits", arguments.splits, "most splits of the limits, if one bound for all does not certify")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000000));
}

void addConvert(CLI::App& app, ConvertArguments& arguments) {
  CLI::App* verb = addVerb(app, "convert", "Convert a file to another format", arguments, "IN");
  std::string formats;
  for (const io::ExportFormat& format : io::exportFormats())
    formats += (formats.empty() ? "" : ", ") + std::string(format.ending) + " (" + std::string(format.name) + ")";
  verb->add_option("OUT", arguments.output, "the file to write, in the format of its ending: " + formats)->required();
  verb->add_option("--motion", arguments.motions,
                   "name or number, from 1, of the file's motion; or another file with motions of the same figure "
                   "(joint states, a scene, .bvh, .glb ...), of which a second --motion chooses one")
      ->allow_extra_args(false);
  verb->add_flag(
      "!--no-stances", arguments.holdsStances,
      "let feet slide as they come out when a motion is put onto another body, instead of keeping the places "
      "where they stand");
  addPose(verb, arguments.pose, "the frame that gets the pose, from 0");
}

void addBake(CLI::App& app, BakeArguments& arguments) {
  CLI::App* verb =
      addVerb(app, "bake", "Solve every frame of a scene's timeline, and print a report as JSON", arguments, "SCENE");
  verb->add_option("-o,--out", arguments.output, "file for the motion; its ending is the format, as for convert");
  verb->add_option("--fps", arguments.framesPerSecond, "frames per second, instead of the timeline's")
      ->check(CLI::Range(1e-3, 1000.0));
  verb->add_option("--from", arguments.from, "first time, seconds")->check(CLI::Range(0.0, 86400.0));
  verb->add_option("--to", arguments.to, "last time, seconds")->check(CLI::Range(0.0, 86400.0));
  verb->add_option("--keys", arguments.keysWithin,
                   "DEGREES: write pose keys instead of a motion, as few as keep every frame within this")
      ->check(CLI::Range(1e-6, 180.0));
}

/// Empty, or the fault of a scale.
std::string checkScale(const std::string& text) {
  const auto number = io::numberOf(text);
  return text == "auto" || (number && *number > 0.0) ? "" : "must be auto or a number > 0";
}

void addFit(CLI::App& app, FitArguments& arguments) {
  CLI::App* verb = app.add_subcommand("fit", "Fit a figure to observed points, and print a report as JSON");
  addInput(verb, "FIGURE", arguments.figure, kFileHelp)->required();
  addChoices(verb, arguments.context);
  addInput(
      verb, "OBSERVATIONS", arguments.observations,
      "points over time: JSON, .csv, .trc, .c3d (docs/fit.md), a file with a motion, whose joints are used, or key "
      "points in pictures: a file or a folder of them (docs/from_pictures.md)")
      ->required();
  addMotion(verb, arguments.motion, "OBSERVATIONS");
  addInput(verb, "--map", arguments.map, "JSON: observed name to link, site or joint, null for none; else guessed");
  verb->add_option("--scale", arguments.scale, "auto, or length of the figure per observed length")
      ->capture_default_str()
      ->check(CLI::Validator(checkScale, ""));
  verb->add_option("--points", arguments.points, "all, or ends: only the ends and the root")
      ->capture_default_str()
      ->check(CLI::IsMember({"all", "ends"}));
  verb->add_option("--up", arguments.up, "the axis that points up in OBSERVATIONS, instead of the file's own or y")
      ->check(CLI::IsMember({"x", "y", "z"}));
  verb->add_option("--damping", arguments.damping, "damping of poorly observed joints; 0 for none")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6));
  verb->add_flag(
      "!--no-stances", arguments.holdsStances,
      "let the feet of a human body slide as they are fitted, instead of keeping the places where they stand");
  verb->add_option("--view", arguments.views, "key points of a further camera, in the order of --camera");
  addInput(verb, "--camera", arguments.cameras, "JSON: the cameras of the pictures; else they are found");
  addSize(verb, "WIDTHxHEIGHT of the pictures in pixels, if their files do not have it", arguments.width,
          arguments.height);
  verb->add_option("--field-of-view", arguments.fieldOfView, "vertical, degrees, of the cameras that are found")
      ->check(CLI::Range(1.0, 170.0));
  verb->add_option("--noise", arguments.noise, "standard deviation of key points, pixels; else by the body's size")
      ->check(CLI::Range(0.01, 1e4));
  verb->add_option("--fps", arguments.framesPerSecond, "pictures a second; else 30")->check(CLI::Range(1e-3, 1e4));
  verb->add_option("-o,--out", arguments.output, "file for the motion; its ending is the format, as for convert");
  verb->add_option("--costs", arguments.costs, "CSV file for the cost of each frame");
}

void addReplay(CLI::App& app, ReplayArguments& arguments) {
  CLI::App* verb = app.add_subcommand("replay", "Replay a recording of the window, and compare the poses");
  addInput(verb, "FILE", arguments.file, "a recording: limber --record, or Help > Record a bug report")->required();
  verb->add_option("-o,--out", arguments.output, "file for the scene at the end (.limber)");
  verb->add_flag("--json", arguments.isJson, "print JSON instead of a sentence");
}

void addWorkspace(CLI::App& app, WorkspaceArguments& arguments) {
  CLI::App* verb = addVerb(app, "workspace", "Map where an end effector can go, and write its shell as PLY", arguments);
  CLI::Option* link =
      verb->add_option("--link", arguments.link, "of the end effector; else the first site at an end of the figure");
  verb->add_option("--site", arguments.site, "the site that is the end effector")->excludes(link);
  verb->add_option("--cells", arguments.cells, "cells across the ball that link lengths and pins allow")
      ->capture_default_str()
      ->check(CLI::Range(kMinReachCells, kMaxReachCells));
  verb->add_option("--starts", arguments.starts, "random poses from which each boundary cell is tried at the end")
      ->capture_default_str()
      ->check(CLI::Range(0, 100));
  verb->add_option("-o,--out", arguments.output, "file for the shell (.ply)");
  verb->add_option("--picture", arguments.picture, "file for a picture of the figure in its shell (.png)");
  verb->add_flag("--json", arguments.isJson, "print JSON instead of a sentence");
  addPose(verb, arguments.pose, "frame of the file's motion, from 0");
}

/// A hidden verb, which prints the manual page and the completion of shells.
void addReference(CLI::App& app, std::string& kind) {
  app.add_subcommand("reference")
      ->group("")
      ->add_option("KIND", kind)
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kReferenceKinds), std::end(kReferenceKinds))));
}

void addEverything(CLI::App& app, VerbArguments& arguments, WindowOptions& window) {
  app.footer(footer());
  app.set_version_flag("--version", std::string("limber ") + LIMBER_VERSION);
  app.require_subcommand(0, 1);
  addWindowOptions(app, window);
  addVerb(app, "info", "Describe what a file holds", arguments.info)
      ->add_flag("--json", arguments.info.isJson,
                 "print JSON instead of text: links, joints, limits, sites, couplings, axes");
  app.add_subcommand("formats", "List the formats of other programs that open and that are written");
  addCertify(app, arguments.certify);
  addFk(app, arguments.fk);
  addBake(app, arguments.bake);
  addConvert(app, arguments.convert);
  addFit(app, arguments.fit);
  addImportWorker(app, arguments.importWorker);
  addReference(app, arguments.reference);
  addSolve(app, arguments);
  addServe(app, arguments.serve);
  addRace(app, arguments.race);
  addVerb(app, "check", "Compare gradient and Hessian with central differences", arguments.check);
  addRender(app, arguments.render);
  addReplay(app, arguments.replay);
  addWorkspace(app, arguments.workspace);
  const std::string asAlways = "print JSON, as this verb always does";
  for (const char* verb : {"fk", "certify", "bake", "fit"}) app.get_subcommand(verb)->add_flag("--json", asAlways);
  for (CLI::App* verb : app.get_subcommands([](CLI::App* verb) { return !verb->get_group().empty(); }))
    verb->add_flag("--quiet", window.quiet, "print neither notes nor progress");
}

/// Says which verb may be meant by a first argument that is neither an option, a verb, a file nor a figure; else empty.
std::string correctionOf(const CLI::App& app, int argc, const char* const* argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  std::error_code ignored;
  const auto isVerb = [&](const CLI::App* verb) { return verb->get_name() == word; };
  if (word.empty() || word[0] == '-' || !app.get_subcommands(isVerb).empty() || io::isStandardFigure(word) ||
      std::filesystem::exists(word, ignored))
    return {};
  const std::string nearest = nearestVerb(app, word);
  return nearest.empty()
             ? ""
             : io::inQuotes(word) + " is neither a verb nor a file; did you mean \"limber " + nearest + "\"?";
}

/// Names the first option of the command line that its verb does not have; else empty. CLI11 reports a missing argument
/// first, and lists values before the unknown options to which they belong.
std::string unknownOption(const CLI::App& app, int argc, const char* const* argv) {
  const auto verbs = app.get_subcommands();
  if (verbs.empty()) return {};
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--") break;
    if (word.size() < 2 || word[0] != '-' || std::isdigit(static_cast<unsigned char>(word[1])) || word[1] == '.')
      continue;
    word = word[1] == '-' ? word.substr(0, word.find('=')) : word.substr(0, 2);
    if (!verbs.front()->get_option_no_throw(word) && !app.get_option_no_throw(word)) return word;
  }
  return {};
}

}  // namespace

std::optional<int> runCommandLine(int argc, const char* const* argv, WindowOptions& window, std::ostream& out,
                                  std::ostream& err) {
  CLI::App app("Limber poses articulated figures by inverse kinematics. Without a verb it opens its window.", "limber");
  VerbArguments arguments;
  addEverything(app, arguments, window);
  if (const std::string correction = correctionOf(app, argc, argv); !correction.empty()) {
    err << "limber: " << correction << std::endl;
    return kUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string verb = app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name();
    Console console(verb, out, err);
    std::ostringstream text;  // of --help and --version
    if (error.get_exit_code() == 0 && app.exit(error, text, err) == 0) return console.print(text.str());
    const std::string unknown = unknownOption(app, argc, argv);
    return console.failUsage((unknown.empty() ? error.what() : "there is no option " + unknown) +
                             " (--help lists all options)");
  }
  if (app.get_subcommands().empty()) return std::nullopt;
  platform::outliveBrokenPipes();  // a closed pipe is then a failed write, which is reported
  const std::string verb = app.get_subcommands().front()->get_name();
  Console console(verb, out, err, window.quiet);
  try {
    return verb == "reference" ? console.print(referenceOf(app, arguments.reference))
                               : runVerb(verb, arguments, console);
  } catch (const std::bad_alloc&) {
    return console.fail("there is not enough memory for this");
  } catch (const std::exception& fault) {
    return console.fail(fault.what());
  }
}

}  // namespace limber::app
