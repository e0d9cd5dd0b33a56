// SPDX-License-Identifier: MIT
// The verbs of the command line: their arguments, the functions that run them and their exit codes. Each verb has a
// source of its name; command_line.cpp fills the arguments.
#pragma once

#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/commands/output.h"
#include "app/commands/pose_argument.h"
#include "app/jobs/pictures.h"
#include "limber/io/base/open_context.h"
#include "limber/proof/reach_search.h"
#include "limber/solvers/convex/certificate.h"

namespace limber::app {

inline constexpr int kSuccess = 0, kBadInput = 1, kUsage = 2, kDisagreement = 3, kNotReached = 4;

struct ExitCode {
  int code;
  const char* meaning;
};
/// All exit codes, as --help, the manual page and docs/command_line.md list them.
inline constexpr ExitCode kExitCodes[] = {
    {kSuccess, "success"},
    {kBadInput, "an input cannot be used, or the output cannot be written"},
    {kUsage, "wrong usage: a mistake that the command line shows without any file"},
    {kDisagreement, "check: a derivative is wrong; replay: a pose differs from the recorded one"},
    {kNotReached, "solve --require-reached: a goal, or a line of a batch, is not reached"},
};

/// The file that "-" stands for on the command line.
inline constexpr const char* kStandardInputFile = "/dev/stdin";

struct FileArguments {
  std::string file;         ///< anything that opens
  io::OpenContext context;  ///< the choices of the command line
};

struct InfoArguments {
  std::string file;         ///< anything that opens
  io::OpenContext context;  ///< the choices of the command line
  bool isJson = false;      ///< for programs, instead of the summary
};

/// `limber info`: prints a summary of a file, for people or as JSON. Returns the exit code.
int runInfo(const InfoArguments& arguments, Console& console);

/// `limber formats`: prints both tables of formats. Returns the exit code.
int runFormats(Console& console);
/// The tables of docs/formats.md, in Markdown, made from those of the code.
std::string readFormatsTable();
std::string writtenFormatsTable();

/// `limber check FILE`: compares gradient and Hessian with central differences and prints the worst entry of each.
/// Returns kSuccess if both agree, else kDisagreement; kBadInput if nothing can be compared.
int runCheck(const FileArguments& arguments, Console& console);

struct FkArguments {
  std::string file;         ///< anything that opens
  io::OpenContext context;  ///< the choices of the command line
  PoseArgument pose;
  std::vector<std::string> jacobians;  ///< names of sites and links
};

/// `limber fk`: prints {"links": [{"name", "position", "rotation"}], "sites": [the same, and "link"]} in the file's own
/// axes and units; rotations are (x, y, z, w) with w >= 0. With --jacobian also "jacobians": [{"of", "columns",
/// "rows"}].
int runFk(const FkArguments& arguments, Console& console);

struct ConvertArguments {
  std::string file;         ///< anything that opens
  io::OpenContext context;  ///< the choices of the command line
  std::string output;       ///< in the format of its ending (io/export_formats.h)
  /// Files with motions of the same figure (io/motion_file.h), and motions by name or number. Each file replaces the
  /// motions before it.
  std::vector<std::string> motions;
  bool holdsStances = true;  ///< of feet, in motions of other bodies
  PoseArgument pose;         ///< put into its frame, or the first one; if none is given, the motion stays
};

/// `limber convert`: converts a file to another format, with notes about contents that the format lacks. Returns the
/// exit code.
int runConvert(const ConvertArguments& arguments, Console& console);

struct SolveArguments {
  std::string file;          ///< a problem or a scene
  io::OpenContext context;   ///< the choices of the command line
  std::string solver;        ///< name of the registry; empty: the file's
  std::string output;        ///< empty: standard output; "*.limber": the posed scene; else the result
  bool derivatives = false;  ///< add f, gradient and Hessian at the start, and x, x', x'' of position goals' points
  std::string posing;        ///< natural, still or even; empty: as the file says
  std::optional<double> bodyFollows;  ///< [0, 1]; overrides the file's
  bool pathIndependent = false;       ///< start at the base pose, not the file's; false: as the file says
  bool requiresReached = false;       ///< the exit code is kNotReached if a goal is not reached
  bool all = false;                   ///< list all poses of an arm instead of one
  bool clear = false;                 ///< with `all`: without those that collide
  bool windings = false;              ///< with `all`: also those that differ by whole turns
  bool asJson = false;                ///< with `all`: JSON instead of a table
};

/// `limber solve --all`: prints all poses of an arm that meet the goal (docs/all_ways.md). Returns the exit code.
int runSolveAll(const SolveArguments& arguments, Console& console);

/// `limber solve`: poses the figure and prints a report as JSON (docs/formats.md). Returns the exit code.
int runSolve(const SolveArguments& arguments, Console& console);

struct SolveBatchArguments {
  std::string file;                  ///< of problems, one per line
  std::string figure;                ///< anything that opens; empty: on the first line
  io::OpenContext context;           ///< the choices of the command line
  std::string output;                ///< empty or "-": standard output
  std::string precision = "single";  ///< or "double"
  bool polish = true;
  bool requiresReached = false;  ///< the exit code is kNotReached if a line is not reached
  int threads = 0;               ///< 0: as many as the machine has
  int restarts = 200;
  std::chrono::milliseconds progressInterval{2000};  ///< least time between lines of progress
};

/// `limber solve --batch`: reads one problem per line and prints one answer per line, in order (docs/formats.md). It
/// stops at an invalid line after the answers before it, and between lines on Ctrl+C; a file gets all answers or is not
/// written. Returns the exit code.
int runSolveBatch(const SolveBatchArguments& arguments, Console& console);

struct ServeArguments {
  io::OpenContext context;        ///< the choices of the command line
  std::string socket;             ///< path of a Unix socket; empty: standard input and output
  std::string root;               ///< folder to which files are limited; empty: all
  std::size_t figures = 1000;     ///< most that are open at once
  std::size_t megabytes = 4096;   ///< of memory
  std::chrono::seconds idle{30};  ///< without a request, before a client is disconnected while another waits
};

/// `limber serve`: answers requests, one per line, until the input ends (docs/serve.md). Returns the exit code: 0 also
/// when Ctrl+C or SIGTERM ends it, or its output is closed.
int runServe(const ServeArguments& arguments, Console& console);

struct CertifyArguments {
  std::string file;         ///< a problem or a scene
  io::OpenContext context;  ///< the choices of the command line
  PoseArgument pose;        ///< overrides the file's
  int splits = CertificateOptions{}.splits;
};

/// `limber certify`: bounds how much better than the pose any other could be, as JSON (docs/global.md). Ctrl+C cancels.
/// Returns the exit code: 0 whether certified or not, 1 if there is no bound.
int runCertify(const CertifyArguments& arguments, Console& console);

struct RaceArguments {
  std::string file;                  ///< a problem or a scene
  io::OpenContext context;           ///< the choices of the command line
  std::vector<std::string> solvers;  ///< names of the registry; empty: all
  std::string csv;                   ///< file for the iterates; empty: none
  bool json = false;                 ///< instead of the table
};

/// `limber race`: compares several solvers on one problem (docs/formats.md). Returns the exit code.
int runRace(const RaceArguments& arguments, Console& console);

struct FitArguments {
  std::string figure;          ///< anything that opens
  io::OpenContext context;     ///< the choices of the command line
  std::string observations;    ///< JSON, CSV, TRC, C3D, or anything that opens with a motion
  std::string motion;          ///< of the observations, by name or number (OpenContext::motion)
  std::string map;             ///< file of names (io/points/observations.h); empty: guessed
  std::string scale = "auto";  ///< or a number
  std::string points = "all";  ///< or "ends"
  std::string up;              ///< "x", "y" or "z", of the observations; empty: as they say, else y
  std::string output;          ///< the motion, in the format of the ending (io/export_formats.h); empty: none
  std::string costs;           ///< CSV, one line per frame; empty: none
  double damping = 5.0;        ///< FitOptions::damping
  bool holdsStances = true;    ///< of the feet of a human body

  // Of key points in pictures (docs/from_pictures.md).
  std::vector<std::string> views;         ///< key points of further cameras
  std::string cameras;                    ///< file of the cameras; empty: found
  int width = 0, height = 0;              ///< of the pictures; 0: as the file says, else guessed
  std::optional<double> fieldOfView;      ///< vertical, degrees, of the camera that is found
  std::optional<double> noise;            ///< PictureFitPlan::noise
  std::optional<double> framesPerSecond;  ///< of the pictures; else 30
};

/// `limber fit` of key points in pictures.
int runPictureFit(const FitArguments& arguments, Document document, Console& console);

/// `limber fit`: fits a figure to observed points and prints a report as JSON (docs/fit.md). Returns the exit code.
int runFitVerb(const FitArguments& arguments, Console& console);

struct BakeArguments {
  std::string file;                       ///< a scene with a timeline
  io::OpenContext context;                ///< the choices of the command line
  std::string output;                     ///< the motion, in the format of the ending; empty: none
  std::optional<double> framesPerSecond;  ///< the timeline's when not given
  double from = 0.0;                      ///< seconds
  std::optional<double> to;               ///< seconds; the timeline's end when not given
  std::optional<double> keysWithin;       ///< degrees: tolerance of keys that replace the motion in a scene
};

/// `limber bake`: bakes a scene's timeline into a motion and prints a report as JSON (docs/timeline.md). Ctrl+C
/// cancels, and nothing is written. Returns the exit code, 0 even if frames are not reached.
int runBake(const BakeArguments& arguments, Console& console);

struct WorkspaceArguments {
  std::string file;         ///< anything that opens
  io::OpenContext context;  ///< the choices of the command line
  std::string link;         ///< of the end effector; if `site` is empty, too: the main end effector
  std::string site;
  int cells = ReachQuestion{}.cellsAcross;
  int starts = ReachQuestion{}.starts;
  std::string output;   ///< the shell as PLY; empty: none
  std::string picture;  ///< of the figure in its shell, PNG; empty: none
  bool isJson = false;
  PoseArgument pose;  ///< locked joints keep its angles; overrides the file's
};

/// `limber workspace`: maps the reachable workspace of an end effector (docs/workspace.md). Ctrl+C ends the search;
/// the results so far are printed, and the exit code is kBadInput.
int runWorkspace(const WorkspaceArguments& arguments, Console& console);

/// The figure with its skin, or capsules if it has none; inside its skin; the links in a style of app/settings/looks.h.
inline constexpr const char* kRenderStyles[] = {"skin", "in-skin", "parts", "capsules", "boxes", "bones"};

/// "A:B" or "A:B:STEP", 0 <= A <= B, STEP >= 1; nothing for anything else.
std::optional<FrameRange> parseFrames(const std::string& text);

/// "AZIMUTH,ELEVATION": degrees, the latter from -90 to 90; nothing for anything else.
std::optional<EyeDirection> parseFrom(const std::string& text);

struct RenderArguments {
  std::string file;
  io::OpenContext context;  ///< the choices of the command line
  std::string output;       ///< "-" writes the picture to standard output
  int width = kPictureWidth, height = kPictureHeight;
  bool isTransparent = false;  ///< nothing behind the figure
  std::string style = "skin";  ///< one of kRenderStyles
  std::string side = {};       ///< a render::ViewFrom by its name; empty: the scene's view, or home
  bool isOrthographic = false;
  bool isLight = false;  ///< ground and backdrop of the light theme
  std::string frames;    ///< of a sequence; empty for one picture
  std::string from;      ///< "AZIMUTH,ELEVATION" in degrees; empty: three quarters
};

/// `limber render FILE -o PICTURE`: draws the figure of a file without a display. A sequence keeps one view that shows
/// all of its frames; Ctrl+C ends it between two. Returns the exit code: 0, or 1 with a sentence.
int runRender(const RenderArguments& arguments, Console& console);

struct ReplayArguments {
  std::string file;
  std::string output;  ///< scene for the document at the end; empty: none
  bool isJson = false;
};

/// `limber replay`: replays a recording and compares the poses (docs/recording.md). Returns the exit code.
int runReplay(const ReplayArguments& arguments, Console& console);

/// The child process that reads FBX, Collada, STL and OBJ for io/mesh/foreign.h. Not for users. kind: "figure" or
/// "mesh". Prints for each file "glb N", an end of line and N bytes of GLB; or "fault N", an end of line and N bytes
/// with the reason. Limits the memory and processor time of this process.
int runImportWorker(const std::string& kind, const std::vector<std::string>& paths, std::ostream& out);

}  // namespace limber::app
